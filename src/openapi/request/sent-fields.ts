/** The fields of a request as they were sent in each location: path, query, headers and cookies. */
import type { IncomingMessage } from 'node:http'
import type { Parameter } from '../document/parameters.ts'
import { getPathParameters } from '../document/path-templates.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import type { SentField } from './field-parsers.ts'
import { decodePercent, parseCookies } from './parameter-texts.ts'

/** The texts of a path by the names of the route: Fastify has decoded them. */
export type PathTexts = Readonly<Record<string, string>>

/** Returns the fields in one location; undefined for a malformed percent-encoding. */
export type GetFields = (raw: IncomingMessage, params: PathTexts) => readonly SentField[] | undefined

/**
 * Creates the function that returns the parameters of a path by the names of the document. Fastify has decoded them. In a list or
 * object, a separator within a value is encoded, so its text is the segment of the URL before it was decoded.
 */
export function createGetPathFields(
  path: string,
  parameters: readonly Parameter[],
  compile: SchemaCompiler,
): GetFields {
  const names = getPathParameters(path).map((name) => [name, toRouteName(name)] as const)
  const lists = parameters.filter(({ schema }) => !compile.views.get(schema).isScalar)
  const listNames = new Set(lists.map(({ name }) => name))
  if (lists.length === 0) return (_raw, params) => names.map(([name, routeName]) => [name, params[routeName] ?? ''])
  return ({ url = '' }, params) => {
    const segments = String(url.split(/[?#]/, 1)).split('/')
    return names.map(([name, routeName]) => {
      const text = params[routeName] ?? ''
      const index = segments.findIndex((segment) => decodePercent(segment) === text)
      // Take each segment once, because a later parameter may have the same text. A parameter without a segment of its own is no list.
      const sentText = segments.splice(0, index + 1).at(-1) ?? text
      return [name, listNames.has(name) ? sentText : text]
    })
  }
}

/** Returns the name of a path parameter for Fastify's router, where "-", ".", "(" and ":" end a name. */
export function toRouteName(name: string): string {
  return name.replaceAll(/\W/gu, (character) => `$${character.codePointAt(0)}$`)
}

/** Creates the function that returns the header fields of parameters, by the names of the document. */
export function createGetHeaderFields(parameters: readonly Parameter[]): GetFields {
  const declaredNames = new Map(parameters.map(({ name }) => [name.toLowerCase(), name]))
  return ({ rawHeaders }) => {
    const fields: SentField[] = []
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = declaredNames.get(String(rawHeaders[index]).toLowerCase())
      if (name !== undefined) fields.push([name, String(rawHeaders[index + 1])])
    }
    return fields
  }
}

/** Creates the function that returns the cookies of parameters. */
export function createGetCookieFields(parameters: readonly Parameter[]): GetFields {
  const declaredNames = new Set(parameters.map(({ name }) => name))
  return (raw) => parseCookies(raw).filter(([name]) => declaredNames.has(name))
}
