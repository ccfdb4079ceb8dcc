/**
 * The servers of a document (OpenAPI 3.1, Server Object), and the path at which they have its operations.
 */
import type { Problem } from './document.ts'
import type { OpenApi, Server } from './model.ts'

/** Values for the variables of the servers, by the variables' names; a variable without one keeps its default. */
export type ServerVariables = Readonly<Record<string, string | undefined>>

/** The servers with their variables filled in. */
export function fillServers(root: OpenApi, variables: ServerVariables): Server[] {
  // A document without servers is served at the root (OpenAPI 3.1, OpenAPI Object).
  return (root.servers ?? [{ url: '/' }]).map((server) => ({ ...server, url: fill(server, variables) }))
}

/** The path of the servers' addresses, without a trailing slash: `/v1`, or nothing for the root. */
export function basePath(root: OpenApi, variables: ServerVariables): string {
  return fillServers(root, variables).map(({ url }) => pathOf(url))[0] ?? ''
}

/** What is wrong with the servers: they must be addresses, and lead to the same path. */
export function checkServers(root: OpenApi, variables: ServerVariables): Problem[] {
  const servers = fillServers(root, variables)
  const wrong = servers.flatMap(({ url }, index) =>
    URL.canParse(url, 'http://localhost') && /^(https?:\/\/[^/]+)?(\/[A-Za-z0-9._~-]+)*\/?$/.test(url)
      ? []
      : [{ pointer: `/servers/${index}/url`, message: `"${url}" is no plain http(s) address or path; correct it` }],
  )
  if (wrong.length > 0) return wrong
  const paths = [...new Set(servers.map(({ url }) => pathOf(url) || '/'))]
  if (paths.length === 1) return []
  const names = (root.servers ?? []).flatMap(({ variables }) => Object.keys(variables ?? {}))
  const message = `the servers lead to different paths, ${paths.join(' and ')}; let all end in one`
  const hint = names.length > 0 ? ` (${names.map((name) => name.toUpperCase()).join(' and ')} fill them in)` : ''
  return [{ pointer: '/servers', message: message + hint }]
}

function fill({ url, variables: declared = {} }: Server, variables: ServerVariables): string {
  return url.replaceAll(/\{(\w+)\}/g, (text, name: string) => variables[name] ?? declared[name]?.default ?? text)
}

function pathOf(url: string): string {
  return new URL(url, 'http://localhost').pathname.replace(/\/$/, '')
}
