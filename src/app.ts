/**
 * Puts the parts together: what the process runs, and what the tests run.
 */
import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { operations } from '../generated/server.d.ts'
import { createHandlers } from './animals/handlers.ts'
import type { ApiKey } from './config.ts'
import { type Caller, createBearerAuthenticator } from './http/auth.ts'
import { addDocs, documentationOf } from './http/docs.ts'
import { addErrorHandlers, answerRouterError } from './http/errors.ts'
import { addCommonHeaders } from './http/headers.ts'
import { addHealth } from './http/health.ts'
import { createRequestLog } from './http/request-log.ts'
import { hashKey } from './keys.ts'
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
}

/** The service as Fastify has it, and the addresses of its operations. */
export interface Service {
  readonly app: FastifyInstance
  readonly urlOf: UrlOf<operations>
}

/**
 * The service over a document and a store, ready to listen. It does not close the store.
 * Throws a DocumentError when the document cannot be honoured or does not fit the handlers.
 */
export async function buildApp(options: AppOptions): Promise<Service> {
  const { document, store, logger, apiKeys = [], servers = {} } = options
  const app = Fastify({
    loggerInstance: logger,
    logController: createRequestLog(),
    genReqId: () => randomUUID(),
    routerOptions: ROUTER_OPTIONS,
    frameworkErrors: answerRouterError,
    // A stop lets requests on open connections finish; those that come meanwhile are answered like any other.
    return503OnClosing: false,
  })
  addCommonHeaders(app)
  addErrorHandlers(app)

  const keys = new Map(apiKeys.map(({ name, key }) => [textOf(hashKey(key)), { name }]))
  const findKey = async (hash: Uint8Array): Promise<Caller | undefined> =>
    keys.get(textOf(hash)) ?? (await store.keys.find(hash))

  const urlOf = addOperations<operations, Caller>(app, {
    document,
    handlers: createHandlers(store.pets),
    authenticators: { 'http bearer': createBearerAuthenticator(document.root.info.title, findKey) },
    servers,
    documentationOf,
  })
  addHealth(app, store)
  await addDocs(app, document, servers)
  return { app, urlOf }
}

function textOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('base64url')
}
