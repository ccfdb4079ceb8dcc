/**
 * Health, for load balancers and operators; no part of the contract, so it needs no key.
 */
import type { FastifyInstance } from 'fastify'
import { unavailable } from '../errors.ts'
import type { Store } from '../stores/store.ts'
import type { Drain } from './drain.ts'

/** Where to ask. */
export const HEALTH = '/health'

/** Adds `GET /health`: 200 while the service is to be used, 503 while the store does not answer and before a stop. */
export function addHealth(app: FastifyInstance, store: Store, drain: Drain): void {
  app.get(HEALTH, async () => {
    if (drain.begun) throw unavailable('the service is about to stop')
    await store.check()
    return { status: 'ok' }
  })
}
