/**
 * Waiting for what is to come about; how long that may take is for the time-out of the test to say.
 */
import { setTimeout } from 'node:timers/promises'

/** Resolves once the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setTimeout(10)
}
