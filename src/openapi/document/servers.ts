/** The servers of a document (OpenAPI 3.1, Server Object), and the base path of its operations. */
import type { OpenApi, Server } from './model.ts'
import type { ParsedDocument } from './parse.ts'

/** Values for the variables of the servers, by name; a variable without a value keeps its default. */
export type ServerVariables = Readonly<Record<string, string | undefined>>

/** Returns the names of the server variables whose default is a base URL. The document need not be valid. */
export function findBaseUrls({ root }: ParsedDocument): string[] {
  return Object.values(root.servers ?? [])
    .flatMap((server) => Object.entries(server?.variables ?? {}))
    .filter(([, variable]) => /^https?:/.test(variable?.default))
    .map(([name]) => name)
}

/** Returns the servers with the values of their variables in the URLs, and without declarations of variables. */
export function fillServers({ servers = [] }: Pick<OpenApi, 'servers'>, variables: ServerVariables): Server[] {
  // A document without servers is served at the root (OpenAPI 3.1, OpenAPI Object).
  if (servers.length === 0) return [{ url: '/' }]
  return servers.map(({ variables: declaredVariables = {}, ...server }) => {
    const values = new Map(Object.entries(declaredVariables).map(([name, variable]) => [name, variable.default]))
    for (const [name, value] of Object.entries(variables)) if (value !== undefined) values.set(name, value)
    const url = server.url.replaceAll(/\{([^{}]+)\}/g, (text, name: string) => values.get(name) ?? text)
    // Relative paths become absolute. Otherwise, a viewer of `/docs/openapi.json` resolves `./v1` to `/docs/v1`.
    return { ...server, url: url.startsWith('.') && isAddress(url) ? getPath(url) || '/' : url }
  })
}

/**
 * Returns the path of the first server with a usable URL, without a trailing slash: `/v1`, or an empty string for the root.
 * `checkServers` reports servers with another path.
 */
export function getBasePath(root: Pick<OpenApi, 'servers'>, variables: ServerVariables): string {
  const server = fillServers(root, variables).find(({ url }) => isAddress(url))
  return server === undefined ? '' : getPath(server.url)
}

/** Returns the path that the option `basePath` names, in the form of `getBasePath`; undefined if it is not a path. */
export function parseBasePath(text: string): string | undefined {
  return PATH.test(text) ? getPath(text) : undefined
}

/** Returns the path of a URL or path, without a trailing slash. */
export function getPath(url: string): string {
  return new URL(url, 'http://localhost').pathname.replace(/\/$/, '')
}

/** What may precede the path of a server: a host, or the dots of a path that is relative to the place of the document. */
const BEFORE_PATH = /^((https?:)?\/\/[^/?#@{}]+|\.{1,2})/
/** A path to which the paths of operations can be appended. It begins with a slash, and may end with one; it may be empty. */
const PATH = /^(\/[A-Za-z0-9._~!$&'+,;=:@-]+)*\/?$/

/** True for an http(s) URL, and for a path that begins with `/`, `./` or `../`, to which the paths of operations can be appended. */
export function isAddress(url: string): boolean {
  return PATH.test(url.replace(BEFORE_PATH, '')) && URL.canParse(url, 'http://localhost')
}
