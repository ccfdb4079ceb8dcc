/**
 * A document and what serves it: checked together, and then bound together.
 */
import { type Authenticator, type BoundOperation, bindOperations, type Handler } from './bindings.ts'
import { checkDocument } from './check/document.ts'
import { checkErrorBodies, checkImplementation, checkReserved } from './check/implementation.ts'
import { checkServers } from './check/servers.ts'
import { type ApiDocument, refuse } from './document.ts'
import type { OpenApi } from './model.ts'
import { basePath, type ServerVariables } from './servers.ts'
import type { Handlers } from './types.ts'

/** A document and what is to serve it. */
export interface ApiOptions<Operations, Caller> {
  readonly document: ApiDocument
  readonly handlers: Handlers<Operations, Caller>
  /** By the type and scheme of the security scheme that each implements, such as `http bearer`. */
  readonly authenticators: Readonly<Record<string, Authenticator<Caller>>>
  readonly servers: ServerVariables
  /** The body of every error answer, by its status, wherever the error arises. */
  readonly errorBody?: (status: number) => unknown
  /** The paths that are served besides the operations, each with all that is below it. */
  readonly reserved?: readonly string[]
  /** Where a person can read about an operation. */
  readonly documentationOf: (operation: { readonly id: string; readonly tag: string | undefined }) => string
}

/** A document that the engine honours, and that fits what serves it. */
export interface Api<Operations, Caller> extends Pick<ApiOptions<Operations, Caller>, 'documentationOf'> {
  readonly root: OpenApi
  readonly operations: readonly BoundOperation<Caller>[]
  /** The path at which the servers have the operations, without a trailing slash. */
  readonly basePath: string
}

/**
 * Checks a document and binds what serves it. Throws a DocumentError that names everything for which the document cannot
 * be honoured, or does not fit what serves it.
 */
export function createApi<Operations, Caller>(options: ApiOptions<Operations, Caller>): Api<Operations, Caller> {
  const { document, authenticators, servers, errorBody, reserved = [], documentationOf } = options
  const { root } = document
  const handlers = options.handlers as unknown as Readonly<Record<string, Handler<Caller>>>
  refuse(document, [
    ...checkDocument(root),
    ...checkServers(root, servers),
    ...checkImplementation(root, { handlers, authenticators }),
  ])
  const operations = bindOperations<Caller>(root, { handlers, authenticators })
  const prefix = basePath(root, servers)
  refuse(document, [
    ...checkReserved(root, prefix, reserved),
    ...(errorBody === undefined ? [] : checkErrorBodies(operations, errorBody)),
  ])
  return { root, operations, basePath: prefix, documentationOf }
}
