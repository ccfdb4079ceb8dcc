/** Health, for load balancers, supervisors and operators. It is not part of the API, so it needs no key. */
import type { FastifyInstance } from 'fastify'
import { isUnavailable, unavailable } from '../errors.ts'
import type { Shutdown } from '../shutdown.ts'
import { type Store, storeUnavailable } from '../stores/store.ts'

const LIVENESS_PATH = '/livez'
const READINESS_PATHS = ['/readyz', '/health']
export const HEALTH_PATHS = [LIVENESS_PATH, ...READINESS_PATHS]

/** The health checks that no operation replaces. */
export const RESERVED_PATHS = [LIVENESS_PATH, '/readyz']

/** True for a URL of a health check. */
export function isHealthCheck(url = ''): boolean {
  return HEALTH_PATHS.includes(url.replace(/\?.*/s, ''))
}

/** The time for which a result is reused, in milliseconds: more frequent requests cost the store nothing. */
const CACHE_MS = 1000

/**
 * Adds `GET /livez`: 200 as long as the process responds; and `GET /readyz`, also as `/health`: 200 while the store can be
 * read and written, otherwise and before the service stops 503.
 */
export function addHealth(app: FastifyInstance, store: Store, shutdown: Shutdown): void {
  let expiresAt = 0
  let result: Promise<void>

  async function checkStore(): Promise<void> {
    try {
      await store.check()
    } catch (error) {
      throw isUnavailable(error) ? error : storeUnavailable(error)
    } finally {
      expiresAt = performance.now() + CACHE_MS
    }
  }

  app.get(LIVENESS_PATH, (_request, reply) => reply.header('Cache-Control', 'no-store').send({ status: 'ok' }))
  for (const path of READINESS_PATHS) {
    // A document may have an operation of that name.
    if (app.hasRoute({ method: 'GET', url: path })) continue
    app.get(path, async (_request, reply) => {
      // Before the store is asked, which may not respond.
      if (shutdown.hasBegun) throw unavailable('the service is about to stop')
      if (performance.now() >= expiresAt) {
        expiresAt = Number.POSITIVE_INFINITY
        result = checkStore()
      }
      await result
      reply.header('Cache-Control', 'no-store')
      return { status: 'ok' }
    })
  }
}
