/**
 * Chance that can be had again: what a test draws follows from a seed, which it prints.
 */
import { randomInt } from 'node:crypto'
import type { Test } from 'tap'

/** A number from 0 up to, and without, 1. */
export type Random = () => number

/** Draws from the seed in FAULTS_SEED, or else from a new one. */
export function createRandom(t: Test): Random {
  let state = Number(process.env.FAULTS_SEED || randomInt(2 ** 32))
  t.comment(`FAULTS_SEED=${state}`)
  // Mulberry32 (https://gist.github.com/tommyettinger/46a874533244883189143505d203312c).
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}
