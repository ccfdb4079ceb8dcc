/** The fields of a request as they were sent in each location: path, query, headers and cookies. */
import type { IncomingMessage } from 'node:http'
import type { Parameter } from '../document/parameters.ts'
import { getPathParameters } from '../document/path-templates.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { TextError } from '../shared/errors.ts'
import { getFieldValues } from '../shared/http.ts'
import type { SentField } from './field-parsers.ts'

/** The texts of a path by the names of the route: Fastify has decoded them. */
export type PathTexts = Readonly<Record<string, string>>

/** Returns the fields in one location; undefined for a malformed percent-encoding. */
export type GetFields = (raw: IncomingMessage, params: PathTexts) => readonly SentField[] | undefined

/**
 * Creates the function that returns the parameters of a path by the names of the document. Fastify has decoded them. The text of a list
 * or object is the segment as it was sent: a separator that is encoded there belongs to a value.
 */
export function createGetPathFields(
  path: string,
  parameters: readonly Parameter[],
  compile: SchemaCompiler,
): GetFields {
  const scalarNames = new Set(
    parameters.flatMap(({ name, schema }) => (compile.views.get(schema).isScalar ? [name] : [])),
  )
  const segments = splitPath(path)
  const fields = getPathParameters(path).map((name) => ({
    name,
    routeName: toRouteName(name),
    // A list or object is a whole segment. Count from the end, because the app may have a prefix.
    indexFromEnd: scalarNames.has(name) ? undefined : segments.indexOf(`{${name}}`) - segments.length,
  }))
  const hasLists = fields.some(({ indexFromEnd }) => indexFromEnd !== undefined)
  return ({ url = '' }, params) => {
    const sentSegments = hasLists ? splitPath(url) : []
    return fields.map(({ name, routeName, indexFromEnd }) => {
      const text = indexFromEnd === undefined ? params[routeName] : sentSegments.at(indexFromEnd)
      return [name, text ?? '']
    })
  }
}

/** Returns the segments of a path, which may have a query. No path parameter is empty, and the router may ignore repeated slashes. */
function splitPath(path: string): string[] {
  return String(path.split(/[?#]/, 1)).split('/').filter(Boolean)
}

/** Returns the name of a path parameter for Fastify's router, where "-", ".", "(" and ":" end a name. */
export function toRouteName(name: string): string {
  return name.replaceAll(/\W/gu, (character) => `$${character.codePointAt(0)}$`)
}

/** Parses the query of a request; undefined for a malformed percent-encoding. */
export function parseQuery({ url = '' }: IncomingMessage): readonly SentField[] | undefined {
  const start = url.indexOf('?')
  return start < 0 ? [] : parseUrlEncoded(url.slice(start + 1))
}

/** Creates the function that returns the header fields of parameters, by the names of the document. */
export function createGetHeaderFields(parameters: readonly Parameter[]): GetFields {
  return (raw) =>
    parameters.flatMap(({ name }) => getFieldValues(raw, name.toLowerCase()).map((value): SentField => [name, value]))
}

/** Creates the function that returns the cookies of parameters. */
export function createGetCookieFields(parameters: readonly Parameter[]): GetFields {
  const declaredNames = new Set(parameters.map(({ name }) => name))
  return (raw) => parseCookies(raw).filter(([name]) => declaredNames.has(name))
}

/**
 * Parses `application/x-www-form-urlencoded` (URL Standard), whose texts keep their percent-encoding. Returns undefined if a
 * percent-encoding is malformed or not UTF-8.
 */
export function parseUrlEncoded(text: string): readonly SentField[] | undefined {
  try {
    // Check names and values at once. Values are decoded later, by their parsers.
    decodePercent(text)
    return text
      .replaceAll('+', '%20')
      .split('&')
      .filter((field) => field !== '')
      .map(splitField)
      .map(([name, value]) => [decodePercent(name), value])
  } catch {
    return undefined
  }
}

/** Parses `Cookie` (RFC 6265, section 5.4). */
export function parseCookies(request: IncomingMessage): readonly SentField[] {
  const cookies = getFieldValues(request, 'cookie').flatMap((value) => value.split(';'))
  return cookies.map(splitField).map(([name, text]) => [name.trim(), text.trim()])
}

/** Splits `name=text` at the first equals sign; without one, the text is empty. */
export function splitField(field: string): SentField {
  const end = field.indexOf('=')
  return end < 0 ? [field, ''] : [field.slice(0, end), field.slice(end + 1)]
}

/** Decodes a percent-encoding (RFC 3986, section 2.1). Throws a TextError if it is malformed or not UTF-8. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    throw new TextError('has a malformed percent-encoding', 'encoding')
  }
}
