/** Builds the service from its parts: the configuration, the spec and a store. */

import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { type Caller, type Digests, type OpenApiDocument, type OpenApiOptions, openapi } from 'fastify-openapi-first'
import { isPastSunset, type Problem, throwProblems, toPointer } from 'fastify-openapi-first/tools'
import type { Api } from '../generated/server.d.ts'
import { createAuthenticate, createRedactor, hashKey } from './auth/keys.ts'
import type { Config } from './config.ts'
import { createConnectionGuard } from './http/connections.ts'
import { addDocs, DOCS_PATH, getDocumentationUrl } from './http/docs.ts'
import { createErrorHandler, notFound } from './http/errors.ts'
import { addHealth, HEALTH_PATHS } from './http/health.ts'
import { createRequestsInFlight } from './http/in-flight.ts'
import { addKeepAlive } from './http/keep-alive.ts'
import { METHODS } from './http/node-http.ts'
import { checkProtocol } from './http/protocol.ts'
import { createRequestIdReader, createUrlRewriter } from './http/proxy.ts'
import { createRateLimiter } from './http/rate-limit.ts'
import { cacheResponses, findUncacheable } from './http/response-cache.ts'
import { awaitSnapshot, createSnapshotScheduler } from './http/snapshot-reads.ts'
import type { Logger } from './logger.ts'
import { createHandlers } from './pets/handlers.ts'
import { getKeyTtl } from './pets/key-ttl.ts'
import { SERVER_HEADERS } from './server-headers.ts'
import { addShutdown } from './shutdown.ts'
import type { Store } from './stores/store.ts'

export interface AppOptions {
  readonly config: Config
  readonly document: OpenApiDocument
  /** The digests of the spec from which the types of the handlers were generated: a spec with others is rejected. */
  readonly digests?: Digests
  readonly store: Store
  readonly logger: Logger
  /**
   * For `npm run dev` and tests. Called before the operations are added: may add hooks for all routes, and returns the options of the
   * OpenAPI layer.
   */
  readonly extend?: (app: FastifyInstance, options: OpenApiOptions) => OpenApiOptions
}

/**
 * Builds the service for a document and a store, ready to listen. The store stays open when the app is closed. Rejects with a
 * DocumentError if the document does not match the handlers.
 */
export async function buildApp({ config, document, digests, store, logger, extend }: AppOptions) {
  const { publicUrl, servers } = config
  const publicPath = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')
  const parts = createApp(config, publicPath, logger)
  const { app, requests, shutdown } = parts
  const operationHooks = await addHooks(parts, config)
  const options = createLayerOptions({ config, document, digests, store, publicPath, operationHooks })
  await app.register(openapi, extend?.(app, options) ?? options)
  const { basePath, commonHeaders, operations, publicBasePath } = app.openapi
  throwProblems(document, [
    ...findReservedPaths(Object.keys(document.root.paths), basePath),
    ...(store.snapshot ? findUncacheable(operations, 'listPets') : []),
  ])
  for (const { id, deprecation } of operations) {
    if (deprecation === undefined || !isPastSunset(deprecation, new Date())) continue
    const { sunset } = deprecation
    logger.warn({ operationId: id, sunset }, `${id} is still served after its sunset`)
  }

  // Health checks and docs send the headers that all responses of the spec have in common. The scope limits the hook to them.
  await app.register(async (scope) => {
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.headers(commonHeaders)
      done()
    })
    addHealth(scope, store, shutdown)
    addDocs(scope, { document, servers, publicPath, publicBasePath })
  })
  // The first GET whose URL needs no values; the message with the first key shows it.
  const example = operations.find(({ method, path }) => method === 'get' && !path.includes('{'))?.path ?? ''
  return {
    app,
    shutdown,
    getInFlight: requests.getCount,
    /** The base path of the operations, the docs, and an operation to try. */
    paths: { base: basePath, docs: DOCS_PATH, example: basePath + example },
  }
}

/**
 * Adds the hooks of all requests, and returns those of operations. A request passes all hooks in this order:
 *
 * | hook                           | of                                                |
 * |--------------------------------|---------------------------------------------------|
 * | `begin`, CORS, `check`         | the service, for each request                     |
 * | `identifyCaller`               | the layer                                         |
 * | `checkCallerLoad`, `limitRate` | the service, for operations whose caller is known |
 * | `accept`, `validate`           | the layer; its route then calls the handler       |
 * | the one of `addKeepAlive`      | the service, for each response                    |
 * | `onSend`                       | the layer: headers, ETag, 304                     |
 */
async function addHooks({ app, connections, requests, shutdown }: AppParts, { corsOrigins, rateLimit }: Config) {
  app.addHook('onRequest', function begin(request, reply, done) {
    requests.begin(request, reply)
    done()
  })
  if (corsOrigins.length > 0) await addCors(app, corsOrigins)
  app.addHook('onRequest', function check(request, _reply, done) {
    checkProtocol(request.raw)
    requests.check(request)
    // Otherwise Fastify reads the body before it responds with 404, and the client gets a body error instead.
    done(request.is404 ? notFound(request) : undefined)
  })
  addKeepAlive(app, { requests, shutdown, endWithClient: connections.endWithClient })
  // A request that lacks a scope counts for these limits.
  return { afterIdentify: [requests.checkCallerLoad, ...(rateLimit ? [createRateLimiter(rateLimit)] : [])] }
}

