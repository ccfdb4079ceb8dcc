/**
 * Remembers keys for a moment, so that not every request asks a server for its key first.
 */
import type { Key, KeyStore } from './store.ts'

/** How long a key is still accepted after another instance has revoked it, at most, in milliseconds. */
const keptFor = 500

/**
 * Like `keys`, but asks for a key that has just been found only every so often. A key that is not found is asked for
 * each time, so that a new one is accepted at once; one that is revoked here is refused at once.
 */
export function createKeyCache(keys: KeyStore): KeyStore {
  const found = new Map<string, { key: Key; until: number }>()
  return {
    ...keys,
    find: async (hash) => {
      const id = Buffer.from(hash).toString('base64')
      // The time before the question: what is found may be revoked while the answer is on its way.
      const now = performance.now()
      const known = found.get(id)
      if (known !== undefined && now < known.until) return known.key
      const key = await keys.find(hash)
      if (key === undefined) found.delete(id)
      else found.set(id, { key, until: now + keptFor })
      return key
    },
    revoke: async (name) => {
      const revoked = await keys.revoke(name)
      found.clear()
      return revoked
    },
  }
}
