/**
 * The stages of a request that are the same for every operation (`openapi/fastify.ts` has their order), with the request
 * log and CORS, and the use of some of them on the routes beside the operations.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createRedactor } from '../auth/keys.ts'
import type { Config } from '../config.ts'
import { type ResponseHeaders, toErrorBody } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { type Api, type Operation, type Stages, sendResponse } from '../openapi/index.ts'
import { createErrorMapper, getTraceparent } from './errors.ts'
import { HEALTH_PATHS } from './health.ts'
import { createOverloadGuard, createRateLimiter } from './limits.ts'
import { checkProtocol, hasExpectation } from './protocol.ts'
import { createNotFound } from './routing.ts'
import type { Shutdown } from './shutdown.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The headers of the rate limit, if there is one. */
    rateLimit: readonly string[] | undefined
  }
}

export interface StageOptions {
  readonly app: FastifyInstance
  readonly api: Api
  readonly config: Config
  readonly logger: Logger
  readonly shutdown: Shutdown
  /** Returns the message of a 500 for a failure of the service itself. */
  readonly explain: (failure: unknown) => string
}

/** Makes the stages, and the function that returns the number of requests in flight. */
export function createStages({ app, api, config, logger, shutdown, explain }: StageOptions) {
  const { apiKeys, corsOrigins, rateLimit } = config
  const toHttpError = createErrorMapper(logger, createRedactor(apiKeys.map(({ key }) => key)), explain)
  const notFound = createNotFound(app, api.basePath, api.publicBasePath)
  const overload = createOverloadGuard(app, config)
  const limitRate = rateLimit && createRateLimiter(rateLimit)
  const operations = api.plans.map(({ operation }) => operation)
  // Without origins, no page of another origin may call the service.
  const cors = corsOrigins.length > 0 ? createCors(operations, corsOrigins) : undefined
  app.decorateRequest('rateLimit', undefined)

  function admit(request: FastifyRequest, { raw }: FastifyReply): void {
    const startedAt = performance.now()
    raw.on('close', () => {
      overload.leave(request)
      const { caller, errorBody, id, method, operation } = request
      const isComplete = raw.writableFinished
      logger.request({
        message: isComplete ? 'request' : 'request aborted by the client',
        id,
        method,
        url: String(request.raw.url),
        // Many servers log 499 for a request whose client disconnected.
        statusCode: isComplete ? raw.statusCode : 499,
        ms: performance.now() - startedAt,
        operationId: operation?.id,
        // Every use of a deprecated operation names the key that uses it.
        isDeprecated: operation?.deprecation !== undefined,
        key: caller?.name,
        traceparent: getTraceparent(request),
        code: errorBody && /"code":"(\w+)"/.exec(errorBody)?.[1],
      })
    })
    checkProtocol(request.raw)
    // The client is asked for a body that it holds back when reading it begins (RFC 9110, section 10.1.1).
    if (hasExpectation(request.raw)) request.raw.once('resume', () => raw.headersSent || raw.writeContinue())
    // Health checks of an overloaded service still get a response.
    const isProbe = request.operation === undefined && HEALTH_PATHS.includes(String(request.routeOptions.url))
    overload.enter(request, isProbe)
  }

  function limit(request: FastifyRequest): void {
    if (limitRate !== undefined && request.caller !== undefined) request.rateLimit = limitRate(request.caller.id)
  }

  function addHeaders(reply: FastifyReply, headers: string[]): void {
    const { request } = reply
    // A response that only waits for its client to read it is no load: clients that do not read must not block others.
    overload.leave(request)
    headers.push('X-Request-Id', request.id)
    if (request.rateLimit !== undefined) headers.push(...request.rateLimit)
    if (cors !== undefined) headers.push(...cors.getHeaders(request))
    // A client that waits for 100 may send its body or not; only the end of the connection makes clear which.
    const isAmbiguous = hasExpectation(request.raw) && !request.raw.complete
    if (shutdown.hasBegun || isAmbiguous) headers.push('Connection', 'close')
  }

  function refuse(reply: FastifyReply, cause: unknown): void {
    try {
      const error = toHttpError(cause, reply.request)
      const { Allow } = error.headers
      const preflight = Allow && cors?.getPreflightHeaders(reply.request, Allow)
      const headers = Object.entries(preflight || { ...api.errorHeaders, ...error.headers }).flat()
      addHeaders(reply, headers)
      if (preflight) sendResponse(reply, 204, headers, undefined)
      else sendResponse(reply, error.status, headers, JSON.stringify(toErrorBody(error)))
    } catch (problem) {
      // An exception would end the process, and with it every other request.
      reply.raw.destroy()
      logger.error({ reqId: reply.request.id, err: problem }, 'connection closed: the error cannot be sent')
    }
  }

  function admitAndRefuse(reply: FastifyReply, getError: (request: FastifyRequest) => unknown): void {
    try {
      admit(reply.request, reply)
      throw getError(reply.request)
    } catch (error) {
      refuse(reply, error)
    }
  }

  const stages: Stages = { admit, limit, notFound, toHttpError, toErrorBody, addHeaders, refuse, admitAndRefuse }
  return { ...stages, getInFlight: overload.getInFlight }
}

