/** Health, for load balancers, supervisors and operators. It is not part of the API, so it needs no key. */
import type { FastifyInstance } from 'fastify'
import { isUnavailable, unavailable } from '../errors.ts'
import type { Shutdown } from '../shutdown.ts'
import { type Store, storeUnavailable } from '../stores/store.ts'

export const HEALTH_PATHS = ['/livez', '/readyz', '/readyz/read']

/** True for a URL of a health check. */
export function isHealthCheck(url = ''): boolean {
  return HEALTH_PATHS.includes(url.replace(/\?.*/s, ''))
}

/** The time for which a result is reused, in milliseconds, so that frequent health checks cost the store nothing. */
const CACHE_MS = 1000

/**
 * Adds `GET /livez`: 200 as long as the process responds; `GET /readyz`: 200 while the store can be read and written; and
 * `GET /readyz/read`: 200 while it can be read, so that load balancers go on sending requests to an instance that cannot write.
 * Otherwise, and once a shutdown has begun, the last two are 503.
 */
export function addHealth(app: FastifyInstance, store: Store, shutdown: Shutdown): void {
  app.get('/livez', (_request, reply) => reply.header('Cache-Control', 'no-store').send({ status: 'ok' }))
  addReadiness('/readyz', () => store.check())
  addReadiness('/readyz/read', () => store.pets.list({ after: 0n, limit: 1 }))

  function addReadiness(path: string, check: () => Promise<unknown>): void {
    let expiresAt = 0
    let result: Promise<unknown>

    app.get(path, async (_request, reply) => {
      // The store is not asked: it may not respond, and the result does not depend on it.
      if (shutdown.hasBegun) throw unavailable('the service is about to stop')
      if (performance.now() >= expiresAt) {
        expiresAt = Number.POSITIVE_INFINITY
        result = check().finally(() => {
          expiresAt = performance.now() + CACHE_MS
        })
      }
      try {
        await result
      } catch (error) {
        throw isUnavailable(error) ? error : storeUnavailable(error)
      }
      reply.header('Cache-Control', 'no-store')
      return { status: 'ok' }
    })
  }
}
