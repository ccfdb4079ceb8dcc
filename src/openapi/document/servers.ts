/**
 * The servers of a document (OpenAPI 3.1, Server Object), and the base path of its operations.
 */
import type { OpenApi, Server } from './model.ts'

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
