/** What the reads of one iteration of the event loop do once for all of them: they share a read transaction. */
import { AsyncResource } from 'node:async_hooks'

/** Reads between `begin` and `end` see the same state of the data. Neither may throw. */
export interface Snapshot {
  begin(): void
  end(): void
}

/** The largest batch: bounds memory and latency. */
const MAX_WAITING = 32

/**
 * Makes the function that runs callbacks together, at the end of the iteration: in one snapshot up to their next `await`, and
 * each in its own asynchronous context. The snapshot begins when all callbacks have arrived, so that none gets an older state.
 * No callback may throw.
 */
export function createReadTogether(snapshot: Snapshot | undefined): (read: () => void) => void {
  let waiting: { readonly read: () => void; readonly context: AsyncResource }[] = []

  function readAll(): void {
    const batch = waiting
    waiting = []
    if (batch.length === 0) return
    snapshot?.begin()
    for (const { read, context } of batch) context.runInAsyncScope(read)
    snapshot?.end()
  }

  return (read) => {
    waiting.push({ read, context: new AsyncResource('openapi:read') })
    if (waiting.length === 1) setImmediate(readAll)
    else if (waiting.length === MAX_WAITING) readAll()
  }
}
