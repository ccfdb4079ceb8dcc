/**
 * Finds the values of mocks: the examples of the document, or else what openapi-sampler makes of a schema. Each response gets a copy,
 * because a hook may change it.
 */
import type { OpenApiDocument } from '../check/document.ts'
import { FIELD_VALUE } from '../check/responses.ts'
import { getEssence, getKind, type MediaType } from '../document/content.ts'
import type { OpenApi, Schema } from '../document/model.ts'
import { getReferences } from '../document/references.ts'
import type { Header } from '../document/responses.ts'
import { toSchema } from '../document/subschemas.ts'
import { getOwn, toObject, type Values } from '../document/values.ts'
import type { HandlerHeaders } from '../response/headers.ts'
import { parseJson } from '../shared/parse-json.ts'
import { readItems } from '../shared/stream-items.ts'
import { type ExemplifiedSchema, sampleSchema } from './sample.ts'

export interface Examples {
  /** Returns a value of a header that is valid and can be sent; undefined without one. */
  findHeaderValue(header: Header): HandlerHeaders[string]
  /**
   * Returns the example with a name, or else the first valid value; undefined without one. The value of a stream is the list of its
   * items, and that of a media type that is not JSON the text of the body. `type` is the media type: of a range, one that is chosen.
   */
  findBody(content: MediaType, type: string, name?: string): unknown
}

/** What may have examples: a header, or the content of a body. */
type ExampleHolder = object & { readonly example?: unknown; readonly examples?: unknown }

/** Tests a value: what is undefined is not valid. */
type Test = (value: unknown) => boolean

/** The functions by which the value of a holder is found. */
interface ValueRules {
  /** True for an example that can be sent. */
  readonly isExample: Test
  /** Returns the value of a `serializedValue`. Throws for a text that is not of the media type. */
  readonly parse: (text: string) => unknown
  /** Makes a value of the schema; undefined if none can be made. */
  readonly make: () => unknown
}

/** The items of a stream that has no example: enough to show that there are several. */
const ITEM_COUNT = 3

/** Creates what finds the examples of a document. */
export function createExamples({ compile, root }: OpenApiDocument): Examples {
  function createValueRules(schema: Schema, canBeSent: Test = () => true): ValueRules {
    const validate = compile(schema, 'response')
    const isExample: Test = (value) => value !== undefined && 'value' in validate(value) && canBeSent(value)
    return { isExample, parse: (text) => parseJson(Buffer.from(text)), make: () => findValue(root, schema, isExample) }
  }

  function createBodyRules({ schema, itemSchema, hasCodec = false }: MediaType, type: string): ValueRules {
    if (itemSchema !== undefined) {
      const { isExample: isItem, make } = createValueRules(itemSchema)
      const isExample: Test = (value) => Array.isArray(value) && value.every(isItem)
      const parse = (text: string) => readItems(getEssence(type), text)
      return { isExample, parse, make: () => Array.from({ length: ITEM_COUNT }, make) }
    }
    const valueRules = createValueRules(schema)
    if (hasCodec || getKind(type) === 'json') return valueRules
    // The text of another media type, such as XML, is not what its schema describes.
    const make = () => findText(root, schema, type, valueRules.isExample)
    return { isExample: isString, parse: (text) => text, make }
  }

  /** Copies the example with a name, or else the first value that can be sent. */
  function find(holder: ExampleHolder, { isExample, parse, make }: ValueRules, name?: string): unknown {
    const examples = toObject(holder.examples)
    const listValues = (example: unknown) => listExampleValues(root, example, parse)
    if (name !== undefined) return structuredClone(listValues(getOwn(examples, name)).find(isExample))
    const value = [holder.example, ...Object.values(examples).flatMap(listValues)].find(isExample)
    // Not `??`: null is a value.
    return structuredClone(value === undefined ? [make()].find(isExample) : value)
  }

  return {
    findHeaderValue(header) {
      const isFieldValue: Test = (value) => FIELD_VALUE.test(String(value))
      return find(header, createValueRules(toSchema(header.schema), isFieldValue)) as HandlerHeaders[string]
    },
    findBody: (content, type, name) => find(content, createBodyRules(content, type), name),
  }
}

/** Lists the values of an Example Object. Since OpenAPI 3.2, `dataValue` is the value, and `serializedValue` is its text. */
function listExampleValues(root: OpenApi, example: unknown, parse: ValueRules['parse']): unknown[] {
  const { value, dataValue, serializedValue } = getReferences(root).resolve<Values>(toObject(example))
  return [value, dataValue, parseText(serializedValue, parse)]
}

/** Finds a value that a schema gives, or else one that is made of it. */
function findValue(root: OpenApi, schema: Schema, isValid: Test): unknown {
  const givenValue = listGivenValues(root, schema).find(isValid)
  return givenValue === undefined ? sampleSchema(root, schema).find(({ value }) => isValid(value))?.value : givenValue
}

/** Finds the text of a body that is not JSON. */
function findText(root: OpenApi, schema: Schema, type: string, isValid: Test): unknown {
  const asXml = /[/+]xml$/.test(getEssence(type))
  if (asXml) return sampleSchema(root, schema, { asXml }).find(({ value }) => isValid(value))?.written
  const value = findValue(root, schema, isValid)
  return isString(value) ? value : undefined
}

/** Lists the values that a schema gives, and the values of its `$ref` target. */
function listGivenValues(root: OpenApi, schema: ExemplifiedSchema): unknown[] {
  const { $ref, example, examples = [], enum: listed = [], 'x-extensible-enum': extensible = [] } = schema
  const values = [example, ...examples, schema.default, schema.const, ...extensible, ...listed]
  return $ref === undefined
    ? values
    : [...values, ...listGivenValues(root, toSchema(getReferences(root).getTarget($ref)))]
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

/** Parses a text; undefined for what is no text, or cannot be parsed. */
function parseText(text: unknown, parse: ValueRules['parse']): unknown {
  try {
    return isString(text) ? parse(text) : undefined
  } catch {
    return undefined
  }
}
