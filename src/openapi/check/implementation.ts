/** Checks a document against its implementation: handlers, and functions of security schemes. */
import type { Operation } from '../document/operations.ts'
import { toPointer } from '../document/pointers.ts'
import type { Problem } from '../document/problems.ts'
import { getOwn, type Values } from '../document/values.ts'

/** Finds handlers without an operation, and operations without a handler. */
export function* checkHandlers(
  operations: readonly Operation[],
  handlers: Values,
  missingHandlers: unknown,
): Iterable<Problem> {
  for (const [id, handler] of Object.entries(handlers)) {
    const operation = operations.find((operation) => operation.id === id)
    if (operation === undefined) {
      yield { pointer: '/paths', message: `the handler "${id}" has no operation; add one or remove the handler` }
    } else if (handler !== undefined && typeof handler !== 'function') {
      yield { pointer: operation.pointer, message: `the handler "${id}" is not a function; write a function` }
    }
  }
  const unhandledOperations = operations.filter(({ id }) => getOwn(handlers, id) === undefined)
  if (missingHandlers !== 'error' && unhandledOperations.length > 0) {
    const substitute = missingHandlers === 'notImplemented' ? '501' : 'examples'
    const ids = unhandledOperations.map(({ id }) => id).join(', ')
    const message = `these operations have no handler, and respond with ${substitute}: ${ids}; write one for each`
    yield { pointer: '/paths', message, isWarning: true }
    return
  }
  for (const { id, pointer } of unhandledOperations) {
    const advice = 'write one, remove the operation, or set the option missingHandlers'
    yield { pointer: `${pointer}/operationId`, message: `"${id}" has no handler; ${advice}` }
  }
}

/** Finds security schemes that an operation requires, and that have no function. */
export function* checkSecurityFunctions(operations: readonly Operation[], security: object): Iterable<Problem> {
  const schemeNames = operations.flatMap((operation) => operation.security.flat().map(({ name }) => name))
  for (const name of new Set(schemeNames)) {
    if (typeof getOwn(security as Values, name) === 'function') continue
    const message = `the security scheme "${name}" has no function; write one or remove the scheme`
    yield { pointer: toPointer('components', 'securitySchemes', name), message }
  }
}
