/**
 * Adding an animal once per retry key: what does not depend on the engine.
 */
import type { AddedOnce, Pet, RetryKey } from './store.ts'

/** Lets one request through per key at a time, and tells the others that it is in progress. */
export type Gate = (retry: RetryKey, add: () => Promise<AddedOnce>) => Promise<AddedOnce>

export function createGate(): Gate {
  const underWay = new Set<string>()
  return async ({ scope, key }, add) => {
    const request = JSON.stringify([scope, key])
    if (underWay.has(request)) return { outcome: 'in-progress' }
    underWay.add(request)
    return add().finally(() => underWay.delete(request))
  }
}

/** The answer to a request whose key is kept already, with this fingerprint and this animal. */
export function answerAgain(retry: RetryKey, fingerprint: Uint8Array, pet: Pet): AddedOnce {
  return Buffer.compare(retry.fingerprint, fingerprint) === 0 ? { outcome: 'replayed', pet } : { outcome: 'conflict' }
}
