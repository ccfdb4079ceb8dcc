/**
 * Chance that can be repeated: the same seed gives the same numbers (mulberry32).
 */

export interface Random {
  /** An integer from 0 to below the limit. */
  below(limit: number): number
  pick<Item>(items: readonly Item[]): Item
}

export function createRandom(seed: number): Random {
  let state = seed
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
  return {
    below,
    pick: <Item>(items: readonly Item[]) => items[below(items.length)] as Item,
  }
}
