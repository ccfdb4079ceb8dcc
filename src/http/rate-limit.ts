/**
 * A limit to how often each key may be used, if the operator sets one.
 */
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import type { RateLimit } from '../config.ts'
import { HttpError } from '../errors.ts'

/**
 * Refuses requests beyond the limit with 429 (RFC 6585, section 4), and tells with each answer where the client stands
 * (draft-ietf-httpapi-ratelimit-headers). Each process counts for itself.
 */
export async function addRateLimit(app: FastifyInstance, { count, seconds }: RateLimit): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    max: count,
    timeWindow: seconds * 1000,
    keyGenerator: ({ caller }) => String(caller?.id),
  })
  const use = app.createRateLimit()
  // Once it is known whose key it is, and before anything of the body is read.
  app.addHook('preParsing', async (request, reply) => {
    if (request.caller === undefined) return
    // No key is on the list of those without a limit: there is no such list.
    const counted = (await use(request)) as Extract<Awaited<ReturnType<typeof use>>, { isAllowed: false }>
    const { remaining, ttlInSeconds: reset, isExceeded } = counted
    reply.headers({
      'RateLimit-Policy': `"key";q=${count};w=${seconds}`,
      RateLimit: `"key";r=${remaining};t=${reset}`,
    })
    if (!isExceeded) return
    const message = `this key may be used ${count} times in ${seconds} seconds; try again in ${reset}`
    throw new HttpError(429, 'too_many_requests', message, { 'Retry-After': reset })
  })
}
