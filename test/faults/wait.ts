/**
 * Waiting for what is to come about.
 */
import { setTimeout } from 'node:timers/promises'

/** More than anything here takes, in milliseconds, however busy the machine is. */
const patience = 60_000

/** Resolves once the condition holds. Rejects when it does not in the end, or throws. */
export async function until(condition: () => boolean): Promise<void> {
  const begun = performance.now()
  while (!condition()) {
    if (performance.now() - begun > patience) throw new Error(`this does not come about: ${condition}`)
    await setTimeout(10)
  }
}
