/** The OpenAPI layer as a Fastify plugin: an ordinary route for each operation of a document. */
import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { isParsedByApp } from '../document/codecs.ts'
import { getEssence, JSON_TYPE } from '../document/content.ts'
import type { Operation } from '../document/operations.ts'
import { comparePaths } from '../document/path-templates.ts'
import { withDepthLimit } from '../document/problems.ts'
import { receiveBody } from '../operation/body-hooks.ts'
import type { OperationRequest } from '../operation/exchange.ts'
import { UploadFolder } from '../request/upload-folder.ts'
import { continueOnRead } from '../shared/http.ts'
import { type CompiledApi, compileApi } from './api.ts'
import { addMethodNotAllowed, addNotImplemented, declareMethods, getMethods, toFastifyPath } from './path-routes.ts'
import type { ApiOptions, OpenApiPlugin } from './plugin-options.ts'

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
    openapi: Omit<CompiledApi, 'routes' | 'streams'>
  }
}

/**
 * Registers the operations of a document. Rejects with a DocumentError that lists every mismatch between the document and the
 * options. Hooks that the app adds before it registers this plugin run on every operation.
 */
export const openapi = fastifyPlugin(
  async (app: FastifyInstance, options: ApiOptions) => {
    if (app.hasRequestDecorator('openapi')) {
      throw new Error('this scope, or one around it, has an OpenAPI document; register each in a scope of its own')
    }
    // Fastify adds `app.prefix` to each route. So the prefix is a part of the public path, and not of `basePath`.
    const publicPath = (options.publicPath ?? '') + app.prefix
    const uploadFolder = new UploadFolder(options.uploadFolder, (err) =>
      app.log.error({ err }, 'an uploaded file cannot be removed'),
    )
    // Compilation recurses into schemas: a stack overflow becomes a DocumentError.
    const api = withDepthLimit(options.document.locate(''), () =>
      compileApi({ ...options, publicPath }, uploadFolder, app),
    )
    app.addHook('onClose', () => uploadFolder.close())
    for (const warning of api.warnings) app.log.warn(warning)
    app.decorate('openapi', api)
    app.decorateRequest('openapi', undefined)
    app.addHook('preClose', (done) => {
      api.streams.stop(() => closeIdleConnections(app.server))
      done()
    })
    addContinueListener(app.server)
    await app.register(async function operations(appScope) {
      // Fastify compiles nothing of the schemas of the routes. Its validation of a request stops at the first part that is not valid, and
      // its serializers, which it selects by status alone, would also get the bodies of the app's error handler.
      appScope.setValidatorCompiler(() => undefined as never)
      appScope.setSerializerCompiler(() => undefined as never)
      replaceAppParsers(appScope, api.operations)
      await appScope.register(async function layerOperations(layerScope) {
        layerScope.removeAllContentTypeParsers()
        // Fastify remembers the parser only of media types that are named, so `*` alone would be slower for JSON.
        layerScope.addContentTypeParser([JSON_TYPE, '*'], receiveBody)
        addRoutes(appScope, layerScope, api)
      })
    })
  },
  { name: 'openapi', fastify: '5.x' },
) as OpenApiPlugin

/** Closes connections that became idle after the server had begun to close: otherwise, they keep it open. */
function closeIdleConnections(server: FastifyInstance['server']): void {
  // HTTP/2 without TLS has no idle connections.
  if ('closeIdleConnections' in server) server.closeIdleConnections()
}

/**
 * Lets clients that expect 100 (Continue) wait until somebody reads their body, in the whole app, unless the server has a listener for
 * them.
 */
function addContinueListener(server: FastifyInstance['server']): void {
  if (server.listenerCount('checkContinue') > 0) return
  server.on('checkContinue', (request, response) => {
    continueOnRead(request, response)
    server.emit('request', request, response)
  })
}

/**
 * Replaces the app's parsers of the media types that the layer parses, in the scope that keeps the app's other parsers. A Fastify scope
 * has one parser for a media type. So operations that need an app's parser are in this scope, and all others in a scope in which the
 * layer parses all bodies.
 */
function replaceAppParsers(appScope: FastifyInstance, operations: readonly Operation[]): void {
  const content = operations.filter(isParsedByApp).flatMap(({ requestBody }) => requestBody?.content ?? [])
  // Name each media type: otherwise, an app's parser for a RegExp would take it.
  for (const type of new Set(content.flatMap(({ type, hasCodec }) => (hasCodec ? [] : [getEssence(type)])))) {
    appScope.removeContentTypeParser(type)
    appScope.addContentTypeParser(type, receiveBody)
  }
}

function addRoutes(appScope: FastifyInstance, layerScope: FastifyInstance, api: CompiledApi): void {
  const { basePath, document, operations, routes } = api
  declareMethods(layerScope, [...operations, ...document.skippedOperations])
  const routesByPath = Map.groupBy(routes, ({ config }) => config.operation.path)
  const skippedByPath = Map.groupBy(document.skippedOperations, ({ path }) => path)
  // The router tries the routes of a segment in the order in which they are added.
  for (const path of [...new Set([...routesByPath.keys(), ...skippedByPath.keys()])].sort(comparePaths)) {
    const pathRoutes = routesByPath.get(path) ?? []
    const skippedOperations = skippedByPath.get(path) ?? []
    const pathOperations = [...pathRoutes.map(({ config }) => config.operation), ...skippedOperations]
    const url = toFastifyPath(basePath + path)
    // Add skipped operations first: with a GET route, Fastify adds a HEAD route unless there is one.
    for (const { method } of skippedOperations) addNotImplemented(layerScope, getMethods(pathOperations, method), url)
    for (const route of pathRoutes) {
      const { operation } = route.config
      const scope = isParsedByApp(operation) ? appScope : layerScope
      scope.route({ ...route, method: getMethods(pathOperations, operation.method), url })
    }
    addMethodNotAllowed(layerScope, url, pathOperations)
  }
}
