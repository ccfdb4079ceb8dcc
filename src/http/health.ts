/**
 * Health, for load balancers and operators; no part of the contract, so it needs no key.
 */
import type { FastifyInstance } from 'fastify'
import type { Store } from '../stores/store.ts'

/** Adds `GET /health`: 200 while the store answers, 503 otherwise. */
export function addHealth(app: FastifyInstance, store: Store): void {
  app.get('/health', async () => {
    await store.check()
    return { status: 'ok' }
  })
}
