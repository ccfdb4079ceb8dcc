/** The servers of a document (OpenAPI 3.1, Server Object), and the base path of its operations. */
import type { OpenApi, Server } from './model.ts'
import type { ParsedDocument, Problem } from './parse.ts'
import { findOperations, toPointer } from './references.ts'

/** Values for the variables of the servers, by name; a variable without a value keeps its default. */
export type ServerVariables = Readonly<Record<string, string | undefined>>

/** Returns the names of the server variables whose default is a base URL. The document need not be valid. */
export function findBaseUrls({ root }: ParsedDocument): string[] {
  return Object.values(root.servers ?? [])
    .flatMap((server) => Object.entries(server?.variables ?? {}))
    .filter(([, variable]) => /^https?:/.test(variable?.default))
    .map(([name]) => name)
}

/** Returns the servers with their variables replaced, so that none is declared. */
export function fillServers({ servers = [] }: Pick<OpenApi, 'servers'>, variables: ServerVariables): Server[] {
  // A document without servers is served at the root (OpenAPI 3.1, OpenAPI Object).
  if (servers.length === 0) return [{ url: '/' }]
  return servers.map(({ variables: declared = {}, ...server }) => {
    const values = new Map(Object.entries(declared).map(([name, variable]) => [name, variable.default]))
    for (const [name, value] of Object.entries(variables)) if (value !== undefined) values.set(name, value)
    return { ...server, url: server.url.replaceAll(/\{([^{}]+)\}/g, (text, name: string) => values.get(name) ?? text) }
  })
}

/** The path of the servers, without a trailing slash: `/v1`, or an empty string for the root. */
export function getBasePath(root: Pick<OpenApi, 'servers'>, variables: ServerVariables): string {
  const first = fillServers(root, variables).find(({ url }) => isAddress(url))
  return first === undefined ? '' : getPath(first.url)
}

/** The path of a URL, which may be a path itself, without a trailing slash. */
function getPath(url: string): string {
  return new URL(url, 'http://localhost').pathname.replace(/\/$/, '')
}

/** An http(s) URL or a path, perhaps with a slash at its end, to which the paths of operations can be appended. */
const ADDRESS = /^((https?:)?\/\/[^/?#@{}]+)?(\/[A-Za-z0-9._~!$&'+,;=:@-]+)*\/?$/

function isAddress(url: string): boolean {
  return ADDRESS.test(url) && URL.canParse(url, 'http://localhost')
}

/**
 * Finds what is wrong with the servers of a document, its paths and operations, with their variables replaced: all must be
 * URLs with the same path.
 */
export function checkServers(root: OpenApi, variables: ServerVariables): Problem[] {
  const basePath = getBasePath(root, variables)
  const owners = findOperations(root).flatMap(({ path, item, operation, pointer }) => [
    { servers: item.servers, pointer: toPointer('paths', path) },
    { servers: operation.servers, pointer },
  ])
  return [{ servers: root.servers, pointer: '' }, ...owners].flatMap(({ servers = [], pointer }) =>
    servers.flatMap((server, index) => {
      const [{ url } = server] = fillServers({ servers: [server] }, variables)
      if (isAddress(url) && getPath(url) === basePath) return []
      // The environment variables that change the URL.
      const names = Object.keys(variables).filter((name) => server.url.includes(`{${name}}`))
      const hint = names.length > 0 ? ` (set by ${names.map((name) => name.toUpperCase()).join(' and ')})` : ''
      const message = isAddress(url)
        ? `operations are served under ${basePath || '/'} alone, and "${url}" has another path; use the same path`
        : `"${url}" is not an http(s) URL or path without query; correct it`
      return [{ pointer: `${pointer}/servers/${index}/url`, message: message + hint }]
    }),
  )
}
