/** The URLs of operations, for links in responses. */
import { inspect } from 'node:util'
import { DEFAULT_MAX_DEPTH, type Operation } from '../document/operations.ts'
import type { Parameter } from '../document/parameters.ts'
import type { Values } from '../document/values.ts'
import { SEPARATORS } from '../request/styles.ts'
import { stringifyExactly, toCanonicalJson } from '../shared/json.ts'
import { parseJson } from '../shared/parse-json.ts'

/**
 * Returns the path and query of an operation for values of its parameters: `/v1/pets?limit=7`. Throws a TypeError for a name that no
 * parameter has, for a path parameter without a value, and for a value that a request with this URL would not have, such as `..` in the
 * path, null, NaN, or an empty list. The paths of other operations do not count: `/pets/{id}` may become `/pets/count`.
 */
export type BuildUrl = (values?: { readonly path?: Values; readonly query?: Values }) => string

/** By operationId. */
export type Urls = Readonly<Record<string, BuildUrl>>

/** Creates the function that builds the URLs of an operation; `base` is the path before that of the operation. */
export function createUrlBuilder(base: string, { path: template, parameters }: Operation): BuildUrl {
  const findParameters = (location: Parameter['in']) =>
    new Map(parameters.filter((parameter) => parameter.in === location).map((parameter) => [parameter.name, parameter]))
  const pathParameters = findParameters('path')
  const queryParameters = findParameters('query')
  const { start, parts } = splitTemplate(base + template, pathParameters)
  return ({ path = {}, query = {} } = {}) => {
    for (const name of Object.keys(path)) if (!pathParameters.has(name)) throw unknownName('path', name)
    let url = start
    for (const part of parts) url += writePathParameter(part, path[part.parameter.name]) + part.text
    let separator = '?'
    for (const [name, value] of Object.entries(query)) {
      const parameter = queryParameters.get(name)
      if (parameter === undefined) throw unknownName('query', name)
      for (const field of value === undefined ? [] : writeParameter(parameter, value)) {
        url += `${separator}${field.name}=${field.text}`
        separator = '&'
      }
    }
    return url
  }
}

/** A parameter of a template, with the text behind it. */
interface TemplatePart {
  readonly parameter: Parameter
  readonly text: string
  /** True if another parameter of the same segment follows: the value ends where the text begins for the first time. */
  readonly endsAtText: boolean
}

/** Splits a template: `/books/{from}-{to}/titles` begins with `/books/`, and its parts have the texts `-` and `/titles`. */
function splitTemplate(template: string, parameters: ReadonlyMap<string, Parameter>) {
  const [start = '', ...namesAndTexts] = template.split(/\{([^{}]+)\}/)
  const parts: TemplatePart[] = []
  for (let index = 0; index < namesAndTexts.length; index += 2) {
    const [name = '', text = '', nextName] = namesAndTexts.slice(index, index + 3)
    // A start without the parameter is rejected.
    const parameter = parameters.get(name) as Parameter
    parts.push({ parameter, text, endsAtText: nextName !== undefined && !text.includes('/') })
  }
  return { start, parts }
}

/** A name and a text of a URL, both encoded. */
interface Field {
  readonly name: string
  readonly text: string
}

function writePathParameter({ parameter, text, endsAtText }: TemplatePart, value: unknown): string {
  if (value === undefined) throw unwritable(parameter, value)
  const valueText = String(writeParameter(parameter, value)[0]?.text)
  // Clients remove "." and ".." from a path (RFC 3986, section 5.2.4), and no path parameter is empty.
  const isRemoved = /^\.{0,2}$/.test(valueText)
  // The router has decoded all but reserved characters when it looks for the text behind the value.
  const routedText = decodeURI(valueText)
  const isCut = endsAtText && (routedText + text).indexOf(text) < routedText.length
  if (isRemoved || isCut) throw unwritable(parameter, value)
  return valueText
}

/** Writes a value of a parameter for a URL, as in the table of `createParameterParser`: the inverse of parsing. */
function writeParameter(parameter: Parameter, value: unknown): Field[] {
  const { name, style, explode, isJson } = parameter
  const fieldName = encodeURIComponent(name)
  if (isJson) return [{ name: fieldName, text: writeJson(parameter, value) }]
  if (typeof value !== 'object' || value === null) return [{ name: fieldName, text: encodeScalar(parameter, value) }]
  const isArray = Array.isArray(value)
  const members = Object.entries(value).filter(([, member]) => isArray || member !== undefined)
  // No style writes an empty array or object.
  if (members.length === 0) throw unwritable(parameter, value)
  const hasFields = style === 'deepObject' || (style === 'form' && explode)
  if (hasFields) return writeFields(parameter, members, isArray)
  return [{ name: fieldName, text: joinMembers(parameter, members, isArray) }]
}

function writeJson(parameter: Parameter, value: unknown): string {
  const json = stringifyExactly(value)
  try {
    // NaN becomes null, and half of a surrogate pair is rejected.
    const parsedValue = parseJson(Buffer.from(json), DEFAULT_MAX_DEPTH)
    if (toCanonicalJson(parsedValue) === toCanonicalJson(value)) return encodeURIComponent(json)
  } catch {}
  throw unwritable(parameter, value)
}

function encodeScalar(parameter: Parameter, scalar: unknown): string {
  const isWritable =
    typeof scalar === 'string'
      ? scalar.isWellFormed()
      : /^(boolean|bigint)$/.test(typeof scalar) || Number.isFinite(scalar)
  // An empty text stands for a parameter that is not sent.
  if (!isWritable || (scalar === '' && parameter.allowEmptyValue)) throw unwritable(parameter, scalar)
  return encodeURIComponent(String(scalar))
}

type Members = readonly (readonly [key: string, member: unknown])[]

/** Writes each member of an array or object in a field of its own, and of an array within an object, each item. */
function writeFields(parameter: Parameter, members: Members, isArray: boolean): Field[] {
  const { name, style } = parameter
  const toFieldName = (key: string) => {
    if (isArray) return name
    if (style !== 'deepObject') return key
    if (/[[\]]/.test(key)) throw unwritable(parameter, key)
    return `${name}[${key}]`
  }
  return members.flatMap(([key, member]) => {
    const items: readonly unknown[] = !isArray && Array.isArray(member) ? member : [member]
    if (items.length === 0) throw unwritable(parameter, member)
    return items.map((item) => ({ name: encodeURIComponent(toFieldName(key)), text: encodeScalar(parameter, item) }))
  })
}

/** Writes all members of an array or object in one text. */
function joinMembers(parameter: Parameter, members: Members, isArray: boolean): string {
  const { style, explode } = parameter
  const separator = SEPARATORS[style] ?? ','
  const nameSeparator = explode ? '=' : separator
  const encode = (piece: unknown) => {
    const text = encodeScalar(parameter, piece)
    // An encoded blank or vertical line separates the pieces.
    if (separator !== ',' && text.includes(separator)) throw unwritable(parameter, piece)
    return text
  }
  return members.map(([key, member]) => (isArray ? '' : encode(key) + nameSeparator) + encode(member)).join(separator)
}

function unknownName(location: Parameter['in'], name: string): TypeError {
  return new TypeError(`the operation has no parameter "${name}" in its ${location}`)
}

/** The error for a value that has no URL. */
function unwritable({ name }: Parameter, value: unknown): TypeError {
  return new TypeError(`the parameter "${name}" cannot have ${inspect(value)} in a URL`)
}
