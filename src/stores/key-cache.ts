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
  let found = new Map<string, { key: Key; until: number }>()
  return {
    ...keys,
    find: async (hash) => {
      const id = Buffer.from(hash).toString('base64')
      // The time before the question: what is found may be revoked while the answer is on its way.
      const now = performance.now()
      // And the memory of that time: a revocation begins a new one, which no answer from before it gets into.
      const memory = found
      const known = memory.get(id)
      if (known !== undefined && now < known.until) return known.key
      const key = await keys.find(hash)
      if (key === undefined) memory.delete(id)
      else memory.set(id, { key, until: now + keptFor })
      return key
    },
    revoke: async (name) => {
      const revoked = await keys.revoke(name)
      found = new Map()
      return revoked
    },
  }
}
