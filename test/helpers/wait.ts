/**
 * Waiting for a condition.
 */
import { setTimeout } from 'node:timers/promises'

export interface WaitOptions {
  /** How long to wait before giving up; by default longer than anything in the tests takes on a busy machine. */
  readonly timeoutMs?: number
  /** How long to rest between two looks. */
  readonly intervalMs?: number
}

/**
 * Resolves with the result of `look` as soon as that is truthy. Rejects if it is not in time, or if `look` throws or
 * rejects.
 */
export async function waitUntil<Value>(
  look: () => Value | Promise<Value>,
  { timeoutMs = 300_000, intervalMs = 10 }: WaitOptions = {},
): Promise<NonNullable<Value>> {
  const start = performance.now()
  for (;;) {
    const value = await look()
    if (value) return value
    if (performance.now() - start > timeoutMs) throw new Error(`not true after ${timeoutMs} ms: ${look}`)
    await setTimeout(intervalMs)
  }
}
