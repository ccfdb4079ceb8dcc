/** Puts the parts of the service together, for the process and for the tests. */
import Fastify from 'fastify'
import { createSecurity, type FindKey } from './auth/authenticate.ts'
import { createRedactor, hashKey } from './auth/keys.ts'
import type { ApiKey, Config } from './config.ts'
import { SERVER_ERRORS, toErrorBody } from './errors.ts'
import { createConnectionGuard } from './http/connection.ts'
import { createCors } from './http/cors.ts'
import { addDocs, DOCS_PATH, getDocumentationUrl } from './http/docs.ts'
import { addHealth, HEALTH_PATHS } from './http/health.ts'
import { createOverloadGuard, createRateLimiter, type LoadLimits } from './http/limits.ts'
import { createRequestIds, createUrlRewriter } from './http/proxy.ts'
import { createNotFound } from './http/routing.ts'
import { addShutdown } from './http/shutdown.ts'
import { addStages, createStages, refuseUnroutable } from './http/stages.ts'
import type { Logger } from './logger.ts'
import {
  addOperations,
  compileApi,
  type Digests,
  FASTIFY_OPTIONS,
  type Handler,
  isPastSunset,
  type OpenApiDocument,
  type Samples,
} from './openapi/index.ts'
import { createHandlers } from './pets/handlers.ts'
import type { Store } from './stores/store.ts'

/** The parts of the app, and its configuration: a value that is missing has no effect. */
export interface AppOptions extends Partial<Config> {
  readonly document: OpenApiDocument
  /** The digests of the spec that the types of the handlers were generated from. */
  readonly digests: Digests
  readonly store: Store
  readonly logger: Logger
  /** The load above which requests are refused; by default, there is no limit. */
  readonly load?: LoadLimits
  /** Handlers of operations for which the service itself has none, by operationId. */
  readonly handlers?: Readonly<Record<string, Handler>>
  /** A script for the documentation page. */
  readonly docsScript?: string
  /** Returns the message of a 500 for a failure of the service; by default, it says nothing of the failure. */
  readonly explain?: (failure: unknown) => string
}

export type App = Awaited<ReturnType<typeof buildApp>>

/**
 * Builds the service for a document and a store, ready to listen. It does not close the store.
 * Rejects with a DocumentError if the document is not supported or does not match the handlers.
 */
export async function buildApp({
  document,
  digests,
  store,
  logger,
  apiKeys = [],
  corsOrigins = [],
  publicUrl,
  rateLimit,
  requestTimeout = 30_000,
  servers = {},
  trustProxy = [],
  validateResponses = false,
  load = { maxEventLoopDelay: 0, maxInFlight: 0 },
  handlers = {},
  docsScript = '',
  explain = () => 'the service failed to respond; the failure is logged',
}: AppOptions) {
  const publicPath = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')
  const api = compileApi({
    document,
    servers,
    publicPath,
    handlers: { ...handlers, ...createHandlers(store.pets) },
    security: createSecurity(() => document.root.info.title, createKeyFinder(store, apiKeys)),
    cacheable: { listPets: store.pets.revision },
    features: { hasRateLimit: rateLimit !== undefined },
    samples: createSamples(trustProxy, rateLimit),
    digests,
    validatesResponses: validateResponses,
    reserved: ['/', ...HEALTH_PATHS, DOCS_PATH],
    getDocumentationUrl: (operation) => publicPath + getDocumentationUrl(operation),
  })
  if (api.documented.length > 0) {
    logger.debug({ parts: api.documented }, 'these parts of the spec are documentation, and not served')
  }
  const operations = api.plans.map(({ operation }) => operation)
  for (const { id, deprecation } of operations) {
    if (deprecation === undefined || !isPastSunset(deprecation, new Date())) continue
    const { sunset } = deprecation
    logger.warn({ operationId: id, sunset }, 'the sunset of an operation that is still served is past')
  }

  // A client that stops reading is disconnected long after every response is written, even a 408 or one of a slow store.
  const connections = createConnectionGuard(logger, api.errorHeaders, requestTimeout + 10_000)
  const app = Fastify({
    ...FASTIFY_OPTIONS,
    // The service logs requests itself, one line each.
    logger: false,
    genReqId: createRequestIds(trustProxy),
    ...(publicPath !== '' && { rewriteUrl: createUrlRewriter(publicPath) }),
    frameworkErrors: (error, request, reply) => refuseUnroutable(stages, error, request, reply),
    // On shutdown, requests on open connections are finished, and new ones are processed like any other.
    return503OnClosing: false,
    requestTimeout,
    http: {
      headersTimeout: requestTimeout,
      connectionsCheckingInterval: 500,
      // Node would respond by itself; `checkProtocol` does it with the Error body.
      requireHostHeader: false,
    },
    clientErrorHandler: connections.handleClientError,
  })
  connections.watch(app.server)
  const shutdown = addShutdown(app, connections)
  const overload = createOverloadGuard(app, load)
  const stages = createStages(app, {
    logger,
    redact: createRedactor(apiKeys.map(({ key }) => key)),
    explain,
    notFound: createNotFound(app, api.basePath, api.publicBasePath),
    errorHeaders: api.errorHeaders,
    shutdown,
    overload,
    limitRate: rateLimit && createRateLimiter(rateLimit),
    cors: corsOrigins.length > 0 ? createCors(operations, corsOrigins) : undefined,
  })

  addOperations(app, api, stages, store.snapshot)
  await app.register(async (scope) => {
    addStages(scope, stages, api.commonHeaders)
    addHealth(scope, store, shutdown)
    addDocs(scope, { document, servers, publicPath, publicBasePath: api.publicBasePath, docsScript })
  })
  const examples = operations.flatMap(({ method, parameters, path }) =>
    method === 'get' && !parameters.some(({ required }) => required) ? [path] : [],
  )
  return {
    app,
    shutdown,
    /** Returns the number of requests in flight. */
    getInFlight: overload.getInFlight,
    /** The path that those of the operations begin with. */
    basePath: api.basePath,
    /** The path of an operation that can be tried without parameters. */
    examplePath: api.basePath + examples.slice(0, 1).join(''),
  }
}

