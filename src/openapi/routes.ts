/**
 * From operations to Fastify routes.
 */
import { METHODS as HTTP_METHODS } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Api } from './api.ts'
import { MethodNotAllowedError } from './errors.ts'
import { METHODS, type Method } from './model.ts'
import { MEDIA_TYPE } from './operations.ts'
import type { ReceivedBody } from './request/input.ts'
import { parseJson } from './request/json.ts'
import { isPastSunset, lifecycleHeaders } from './response/lifecycle.ts'
import { fastifyPath, hasEmptySegment, routeOf } from './route.ts'
import type { UrlOf } from './types.ts'
import { createUrlOf } from './urls.ts'

/** What Fastify must be made with: the engine reads paths and queries itself, and refuses what is too long by the schema. */
export const ROUTER_OPTIONS = { querystringParser: (query: string) => query as never, maxParamLength: 65_536 }

/**
 * Adds a route for each operation to the instance, and one that answers 405 for the other methods of each path. Returns
 * the function that knows the operations' addresses.
 */
export function addOperations<Operations, Caller extends NonNullable<FastifyRequest['caller']>>(
  app: FastifyInstance,
  api: Api<Operations, Caller>,
): UrlOf<Operations> {
  const { basePath, documentationOf, operations, root } = api
  const urlOf = createUrlOf(operations, basePath)

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
        documentation: documentationOf(operation),
        successor: lifecycle.replacedBy === undefined ? undefined : urlOf(lifecycle.replacedBy, {}),
      })
    if (lifecycle && isPastSunset(lifecycle, new Date())) {
      app.log.warn({ operationId: operation.id, sunset: lifecycle.sunset }, 'operation is served past its sunset')
    }
    app.route(routeOf(operation, basePath, headers ?? {}, urlOf))
  }
  for (const method of HTTP_METHODS.filter((each) => !app.supportedMethods.includes(each))) app.addHttpMethod(method)
  for (const [path, item] of Object.entries(root.paths)) {
    const methods = METHODS.filter((method) => method in item)
    app.route(otherMethods(app, basePath + path, methods))
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
