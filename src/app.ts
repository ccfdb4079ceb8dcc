/** Builds the service from its parts: the configuration, the spec and a store. */
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyPluginCallback,
  LogController,
} from 'fastify'
import { createAuthenticate, createRedactor, hashKey } from './auth/keys.ts'
import type { Config } from './config.ts'
import { CORS_HEADERS, SERVER_HEADERS } from './headers.ts'
import { createConnectionGuard } from './http/connections.ts'
import { registerCors } from './http/cors.ts'
import { addDocs, DOCS_PATH, getDocumentationUrl } from './http/docs.ts'
import { createErrorHandler, notFound } from './http/errors.ts'
import { addHealth, HEALTH_PATHS } from './http/health.ts'
import { createOverloadGuard, createRateLimiter } from './http/limits.ts'
import { checkProtocol } from './http/protocol.ts'
import { createRequestIds, createUrlRewriter } from './http/proxy.ts'
import { addKeepAlive, createBeginRequest } from './http/requests.ts'
import type { Logger } from './logger.ts'
import {
  type Digests,
  isPastSunset,
  type OpenApiDocument,
  type OpenApiOptions,
  openapi,
  type Problem,
  throwProblems,
  toPointer,
} from './openapi/index.ts'
import { createHandlers } from './pets/handlers.ts'
import { addShutdown } from './shutdown.ts'
import type { Store } from './stores/store.ts'

// An import would read all exports of `node:http`, and so load WebSocket and fetch: a tenth of the time of a start.
const { METHODS } = process.getBuiltinModule('node:http')

export interface AppOptions {
  readonly config: Config
  readonly document: OpenApiDocument
  /** What the types of the handlers were generated from: a spec that has changed since is rejected. */
  readonly digests?: Digests
  readonly store: Store
  readonly logger: Logger
  /** Plugins of Fastify that are registered before the operations, so that their hooks run on operations, too. */
  readonly plugins?: readonly (FastifyPluginAsync | FastifyPluginCallback)[]
  /** Changes the options of the OpenAPI layer: `npm run dev` adds mocks. */
  readonly transformOptions?: (options: OpenApiOptions) => OpenApiOptions
}

/**
 * Builds the service for a document and a store, ready to listen. To close the app does not close the store.
 * Rejects with a DocumentError if the document does not match the handlers.
 */
export async function buildApp({
  config,
  document,
  digests,
  store,
  logger,
  plugins = [],
  transformOptions = (options) => options,
}: AppOptions) {
  const { apiKeys, corsOrigins, publicUrl, rateLimit, servers, trustProxy } = config
  const publicPath = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')
  const configuredKeys = new Map(apiKeys.map(({ name, key }) => [hashKey(key), { name }]))

  const redact = createRedactor(apiKeys.map(({ key }) => key))
  // Called only once the app listens, when the layer is registered.
  const getErrorHeaders = () => app.openapi.errorHeaders
  const connections = createConnectionGuard(logger, getErrorHeaders, config.requestTimeout)
  const app: FastifyInstance = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    // `beginRequest` logs requests.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestIds(trustProxy),
    // With proxies, `request.ip` is the address of the client.
    trustProxy: trustProxy.length > 0 && [...trustProxy],
    // More than Node accepts: the schemas of the spec limit the length. Fastify's default is 100.
    routerOptions: { maxParamLength: 65_536 },
    ...(publicPath !== '' && { rewriteUrl: createUrlRewriter(publicPath) }),
    // Errors of the router, such as a malformed URL, for which Fastify runs no hook.
    frameworkErrors: (error, request, reply) => {
      beginRequest(request, reply)
      handleError(error, request, reply)
    },
    // During shutdown, requests get their usual response, not Fastify's 503.
    return503OnClosing: false,
    serverFactory: connections.createServer,
    clientErrorHandler: connections.handleClientError,
  })
  // All methods that Node parses, so that a path without one of them responds with 405 (RFC 9110, section 15.5.6). Node closes
  // the connection at CONNECT.
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  const shutdown = addShutdown(app, connections.pauseNewRequests)
  const overload = createOverloadGuard(app, config)
  const beginRequest = createBeginRequest(logger, overload, connections)
  const handleError = createErrorHandler(getErrorHeaders, redact)
  app.decorateRequest('errorCode', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    beginRequest(request, reply)
    done()
  })
  if (corsOrigins.length > 0) await registerCors(app, corsOrigins)
  app.addHook('onRequest', (request, _reply, done) => {
    checkProtocol(request.raw)
    overload.check(request)
    // In a hook, because Fastify responds with 404 only after it has read the body: an error of the body would come first.
    done(request.is404 ? notFound(request) : undefined)
  })
  addKeepAlive(app, overload, shutdown)
  app.setErrorHandler(handleError)
  // For `reply.callNotFound` of a plugin; the hook above rejects what has no route.
  app.setNotFoundHandler((request) => {
    throw notFound(request)
  })
  for (const plugin of plugins) await app.register(plugin)

  const limitRate = rateLimit && createRateLimiter(rateLimit)
  const options: OpenApiOptions = {
    document,
    servers,
    publicPath,
    ...(digests && { digests }),
    handlers: createHandlers(store.pets),
    security: { ApiKey: createAuthenticate((hash) => configuredKeys.get(hash) ?? store.keys.find(hash)) },
    serverHeaders: corsOrigins.length > 0 ? [...SERVER_HEADERS, ...CORS_HEADERS] : SERVER_HEADERS,
    getDocumentationUrl: (operation) => publicPath + getDocumentationUrl(operation),
    cacheable: { listPets: store.pets.revision },
    snapshot: store.snapshot,
    validateResponses: config.validateResponses,
    onOperation: (route) => {
      // Between `authenticate` and `authorize`, so that a request that lacks a scope counts for the limits, too.
      route.onRequest.splice(1, 0, overload.checkShare, ...(limitRate ? [limitRate] : []))
    },
  }
  await app.register(openapi, transformOptions(options))
  const { basePath, commonHeaders, operations, publicBasePath } = app.openapi
  throwProblems(document, findTakenPaths(Object.keys(document.root.paths), basePath))
  for (const { id, deprecation } of operations) {
    if (deprecation === undefined || !isPastSunset(deprecation, new Date())) continue
    const { sunset } = deprecation
    logger.warn({ operationId: id, sunset }, `${id} is still served after its sunset`)
  }
  // A scope, for its hook: health checks and docs send the headers that all responses of the spec have in common.
  await app.register(async (scope) => {
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.headers(commonHeaders)
      done()
    })
    addHealth(scope, store, shutdown)
    addDocs(scope, { document, servers, publicPath, publicBasePath })
  })
  /** For the message with the first key: a GET that needs nothing but a key. */
  const example = operations.find(
    ({ method, parameters }) => method === 'get' && !parameters.some(({ required }) => required),
  )
  return {
    app,
    shutdown,
    getInFlight: overload.getInFlight,
    /** The base path of the operations, the docs, and a GET without required parameters, or else the base path. */
    paths: { base: basePath, docs: DOCS_PATH, example: basePath + (example?.path ?? '') },
  }
}

/** Finds the paths of a document that the app itself uses: Fastify would refuse two routes without naming the place. */
function findTakenPaths(paths: readonly string[], basePath: string): Problem[] {
  return paths.flatMap((path) => {
    const own = [...HEALTH_PATHS, DOCS_PATH].find((other) => `${basePath}${path}/`.startsWith(`${other}/`))
    if (own === undefined) return []
    const message = `the service itself uses "${own}"; choose another path`
    return [{ pointer: toPointer('paths', path), message }]
  })
}
