/** Adding an animal once per idempotency key, as far as it does not depend on the database. */
import type { AddResult, IdempotentRequest, Pet, PetStore } from './store.ts'

/** Lets one request per idempotency key through at a time. */
export function guardInFlight(addOnce: PetStore['addOnce']): PetStore['addOnce'] {
  const inFlight = new Set<string>()
  return async (pet, request) => {
    const id = JSON.stringify([request.scope, request.key])
    if (inFlight.has(id)) return { outcome: 'in-progress' }
    inFlight.add(id)
    return addOnce(pet, request).finally(() => inFlight.delete(id))
  }
}

/** The result for a request whose key is stored with this fingerprint and this animal. */
export function replay(request: IdempotentRequest, fingerprint: Uint8Array, pet: Pet): AddResult {
  return Buffer.compare(request.fingerprint, fingerprint) === 0 ? { outcome: 'replayed', pet } : { outcome: 'conflict' }
}
