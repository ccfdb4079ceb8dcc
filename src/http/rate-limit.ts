/** The rate limit for each caller. */
import type { onRequestHookHandler } from 'fastify'
import { HttpError } from 'fastify-openapi-first/shared'
import type { Config } from '../config.ts'
import { createExpiringMap } from '../expiring-map.ts'

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
    const { value: quotaWindow, startedAt } = windows.get(caller.id, now) ?? windows.set(caller.id, { count: 0 }, now)
    quotaWindow.count++
    const reset = Math.ceil((seconds * 1000 - (now - startedAt)) / 1000)
    const quota = `"key";r=${Math.max(0, count - quotaWindow.count)};t=${reset}`
    reply.headers({ 'RateLimit-Policy': policy, RateLimit: quota })
    const message = `this key may be used ${count} times in ${seconds} seconds; try again in ${reset} s`
    const headers = { 'Retry-After': String(reset) }
    done(quotaWindow.count > count ? new HttpError(429, 'too_many_requests', message, { headers }) : undefined)
  }
}
