/** Puts the parts of the service together, for the process and for the tests. */
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
import { createRequestIds, createUrlRewriter } from './http/proxy.ts'
import { addContinue, addKeepAlive, createBegin, createCheck } from './http/requests.ts'
import type { Logger } from './logger.ts'
import {
  type Digests,
  isPastSunset,
  type OpenApiDocument,
  type OpenApiOptions,
  openapi,
  writeResponse,
} from './openapi/index.ts'
import { createHandlers } from './pets/handlers.ts'
import { addShutdown } from './shutdown.ts'
import type { Store } from './stores/store.ts'

const { METHODS } = process.getBuiltinModule('node:http')

export interface AppOptions {
  readonly config: Config
  readonly document: OpenApiDocument
  /** The digests of the spec that the types of the handlers were generated from. */
  readonly digests?: Digests
  readonly store: Store
  readonly logger: Logger
  /** Registered before the operations, so that their hooks run on these, too. */
  readonly plugins?: readonly (FastifyPluginAsync | FastifyPluginCallback)[]
  /** Changes the options of the OpenAPI layer: `npm run dev` adds mocks. */
  readonly transformOptions?: (options: OpenApiOptions) => OpenApiOptions
}

/**
 * Builds the service for a document and a store, ready to listen. It does not close the store.
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
  const configured = new Map(apiKeys.map(({ name, key }) => [hashKey(key), { name }]))

  const redact = createRedactor(apiKeys.map(({ key }) => key))
  const guard = createConnectionGuard(logger, () => app.openapi.errorHeaders, config.requestTimeout)
  const app: FastifyInstance = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    // `begin` logs requests.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestIds(trustProxy),
    // For the address in the log.
    trustProxy: trustProxy.length > 0 && [...trustProxy],
    // The schema limits the length of parameters.
    routerOptions: { maxParamLength: 65_536 },
    ...(publicPath !== '' && { rewriteUrl: createUrlRewriter(publicPath) }),
    // No hook runs for these.
    frameworkErrors: (error, request, reply) => {
      begin(request, reply)
      try {
        check(request)
        throw error
      } catch (first) {
        handleError(first, request, reply)
      }
    },
    // During shutdown, requests get their usual response (after a pause, see `addShutdown`), not Fastify's 503.
    return503OnClosing: false,
    serverFactory: guard.createServer,
    clientErrorHandler: guard.handleClientError,
  })
  // A path that lacks a method responds with 405 (RFC 9110, section 15.5.6), also if Fastify does not know the method.
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  const shutdown = addShutdown(app, guard.pauseNewRequests)
  const overload = createOverloadGuard(app, config)
  const begin = createBegin(logger, overload, guard, redact)
  const check = createCheck(overload)
  const handleError = createErrorHandler(() => app.openapi.errorHeaders, redact)
  app.decorateRequest('errorCode', undefined)
  app.decorateRequest('isContinued', false)
  app.addHook('onRequest', function beginRequest(request, reply, done) {
    begin(request, reply)
    done()
  })
  if (corsOrigins.length > 0) await registerCors(app, document.root, corsOrigins)
  app.addHook('onRequest', function checkRequest(request, _reply, done) {
    check(request)
    // Before Fastify reads the body, whose errors would replace this one.
    done(request.is404 ? notFound(request) : undefined)
  })
  addKeepAlive(app, overload, shutdown)
  app.setErrorHandler(handleError)
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
    security: { ApiKey: createAuthenticate((hash) => configured.get(hash) ?? store.keys.find(hash)) },
    serverHeaders: corsOrigins.length > 0 ? [...SERVER_HEADERS, ...CORS_HEADERS] : SERVER_HEADERS,
    reserved: ['/', ...HEALTH_PATHS, DOCS_PATH],
    getDocumentationUrl: (operation) => publicPath + getDocumentationUrl(operation),
    cacheable: { listPets: store.pets.revision },
    snapshot: store.snapshot,
    validateResponses: config.validateResponses,
    onOperation: (route) => {
      // Between authentication and authorization, so that a request that lacks a scope counts, too.
      route.onRequest.splice(1, 0, overload.checkShare, ...(limitRate ? [limitRate] : []))
      addContinue(route)
    },
  }
  await app.register(openapi, transformOptions(options))
  // The operations have this hook already, as their last; this one is for all other paths.
  app.addHook('onSend', writeResponse)
  const { basePath, commonHeaders, operations, publicBasePath } = app.openapi
  for (const { id, deprecation } of operations) {
    if (deprecation === undefined || !isPastSunset(deprecation, new Date())) continue
    const { sunset } = deprecation
    logger.warn({ operationId: id, sunset }, 'the sunset of an operation that is still served is past')
  }
  await app.register(async (scope) => {
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.headers(commonHeaders)
      done()
    })
    addHealth(scope, store, shutdown)
    addDocs(scope, { document, servers, publicPath, publicBasePath })
  })
  const example = operations.find(
    ({ method, parameters }) => method === 'get' && !parameters.some(({ required }) => required),
  )
  return {
    app,
    shutdown,
    getInFlight: overload.getInFlight,
    /** The common beginning of the paths of operations, the documentation page, and a GET that needs no parameters. */
    paths: { base: basePath, docs: DOCS_PATH, example: basePath + (example?.path ?? '') },
  }
}
