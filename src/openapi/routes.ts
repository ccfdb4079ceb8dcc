/**
 * From operations to Fastify routes.
 */
import { METHODS as HTTP_METHODS } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { type Authenticator, bindOperations, type Handler } from './bindings.ts'
import { checkDocument } from './check/document.ts'
import { checkImplementation } from './check/implementation.ts'
import { checkServers } from './check/servers.ts'
import { type ApiDocument, refuse } from './document.ts'
import { MethodNotAllowedError } from './errors.ts'
import { METHODS, type Method } from './model.ts'
import { MEDIA_TYPE } from './operations.ts'
import type { ReceivedBody } from './request/input.ts'
import { parseJson } from './request/json.ts'
import { isPastSunset, lifecycleHeaders } from './response/lifecycle.ts'
import { fastifyPath, hasEmptySegment, routeOf } from './route.ts'
import { basePath, type ServerVariables } from './servers.ts'
import type { Handlers, UrlOf } from './types.ts'
import { createUrlOf } from './urls.ts'

/** A document and what serves it. */
export interface Api<Operations, Caller> {
  readonly document: ApiDocument
  readonly handlers: Handlers<Operations, Caller>
  /** By the type and scheme of the security scheme that each implements, such as `http bearer`. */
  readonly authenticators: Readonly<Record<string, Authenticator<Caller>>>
  readonly servers: ServerVariables
  /** Where a person can read about an operation. */
  readonly documentationOf: (operation: { readonly id: string; readonly tag: string | undefined }) => string
}

/** What Fastify must be made with: the engine reads paths and queries itself, and refuses what is too long by the schema. */
export const ROUTER_OPTIONS = { querystringParser: (query: string) => query as never, maxParamLength: 65_536 }

/**
 * Adds a route for each operation of the document to the instance, and one that answers 405 for the other methods of
 * each path. Returns the function that knows the operations' addresses. Throws a DocumentError when the document cannot be honoured or does not fit the handlers and authenticators.
 */
export function addOperations<Operations, Caller extends { readonly name: string }>(
  app: FastifyInstance,
  api: Api<Operations, Caller>,
): UrlOf<Operations> {
  const { document, servers } = api
  const { root } = document
  const implementation = {
    handlers: api.handlers as unknown as Readonly<Record<string, Handler<Caller>>>,
    authenticators: api.authenticators,
  }
  refuse(document, [
    ...checkDocument(root),
    ...checkServers(root, servers),
    ...checkImplementation(root, implementation),
  ])
  const operations = bindOperations<Caller>(root, implementation)
  const prefix = basePath(root, servers)
  const urlOf = createUrlOf(operations, prefix)

  app.decorateRequest('caller', undefined)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>(
    MEDIA_TYPE,
    { parseAs: 'buffer' },
    async (_request: unknown, bytes: Buffer): Promise<ReceivedBody | undefined> =>
      bytes.length === 0 ? undefined : { json: parseJson(bytes) },
  )
  for (const operation of operations) {
    const { lifecycle } = operation
    const headers =
      lifecycle &&
      lifecycleHeaders(lifecycle, {
        documentation: api.documentationOf(operation),
        successor: lifecycle.replacedBy === undefined ? undefined : urlOf(lifecycle.replacedBy, {}),
      })
    if (lifecycle && isPastSunset(lifecycle, new Date())) {
      app.log.warn({ operationId: operation.id, sunset: lifecycle.sunset }, 'operation is served past its sunset')
    }
    app.route(routeOf(operation, prefix, headers ?? {}, urlOf))
  }
  for (const method of HTTP_METHODS.filter((each) => !app.supportedMethods.includes(each))) app.addHttpMethod(method)
  for (const [path, item] of Object.entries(root.paths)) {
    const methods = METHODS.filter((method) => method in item)
    app.route(otherMethods(app, prefix + path, methods))
  }
  return urlOf as UrlOf<Operations>
}

/** One route for the methods that the path does not have (RFC 9110, section 15.5.6). */
function otherMethods(app: FastifyInstance, path: string, methods: readonly Method[]): RouteOptions {
  // HEAD is answered wherever GET is (RFC 9110, section 9.3.2).
  const allowed = methods.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
  const refuseMethod = async (request: FastifyRequest, reply: FastifyReply) => {
    if (hasEmptySegment(request)) return reply.callNotFound()
    throw new MethodNotAllowedError(allowed.join(', '))
  }
  return {
    method: app.supportedMethods.filter((method) => !allowed.includes(method)),
    url: fastifyPath(path),
    // Before the body, whose media type does not matter then.
    onRequest: refuseMethod,
    handler: refuseMethod,
  }
}
