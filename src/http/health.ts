/**
 * Health, for load balancers and operators. It is not part of the API, so it needs no key.
 */
import type { FastifyInstance } from 'fastify'
import { unavailable } from '../errors.ts'
import type { Store } from '../stores/store.ts'
import type { Shutdown } from './shutdown.ts'

export const HEALTH_PATH = '/health'

/** Adds `GET /health`: 200 while the service can be used; 503 while the store cannot, and before the service stops. */
export function addHealth(app: FastifyInstance, store: Store, shutdown: Shutdown): void {
  app.get(HEALTH_PATH, async (_request, reply) => {
    reply.header('Cache-Control', 'no-store')
    if (shutdown.hasBegun) throw unavailable('the service is about to stop')
    await store.check()
    return { status: 'ok' }
  })
}
