/**
 * The servers of a document (OpenAPI 3.1, Server Object), and the path at which they have its operations.
 */
import type { OpenApi, Server } from './model.ts'

/** Values for the variables of the servers, by the variables' names; a variable without one keeps its default. */
export type ServerVariables = Readonly<Record<string, string | undefined>>

/** The servers with their variables filled in. */
export function fillServers(root: OpenApi, variables: ServerVariables): Server[] {
  const { servers = [] } = root
  // A document without servers is served at the root (OpenAPI 3.1, OpenAPI Object).
  if (servers.length === 0) return [{ url: '/' }]
  return servers.map((server) => ({ ...server, url: fill(server, variables) }))
}

/** The path of the servers' addresses, without a trailing slash: `/v1`, or nothing for the root. */
export function basePath(root: OpenApi, variables: ServerVariables): string {
  const [server] = fillServers(root, variables) as [Server]
  return pathOf(server.url)
}

/** The path of an address, which may be a path itself, without a trailing slash. */
export function pathOf(url: string): string {
  return new URL(url, 'http://localhost').pathname.replace(/\/$/, '')
}

function fill({ url, variables: declared = {} }: Server, variables: ServerVariables): string {
  return url.replaceAll(/\{(\w+)\}/g, (text, name: string) => variables[name] ?? declared[name]?.default ?? text)
}
