/** The URLs of operations, for links in responses. */
import { inspect } from 'node:util'
import type { Operation } from '../document/operations.ts'
import type { Parameter } from '../document/parameters.ts'
import type { Values } from '../document/values.ts'
import { isExploded, SEPARATORS } from '../request/styles.ts'
import { stringifyExactly } from '../shared/json.ts'

/**
 * Returns the path and query of an operation for values of its parameters: `/v1/pets?limit=7`. Throws a TypeError for a name that no
 * parameter has, for a path parameter without a value, and for a value that a request with this URL would not have, such as `..` in the
 * path, null, NaN, or an empty list. A parameter with `content` is written as by JSON.stringify. The paths of other operations do not
 * count: `/pets/{id}` may become `/pets/count`.
 */
export type BuildUrl = (values?: { readonly path?: Values; readonly query?: Values }) => string

/** By operationId. */
export type Urls = Readonly<Record<string, BuildUrl>>

/** A parameter of a template, and the literal text between it and the next parameter of its segment. */
const PARAMETER_AND_LITERAL = /\{([^{}]+)\}(?:([^/{}]+)(?=\{))?/g

/** Creates the function that builds the URLs of an operation; `base` is the path that precedes its path. */
export function createUrlBuilder(base: string, { path: template, parameters }: Operation): BuildUrl {
  const findParameters = (location: Parameter['in']) =>
    new Map(parameters.filter((parameter) => parameter.in === location).map((parameter) => [parameter.name, parameter]))
  const pathParameters = findParameters('path')
  const queryParameters = findParameters('query')
  return ({ path = {}, query = {} } = {}) => {
    for (const name of Object.keys(path)) if (!pathParameters.has(name)) throw unknownName('path', name)
    const writePath = (_match: string, name: string, literal = '') =>
      // `checkPaths` rejects a name without a parameter.
      writePathParameter(pathParameters.get(name) as Parameter, path[name], literal) + literal
    let url = base + template.replaceAll(PARAMETER_AND_LITERAL, writePath)
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

/** Writes a value in a path. `literal` is the text between it and the next parameter of its segment. */
function writePathParameter(parameter: Parameter, value: unknown, literal: string): string {
  if (value === undefined) throw unwritable(parameter, value)
  const valueText = String(writeParameter(parameter, value)[0]?.text)
  // Clients remove "." and ".." from a path (RFC 3986, section 5.2.4), and no path parameter is empty.
  const isRemoved = /^\.{0,2}$/.test(valueText)
  if (isRemoved || (literal !== '' && isCut(valueText, literal))) throw unwritable(parameter, value)
  return valueText
}

/** True if the router ends the value early: it decodes the segment, and ends a parameter at the first occurrence of the literal. */
function isCut(valueText: string, literal: string): boolean {
  const routedText = decodeURIComponent(valueText)
  return (routedText + literal).indexOf(literal) < routedText.length
}

/** A name and a text of a URL, both encoded. */
interface Field {
  readonly name: string
  readonly text: string
}

/** Writes a value of a parameter for a URL, as in the table of `createParameterParser`: the inverse of parsing. */
function writeParameter(parameter: Parameter, value: unknown): Field[] {
  if (parameter.isJson) return [createField(parameter, encodeURIComponent(stringifyExactly(value)))]
  if (Array.isArray(value)) return writeArray(parameter, value)
  if (typeof value === 'object' && value !== null) return writeObject(parameter, value)
  return [createField(parameter, encodeScalar(parameter, value))]
}

function writeArray(parameter: Parameter, items: readonly unknown[]): Field[] {
  // No style writes an empty array or object.
  if (items.length === 0) throw unwritable(parameter, items)
  if (isExploded(parameter)) return items.map((item) => createField(parameter, encodeScalar(parameter, item)))
  return [createField(parameter, items.map((item) => encodePiece(parameter, item)).join(getSeparator(parameter)))]
}

function writeObject(parameter: Parameter, object: object): Field[] {
  const members = Object.entries(object).filter(([, member]) => member !== undefined)
  if (members.length === 0) throw unwritable(parameter, object)
  if (isExploded(parameter)) return members.flatMap(([key, member]) => writeMember(parameter, key, member))
  const separator = getSeparator(parameter)
  const nameSeparator = parameter.explode ? '=' : separator
  const texts = members.map(
    ([key, member]) => encodePiece(parameter, key) + nameSeparator + encodePiece(parameter, member),
  )
  return [createField(parameter, texts.join(separator))]
}

/** Writes a member of an object as a field: as several fields if the member is an array. */
function writeMember(parameter: Parameter, key: string, member: unknown): Field[] {
  const items: readonly unknown[] = Array.isArray(member) ? member : [member]
  // A parser takes brackets for the style "deepObject".
  if (items.length === 0 || !isWritable(key) || /[[\]]/.test(key)) throw unwritable(parameter, { [key]: member })
  const name = encodeURIComponent(parameter.style === 'deepObject' ? `${parameter.name}[${key}]` : key)
  return items.map((item) => ({ name, text: encodeScalar(parameter, item) }))
}

function createField({ name }: Parameter, text: string): Field {
  return { name: encodeURIComponent(name), text }
}

function getSeparator({ style }: Parameter): string {
  return SEPARATORS[style] ?? ','
}

/** Encodes a name or value that stands beside others in one text. */
function encodePiece(parameter: Parameter, piece: unknown): string {
  const text = encodeScalar(parameter, piece)
  const separator = getSeparator(parameter)
  // An encoded blank or vertical line separates the pieces.
  if (separator !== ',' && text.includes(separator)) throw unwritable(parameter, piece)
  return text
}

/** Encodes a text, a number or a boolean. */
function encodeScalar(parameter: Parameter, scalar: unknown): string {
  if (!isWritable(scalar)) throw unwritable(parameter, scalar)
  return encodeURIComponent(String(scalar))
}

function isWritable(scalar: unknown): boolean {
  if (typeof scalar === 'string') return scalar.isWellFormed()
  if (typeof scalar === 'number') return Number.isFinite(scalar)
  return typeof scalar === 'bigint' || typeof scalar === 'boolean'
}

function unknownName(location: Parameter['in'], name: string): TypeError {
  return new TypeError(`the operation has no parameter "${name}" in its ${location}`)
}

function unwritable({ name }: Parameter, value: unknown): TypeError {
  return new TypeError(`the parameter "${name}" cannot have ${inspect(value)} in a URL`)
}
