/**
 * Whether the program has what the document asks for: a handler for each operation, and no other, and an authenticator
 * for each security scheme.
 */
import type { Problem } from '../document.ts'
import type { OpenApi } from '../model.ts'
import { pointerTo } from '../pointer.ts'
import { valueAt } from '../references.ts'
import { entriesOf, findOperations, valuesOf } from './find.ts'

/** What a program has, by name: handlers by operationId, authenticators by scheme (see `kindOf`). */
export interface Implementation {
  readonly handlers: Readonly<Record<string, unknown>>
  readonly authenticators: Readonly<Record<string, unknown>>
}

/** What is missing, and what is there without need. */
export function* checkImplementation(root: OpenApi, { handlers, authenticators }: Implementation): Iterable<Problem> {
  const operations = [...findOperations(root)]
  const ids = operations.map(({ operation }) => operation.operationId)
  for (const id of Object.keys(handlers).filter((id) => !ids.includes(id))) {
    const message = `no operation asks for the handler "${id}"; add one or remove the handler`
    yield { pointer: '/paths', message }
  }
  for (const { pointer, operation } of operations) {
    const id = operation.operationId
    if (typeof id !== 'string' || Object.hasOwn(handlers, id)) continue
    yield { pointer: `${pointer}/operationId`, message: `"${id}" has no handler; write one or remove the operation` }
  }
  const schemes = operations.flatMap(({ operation }) => namesIn(operation.security ?? root.security))
  for (const name of new Set(schemes)) {
    const pointer = pointerTo('components', 'securitySchemes', name)
    const { type, scheme } = valuesOf(valueAt(root, pointer))
    if (typeof type !== 'string' || typeof scheme !== 'string') continue
    const kind = kindOf({ type, scheme })
    if (Object.hasOwn(authenticators, kind)) continue
    const known = Object.keys(authenticators).join(', ') || 'none'
    yield { pointer, message: `the security scheme "${kind}" has no implementation; those there are: ${known}` }
  }
}

/**
 * How authenticators are named: by type and scheme, such as `http bearer`. The case of schemes does not matter (RFC 9110,
 * section 11.1).
 */
export function kindOf({ type, scheme }: { readonly type: string; readonly scheme: string }): string {
  return `${type} ${scheme.toLowerCase()}`
}

function namesIn(security: unknown): string[] {
  return entriesOf(security).flatMap(([, requirement]) => Object.keys(valuesOf(requirement)))
}
