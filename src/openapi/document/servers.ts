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
  const [path = ''] = fillServers(root, variables).map(({ url }) => getPath(url))
  return path
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

/** Finds what is wrong with the servers, with their variables replaced: they must be URLs with the same path. */
export function checkServers(root: OpenApi, variables: ServerVariables): Problem[] {
  const { servers: declared = [] } = root
  const servers = fillServers(root, variables)
  /** Names the environment variables that change these URLs. */
  const formatHint = (templates: readonly Server[]) => {
    const names = Object.keys(variables).filter((name) => templates.some(({ url }) => url.includes(`{${name}}`)))
    return names.length > 0 ? ` (set by ${names.map((name) => name.toUpperCase()).join(' and ')})` : ''
  }
  const wrong = servers.flatMap(({ url }, index) => {
    if (isAddress(url)) return []
    const hint = formatHint(declared.slice(index, index + 1))
    const message = `"${url}" is not an http(s) URL or path without query; correct it${hint}`
    return [{ pointer: `/servers/${index}/url`, message }]
  })
  if (wrong.length > 0) return wrong
  const paths = new Set(servers.map(({ url }) => getPath(url) || '/'))
  if (paths.size === 1) return checkOwnServers(root, variables)
  const list = [...paths].join(' and ')
  const message = `the servers have different paths, ${list}; use the same path${formatHint(declared)}`
  return [{ pointer: '/servers', message }]
}

/** The servers of a path or operation must have the same path as the servers of the document, as it is served there alone. */
function checkOwnServers(root: OpenApi, variables: ServerVariables): Problem[] {
  const basePath = getBasePath(root, variables)
  return findOperations(root).flatMap(({ path, item, operation, pointer }) => {
    const lists = [
      { servers: operation.servers, at: pointer },
      { servers: item.servers, at: toPointer('paths', path) },
    ]
    return lists.flatMap(({ servers = [], at }) => {
      const urls = fillServers({ servers }, variables).map(({ url }) => url)
      if (servers.length === 0 || urls.every((url) => isAddress(url) && getPath(url) === basePath)) return []
      const message = `operations are served under ${basePath || '/'} alone; use servers with that path, or remove these`
      return [{ pointer: `${at}/servers`, message }]
    })
  })
}
