/**
 * Adding an animal once per idempotency key, as far as it does not depend on the database.
 */
import type { AddResult, IdempotentRequest, Pet } from './store.ts'

/** Lets one request per idempotency key through at a time. */
export type InFlightGuard = (request: IdempotentRequest, add: () => Promise<AddResult>) => Promise<AddResult>

export function createInFlightGuard(): InFlightGuard {
  const inFlight = new Set<string>()
  return async ({ scope, key }, add) => {
    const id = JSON.stringify([scope, key])
    if (inFlight.has(id)) return { outcome: 'in-progress' }
    inFlight.add(id)
    return add().finally(() => inFlight.delete(id))
  }
}

/** The result for a request whose key is stored with this fingerprint and this animal. */
export function replay(request: IdempotentRequest, fingerprint: Uint8Array, pet: Pet): AddResult {
  return Buffer.compare(request.fingerprint, fingerprint) === 0 ? { outcome: 'replayed', pet } : { outcome: 'conflict' }
}
