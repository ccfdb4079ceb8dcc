/**
 * Caches API keys for a moment, so that not every request asks the database for its key.
 */
import type { KeyHash, KeyStore, StoredKey } from './store.ts'

/** How long a key is still accepted after another process has revoked it, at most, in milliseconds. */
const ttlMs = 500

/**
 * Wraps a key store so that a key that was found is asked for only every 500 ms; until then, `find` returns it at once. A
 * key that is not found is asked for each time, so that a new one is accepted at once; a key that is revoked through the
 * cache is refused at once.
 */
export function createKeyCache(keys: KeyStore): KeyStore {
  let found = new Map<KeyHash, { readonly key: StoredKey; readonly expiresAt: number }>()

  async function ask(hash: KeyHash): Promise<StoredKey | undefined> {
    // The time before the query: the key may be revoked while its response is on the way.
    const expiresAt = performance.now() + ttlMs
    // A revocation starts another map, which no response from before it gets into.
    const cache = found
    const key = await keys.find(hash)
    if (key === undefined) cache.delete(hash)
    else cache.set(hash, { key, expiresAt })
    return key
  }

  return {
    ...keys,
    find: (hash) => {
      const cached = found.get(hash)
      return cached !== undefined && performance.now() < cached.expiresAt ? cached.key : ask(hash)
    },
    revoke: async (name) => {
      const isRevoked = await keys.revoke(name)
      found = new Map()
      return isRevoked
    },
  }
}
