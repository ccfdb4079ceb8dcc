/**
 * A cache of results that clients can multiply: they choose combinations of branches and of names, of which there are exponentially
 * many. Without a bound, such results would fill the memory; results that are used often stay.
 */
export class BoundedCache<Key, Value extends object> {
  readonly #maxSize: number
  #recent = new Map<Key, Value>()
  #older = new Map<Key, Value>()

  /** Keeps the results that were used last: between `maxSize` and twice as many. */
  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  /** Returns the result of a key, which `create` makes unless it is in the cache. */
  get(key: Key, create: () => Value): Value {
    const recentValue = this.#recent.get(key)
    if (recentValue !== undefined) return recentValue
    const value = this.#older.get(key) ?? create()
    if (this.#recent.size >= this.#maxSize) {
      this.#older = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(key, value)
    return value
  }
}
