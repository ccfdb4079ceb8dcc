/**
 * Whether the servers of a document are addresses at which one service can be found.
 */
import type { Problem } from '../document.ts'
import type { OpenApi } from '../model.ts'
import { fillServers, pathOf, type ServerVariables } from '../servers.ts'
import { entriesOf, valuesOf } from './find.ts'

/** An http(s) address or a path, to which the paths of operations can be appended as they are. */
const ADDRESS = /^(https?:\/\/[^/?#@]+)?((\/[A-Za-z0-9._~-]+)+|\/)?$/

/**
 * What is wrong with the servers, their variables filled in: they must be addresses, and lead to the same path. A value
 * for a variable that no server has is a mistake, too.
 */
export function checkServers(root: OpenApi, variables: ServerVariables): Problem[] {
  if (!areServers(root.servers)) return [] // The structure is wrong already.
  const servers = fillServers(root, variables)
  const names = entriesOf(root.servers).flatMap(([, server]) => Object.keys(valuesOf(valuesOf(server).variables)))
  const idle = Object.keys(variables).filter((name) => variables[name] !== undefined && !names.includes(name))
  if (idle.length > 0) {
    const list = idle.map((name) => `{${name}}`).join(' and ')
    const message = `no server has ${list}, for which ${idle.map(inEnvironment).join(' and ')} stands; add it or leave that out`
    return [{ pointer: '/servers', message }]
  }
  const hint = names.length > 0 ? ` (${names.map(inEnvironment).join(' and ')} fill them in)` : ''
  const wrong = servers.flatMap(({ url }, index) => {
    if (ADDRESS.test(url) && URL.canParse(url, 'http://localhost')) return []
    const message = `"${url}" is no plain http(s) address or path without a trailing slash; correct it${hint}`
    return [{ pointer: `/servers/${index}/url`, message }]
  })
  if (wrong.length > 0) return wrong
  const paths = [...new Set(servers.map(({ url }) => pathOf(url) || '/'))]
  if (paths.length === 1) return []
  const message = `the servers lead to different paths, ${paths.join(' and ')}; let all end in one${hint}`
  return [{ pointer: '/servers', message }]
}

/** The name by which a program is given the value of a variable. */
function inEnvironment(name: string): string {
  return name.toUpperCase()
}

function areServers(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every(isServer))
}

function isServer(value: unknown): boolean {
  const { url, variables } = valuesOf(value)
  return typeof url === 'string' && entriesOf(variables).every(([, each]) => typeof valuesOf(each).default === 'string')
}
