/** Finds the values of mocks: the examples of the document, or else what openapi-sampler makes of a schema. */
import type { OpenApiDocument } from '../check/document.ts'
import { getEssence, getKind, JSON_TYPE } from '../document/content.ts'
import type { OpenApi, Schema } from '../document/model.ts'
import { getReferences } from '../document/references.ts'
import { toSchema } from '../document/subschemas.ts'
import { toObject, type Values } from '../document/values.ts'
import { parseJson } from '../shared/parse-json.ts'
import { type ExemplifiedSchema, sampleSchema } from './sample.ts'

/** A media type or a header. */
export interface Exemplified {
  readonly schema?: Schema
  /** The schema of each item of a stream. The value of a stream is the list of its items. */
  readonly itemSchema?: Schema | undefined
  /** True if the app has a serializer for the values of the media type. */
  readonly hasCodec?: boolean
  readonly example?: unknown
  readonly examples?: unknown
}

/**
 * Returns the example with a name, or else the first valid value; undefined without a valid value. Of media types that are not JSON,
 * the value is the text of the body. `type` is the media type: of a range, one that is chosen.
 */
export type FindExample = (media: Exemplified, type?: string, name?: string) => unknown

/** Tests a value: what is undefined is not valid. */
type Test = (value: unknown) => boolean

/** The items of a stream that has no example: enough to show that there are several. */
const ITEM_COUNT = 3

/** Creates the function that finds examples. */
export function createExamples({ compile, root }: OpenApiDocument): FindExample {
  const firstValues = new WeakMap<Exemplified, { readonly value: unknown }>()
  return (media, type = JSON_TYPE, name) => {
    const { example, examples, schema = {}, itemSchema, hasCodec = false } = media
    const validate = compile(itemSchema ?? schema, 'response')
    const isValid = (value: unknown) => value !== undefined && 'value' in validate(value)
    const isValidItems = (value: unknown) => Array.isArray(value) && value.every(isValid)
    const isText = getKind(type) !== 'json' && !hasCodec && itemSchema === undefined
    // The text of another media type, such as XML, is not what its schema describes.
    const isValidExample = isText ? isString : itemSchema === undefined ? isValid : isValidItems
    const namedExamples = new Map(Object.entries(toObject(examples)))
    const listValues = (example: unknown) => listExampleValues(root, example, isText)
    if (name !== undefined) return listValues(namedExamples.get(name)).find(isValidExample)

    function findFirst(): unknown {
      const value = [example, ...namedExamples.values().flatMap(listValues)].find(isValidExample)
      if (value !== undefined) return value
      if (isText) return findText(root, schema, type, isValid)
      const madeValue = findValue(root, itemSchema ?? schema, isValid)
      return itemSchema === undefined || madeValue === undefined ? madeValue : Array(ITEM_COUNT).fill(madeValue)
    }

    const firstValue = firstValues.get(media) ?? { value: findFirst() }
    firstValues.set(media, firstValue)
    return firstValue.value
  }
}

/** Lists the values of an Example Object. Since OpenAPI 3.2, `dataValue` is the value, and `serializedValue` is its text. */
function listExampleValues(root: OpenApi, example: unknown, isText: boolean): unknown[] {
  const { value, dataValue, serializedValue } = getReferences(root).resolve<Values>(toObject(example))
  return [value, dataValue, isText ? serializedValue : parseText(serializedValue)]
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

/** Lists the values that a schema gives, and those of the schema that it refers to. */
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

/** Parses a text as JSON; undefined for other texts. */
function parseText(text: unknown): unknown {
  try {
    return parseJson(Buffer.from(String(text)))
  } catch {
    return undefined
  }
}