/** Applies the stages to the routes of an instance that are not operations, and to requests that match no route. */
export function addStages(app: FastifyInstance, stages: Stages, headers: ResponseHeaders): void {
  const constants = Object.entries(headers).flat()
  app.setErrorHandler((error, _request, reply) => stages.refuse(reply, error))
  app.setNotFoundHandler((request, reply) => stages.refuse(reply, stages.notFound(request)))
  app.addHook('onRequest', (request, reply, done) => {
    try {
      stages.admit(request, reply)
      // Before Fastify reads the body, whose errors would replace this one.
      if (request.is404) throw stages.notFound(request)
      done()
    } catch (error) {
      stages.refuse(reply, error)
    }
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    const all = [...constants]
    stages.addHeaders(reply, all)
    for (let index = 0; index < all.length; index += 2) {
      const [name = '', value] = all.slice(index)
      const own = reply.getHeader(name)
      // A route may set another value; those of Vary are combined.
      if (own === undefined || name === 'Vary') reply.header(name, [value, own ?? []].flat().join(', '))
    }
    done()
  })
}

/**
 * Allows pages of these origins to call the service, and to read every header that the operations declare (Fetch Standard,
 * CORS protocol).
 */
function createCors(operations: readonly Operation[], origins: readonly string[]) {
  const parameters = operations.flatMap((operation) => operation.parameters.filter((each) => each.in === 'header'))
  const responses = operations.flatMap((operation) => [...operation.responses.values()])
  const allowed = [...new Set(['Authorization', 'Content-Type', ...parameters.map(({ name }) => name)])].join(', ')
  const exposed = [...new Set(responses.flatMap(({ headers }) => Object.keys(headers)))].join(', ')
  // A cache must not mistake a response for that to another origin.
  const vary = ['Vary', 'Origin']
  const exposing = [...vary, 'Access-Control-Expose-Headers', exposed, 'Access-Control-Allow-Origin']
  return {
    /** Returns the headers of every response, as alternating names and values. */
    getHeaders: ({ headers: { origin = '' } }: FastifyRequest) =>
      origins.includes(origin) ? [...exposing, origin] : vary,
    /** Returns the headers of the response to a preflight for a path with these methods; undefined for other requests. */
    getPreflightHeaders: ({ headers: { origin = '' }, method }: FastifyRequest, allow: string) => {
      if (method !== 'OPTIONS' || !origins.includes(origin)) return undefined
      // HEAD is always allowed.
      const methods = allow.split(', ').filter((each) => each !== 'HEAD')
      return { 'Access-Control-Allow-Methods': methods.join(', '), 'Access-Control-Allow-Headers': allowed }
    },
  }
}
