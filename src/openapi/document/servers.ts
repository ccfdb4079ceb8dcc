/** The servers of a document (OpenAPI 3.1, Server Object), and the base path of its operations. */
import type { Problem } from './load.ts'
import type { OpenApi, Server } from './model.ts'
import { getEntries, toObject, type Values } from './references.ts'

/** Values for the variables of the servers, by name; a variable without a value keeps its default. */
export type ServerVariables = Readonly<Record<string, string | undefined>>

/** Returns the servers with their variables replaced. */
export function fillServers(root: OpenApi, variables: ServerVariables): Server[] {
  const { servers = [] } = root
  // A document without servers is served at the root (OpenAPI 3.1, OpenAPI Object).
  if (servers.length === 0) return [{ url: '/' }]
  return servers.map((server) => ({ ...server, url: fill(server, variables) }))
}

/** The path of the servers, without a trailing slash: `/v1`, or an empty string for the root. */
export function getBasePath(root: OpenApi, variables: ServerVariables): string {
  const [server] = fillServers(root, variables) as [Server]
  return getPath(server.url)
}

/** The path of a URL, which may be a path itself, without a trailing slash. */
export function getPath(url: string): string {
  return new URL(url, 'http://localhost').pathname.replace(/\/$/, '')
}

function fill({ url, variables: declared = {} }: Server, variables: ServerVariables): string {
  const values = new Map(Object.entries(declared).map(([name, variable]) => [name, variable.default]))
  for (const [name, value] of Object.entries(variables)) if (value !== undefined) values.set(name, value)
  return url.replaceAll(/\{(\w+)\}/g, (text, name: string) => values.get(name) ?? text)
}

/** An http(s) URL or a path to which the paths of operations can be appended. */
const ADDRESS = /^(https?:\/\/[^/?#@]+)?((\/[A-Za-z0-9._~-]+)+|\/)?$/

/**
 * Finds what is wrong with the servers, with their variables replaced: they must be URLs with the same path. A value for a
 * variable that no server has is a mistake, too.
 */
export function checkServers(root: OpenApi, variables: ServerVariables): Problem[] {
  if (!areServers(root.servers ?? [])) return [] // The structure is wrong already.
  const servers = fillServers(root, variables)
  const names = servers.flatMap((server) => Object.keys(server.variables ?? {}))
  const unused = Object.keys(variables).filter((name) => variables[name] !== undefined && !names.includes(name))
  if (unused.length > 0) {
    const list = unused.map((name) => `{${name}}`).join(' and ')
    const message = `no server has ${list}, which ${formatVariables(unused)} sets; add it to a server or unset that`
    return [{ pointer: '/servers', message }]
  }
  const hint = names.length > 0 ? ` (set by ${formatVariables(names)})` : ''
  const wrong = servers.flatMap(({ url }, index) => {
    if (ADDRESS.test(url) && URL.canParse(url, 'http://localhost')) return []
    const message = `"${url}" is not an http(s) URL or path without query and trailing slash; correct it${hint}`
    return [{ pointer: `/servers/${index}/url`, message }]
  })
  if (wrong.length > 0) return wrong
  const paths = new Set(servers.map(({ url }) => getPath(url) || '/'))
  if (paths.size === 1) return []
  const message = `the servers have different paths, ${[...paths].join(' and ')}; use the same path${hint}`
  return [{ pointer: '/servers', message }]
}

/** The environment variables that set server variables. */
function formatVariables(names: readonly string[]): string {
  return names.map((name) => name.toUpperCase()).join(' and ')
}

function areServers(value: unknown): boolean {
  const hasDefault = ([, variable]: [string, unknown]) => typeof toObject(variable).default === 'string'
  const isServer = ({ url, variables }: Values) => typeof url === 'string' && getEntries(variables).every(hasDefault)
  return Array.isArray(value) && value.map(toObject).every(isServer)
}
