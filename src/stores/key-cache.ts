/**
 * Caches API keys for a moment, so that not every request asks the database for its key.
 */
import type { KeyStore, StoredKey } from './store.ts'

/** How long a key is still accepted after another process has revoked it, at most, in milliseconds. */
const ttlMs = 500

/**
 * Wraps a key store so that a key that was found is asked for only every 500 ms. A key that is not found is asked for
 * each time, so that a new one is accepted at once; a key that is revoked through the cache is refused at once.
 */
export function createKeyCache(keys: KeyStore): KeyStore {
  let found = new Map<string, { readonly key: StoredKey; readonly expiresAt: number }>()
  return {
    ...keys,
    find: async (hash) => {
      const id = Buffer.from(hash).toString('base64')
      // The time before the query: the key may be revoked while its response is on the way.
      const now = performance.now()
      // A revocation starts another map, which no response from before it gets into.
      const cache = found
      const cached = cache.get(id)
      if (cached !== undefined && now < cached.expiresAt) return cached.key
      const key = await keys.find(hash)
      if (key === undefined) cache.delete(id)
      else cache.set(id, { key, expiresAt: now + ttlMs })
      return key
    },
    revoke: async (name) => {
      const isRevoked = await keys.revoke(name)
      found = new Map()
      return isRevoked
    },
  }
}
