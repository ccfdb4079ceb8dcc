/** The options of Fastify's routes that an app may give operations, and their check. */
import { constants } from 'node:buffer'
import type { RouteShorthandOptions } from 'fastify'
import type { Operation } from '../document/operations.ts'
import type { Problem } from '../document/problems.ts'
import type { Values } from '../document/values.ts'
import { isObject } from '../shared/json.ts'

/** The options of routes that the layer sets, or that have no effect beside it, with the reason. */
const RESERVED_OPTIONS = {
  method: 'the document has the methods',
  url: 'the document has the paths',
  path: 'the document has the paths',
  prefixTrailingSlash: 'the document has the paths',
  schema: 'the document has the schemas',
  handler: 'it belongs in the option handlers',
  exposeHeadRoute: 'the route of a GET serves HEAD, too',
  attachValidation: 'an invalid request never reaches the handler',
  validatorCompiler: 'the layer validates requests',
  schemaErrorFormatter: 'the error handler of the app formats errors',
  serializerCompiler: 'the layer serializes responses',
  constraints: 'the 405 of a path has no constraints',
} as const

/** The largest limits of a body, as for `x-max-bytes`: a body that is not streamed is read into one string. */
const MAX_BODY = constants.MAX_STRING_LENGTH
const MAX_STREAM = Number.MAX_SAFE_INTEGER

/** The options that an app may give the route of an operation. */
export type OperationRouteOptions = Omit<RouteShorthandOptions, keyof typeof RESERVED_OPTIONS>

/** Options of routes by operationId. */
export type OperationRoutes = Readonly<Partial<Record<string, OperationRouteOptions>>>

/** Finds options without an operation, and options that an operation must not have. */
export function* checkRoutes(operations: readonly Operation[], routes: OperationRoutes): Iterable<Problem> {
  for (const [id, routeOptions = {}] of Object.entries(routes)) {
    const operation = operations.find((operation) => operation.id === id)
    if (operation === undefined) {
      yield { pointer: '/paths', message: `the route options "${id}" have no operation; add one or remove the options` }
    } else if (isObject(routeOptions)) {
      yield* checkRouteOptions(operation, routeOptions)
    } else {
      yield { pointer: operation.pointer, message: `the route options "${id}" are not an object; write one` }
    }
  }
}

function* checkRouteOptions(operation: Operation, routeOptions: OperationRouteOptions): Iterable<Problem> {
  const { id, pointer } = operation
  for (const [name, reason] of Object.entries(RESERVED_OPTIONS)) {
    if ((routeOptions as Values)[name] === undefined) continue
    yield { pointer, message: `the route option "${name}" of "${id}" is not supported: ${reason}; remove it` }
  }
  if (routeOptions.bodyLimit !== undefined) yield* checkBodyLimit(operation, routeOptions.bodyLimit)
}

/** Reports a `bodyLimit` without a body, beside `x-max-bytes`, or out of range. */
function* checkBodyLimit({ id, pointer, requestBody }: Operation, bodyLimit: number): Iterable<Problem> {
  const what = `the route option "bodyLimit" of "${id}"`
  if (requestBody === undefined) {
    yield { pointer, message: `${what} has no effect, because the operation has no body; remove it` }
    return
  }
  const maximum = requestBody.content.every((content) => content.isStreamed) ? MAX_STREAM : MAX_BODY
  if (requestBody.isLimited) {
    yield { pointer, message: `${what} has no effect beside "x-max-bytes" in the document; remove one of them` }
  } else if (!(Number.isInteger(bodyLimit) && bodyLimit >= 1 && bodyLimit <= maximum)) {
    yield { pointer, message: `${what} is ${bodyLimit}; use an integer from 1 to ${maximum}` }
  }
}
