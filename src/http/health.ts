/** Health, for load balancers, supervisors and operators. It is not part of the API, so it needs no key. */
import type { FastifyInstance } from 'fastify'
import { type HttpError, isUnavailable, unavailable } from '../errors.ts'
import { type Store, storeUnavailable } from '../stores/store.ts'
import type { Shutdown } from './shutdown.ts'

const LIVENESS_PATH = '/livez'
const READINESS_PATHS = ['/readyz', '/health']
export const HEALTH_PATHS = [LIVENESS_PATH, ...READINESS_PATHS]

/** The time for which a result is reused, in milliseconds: more frequent requests cost the store nothing. */
const CACHE_MS = 1000

/**
 * Adds `GET /livez`: 200 as long as the process responds; and `GET /readyz`, also as `/health`: 200 while the store can be
 * read and written, otherwise and before the service stops 503. With `?verbose`, they name each check.
 */
export function addHealth(app: FastifyInstance, store: Store, shutdown: Shutdown): void {
  const checkStore = createStoreCheck(store)
  app.get(LIVENESS_PATH, (_request, reply) => reply.header('Cache-Control', 'no-store').send({ status: 'ok' }))
  for (const path of READINESS_PATHS) {
    app.get(path, async ({ query }, reply) => {
      const isVerbose = Object.hasOwn(Object(query), 'verbose')
      const running = shutdown.hasBegun ? unavailable('the service is about to stop') : undefined
      // A store that does not respond must not delay this.
      if (running !== undefined && !isVerbose) throw running
      const { read, write } = await checkStore()
      const error = read ?? write ?? running
      const results = Object.entries({ running, read, write })
      const checks = results.map(([name, each]) => [name, each === undefined ? 'ok' : 'failed'])
      if (error !== undefined) {
        const message = `the service is not ready: ${checks.map((check) => check.join(' ')).join(', ')}`
        throw isVerbose ? unavailable(message, error.cause) : error
      }
      reply.header('Cache-Control', 'no-store')
      return { status: 'ok', ...(isVerbose && { checks: Object.fromEntries(checks) }) }
    })
  }
}

/**
 * Makes the function that returns why the store cannot be read or written, undefined where it can. A result is returned
 * again for a second.
 */
function createStoreCheck(store: Store) {
  let expiresAt = 0
  let result: ReturnType<typeof check>

  async function check() {
    const [read, write] = await Promise.all([getError(store.check()), getError(store.checkWrite())])
    expiresAt = performance.now() + CACHE_MS
    return { read, write }
  }

  return () => {
    if (performance.now() >= expiresAt) {
      expiresAt = Number.POSITIVE_INFINITY
      result = check()
    }
    return result
  }
}

/** Returns why a check fails, whatever the reason is, as a 503. */
async function getError(check: Promise<void>): Promise<HttpError | undefined> {
  return check.then(
    () => undefined,
    (error) => (isUnavailable(error) ? error : storeUnavailable(error)),
  )
}
