/**
 * Checks a document against its implementation: a handler for each operation and no other, an authenticator for each
 * security scheme, and no path that the service uses for something else.
 */
import type { Problem } from '../document/load.ts'
import type { OpenApi, SecurityScheme } from '../document/model.ts'
import { getSchemeKey } from '../document/operations.ts'
import { findOperations, getEntries, getValueAt, toObject, toPointer } from '../document/references.ts'

/** Finds what is missing in the implementation, and the handlers that no operation needs. */
export function* checkImplementation(root: OpenApi, handlers: object, authenticators: object): Iterable<Problem> {
  const operations = findOperations(root)
  for (const id of Object.keys(handlers)) {
    if (operations.some(({ operation }) => operation.operationId === id)) continue
    yield { pointer: '/paths', message: `the handler "${id}" has no operation; add one or remove the handler` }
  }
  for (const { pointer, operation } of operations) {
    const id = operation.operationId
    if (typeof id !== 'string' || Object.hasOwn(handlers, id)) continue
    yield { pointer: `${pointer}/operationId`, message: `"${id}" has no handler; write one or remove the operation` }
  }
  const requirements = operations.flatMap(({ operation }) => getEntries(operation.security ?? root.security))
  for (const name of new Set(requirements.flatMap(([, requirement]) => Object.keys(toObject(requirement))))) {
    const pointer = toPointer('components', 'securitySchemes', name)
    const { type, scheme, in: place } = toObject(getValueAt(root, pointer))
    if (typeof (type === 'http' ? scheme : place) !== 'string') continue // The structure is wrong already.
    const key = getSchemeKey({ type, scheme, in: place } as SecurityScheme)
    if (Object.hasOwn(authenticators, key)) continue
    const known = Object.keys(authenticators).join(', ') || 'none'
    yield { pointer, message: `the security scheme "${key}" is not implemented; implemented: ${known}` }
  }
}

/** Finds paths of the document, behind the base path, that the service uses for something else. */
export function* checkReserved(root: OpenApi, basePath: string, reserved: readonly string[]): Iterable<Problem> {
  for (const path of Object.keys(root.paths)) {
    const taken = reserved.find((other) => isWithin(basePath + path, other))
    if (taken === undefined) continue
    yield { pointer: toPointer('paths', path), message: `the service itself uses "${taken}"; choose another path` }
  }
}

/** True if a path template can match another path, or one below it; the root has none below it. */
function isWithin(template: string, other: string): boolean {
  if (other === '/') return template === '/'
  const segments = template.split('/')
  return other.split('/').every((segment, index) => segments[index] === segment || segments[index]?.startsWith('{'))
}
