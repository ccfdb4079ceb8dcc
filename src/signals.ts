/** The signals that stop a process: of supervisors, of Ctrl-C, and of a terminal that is closed. */

/**
 * Further signals in this time count as one with the first, in milliseconds: npm forwards a signal that a terminal or a
 * supervisor has already sent to the whole group of processes.
 */
const SAME_MS = 1000

/** Calls `stop` at the first signal. One that comes later ends the process at once, with status 1. */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
  let first: number | undefined
  const receive = (signal: NodeJS.Signals) => {
    if (first === undefined) {
      first = performance.now()
      stop(signal)
    } else if (performance.now() - first > SAME_MS) {
      process.exit(1)
    }
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, receive)
}
