/** The URLs of operations, for links in responses. */
import type { Operation } from '../document/operations.ts'
import type { Parameter } from '../document/parameters.ts'
import type { Values } from '../document/values.ts'
import { SEPARATORS } from '../request/styles.ts'
import { stringifyExactly } from '../shared/json.ts'

/**
 * Returns the path and query of an operation for values of its parameters: `/v1/pets?limit=7`. Throws a TypeError for a value that
 * would be read as another one, such as `..` in the path, or null, for a path parameter without a value, and for a name that no
 * parameter has.
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
  return ({ path = {}, query = {} } = {}) => {
    checkNames('path', path, pathParameters)
    checkNames('query', query, queryParameters)
    let url = base
    url += template.replaceAll(/\{([^{}]+)\}/g, (_text, name) => {
      const text = writeParameter(pathParameters.get(name), path[name])[0]?.text ?? ''
      // Clients remove "." and ".." from a path (RFC 3986, section 5.2.4), and no path parameter is empty.
      if (/^\.{0,2}$/.test(text)) throw unwritable(name, text)
      return text
    })
    let separator = '?'
    for (const name of Object.keys(query)) {
      for (const field of writeParameter(queryParameters.get(name), query[name])) {
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

/**
 * Writes a value of a parameter for a URL, as in the table of `createParameterParser`; [] without a parameter or value. The inverse of
 * parsing: throws a TypeError for a value that would be parsed as another one.
 */
function writeParameter(parameter: Parameter | undefined, value: unknown): Field[] {
  if (parameter === undefined || value === undefined) return []
  const { name, style, explode, isJson } = parameter
  const encodedName = encodeURIComponent(name)
  if (isJson) return [{ name: encodedName, text: encodeURIComponent(stringifyExactly(value)) }]
  if (typeof value !== 'object' || value === null) return [{ name: encodedName, text: encodePiece(name, value) }]
  const hasFields = style === 'deepObject' || (style === 'form' && explode)
  return hasFields ? writeFields(parameter, value) : [{ name: encodedName, text: joinMembers(parameter, value) }]
}

/** Encodes a text, a number or a boolean; throws for what parsing could not read from a text. */
function encodePiece(parameterName: string, piece: unknown): string {
  if (piece === undefined || typeof piece === 'object') throw unwritable(parameterName, piece)
  return encodeURIComponent(String(piece))
}

/** Writes each member of an array or object in a field of its own. */
function writeFields({ name, style }: Parameter, value: object): Field[] {
  const toFieldName = (key: string) => {
    if (Array.isArray(value)) return name
    if (style !== 'deepObject') return key
    if (/[[\]]/.test(key)) throw unwritable(name, key)
    return `${name}[${key}]`
  }
  return Object.entries(value).flatMap(([key, member]) => {
    const items = member === undefined ? [] : [member].flat()
    return items.map((item) => ({ name: encodeURIComponent(toFieldName(key)), text: encodePiece(name, item) }))
  })
}

/** Writes all members of an array or object in one text. */
function joinMembers({ name, style, explode }: Parameter, value: object): string {
  const separator = SEPARATORS[style] ?? ','
  const nameSeparator = explode ? '=' : separator
  const encode = (piece: unknown) => {
    const text = encodePiece(name, piece)
    // An encoded blank or vertical line separates the pieces.
    if (separator !== ',' && text.includes(separator)) throw unwritable(name, piece)
    return text
  }
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => (Array.isArray(value) ? '' : encode(key) + nameSeparator) + encode(member))
    .join(separator)
}

/** The error for a value that has no URL. */
function unwritable(name: string, value: unknown): TypeError {
  return new TypeError(`the parameter "${name}" cannot have ${JSON.stringify(String(value))} in a URL`)
}
