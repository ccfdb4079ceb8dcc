/** The servers of a document (OpenAPI 3.1, Server Object), and the base path of its operations. */

import { findOperations } from './find-operations.ts'
import type { OpenApi, Server } from './model.ts'
import type { ParsedDocument } from './parse.ts'
import { toPointer } from './pointers.ts'
import type { Problem } from './problems.ts'

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
    // Relative paths become absolute: the document itself is served in another folder, where they would lead elsewhere.
    return { ...server, url: RELATIVE_PATH.test(url) ? getPath(url) || '/' : url }
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
  return ADDRESS.test(text) && !text.includes('//') ? getPath(text) : undefined
}

/** Returns the path of a URL or path, without a trailing slash. */
function getPath(url: string): string {
  return new URL(url, 'http://localhost').pathname.replace(/\/$/, '')
}

/** An http(s) URL or a path, perhaps with a slash at its end, to which the paths of operations can be appended. */
const ADDRESS = /^((https?:)?\/\/[^/?#@{}]+)?(\/[A-Za-z0-9._~!$&'+,;=:@-]+)*\/?$/

/** A path without a slash at its start: `v1` or `./v1`. Excludes host names, which lack their `https://`. */
const RELATIVE_PATH =
  /^(?!localhost\b|[^/]*\.[a-z]{2,}(\/|$))[A-Za-z0-9._~!$&'+,;=@-]+(\/[A-Za-z0-9._~!$&'+,;=:@-]+)*\/?$/i

function isAddress(url: string): boolean {
  return (ADDRESS.test(url) || RELATIVE_PATH.test(url)) && URL.canParse(url, 'http://localhost')
}

/**
 * Reports mistakes in the servers of a document, its paths and operations, with the values of their variables. Each list must have a
 * server with the base path, unless the app has chosen that path by its option. Servers with another path are then other
 * deployments, and get a warning; but it is an error if the operator has set one of their variables.
 */
export function checkServers(root: OpenApi, variables: ServerVariables, isBasePathChosen: boolean): Problem[] {
  const basePath = getBasePath(root, variables)
  const isServable = (url: string) => isAddress(url) && (isBasePathChosen || getPath(url) === basePath)
  const owners = findOperations(root).flatMap(({ path, item, operation, pointer }) => [
    { servers: item.servers, pointer: toPointer('paths', path) },
    { servers: operation.servers, pointer },
  ])
  return [{ servers: root.servers, pointer: '' }, ...owners].flatMap(({ servers = [], pointer: owner }) => {
    const urls = fillServers({ servers }, variables).map(({ url }) => url)
    const isServed = urls.some(isServable)
    return servers.flatMap((server, index) => {
      const url = urls[index] as string
      const pointer = `${owner}/servers/${index}`
      const names = Object.keys(variables).filter((name) => variables[name] !== undefined)
      const usedNames = names.filter((name) => server.url.includes(`{${name}}`))
      const problems = usedNames.flatMap((name) => checkValue(server, name, variables[name] as string, pointer))
      if (isServable(url)) return problems
      const what = `operations are served under ${basePath || '/'} alone, and "${url}" has another path`
      const message = isAddress(url)
        ? `${what}; use the same path, or set the option basePath`
        : `"${url}" is not an http(s) URL or path without query; correct it`
      const isWarning = isAddress(url) && isServed && usedNames.length === 0
      const source = usedNames.length === 0 ? '' : ` (${usedNames.join(' and ')} of the option servers)`
      return [...problems, { pointer: `${pointer}/url`, message: message + source, isWarning }]
    })
  })
}

/** Reports a value that the enum of a server variable does not have. */
function checkValue({ variables = {} }: Server, name: string, value: string, pointer: string): Problem[] {
  const { enum: values } = new Map(Object.entries(variables)).get(name) ?? {}
  if (values === undefined || values.includes(value)) return []
  const message = `"${value}" is not a value of "${name}"; use one of: ${values.join(', ')}`
  return [{ pointer: pointer + toPointer('variables', name), message }]
}
