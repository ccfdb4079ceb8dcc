/** The two limits on requests: overload protection for the process, and a rate limit for each caller. */
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { HttpError } from 'fastify-openapi-first/shared'
import type { Config } from '../config.ts'
import { unavailable } from '../errors.ts'
import { createExpiringMap } from '../expiring-map.ts'
import { isHealthCheck } from './health.ts'

declare module 'fastify' {
  interface FastifyRequest {
    isInFlight: boolean
    /** The load of the caller, with this request. */
    callerLoad: CallerLoad | undefined
  }
}

/** The requests in flight of one caller. */
interface CallerLoad {
  readonly callerId: string
  count: number
}

/** The largest part of the requests in flight that one caller may have. Otherwise one that sends bodies slowly blocks all others. */
const MAX_CALLER_FRACTION = 0.9

export type OverloadGuard = ReturnType<typeof createOverloadGuard>

/** Creates the guard that counts the requests in flight, and rejects those that are too many. */
export function createOverloadGuard(app: FastifyInstance, { maxInFlight }: Config) {
  // A number and not a set of requests, so that a request which never leaves is not kept in memory.
  let inFlight = 0
  const callerLoads = new Map<string, CallerLoad>()
  const createOverloadError = () => unavailable('the server is overloaded; try again shortly')
  app.decorateRequest('isInFlight', false)
  app.decorateRequest('callerLoad', undefined)

  return {
    enter: (request: FastifyRequest) => {
      inFlight++
      request.isInFlight = true
    },
    /** Throws a 503 for a request above the limit, except for health checks. */
    check: ({ raw }: FastifyRequest) => {
      if (maxInFlight > 0 && inFlight > maxInFlight && !isHealthCheck(raw.url)) throw createOverloadError()
    },
    /** A hook: counts the requests in flight of each caller, and rejects those above `MAX_CALLER_FRACTION` with a 503. */
    checkCallerLoad: (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
      const { isInFlight, openapi } = request
      const caller = openapi?.caller
      if (caller === undefined || !isInFlight) return done()
      const load = callerLoads.get(caller.id) ?? { callerId: caller.id, count: 0 }
      if (load.count++ === 0) callerLoads.set(caller.id, load)
      request.callerLoad = load
      const isOverloaded = maxInFlight > 0 && load.count > Math.ceil(maxInFlight * MAX_CALLER_FRACTION)
      done(isOverloaded ? createOverloadError() : undefined)
    },
    /** Must be called when the response is made, and when the client disconnects. Only the first call counts. */
    leave: (request: FastifyRequest) => {
      if (!request.isInFlight) return
      request.isInFlight = false
      inFlight--
      const { callerLoad } = request
      if (callerLoad !== undefined && --callerLoad.count === 0) callerLoads.delete(callerLoad.callerId)
    },
    getInFlight: () => inFlight,
  }
}

/**
 * Creates the hook that counts the requests of a caller. Every response tells the client its quota; above `count` requests in a
 * fixed window of time, it is a 429 (RFC 6585, section 4; draft-ietf-httpapi-ratelimit-headers). Each process counts for
 * itself.
 */
export function createRateLimiter({ count, seconds }: NonNullable<Config['rateLimit']>): onRequestHookHandler {
  /** The windows, by the id of the caller. */
  const windows = createExpiringMap<{ count: number }>(seconds * 1000)
  const policy = `"key";q=${count};w=${seconds}`
  return function limitRate({ openapi }, reply, done) {
    const caller = openapi?.caller
    if (caller === undefined) return done()
    const now = performance.now()
    const { value: window, startedAt } = windows.get(caller.id, now) ?? windows.set(caller.id, { count: 0 }, now)
    window.count++
    const reset = Math.ceil((seconds * 1000 - (now - startedAt)) / 1000)
    const quota = `"key";r=${Math.max(0, count - window.count)};t=${reset}`
    reply.headers({ 'RateLimit-Policy': policy, RateLimit: quota })
    const message = `this key may be used ${count} times in ${seconds} seconds; try again in ${reset} s`
    const headers = { 'Retry-After': String(reset) }
    done(window.count > count ? new HttpError(429, 'too_many_requests', message, { headers }) : undefined)
  }
}
