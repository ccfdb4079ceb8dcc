/** Caches API keys for a moment, so that not every request asks the database for its key. */
import type { KeyHash, KeyStore, StoredKey } from './store.ts'

/** The longest time for which a key is accepted after another process has revoked it, in milliseconds. */
export const KEY_TTL_MS = 500

/**
 * Wraps a key store so that a key that was found is asked for only every 500 ms; until then, `find` returns it at once. A
 * key that is not found is asked for each time, so that a new one is accepted at once; a key that is revoked through the
 * cache is refused at once. The time of the last use is stored once a minute.
 */
export function createKeyCache(keys: KeyStore): KeyStore {
  let found = new Map<KeyHash, { readonly key: StoredKey; readonly expiresAt: number }>()

  async function ask(hash: KeyHash): Promise<StoredKey | undefined> {
    // The time before the query: the key may be revoked while its response is on the way.
    const expiresAt = performance.now() + KEY_TTL_MS
    // A revocation replaces the map, so a lookup that began before it does not get into the new one.
    const cache = found
    const key = await keys.find(hash)
    if (key === undefined) {
      cache.delete(hash)
      return undefined
    }
    cache.set(hash, { key, expiresAt })
    const now = new Date()
    // In the background, and it does not matter if it fails.
    if (toMinute(key.lastUsedAt) !== toMinute(now)) void keys.touch(hash, now).catch(() => {})
    return key
  }

  return {
    ...keys,
    find: (hash) => {
      const cached = found.get(hash)
      return cached !== undefined && performance.now() < cached.expiresAt ? cached.key : ask(hash)
    },
    revoke: async (name, at) => {
      const isRevoked = await keys.revoke(name, at)
      found = new Map()
      return isRevoked
    },
  }
}

function toMinute(time: Date | undefined): number | undefined {
  return time && Math.floor(time.getTime() / 60_000)
}
