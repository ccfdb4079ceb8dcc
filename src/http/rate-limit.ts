/**
 * The rate limit: how often each API key may be used.
 */
import type { RateLimit } from '../config.ts'
import { HttpError } from '../errors.ts'

/** The headers with which every response tells the client its quota. */
export type RateLimitHeaders = readonly string[]

/** Counts a request of a caller. Returns the headers, names and values in turns; throws a 429 beyond the limit. */
export type RateLimiter = (callerId: string) => RateLimitHeaders

interface Window {
  /** On the clock of `performance.now`, which no change of the system time affects. */
  readonly endsAt: number
  count: number
}

/**
 * Limits each caller to `count` requests in a fixed window of time (RFC 6585, section 4;
 * draft-ietf-httpapi-ratelimit-headers). Each process counts for itself. There are no more windows than valid API keys.
 */
export function createRateLimiter({ count, seconds }: RateLimit): RateLimiter {
  const windows = new Map<string, Window>()
  const policy = `"key";q=${count};w=${seconds}`
  return (callerId) => {
    const now = performance.now()
    let window = windows.get(callerId)
    if (window === undefined || window.endsAt <= now) {
      window = { endsAt: now + seconds * 1000, count: 0 }
      windows.set(callerId, window)
    }
    window.count++
    const reset = Math.ceil((window.endsAt - now) / 1000)
    const headers = { 'RateLimit-Policy': policy, RateLimit: `"key";r=${Math.max(0, count - window.count)};t=${reset}` }
    if (window.count <= count) return Object.entries(headers).flat()
    const message = `this key may be used ${count} times in ${seconds} seconds; try again in ${reset}`
    throw new HttpError(429, 'too_many_requests', message, { headers: { ...headers, 'Retry-After': String(reset) } })
  }
}
