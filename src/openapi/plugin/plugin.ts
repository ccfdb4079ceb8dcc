/** The OpenAPI layer as a Fastify plugin: an ordinary route for each operation of a document. */
import type { FastifyInstance, HTTPMethods, RouteOptions } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { usesParser } from '../check/codecs.ts'
import { getEssence, MEDIA_TYPE } from '../document/content.ts'
import type { Operation } from '../document/operations.ts'
import { withDepthLimit } from '../document/parse.ts'
import { comparePaths } from '../document/path-templates.ts'
import { getOwn } from '../document/values.ts'
import type { OperationRequest } from '../operation/exchange.ts'
import { createUploadFolder } from '../request/upload-folder.ts'
import { HttpError } from '../shared/errors.ts'
import { continueOnRead } from '../shared/http.ts'
import { type CompiledApi, compileApi } from './api.ts'
import type { OpenApiPlugin, UntypedOptions } from './options.ts'
import { createRoute, getMethods, receiveBody, toFastifyPath } from './route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The operation, the caller and the input of a request. Undefined on other routes, and in the `onRequest` hooks of the app,
     * which find the operation in `routeOptions.config`.
     */
    openapi: OperationRequest | undefined
  }
  interface FastifyContextConfig {
    /** The operation of a route. */
    operation?: Operation
  }
  interface FastifyInstance {
    /** The document and its operations, with the base paths, the URLs and the headers that responses have in common. */
    openapi: Omit<CompiledApi, 'compiledOperations' | 'streams'>
  }
}

/**
 * Registers the operations of a document. Rejects with a DocumentError that lists every mismatch between the document and the
 * options. Hooks that the app adds before it registers this plugin run on every operation.
 */
export const openapi = fastifyPlugin(
  async (app: FastifyInstance, options: UntypedOptions) => {
    // Fastify adds `app.prefix` to each route. So the prefix is a part of the public path, and not of `basePath`.
    const publicPath = (options.publicPath ?? '') + app.prefix
    const uploadFolder = createUploadFolder(options.uploadFolder, (err) =>
      app.log.error({ err }, 'an uploaded file cannot be removed'),
    )
    const api = withDepthLimit(options.document.locate(''), () =>
      compileApi({ ...options, publicPath }, uploadFolder, (type) => app.hasContentTypeParser(type)),
    )
    app.addHook('onClose', uploadFolder.close)
    for (const warning of api.warnings) app.log.warn(warning)
    app.decorate('openapi', api)
    app.decorateRequest('openapi', undefined)
    app.addHook('preClose', (done) => {
      // A connection that is idle after the server has begun to close keeps the server open.
      api.streams.stop(() => app.server.closeIdleConnections())
      done()
    })
    addContinue(app)
    await app.register(async function operations(scope) {
      // Not for validation: Fastify validates the parts of a request in turn, and stops at the first that is not valid.
      scope.setValidatorCompiler(() => undefined as never)
      // Not for responses: by status alone, a compiled serializer would also get the bodies of the app's error handler.
      scope.setSerializerCompiler(() => undefined as never)
      const { layerScope } = await createLayerScope(scope)
      declareMethods(layerScope, api)
      const operationsByPath = Map.groupBy(api.compiledOperations, ({ operation }) => operation.path)
      // The router tries the routes of a segment in the order in which they are added.
      for (const path of [...operationsByPath.keys()].sort(comparePaths)) {
        const pathOperations = operationsByPath.get(path) ?? []
        for (const compiledOperation of pathOperations) {
          const { operation } = compiledOperation
          const routeOptions = getOwn(options.routes ?? {}, operation.id)
          const route = createRoute(api, compiledOperation, options.hooks, routeOptions)
          if (usesParser(operation)) await addParsedRoute(scope, operation, route)
          else layerScope.route(route)
        }
        const operations = pathOperations.map(({ operation }) => operation)
        addMethodNotAllowed(layerScope, api.basePath + path, operations)
      }
    })
  },
  { name: 'openapi', fastify: '5.x' },
) as OpenApiPlugin

/**
 * Lets clients that expect 100 (Continue) wait until somebody reads their body, in the whole app, unless the server has a listener for
 * them.
 */
function addContinue({ server }: FastifyInstance): void {
  if (server.listenerCount('checkContinue') > 0) return
  server.on('checkContinue', (request, response) => {
    continueOnRead(request, response)
    server.emit('request', request, response)
  })
}

/** Creates the scope in which the layer reads all bodies. It is returned in an object, because `await` would await Fastify itself. */
async function createLayerScope(scope: FastifyInstance): Promise<{ readonly layerScope: FastifyInstance }> {
  let layerScope = scope
  await scope.register(async (innerScope) => {
    innerScope.removeAllContentTypeParsers()
    // Fastify remembers the parser only of media types that are named, so `*` alone would be slower for JSON.
    innerScope.addContentTypeParser([MEDIA_TYPE, '*'], receiveBody)
    layerScope = innerScope
  })
  return { layerScope }
}

/**
 * Adds the route of an operation in a scope of its own, which keeps the content type parsers of the app for the media types that
 * they read. The layer reads the others.
 */
async function addParsedRoute(scope: FastifyInstance, operation: Operation, route: RouteOptions): Promise<void> {
  const otherContent = operation.requestBody?.content.filter(({ hasCodec }) => !hasCodec) ?? []
  const otherTypes = new Set(otherContent.map(({ type }) => getEssence(type)))
  await scope.register(async (parserScope) => {
    // Fastify asks the parsers of patterns only for media types that no parser names.
    for (const type of otherTypes) {
      parserScope.removeContentTypeParser(type)
      parserScope.addContentTypeParser(type, receiveBody)
    }
    parserScope.route(route)
  })
}

/**
 * Declares the less usual methods, in the whole app: Fastify reads the bodies of a method if any operation with the method has
 * one. The app may have added the method without a body.
 */
function declareMethods(scope: FastifyInstance, { operations }: CompiledApi): void {
  for (const [method, methodOperations] of Map.groupBy(operations, (operation) => operation.method)) {
    if (/^(get|head|put|post|delete|patch|options)$/.test(method)) continue
    const hasBody = methodOperations.some(({ requestBody }) => requestBody !== undefined)
    scope.addHttpMethod(method.toUpperCase(), { hasBody, overrideExisting: true })
  }
}

/**
 * Responds with 405 to the methods that a path lacks (RFC 9110, section 15.5.6). Without these routes, `POST /pets/count` would
 * match `POST /pets/{petId}`, although the path without parameters has precedence (OpenAPI 3.1, Paths Object).
 */
function addMethodNotAllowed(scope: FastifyInstance, path: string, operations: readonly Operation[]): void {
  const allowed: string[] = operations.flatMap((operation) => getMethods(operations, operation))
  const allow = allowed.sort().join(', ')
  scope.route({
    method: scope.supportedMethods.filter((method) => !allowed.includes(method)) as HTTPMethods[],
    url: toFastifyPath(path),
    onRequest: (_request, _reply, done) =>
      done(new HttpError(405, 'method_not_allowed', `this path supports only ${allow}`, { headers: { Allow: allow } })),
    // Required by Fastify, and never reached.
    handler: (_request, reply) => reply.callNotFound(),
  })
}
