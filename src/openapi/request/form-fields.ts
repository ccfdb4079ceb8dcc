/** The fields of a form: the members of its object, parsed by their schemas and Encoding Objects (OpenAPI 3.1, Encoding Object). */
import { getEncodingKind, type MediaType } from '../document/content.ts'
import { memoize } from '../document/values.ts'
import type { SchemaView } from '../schema/view.ts'
import { TextError } from '../shared/errors.ts'
import { parseJson } from '../shared/parse-json.ts'
import type { BodyContext } from './body-parser.ts'
import { createMemberParsers, type FieldParser } from './field-parsers.ts'
import type { FormValue } from './form-parts.ts'
import { createScalarParser, createValuesParser, getFieldViews } from './text-values.ts'

/** The parser of a form field. */
interface FormFieldParser extends FieldParser<FormValue> {
  /** True if a part with a file name becomes a file. */
  readonly mayBeFile: boolean
}

/**
 * Creates the function that finds the parser of a form field. An undeclared field has one, too: validation rejects it.
 *
 * | field                                              | each text is                             | parser                  |
 * |----------------------------------------------------|------------------------------------------|-------------------------|
 * | its `contentType` is JSON, and it may not be bytes | JSON: the value, or an item of the array | `createJsonFieldParser` |
 * | object, or an item that is an array or object      | JSON                                     | `createFormValueParser` |
 * | bytes alone                                        | a violation: clients must send a file    | `createFormValueParser` |
 * | any other                                          | a scalar, or an item of the array        | `createFormValueParser` |
 */
export function createFindFormField({ schema, encoding = {} }: MediaType, context: BodyContext) {
  const formView = context.compile.views.get(schema)
  const createValueParser = (value: SchemaView, isItem: boolean) => createFormValueParser(value, isItem, context)
  const getFieldParser = memoize(
    (field: SchemaView): FormFieldParser => ({
      ...createValuesParser(field, context.compile, createValueParser),
      mayBeFile: mayBeFile(field),
    }),
  )
  const getJsonFieldParser = memoize((field: SchemaView) => createJsonFieldParser(field, context))
  const deepObjects = Object.keys(encoding)
    .filter((name) => encoding[name]?.style === 'deepObject')
    .map((name) => createMemberParsers({ name, style: 'deepObject' }, formView.property(name), getFieldParser))

  return (name: string): FormFieldParser => {
    const memberParser = deepObjects.map(({ find }) => find(name)).find(Boolean)
    if (memberParser !== undefined) return memberParser
    // Also the name of such an object: in a multipart form of OpenAPI 3.0, `style` has no effect, and clients send the object as JSON.
    const field = formView.property(name)
    const hasJsonType = getEncodingKind(encoding[name]?.contentType) === 'json'
    const isBytes = [field, ...getFieldViews(field)].some((value) => value.mayBeBytes)
    return hasJsonType && !isBytes ? getJsonFieldParser(field) : getFieldParser(field)
  }
}

/** Creates the parser of a field with JSON as its `contentType`. Clients send an array as a whole or by items. */
function createJsonFieldParser({ mentionedTypes }: SchemaView, { maxDepth }: BodyContext): FormFieldParser {
  const isArray = mentionedTypes.includes('array')
  return {
    mayBeFile: false,
    isRepeatable: isArray,
    parse(texts) {
      const values = texts.map((text) => parseJson(Buffer.from(String(text)), maxDepth))
      const isWhole = !isArray || (values.length === 1 && Array.isArray(values[0]))
      return isWhole ? values[0] : values
    },
  }
}

/** Creates the parser of a text or file, which is the value of a field, or an item of the array. */
function createFormValueParser(view: SchemaView, isItem: boolean, { compile, maxDepth }: BodyContext) {
  // The array of a field never gets here as a whole: it is sent by items, so only an array within it is JSON.
  const isJson = isItem ? !view.isScalar : view.mentionedTypes.includes('object')
  const parseFieldText = isJson
    ? (text: string) => parseJson(Buffer.from(text), maxDepth)
    : createScalarParser(view, compile)
  const isFileRequired = mustBeFile(view)
  return (value: FormValue) => {
    if (typeof value !== 'string') return value
    const parsedValue = parseFieldText(value)
    // Without this, validation allows the text: in JSON, bytes are a text.
    if (isFileRequired && typeof parsedValue === 'string') {
      throw new TextError('must be a file', 'format', { format: 'binary' })
    }
    return parsedValue
  }
}

/** True if a part with a file name becomes a file for a field with this schema: where bytes or any type are allowed. */
export function mayBeFile(view: SchemaView): boolean {
  // The value itself counts besides the items: it may be a file or an array.
  return [view, ...getFieldViews(view)].some(
    ({ mayBeBytes, mentionedTypes }) => mayBeBytes || mentionedTypes.length === 0,
  )
}

/** True if bytes are the only strings. */
function mustBeFile({ branchViews, mayBeBytes }: SchemaView): boolean {
  const isText = (branch: SchemaView) => !branch.mayBeBytes && branch.mentionedTypes.includes('string')
  return mayBeBytes && !branchViews.flat().some(isText)
}
