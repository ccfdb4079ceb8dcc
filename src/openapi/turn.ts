/**
 * Turns of the event loop. The requests that arrive in one are handled together at its end, so that what they have in common
 * is done once: the snapshot of their reads, the commit of their writes, and waking the client that waits for the responses.
 */
import type { ServerResponse } from 'node:http'

/** Reads between `begin` and `end` see the same state of the data. */
export interface Snapshot {
  begin(): void
  end(): void
}

/** The maximum number of requests that wait for each other: no response is sent before all of them are made. */
const MAX_REQUESTS = 32

/**
 * Makes the function whose promise is resolved at the end of the turn. Its callers continue, up to their next await, between
 * `begin` and `end` of the snapshot. It begins when all of these requests have arrived, so that none gets an older state.
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
    // Runs before the requests, which wait for the same promise; the end comes behind them.
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

/** So many responses wait at most: each holds its text, and its client waits for the ones behind it. */
const MAX_ENDING = 32

/** The responses of this turn that are not yet written. */
let ending: (readonly [ServerResponse, string | undefined])[] = []

/**
 * Ends a response together with the others of this turn: a client or proxy on the same machine that was woken by one finds
 * the next ones there, where writing each at once would wake it for each.
 */
export function endLater(response: ServerResponse, text: string | undefined): void {
  if (ending.length === 0) setImmediate(endAll)
  ending.push([response, text])
  if (ending.length === MAX_ENDING) endAll()
}

function endAll(): void {
  const responses = ending
  ending = []
  for (const [response, text] of responses) response.end(text)
}
