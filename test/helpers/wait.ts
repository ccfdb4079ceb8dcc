/** Waiting for a condition. */
import { setTimeout } from 'node:timers/promises'

/** Longer than anything in the tests takes on a busy machine, in milliseconds. */
const TIMEOUT_MS = 1_000_000

/**
 * Resolves with the result of `look` as soon as that is truthy. Rejects if it is not in time, or if `look` throws or
 * rejects.
 */
export async function waitUntil<Value>(look: () => Value | Promise<Value>): Promise<NonNullable<Value>> {
  const start = performance.now()
  for (;;) {
    const value = await look()
    if (value) return value
    if (performance.now() - start > TIMEOUT_MS) throw new Error(`not true after ${TIMEOUT_MS} ms: ${look}`)
    await setTimeout(10)
  }
}