type AppParts = ReturnType<typeof createApp>

/** Creates the Fastify app with its error handlers, and what its hooks share; `publicPath` is the path of the public URL. */
function createApp(config: Config, publicPath: string, logger: Logger) {
  const { apiKeys, maxInFlight, requestTimeout, trustProxy } = config
  // A function, because `app.openapi` exists only after the layer is registered, which is before the first request.
  const getErrorHeaders = () => app.openapi.errorHeaders
  const handleError = createErrorHandler(getErrorHeaders, createRedactor(apiKeys.map(({ key }) => key)))
  const connections = createConnectionGuard(logger, getErrorHeaders, requestTimeout)
  const requests = createRequestsInFlight(maxInFlight, logger)
  const app: FastifyInstance = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new StreamLogController({ disableRequestLogging: true }),
    genReqId: createRequestIdReader(trustProxy),
    // With trusted proxies, `request.ip` is the address of the client.
    trustProxy: trustProxy.length > 0 && [...trustProxy],
    // Longer than any URL that Node accepts (16 KiB), so that only the spec limits parameters. Fastify's default is 100.
    routerOptions: { maxParamLength: 65_536 },
    ...(publicPath !== '' && { rewriteUrl: createUrlRewriter(publicPath) }),
    // The router found an error, such as a malformed URL. Fastify runs no hook for such a request.
    frameworkErrors: (error, request, reply) => {
      requests.begin(request, reply)
      handleError(error, request, reply)
    },
    // During shutdown, requests get their usual response, not Fastify's 503.
    return503OnClosing: false,
    serverFactory: connections.createServer,
    clientErrorHandler: connections.handleClientError,
  })
  // The router knows every method, so that a path responds with 405 to those that it lacks (RFC 9110, section 15.5.6). There
  // is no request with CONNECT: Node closes its connection.
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  const shutdown = addShutdown(app, connections.pauseNewRequests)
  app.decorateRequest('inFlight', undefined)
  app.decorateRequest('errorCode', undefined)
  app.setErrorHandler(handleError)
  // For plugins that call `reply.callNotFound`; a hook rejects requests without a route.
  app.setNotFoundHandler((request) => {
    throw notFound(request)
  })
  return { app, connections, requests, shutdown }
}

interface LayerParts extends Pick<AppOptions, 'config' | 'document' | 'store'> {
  readonly digests: Digests | undefined
  readonly publicPath: string
  readonly operationHooks: NonNullable<OpenApiOptions['hooks']>
}

/** Connects the OpenAPI layer with the handlers, the API keys and the limits. */
function createLayerOptions({ config, document, digests, store, publicPath, operationHooks }: LayerParts) {
  const { apiKeys, servers, validateResponses } = config
  const configuredKeys = new Map(apiKeys.map(({ name, key }) => [hashKey(key), { name }]))
  const scheduleRead = store.snapshot && createSnapshotScheduler(store.snapshot)
  return {
    document,
    servers,
    publicPath,
    ...(digests && { digests }),
    handlers: createHandlers(store.pets, getKeyTtl(document)),
    security: { ApiKey: createAuthenticate((hash) => configuredKeys.get(hash) ?? store.keys.find(hash)) },
    serverHeaders: SERVER_HEADERS,
    getDocumentationUrl: (operation) => publicPath + getDocumentationUrl(operation),
    ...(scheduleRead && {
      routes: {
        listPets: cacheResponses(scheduleRead, store.pets.revision),
        getPet: { preHandler: awaitSnapshot(scheduleRead) },
      },
    }),
    validateResponses,
    hooks: operationHooks,
  } satisfies OpenApiOptions<Api<Caller>>
}

/** Replaces Fastify's log of requests: only failed streams are logged here. `logRequest` logs the line of each request. */
class StreamLogController extends LogController {
  /** The response has begun, so its client sees only that the connection ends. */
  override streamError(err: FastifyError, { log, socket }: FastifyRequest): void {
    // The line of the request says that its client has disconnected.
    if (!socket.destroyed) log.error({ err }, 'the stream of a response failed')
  }
}

/**
 * Lets pages of these origins send requests with any method and header, and read every header of the responses (Fetch
 * Standard, CORS protocol).
 */
async function addCors(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  // Imported here because few services have origins.
  await app.register(import('@fastify/cors'), {
    // Requests without a listed origin are processed as if there were no CORS.
    origin: (origin, done) => done(null, origin !== undefined && origins.includes(origin) && origin),
    // An asterisk means all: browsers accept it for requests without cookies.
    methods: '*',
    exposedHeaders: '*',
    // Browsers may remember the response to a preflight for two hours.
    maxAge: 7200,
    strictPreflight: false,
    // Not 204, which must not have the Content-Length that the plugin sends (RFC 9110, section 8.6).
    optionsSuccessStatus: 200,
  })
}

/** Finds the paths of a document that the service itself uses. Otherwise Fastify reports them, without LINE:COL. */
function findReservedPaths(paths: readonly string[], basePath: string): Problem[] {
  return paths.flatMap((path) => {
    const servicePaths = [...HEALTH_PATHS, DOCS_PATH]
    const takenPath = servicePaths.find((servicePath) => `${basePath}${path}/`.startsWith(`${servicePath}/`))
    if (takenPath === undefined) return []
    const message = `the service itself uses "${takenPath}"; choose another path`
    return [{ pointer: toPointer('paths', path), message }]
  })
}
