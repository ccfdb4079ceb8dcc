/** A map whose entries end after a time, so that clients and keys that do not come back take no memory for ever. */

interface Entry<Value> {
  readonly value: Value
  readonly startedAt: number
}

/**
 * Creates a map whose entries end `ttlMs` milliseconds after they start. Times are of the clock of `performance.now`, which no
 * change of the system time affects.
 */
export function createExpiringMap<Value>(ttlMs: number) {
  /** Nearly in the order of their starts, so that ended entries come first. */
  const entries = new Map<string, Entry<Value>>()
  const hasEnded = ({ startedAt }: Entry<Value>, now: number) => now - startedAt >= ttlMs

  return {
    /** Returns an entry that has not ended. */
    get(key: string, now = performance.now()): Entry<Value> | undefined {
      const entry = entries.get(key)
      return entry === undefined || hasEnded(entry, now) ? undefined : entry
    },
    /** Adds or replaces an entry, and removes the ended entries at the beginning of the order. */
    set(key: string, value: Value, startedAt = performance.now()): Entry<Value> {
      for (const [oldKey, oldEntry] of entries) {
        if (!hasEnded(oldEntry, startedAt)) break
        entries.delete(oldKey)
      }
      // Moves the key to the end: a map keeps the place of a key that it has.
      entries.delete(key)
      const entry = { value, startedAt }
      entries.set(key, entry)
      return entry
    },
    delete: (key: string) => entries.delete(key),
    clear: () => entries.clear(),
  }
}
