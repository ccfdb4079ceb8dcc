/**
 * Waiting for what is to come about; how long that may take is for the time-out of the test to say.
 */
import { setTimeout } from 'node:timers/promises'

/** Resolves, with what the condition gives, once it holds. */
export async function until<Value>(condition: () => Value | Promise<Value>): Promise<Value> {
  for (;;) {
    const value = await condition()
    if (value) return value
    await setTimeout(10)
  }
}
