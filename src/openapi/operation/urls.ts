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
      const [[, text = ''] = []] = writeParameter(pathParameters.get(name), path[name])
      // Clients remove "." and ".." from a path (RFC 3986, section 5.2.4), and no path parameter is empty.
      if (/^\.{0,2}$/.test(text)) throw unwritable(name, text)
      return text
    })
    let separator = '?'
    for (const name of Object.keys(query)) {
      for (const [key, text] of writeParameter(queryParameters.get(name), query[name])) {
        url += `${separator}${key}=${text}`
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

/**
 * Writes a value of a parameter for a URL: a list of encoded names and texts, as in the table of `createParameterParser`.
 * [] without a parameter or value. The inverse of parsing: throws a TypeError for a value that would be parsed as another one.
 */
function writeParameter(parameter: Parameter | undefined, value: unknown): [name: string, text: string][] {
  if (parameter === undefined || value === undefined) return []
  const { name, style, explode, isJson } = parameter
  if (isJson) return [[encodeURIComponent(name), encodeURIComponent(stringifyExactly(value))]]
  const encode = (piece: unknown) => {
    // Reading takes each piece for a text, a number or a boolean.
    if (piece === undefined || typeof piece === 'object') throw unwritable(name, piece)
    return encodeURIComponent(String(piece))
  }
  if (typeof value !== 'object' || value === null) return [[encode(name), encode(value)]]
  const isList = Array.isArray(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  if (style === 'deepObject' || (style === 'form' && explode)) {
    return members.flatMap(([key, member]) => {
      if (style === 'deepObject' && /[[\]]/.test(key)) throw unwritable(name, key)
      const fieldName = isList ? name : style === 'form' ? key : `${name}[${key}]`
      return [member].flat().map((item): [string, string] => [encode(fieldName), encode(item)])
    })
  }
  const separator = SEPARATORS[style] ?? ','
  const nameSeparator = explode ? '=' : separator
  const encodePiece = (piece: unknown) => {
    // An encoded blank or vertical line separates the pieces.
    if (separator !== ',' && encode(piece).includes(separator)) throw unwritable(name, piece)
    return encode(piece)
  }
  const texts = members.map(([key, member]) => (isList ? '' : encodePiece(key) + nameSeparator) + encodePiece(member))
  return [[encode(name), texts.join(separator)]]
}

/** The error for a value that has no URL. */
function unwritable(name: string, value: unknown): TypeError {
  return new TypeError(`the parameter "${name}" cannot have ${JSON.stringify(String(value))} in a URL`)
}
