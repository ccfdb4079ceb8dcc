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
 * path, null, NaN, or an empty list.
 */
export type BuildUrl = (values?: { readonly path?: Values; readonly query?: Values }) => string

/** By operationId. */
export type Urls = Readonly<Record<string, BuildUrl>>

/** A parameter of a template, and the text between it and the next parameter of its segment, which ends its value. */
const PARAMETER_AND_NEXT = /\{([^{}]+)\}(?:([^/{}]+)(?=\{))?/g

/** Creates the function that builds the URLs of an operation; `base` is the path before that of the operation. */
export function createUrlBuilder(base: string, { path: template, parameters }: Operation): BuildUrl {
  const findParameters = (location: Parameter['in']) =>
    new Map(parameters.filter((parameter) => parameter.in === location).map((parameter) => [parameter.name, parameter]))
  const pathParameters = findParameters('path')
  const queryParameters = findParameters('query')
  return ({ path = {}, query = {} } = {}) => {
    checkNames('path', path, pathParameters)
    checkNames('query', query, queryParameters)
    const pathText = template.replaceAll(PARAMETER_AND_NEXT, (_text, name, next = '') => {
      // A start without it is rejected.
      const parameter = pathParameters.get(name) as Parameter
      return writePathParameter(parameter, path[name], next) + next
    })
    let url = base + pathText
    let separator = '?'
    for (const [name, value] of Object.entries(query)) {
      const parameter = queryParameters.get(name)
      if (parameter === undefined || value === undefined) continue
      for (const field of writeParameter(parameter, value)) {
        url += `${separator}${field.name}=${field.text}`
        separator = '&'
      }
    }
    return url
  }
}

function checkNames(location: Parameter['in'], values: Values, parameters: ReadonlyMap<string, Parameter>): void {
  for (const name of Object.keys(values)) {
    if (values[name] === undefined || parameters.has(name)) continue
    throw new TypeError(`the operation has no parameter "${name}" in its ${location}`)
  }
}

/** A name and a text of a URL, both encoded. */
interface Field {
  readonly name: string
  readonly text: string
}

/** Writes a value in a path; `next` is the text that ends it. */
function writePathParameter(parameter: Parameter, value: unknown, next: string): string {
  if (value === undefined) throw unwritable(parameter, value)
  const text = String(writeParameter(parameter, value)[0]?.text)
  // Clients remove "." and ".." from a path (RFC 3986, section 5.2.4), and no path parameter is empty.
  const isRemoved = /^\.{0,2}$/.test(text)
  // The router decodes all but reserved characters. Then it ends the value where `next` begins for the first time.
  const routedText = decodeURI(text)
  const isCut = next !== '' && (routedText + next).indexOf(next) < routedText.length
  if (isRemoved || isCut) throw unwritable(parameter, value)
  return text
}

/** Writes a value of a parameter for a URL, as in the table of `createParameterParser`: the inverse of parsing. */
function writeParameter(parameter: Parameter, value: unknown): Field[] {
  const { name, style, explode, isJson } = parameter
  const toFields = (text: string) => [{ name: encodeURIComponent(name), text }]
  if (isJson) return toFields(writeJson(parameter, value))
  if (typeof value !== 'object' || value === null) return toFields(encodeScalar(parameter, value))
  const isArray = Array.isArray(value)
  const members = Object.entries(value).filter(([, member]) => isArray || member !== undefined)
  // No style writes an empty array or object.
  if (members.length === 0) throw unwritable(parameter, value)
  const hasFields = style === 'deepObject' || (style === 'form' && explode)
  return hasFields ? writeFields(parameter, members, isArray) : toFields(joinMembers(parameter, members, isArray))
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

/** The error for a value that has no URL. */
function unwritable({ name }: Parameter, value: unknown): TypeError {
  return new TypeError(`the parameter "${name}" cannot have ${inspect(value)} in a URL`)
}
