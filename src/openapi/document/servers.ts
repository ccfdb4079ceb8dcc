/**
 * The servers of a document (OpenAPI 3.1, Server Object), and the base path of its operations.
 */

import type { Problem } from './load.ts'
import type { OpenApi, Server } from './model.ts'
import { getEntries, toObject } from './references.ts'

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
  return url.replaceAll(/\{(\w+)\}/g, (text, name: string) => variables[name] ?? declared[name]?.default ?? text)
}

/** An http(s) URL or a path to which the paths of operations can be appended. */
const ADDRESS = /^(https?:\/\/[^/?#@]+)?((\/[A-Za-z0-9._~-]+)+|\/)?$/

/**
 * Finds what is wrong with the servers, with their variables replaced: they must be URLs with the same path. A value for a
 * variable that no server has is a mistake, too.
 */
export function checkServers(root: OpenApi, variables: ServerVariables): Problem[] {
  if (!areServers(root.servers)) return [] // The structure is wrong already.
  const servers = fillServers(root, variables)
  const names = getEntries(root.servers).flatMap(([, server]) => Object.keys(toObject(toObject(server).variables)))
  const unused = Object.keys(variables).filter((name) => variables[name] !== undefined && !names.includes(name))
  if (unused.length > 0) {
    const list = unused.map((name) => `{${name}}`).join(' and ')
    const message = `no server has ${list}, which ${unused.map(toEnvironmentName).join(' and ')} sets; add it to a server or unset that`
    return [{ pointer: '/servers', message }]
  }
  const hint = names.length > 0 ? ` (set by ${names.map(toEnvironmentName).join(' and ')})` : ''
  const wrong = servers.flatMap(({ url }, index) => {
    if (ADDRESS.test(url) && URL.canParse(url, 'http://localhost')) return []
    const message = `"${url}" is not an http(s) URL or path without query and trailing slash; correct it${hint}`
    return [{ pointer: `/servers/${index}/url`, message }]
  })
  if (wrong.length > 0) return wrong
  const paths = [...new Set(servers.map(({ url }) => getPath(url) || '/'))]
  if (paths.length === 1) return []
  const message = `the servers have different paths, ${paths.join(' and ')}; use the same path${hint}`
  return [{ pointer: '/servers', message }]
}

/** The environment variable that sets a server variable. */
function toEnvironmentName(name: string): string {
  return name.toUpperCase()
}

function areServers(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every(isServer))
}

function isServer(value: unknown): boolean {
  const { url, variables } = toObject(value)
  return (
    typeof url === 'string' && getEntries(variables).every(([, each]) => typeof toObject(each).default === 'string')
  )
}
