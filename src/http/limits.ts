/** The two limits on requests: overload protection for the process, and a rate limit for each caller. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { HttpError, unavailable } from '../errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    isInFlight: boolean
  }
}

/** The interval at which the event-loop delay is measured, in milliseconds: the shortest time of refusals. */
const SAMPLE_MS = 250

export function createOverloadGuard(app: FastifyInstance, { maxEventLoopDelay, maxInFlight }: Config) {
  const getDelay = maxEventLoopDelay > 0 ? measureEventLoopDelay(app) : () => 0
  // With a set of the requests, each table that V8 has replaced as it grew and shrank would keep all later ones in memory.
  let inFlight = 0
  app.decorateRequest('isInFlight', false)

  return {
    /** Counts a request that begins; unless it is exempt, throws a 503 if it is one too many, or the event loop is late. */
    enter: (request: FastifyRequest, isExempt: boolean) => {
      inFlight++
      request.isInFlight = true
      if (isExempt) return
      const isFull = maxInFlight > 0 && inFlight > maxInFlight
      if (isFull || getDelay() > maxEventLoopDelay) throw unavailable('the server is overloaded; try again shortly')
    },
    /** Counts a request that ends; once for each. */
    leave: (request: FastifyRequest) => {
      if (request.isInFlight) inFlight--
      request.isInFlight = false
    },
    getInFlight: () => inFlight,
  }
}

/** Returns how late the event loop was when it was last measured, in milliseconds. A slow start does not count. */
function measureEventLoopDelay(app: FastifyInstance): () => number {
  let delay = 0
  let timer: NodeJS.Timeout | undefined
  app.addHook('onListen', (done) => {
    let due = performance.now() + SAMPLE_MS
    timer = setInterval(() => {
      const now = performance.now()
      delay = now - due
      due = now + SAMPLE_MS
    }, SAMPLE_MS).unref()
    done()
  })
  app.addHook('onClose', async () => clearInterval(timer))
  return () => delay
}

/**
 * Makes the function that counts a request of a caller. It returns the headers with which every response tells the client
 * its quota, as alternating names and values, and throws a 429 above `count` requests in a fixed window of time (RFC 6585,
 * section 4; draft-ietf-httpapi-ratelimit-headers). Each process counts for itself. There are no more windows than valid API
 * keys.
 */
export function createRateLimiter({ count, seconds }: NonNullable<Config['rateLimit']>) {
  /** By caller, on the clock of `performance.now`, which no change of the system time affects. */
  const windows = new Map<string, { readonly startedAt: number; count: number }>()
  const policy = `"key";q=${count};w=${seconds}`
  return (callerId: string): readonly string[] => {
    const now = performance.now()
    let window = windows.get(callerId)
    if (window === undefined || now - window.startedAt >= seconds * 1000) {
      window = { startedAt: now, count: 0 }
      windows.set(callerId, window)
    }
    window.count++
    const reset = Math.ceil((seconds * 1000 - (now - window.startedAt)) / 1000)
    const quota = `"key";r=${Math.max(0, count - window.count)};t=${reset}`
    if (window.count <= count) return ['RateLimit-Policy', policy, 'RateLimit', quota]
    const headers = { 'RateLimit-Policy': policy, RateLimit: quota, 'Retry-After': String(reset) }
    const message = `this key may be used ${count} times in ${seconds} seconds; try again in ${reset} s`
    throw new HttpError(429, 'too_many_requests', message, { headers })
  }
}
