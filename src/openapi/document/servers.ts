/** The servers of a document (OpenAPI 3.1, Server Object), and the base path of its operations. */

import { findOperations } from './find-operations.ts'
import type { OpenApi, Server } from './model.ts'
import type { ParsedDocument, Problem } from './parse.ts'
import { toPointer } from './pointers.ts'

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
    const url = server.url.replaceAll(/\{([^{}]+)\}/g, (text, name: string) => values.get(name) ?? text)
    // The document is served in a folder of its own, so a relative path would lead elsewhere.
    return { ...server, url: RELATIVE_PATH.test(url) ? getPath(url) || '/' : url }
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

/** A path without a slash at its start: `v1` or `./v1`. A name of a host, whose `https://` is missing, is none. */
const RELATIVE_PATH =
  /^(?!localhost\b|[^/]*\.[a-z]{2,}(\/|$))[A-Za-z0-9._~!$&'+,;=@-]+(\/[A-Za-z0-9._~!$&'+,;=:@-]+)*\/?$/i

function isAddress(url: string): boolean {
  return (ADDRESS.test(url) || RELATIVE_PATH.test(url)) && URL.canParse(url, 'http://localhost')
}

/**
 * Finds what is wrong with the servers of a document, its paths and operations, with their variables replaced. The server
 * with the base path is this one. Others are other deployments, unless a variable of theirs has a value.
 */
export function checkServers(root: OpenApi, variables: ServerVariables): Problem[] {
  const basePath = getBasePath(root, variables)
  const owners = findOperations(root).flatMap(({ path, item, operation, pointer }) => [
    { servers: item.servers, pointer: toPointer('paths', path) },
    { servers: operation.servers, pointer },
  ])
  return [{ servers: root.servers, pointer: '' }, ...owners].flatMap(({ servers = [], pointer: owner }) => {
    const urls = fillServers({ servers }, variables).map(({ url }) => url)
    const isServed = urls.some((url) => isAddress(url) && getPath(url) === basePath)
    return servers.flatMap((server, index) => {
      const url = urls[index] as string
      const pointer = `${owner}/servers/${index}`
      const names = Object.keys(variables).filter((name) => variables[name] !== undefined)
      const usedNames = names.filter((name) => server.url.includes(`{${name}}`))
      const problems = usedNames.flatMap((name) => checkValue(server, name, variables[name] as string, pointer))
      if (isAddress(url) && getPath(url) === basePath) return problems
      const message = isAddress(url)
        ? `operations are served under ${basePath || '/'} alone, and "${url}" has another path; use the same path`
        : `"${url}" is not an http(s) URL or path without query; correct it`
      const isWarning = isAddress(url) && isServed && usedNames.length === 0
      return [...problems, { pointer: `${pointer}/url`, message: message + formatSource(usedNames), isWarning }]
    })
  })
}

/** Compares the value of a variable with those that the document allows. */
function checkValue({ variables = {} }: Server, name: string, value: string, pointer: string): Problem[] {
  const { enum: values } = new Map(Object.entries(variables)).get(name) ?? {}
  if (values === undefined || values.includes(value)) return []
  const message = `"${value}" is not a value of "${name}"; use one of: ${values.join(', ')}${formatSource([name])}`
  return [{ pointer: pointer + toPointer('variables', name), message }]
}

/** Names the environment variables that a URL comes from. */
function formatSource(names: readonly string[]): string {
  return names.length === 0 ? '' : ` (set by ${names.map((name) => name.toUpperCase()).join(' and ')})`
}
