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
    /** Internal to the layer. Undefined on other routes, and until authentication has succeeded. */
    operationState: OperationState
  }
  interface FastifyContextConfig {
    /** The operation of a route. */
    operation?: Operation
  }
  interface FastifyInstance {
    /** The document and its operations, with the base paths, the URLs and the headers that responses have in common. */
    openapi: Omit<CompiledApi, 'plans'>
  }
}

/**
 * Registers the operations of a document. Rejects with a DocumentError that lists every mismatch between the document and the
 * options. Hooks that the app adds before it registers this plugin run on every operation.
 */
export const openapi = fastifyPlugin(
  async (app: FastifyInstance, options: OpenApiOptions) => {
    // Fastify adds `app.prefix` to each route. So the prefix is a part of the public path, and not of `basePath`.
    const publicPath = (options.publicPath ?? '') + app.prefix
    const api = reportDepth(options.document.locate(''), () => compileApi({ ...options, publicPath }))
    for (const warning of options.document.warnings) app.log.warn(warning)
    app.decorate('openapi', api)
    for (const name of ['operation', 'caller', 'input', 'operationState']) app.decorateRequest(name, undefined)
    await app.register(async function operations(scope) {
      // `preValidation` validates everything at once; Fastify would stop at the first part that is not valid.
      scope.setValidatorCompiler(() => undefined as never)
      // `respond` sets the serializer of each JSON response. The error handler of the app serializes errors.
      scope.setSerializerCompiler(() => undefined as never)
      scope.removeAllContentTypeParsers()
      // `*` alone would do for JSON, too. Fastify remembers only what it has found for a type by its name.
      scope.addContentTypeParser([MEDIA_TYPE, '*'], readBody)
      const readTogether = createReadTogether(options.snapshot)
      declareMethods(scope, api)
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

/**
 * Declares the less usual methods, in the whole app: Fastify reads the bodies of a method if any operation with the method has
 * one. The app may have added the method without a body.
 */
function declareMethods(scope: FastifyInstance, { plans }: CompiledApi): void {
  for (const [method, plansOfMethod] of Map.groupBy(plans, ({ operation }) => operation.method)) {
    if (/^(get|head|put|post|delete|patch|options)$/.test(method)) continue
    const hasBody = plansOfMethod.some(({ operation }) => operation.requestBody !== undefined)
    scope.addHttpMethod(method.toUpperCase(), { hasBody, overrideExisting: true })
  }
}

/**
 * Responds with 405 to the methods that a path lacks (RFC 9110, section 15.5.6). Without these routes, `POST /pets/count` would
 * match `POST /pets/{petId}`, although the path without parameters has precedence (OpenAPI 3.1, Paths Object).
 */
function addMethodNotAllowed(scope: FastifyInstance, { basePath, plans }: CompiledApi): void {
  for (const [path, plansOfPath] of Map.groupBy(plans, ({ operation }) => operation.path)) {
    const operations = plansOfPath.map(({ operation }) => operation)
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