/** Returns the names of the server variables whose default is a base URL. The document need not be valid. */
export function findBaseUrls({ root }: OpenApiDocument): string[] {
  return Object.values(root.servers ?? [])
    .flatMap((server) => Object.entries(server?.variables ?? {}))
    .filter(([, variable]) => /^https?:/.test(variable?.default))
    .map(([name]) => name)
}

/** Makes examples of what the service sends by itself, which the spec must allow. */
function createSamples(trustProxy: readonly string[], { count, seconds } = { count: 1, seconds: 1 }): Samples {
  const challenge = 'Bearer realm="the API"'
  const isOf = (status: 401 | 403 | 429, key: unknown) => key === status || key === '4XX' || key === 'default'
  return {
    getErrorBodies: (status) =>
      Object.entries(SERVER_ERRORS)
        .filter(([each]) => Number(each) === status)
        .flatMap(([, codes]) => codes)
        .flatMap((code) => MESSAGES.map((message) => toErrorBody({ status, code, message }))),
    getHeaders: (key) => ({
      'accept-encoding': ['identity'],
      etag: ['"47DEQpj8HBSa-_TImW-5JCeuQeR"'],
      ratelimit: [`"key";r=${count};t=${seconds}`],
      'ratelimit-policy': [`"key";q=${count};w=${seconds}`],
      'retry-after': ['1', ...(isOf(429, key) ? [String(seconds)] : [])],
      'www-authenticate': [
        ...(isOf(401, key) ? [challenge, `${challenge}, error="invalid_token"`] : []),
        ...(isOf(403, key) ? [`${challenge}, error="insufficient_scope", scope="read write"`] : []),
      ],
      'x-request-id': ['8e03978e-40d5-43e8-bc93-6894a57f9324', ...(trustProxy.length > 0 ? ['/'.repeat(128)] : [])],
    }),
  }
}

/** A short message and a long one: a message that lists violations quotes the request. */
const MESSAGES = ['the problem', 'body["ł"] is not allowed; '.repeat(100)]

/** Makes the function that finds a key in the configuration or in the store. */
function createKeyFinder(store: Store, apiKeys: readonly ApiKey[]): FindKey {
  const configured = new Map(apiKeys.map(({ name, key }) => [hashKey(key), { name }]))
  return (hash) => configured.get(hash) ?? store.keys.find(hash)
}
