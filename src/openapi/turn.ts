/**
 * Turns of the event loop. The requests that arrive in one are handled together at its end, so that what they have in common
 * is done once: the snapshot of their reads, the commit of their writes, and waking the client that waits for the responses.
 */
import { endAll } from './response/send.ts'

/** Everything that is read between `begin` and `end` is of the same state of the data. */
export interface Snapshot {
  begin(): void
  end(): void
}

/** So many requests wait for each other at most: the client gets none of the responses before all are made. */
const MAX_REQUESTS = 32

/**
 * Makes the function whose promise is resolved at the end of the turn. What waits for it goes on, up to its next await,
 * between `begin` and `end` of the snapshot: after all of these requests have arrived, so that none gets an older state.
 */
export function createTurns(snapshot: Snapshot | undefined): () => Promise<void> {
  let turn: PromiseWithResolvers<void> | undefined
  let requests = 0

  function finish(): void {
    turn?.resolve()
    turn = undefined
    requests = 0
  }

  function start(): PromiseWithResolvers<void> {
    const started = Promise.withResolvers<void>()
    // The requests wait behind this, and are followed by the end.
    void started.promise.then(() => {
      snapshot?.begin()
      queueMicrotask(() => {
        snapshot?.end()
        // Next are the responses of requests that need nothing else.
        process.nextTick(endAll)
      })
    })
    setImmediate(finish)
    return started
  }

  return () => {
    turn ??= start()
    requests++
    if (requests === MAX_REQUESTS) queueMicrotask(finish)
    return turn.promise
  }
}
