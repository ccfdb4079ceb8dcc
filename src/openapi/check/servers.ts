/**
 * Checks the servers of a document: one service must be able to serve all of them.
 */
import type { Problem } from '../document/load.ts'
import type { OpenApi } from '../document/model.ts'
import { fillServers, getPath, type ServerVariables } from '../document/servers.ts'
import { getEntries, toObject } from './find.ts'

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
