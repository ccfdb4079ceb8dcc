/** The OpenAPI layer as a Fastify plugin: an ordinary route for each operation of a document. */
import type { FastifyInstance, HTTPMethods } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { HttpError } from '../errors.ts'
import { MEDIA_TYPE, type Operation } from './document/operations.ts'
import { reportDepth } from './document/parse.ts'
import { type CompiledApi, compileApi, type OpenApiOptions, type OperationState } from './plan.ts'
import type { Input } from './request/input.ts'
import type { Caller } from './request/security.ts'
import { createRoute, getMethods, readBody, toFastifyPath } from './route.ts'
import { createReadTogether } from './together.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The operation, from authentication on; earlier hooks find it in `routeOptions.config`. Undefined on other routes. */
    operation: Operation | undefined
    /** The authenticated client; undefined for an anonymous request. */
    caller: Caller | undefined
    /** The validated and converted parameters and body. */
    input: Input | undefined
    /** Internal to the layer, and undefined before authentication. */
    operationState: OperationState
  }
  interface FastifyContextConfig {
    /** The operation of a route. */
    operation?: Operation
  }
  interface FastifyInstance {
    /** The document, its operations, and the paths, URLs and headers that follow from it. */
    openapi: Omit<CompiledApi, 'plans'>
  }
}

/**
 * Registers the operations of a document. Rejects with a DocumentError that lists every mismatch between the document and the
 * options. Hooks that were added before run on every operation.
 */
export const openapi = fastifyPlugin(
  async (app: FastifyInstance, options: OpenApiOptions) => {
    // Fastify puts `app.prefix` before each route: URLs for clients begin with it, and `basePath` does not.
    const publicPath = (options.publicPath ?? '') + app.prefix
    const api = reportDepth(options.document.locate(''), () => compileApi({ ...options, publicPath }))
    app.decorate('openapi', api)
    for (const name of ['operation', 'caller', 'input', 'operationState']) app.decorateRequest(name, undefined)
    await app.register(async function operations(scope) {
      // `preValidation` validates everything at once; Fastify would stop at the first part that is not valid.
      scope.setValidatorCompiler(() => undefined as never)
      // `respond` sets a serializer for each reply. The error handler of the app serializes errors.
      scope.setSerializerCompiler(() => undefined as never)
      scope.removeAllContentTypeParsers()
      // `*` would do for JSON, too. Named, its parser is found without parsing the Content-Type.
      scope.addContentTypeParser([MEDIA_TYPE, '*'], readBody)
      const readTogether = createReadTogether(options.snapshot)
      addMethods(scope, api)
      for (const plan of api.plans) {
        const route = createRoute(api, plan, readTogether)
        options.onOperation?.(route, plan.operation)
        scope.route(route)
      }
      addMethodNotAllowed(scope, api)
    })
  },
  { name: 'openapi', fastify: '5.x' },
)

/** Makes Fastify route the methods that it does not know, in the whole app, and read a body where an operation has one. */
function addMethods(scope: FastifyInstance, { plans }: CompiledApi): void {
  for (const [method, ofMethod] of Map.groupBy(plans, ({ operation }) => operation.method)) {
    if (/^(get|head|put|post|delete|patch|options)$/.test(method)) continue
    const hasBody = ofMethod.some(({ operation }) => operation.requestBody !== undefined)
    scope.addHttpMethod(method.toUpperCase(), { hasBody, overrideExisting: true })
  }
}

/**
 * Responds with 405 to the methods that a path lacks (RFC 9110, section 15.5.6). Without these routes, `POST /pets/count` would
 * match `POST /pets/{petId}`, although the path without parameters has precedence (OpenAPI 3.1, Paths Object).
 */
function addMethodNotAllowed(scope: FastifyInstance, { basePath, plans }: CompiledApi): void {
  for (const [path, ofPath] of Map.groupBy(plans, ({ operation }) => operation.path)) {
    const operations = ofPath.map(({ operation }) => operation)
    const allowed: string[] = operations.flatMap((operation) => getMethods(operations, operation))
    const allow = allowed.sort().join(', ')
    scope.route({
      method: scope.supportedMethods.filter((method) => !allowed.includes(method)) as HTTPMethods[],
      url: toFastifyPath(basePath + path),
      onRequest: (_request, _reply, done) =>
        done(
          new HttpError(405, 'method_not_allowed', `this path supports only ${allow}`, { headers: { Allow: allow } }),
        ),
      // Required by Fastify, and never reached.
      handler: (_request, reply) => reply.callNotFound(),
    })
  }
}
