/**
 * What the requests of one iteration of the event loop do together, so that it is done once: they share a read transaction,
 * and their responses are written one after the other.
 */

/** Reads between `begin` and `end` see the same state of the data. Neither may throw. */
export interface Snapshot {
  begin(): void
  end(): void
}

/** So many wait for each other at most: each holds memory, and its client waits for the others. */
const MAX_WAITING = 32

/**
 * Makes the function that runs callbacks together, at the end of the iteration: in one snapshot up to their next `await`. It
 * begins when all have arrived, so that none gets an older state.
 */
export function createReadTogether(snapshot: Snapshot | undefined): (read: () => void) => void {
  let waiting: (() => void)[] = []

  function readAll(): void {
    const reads = waiting
    waiting = []
    if (reads.length === 0) return
    snapshot?.begin()
    try {
      runAll(reads)
    } finally {
      snapshot?.end()
    }
    // Behind the handlers that wait for nothing but these reads.
    queueMicrotask(() => process.nextTick(writeAll))
  }

  return (read) => {
    waiting.push(read)
    if (waiting.length === 1) setImmediate(readAll)
    else if (waiting.length === MAX_WAITING) readAll()
  }
}

let writing: (() => void)[] = []

/**
 * Writes a response together with the others of this iteration: a client or proxy on the same machine that was woken by one
 * finds the next ones there, where writing each at once would wake it for each.
 */
export function writeTogether(write: () => void): void {
  writing.push(write)
  if (writing.length === 1) setImmediate(writeAll)
  else if (writing.length === MAX_WAITING) writeAll()
}

function writeAll(): void {
  const writes = writing
  writing = []
  runAll(writes)
}

/** Runs callbacks. What one throws, which is a failure of the program, is thrown when those of the other requests have run. */
function runAll(callbacks: readonly (() => void)[]): void {
  for (const run of callbacks) {
    try {
      run()
    } catch (error) {
      setImmediate(() => {
        throw error
      })
    }
  }
}
