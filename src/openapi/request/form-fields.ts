/** The fields of a form: the members of its object, parsed by their schemas and Encoding Objects (OpenAPI 3.1, Encoding Object). */
import { getKind, type MediaType } from '../document/content.ts'
import { memoize } from '../document/values.ts'
import type { SchemaView } from '../schema/view.ts'
import { TextError } from '../shared/errors.ts'
import { parseJson } from '../shared/parse-json.ts'
import type { BodyContext } from './body-parser.ts'
import { createMemberParsers, type FieldParser } from './field-parsers.ts'
import type { FormValue } from './form-parts.ts'
import { createScalarParser, createValuesParser, getFieldViews, type TextParser } from './text-values.ts'

/** The parser of a form field. */
export interface FormFieldParser extends FieldParser<FormValue> {
  /** True if a part with a file name becomes a file. */
  readonly mayBeFile: boolean
}

/**
 * Creates the function that finds the parser of a form field. An undeclared field has one, too: validation rejects it.
 *
 * | field                                          | each text is                                 |
 * |------------------------------------------------|----------------------------------------------|
 * | JSON by its encoding's `contentType`, no bytes | JSON: the value, or an item of the array     |
 * | object, or an item that is an array or object  | JSON                                         |
 * | bytes alone                                    | a violation: clients must send a file        |
 * | any other                                      | a scalar, or an item of the array            |
 */
export function createFindFormField({ schema, encoding = {} }: MediaType, { compile, maxDepth }: BodyContext) {
  const formView = compile.views.get(schema)
  const parseJsonText: TextParser = (text) => parseJson(Buffer.from(text), maxDepth)
  const createFormValueParser = (view: SchemaView, isItem: boolean) => {
    const isJson = isItem ? !view.isScalar : view.mentionedTypes.includes('object')
    return passFiles(view, isJson ? parseJsonText : createScalarParser(view, compile))
  }
  const getField = memoize(
    (member: SchemaView): FormFieldParser => ({
      ...createValuesParser(member, compile, createFormValueParser),
      mayBeFile: mayBeFile(member),
    }),
  )
  const getJsonField = memoize((member: SchemaView) => createJsonFieldParser(member, parseJsonText))
  // These objects are also parsed from JSON: in a multipart form of OpenAPI 3.0, the style has no effect.
  const deepObjects = Object.keys(encoding)
    .filter((name) => encoding[name]?.style === 'deepObject')
    .map((name) => createMemberParsers({ name, style: 'deepObject' }, formView.property(name), getField))

  return (name: string): FormFieldParser => {
    const memberParser = deepObjects.map(({ find }) => find(name)).find(Boolean)
    if (memberParser !== undefined) return memberParser
    const member = formView.property(name)
    const hasJsonType = getKind(encoding[name]?.contentType?.toLowerCase() ?? '') === 'json'
    return hasJsonType && !isBytesField(member) ? getJsonField(member) : getField(member)
  }
}

/** Creates the parser of a value that is a file, or a text for `parseText`. A text is malformed if the schema allows bytes alone. */
function passFiles(view: SchemaView, parseText: TextParser): (value: FormValue) => unknown {
  const mustBeFile = view.mayBeBytes && !hasTextBranch(view)
  return (value) => {
    if (typeof value !== 'string') return value
    const parsedValue = parseText(value)
    // Without this, validation allows the text: in JSON, bytes are a text.
    if (mustBeFile && typeof parsedValue === 'string') {
      throw new TextError('must be a file', 'format', { format: 'binary' })
    }
    return parsedValue
  }
}

/** True if a field of a form may have files: it is bytes, or nothing limits its type. */
export function mayBeFile(view: SchemaView): boolean {
  return isBytesField(view) || getFieldViews(view).some((item) => item.mentionedTypes.length === 0)
}

/** True if a field of a form is bytes, perhaps by a branch. */
function isBytesField(view: SchemaView): boolean {
  return getFieldViews(view).some((item) => item.mayBeBytes)
}

/** True if a branch allows texts that are not bytes. */
function hasTextBranch({ branchViews }: SchemaView): boolean {
  return branchViews.flat().some(({ mayBeBytes, mentionedTypes }) => !mayBeBytes && mentionedTypes.includes('string'))
}

/** Creates the parser of a field with JSON as its `contentType`. Clients send an array as a whole or by items: the encoding says neither. */
function createJsonFieldParser({ mentionedTypes }: SchemaView, parseJsonText: TextParser): FormFieldParser {
  const isArray = mentionedTypes.includes('array')
  return {
    mayBeFile: false,
    isRepeatable: isArray,
    parse(texts) {
      const values = texts.map((text) => parseJsonText(String(text)))
      const isWhole = !isArray || (values.length === 1 && Array.isArray(values[0]))
      return isWhole ? values[0] : values
    },
  }
}
