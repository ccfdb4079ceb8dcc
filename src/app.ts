/** Puts the parts of the service together, for the process and for the tests. */
import Fastify from 'fastify'
import { createSecurity } from './auth/authenticate.ts'
import { hashKey } from './auth/keys.ts'
import type { Config } from './config.ts'
import { createConnectionGuard } from './http/connection.ts'
import { addDocs, DOCS_PATH, getDocumentationUrl } from './http/docs.ts'
import { addHealth, HEALTH_PATHS } from './http/health.ts'
import { createRequestIds, createUrlRewriter } from './http/proxy.ts'
import { createSamples } from './http/samples.ts'
import { addShutdown } from './http/shutdown.ts'
import { addStages, createStages } from './http/stages.ts'
import type { Logger } from './logger.ts'
import {
  addOperations,
  compileApi,
  type Digests,
  FASTIFY_OPTIONS,
  type Handler,
  isPastSunset,
  type OpenApiDocument,
} from './openapi/index.ts'
import { createHandlers } from './pets/handlers.ts'
import type { Store } from './stores/store.ts'

export interface AppOptions {
  readonly config: Config
  readonly document: OpenApiDocument
  /** The digests of the spec that the types of the handlers were generated from. */
  readonly digests: Digests
  readonly store: Store
  readonly logger: Logger
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
  config,
  document,
  digests,
  store,
  logger,
  handlers = {},
  docsScript = '',
  explain = () => 'the service failed to respond; the failure is logged',
}: AppOptions) {
  const { apiKeys, publicUrl, servers, trustProxy } = config
  const publicPath = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')
  const configured = new Map(apiKeys.map(({ name, key }) => [hashKey(key), { name }]))
  const api = compileApi({
    document,
    servers,
    publicPath,
    handlers: { ...handlers, ...createHandlers(store.pets) },
    security: createSecurity(
      () => document.root.info.title,
      (hash) => configured.get(hash) ?? store.keys.find(hash),
    ),
    cacheable: { listPets: store.pets.revision },
    hasRateLimit: config.rateLimit !== undefined,
    samples: createSamples(config),
    digests,
    validatesResponses: config.validateResponses,
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

  const connections = createConnectionGuard(logger, api.errorHeaders, config.requestTimeout)
  const app = Fastify({
    ...FASTIFY_OPTIONS,
    genReqId: createRequestIds(trustProxy),
    ...(publicPath !== '' && { rewriteUrl: createUrlRewriter(publicPath) }),
    frameworkErrors: (error, _request, reply) => stages.admitAndRefuse(reply, () => error),
    // On shutdown, requests on open connections are finished, and new ones are processed like any other.
    return503OnClosing: false,
    serverFactory: connections.createServer,
    clientErrorHandler: connections.handleClientError,
  })
  const shutdown = addShutdown(app, connections)
  const { getInFlight, ...stages } = createStages({ app, api, config, logger, shutdown, explain })
  addOperations(app, api, stages, store.snapshot)
  await app.register(async (scope) => {
    addStages(scope, stages, api.commonHeaders)
    addHealth(scope, store, shutdown)
    addDocs(scope, { document, servers, publicPath, publicBasePath: api.publicBasePath, docsScript })
  })
  const example = operations.find(
    ({ method, parameters }) => method === 'get' && !parameters.some(({ required }) => required),
  )
  return {
    app,
    shutdown,
    /** Returns the number of requests in flight. */
    getInFlight,
    /** The path that those of the operations begin with. */
    basePath: api.basePath,
    /** The path of an operation that can be tried without parameters. */
    examplePath: api.basePath + (example?.path ?? ''),
  }
}
