/** Random numbers that can be repeated: they follow from a seed. */
/** The seed of the random tests that are to do the same in every run. */
export const fixedSeed = 20_301_205

export interface Random {
  /** A number from 0 up to, and without, 1. */
  next(): number
  /** An integer from 0 up to, and without, the limit. */
  below(limit: number): number
  pick<Item>(items: readonly Item[]): Item
}

/** Reads a seed from a variable of the environment; by default it is the fixed one. */
export function readSeed(variable: string): number {
  return Number(process.env[variable] || fixedSeed)
}

/** Generates numbers by Mulberry32 (https://gist.github.com/tommyettinger/46a874533244883189143505d203312c). */
export function createRandom(seed: number): Random {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { next, below, pick: <Item>(items: readonly Item[]) => items[below(items.length)] as Item }
}
