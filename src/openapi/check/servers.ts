/** Checks the servers of a document with the values of their variables (OpenAPI 3.1, Server Object). */
import { findOperations } from '../document/find-operations.ts'
import type { OpenApi, Server } from '../document/model.ts'
import { toPointer } from '../document/pointers.ts'
import type { Problem } from '../document/problems.ts'
import { fillServers, getBasePath, getPath, isAddress, type ServerVariables } from '../document/servers.ts'
import { getOwn } from '../document/values.ts'

/**
 * Reports servers of a document, of its paths and of its operations, and values of variables that their enum does not have. If the app
 * has chosen the base path by its option, the path of each server counts as the base path.
 *
 * | URL of a server         | base path in its list | variable set by the operator | report                        |
 * |-------------------------|-----------------------|------------------------------|-------------------------------|
 * | with the base path      | yes                   | any                          | none                          |
 * | with another path       | yes                   | none                         | warning: another deployment   |
 * | with another path       | yes                   | one of this server           | mistake                       |
 * | with another path       | no                    | any                          | mistake                       |
 * | no http(s) URL or path  | any                   | any                          | mistake                       |
 */
export function checkServers(root: OpenApi, variables: ServerVariables, isBasePathChosen: boolean): Problem[] {
  const basePath = isBasePathChosen ? undefined : getBasePath(root, variables)
  const hasBasePath = (url: string) => isAddress(url) && (basePath === undefined || getPath(url) === basePath)
  const owners = findOperations(root).flatMap(({ path, item, operation, pointer }) => [
    { servers: item.servers, pointer: toPointer('paths', path) },
    { servers: operation.servers, pointer },
  ])
  return [{ servers: root.servers, pointer: '' }, ...owners].flatMap(({ servers = [], pointer }) => {
    const urls = fillServers({ servers }, variables).map(({ url }) => url)
    const isServed = urls.some(hasBasePath)
    return servers.flatMap((server, index) => {
      const url = urls[index] ?? ''
      const serverPointer = `${pointer}/servers/${index}`
      const setVariables = Object.entries(variables).flatMap(([name, value]) =>
        value !== undefined && server.url.includes(`{${name}}`) ? [{ name, value }] : [],
      )
      const valueProblems = setVariables.flatMap(({ name, value }) => checkValue(server, name, value, serverPointer))
      if (hasBasePath(url)) return valueProblems
      const isWarning = isAddress(url) && isServed && setVariables.length === 0
      const names = setVariables.map(({ name }) => name).join(' and ')
      const source = names === '' ? '' : ` (${names} of the option servers)`
      const message = describeUrlMistake(url, basePath) + source
      return [...valueProblems, { pointer: `${serverPointer}/url`, message, isWarning }]
    })
  })
}

function describeUrlMistake(url: string, basePath = ''): string {
  if (!isAddress(url)) return `"${url}" is not an http(s) URL or path without query; correct it`
  const what = `operations are served under ${basePath || '/'} alone, and "${url}" has another path`
  return `${what}; use the same path, or set the option basePath`
}

/** Reports a value that the enum of a server variable does not have. */
function checkValue({ variables = {} }: Server, name: string, value: string, pointer: string): Problem[] {
  const { enum: values } = getOwn(variables, name) ?? {}
  if (values === undefined || values.includes(value)) return []
  const message = `"${value}" is not a value of "${name}"; use one of: ${values.join(', ')}`
  return [{ pointer: pointer + toPointer('variables', name), message }]
}
