/**
 * Puts the parts together: what the process runs, and what the tests run.
 */
import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { operations } from '../generated/server.d.ts'
import { createHandlers } from './animals/handlers.ts'
import type { ApiKey, RateLimit } from './config.ts'
import { errorAnswer } from './errors.ts'
import { type Caller, createBearerAuthenticator, type FindKey, idOf } from './http/auth.ts'
import { answerClientError, watchConnections } from './http/connection.ts'
import { addCors } from './http/cors.ts'
import { addDocs, DOCS, documentationOf } from './http/docs.ts'
import { addDrain, type Drain } from './http/drain.ts'
import { addErrorHandlers, answerRouterError } from './http/errors.ts'
import { addCommonHeaders } from './http/headers.ts'
import { addHealth, HEALTH } from './http/health.ts'
import { addContinue, addMessageCheck, addPersistence } from './http/message.ts'
import { addOtherMethods } from './http/methods.ts'
import { addLoadShedding, type LoadLimits } from './http/overload.ts'
import { addRateLimit } from './http/rate-limit.ts'
import { addAbortLog, createRequestLog } from './http/request-log.ts'
import { hashKey } from './keys.ts'
import { createApi } from './openapi/api.ts'
import type { ApiDocument } from './openapi/document.ts'
import { addOperations, ROUTER_OPTIONS } from './openapi/routes.ts'
import type { ServerVariables } from './openapi/servers.ts'
import type { UrlOf } from './openapi/types.ts'
import type { Store } from './stores/store.ts'

export interface AppOptions {
  readonly document: ApiDocument
  readonly store: Store
  readonly logger: FastifyBaseLogger
  /** Keys that are accepted besides those of the store. */
  readonly apiKeys?: readonly ApiKey[]
  readonly servers?: ServerVariables
  /** The origins whose pages may call the operations; none by default. */
  readonly corsOrigins?: readonly string[]
  /** How often each key may be used; as often as it likes by default. */
  readonly rateLimit?: RateLimit | undefined
  /** When requests are refused for being too many; never by default. */
  readonly load?: LoadLimits
  /** How long a request may take to arrive, in milliseconds; half a minute by default. */
  readonly requestTimeout?: number
}

/** The service as Fastify has it, the addresses of its operations, and how to take leave of its clients. */
export interface Service {
  readonly app: FastifyInstance
  readonly urlOf: UrlOf<operations>
  /** To be begun before the app is closed. */
  readonly drain: Drain
}

/**
 * The service over a document and a store, ready to listen. It does not close the store.
 * Throws a DocumentError when the document cannot be honoured or does not fit the handlers.
 */
export async function buildApp(options: AppOptions): Promise<Service> {
  const { document, store, logger, apiKeys = [], servers = {}, corsOrigins = [], rateLimit, load } = options
  const { requestTimeout = 30_000 } = options
  const app = Fastify({
    loggerInstance: logger,
    logController: createRequestLog(),
    genReqId: () => randomUUID(),
    routerOptions: ROUTER_OPTIONS,
    frameworkErrors: answerRouterError,
    // A stop lets requests on open connections finish; those that come meanwhile are answered like any other.
    return503OnClosing: false,
    requestTimeout,
    // Who asks and never reads is let go of, when every answer has long been written, be it a 408 or one of a late store.
    connectionTimeout: requestTimeout + 10_000,
    http: {
      headersTimeout: requestTimeout,
      connectionsCheckingInterval: 500,
      // Node would answer by itself; addMessageCheck does it in the form of all answers.
      requireHostHeader: false,
    },
    clientErrorHandler: answerClientError,
  })
  watchConnections(app)
  addCommonHeaders(app)
  addMessageCheck(app)
  addContinue(app)
  addPersistence(app)
  addErrorHandlers(
    app,
    apiKeys.map(({ key }) => key),
  )
  addAbortLog(app)
  const refuseOtherMethods = addOtherMethods(app)
  const drain = addDrain(app)

  const keys = new Map(apiKeys.map(({ name, key }) => [idOf(hashKey(key)), { name }]))
  const findKey: FindKey = async (hash) => keys.get(idOf(hash)) ?? (await store.keys.find(hash))

  const api = createApi<operations, Caller>({
    document,
    handlers: createHandlers(store.pets),
    authenticators: { 'http bearer': createBearerAuthenticator(() => document.root.info.title, findKey) },
    servers,
    errorBody: (status) => errorAnswer(status, 'internal_error', 'what went wrong').body,
    reserved: ['/', HEALTH, DOCS],
    documentationOf,
  })
  if (corsOrigins.length > 0) await addCors(app, api.operations, corsOrigins)
  if (load !== undefined) addLoadShedding(app, load)
  if (rateLimit !== undefined) await addRateLimit(app, rateLimit)

  const urlOf = addOperations(app, api)
  addHealth(app, store, drain)
  await addDocs(app, document, servers)
  refuseOtherMethods()
  return { app, urlOf, drain }
}
