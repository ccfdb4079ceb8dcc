/** Graceful shutdown: the signals, and how clients and load balancers are told to go elsewhere before anything is closed. */
import type { Server } from 'node:http'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** The server closes when no connection has arrived for this many milliseconds, or after this many such intervals. */
const QUIET_MS = 10
const MAX_INTERVALS = 25

/**
 * The time that a request on an open connection may be in transit when a shutdown begins, in milliseconds. Its client has
 * not been told that the connection closes, and would lose the request.
 */
export const IN_TRANSIT_MS = 250

/**
 * Further signals in this time count as one with the first, in milliseconds: npm forwards a signal that a terminal or a
 * supervisor has already sent to the whole group of processes.
 */
const SAME_SIGNAL_MS = 1000

export type Shutdown = ReturnType<typeof addShutdown>

/**
 * Lets requests in flight finish before the server is closed, if they arrive in time. A connection that is closed while a
 * client is about to use it again costs the client a failed request (RFC 9112, section 9.3.1); one that the last response
 * announced as closed does not (section 9.6). `pauseNewRequests` makes new requests wait until its promise is resolved.
 */
export function addShutdown(app: FastifyInstance, pauseNewRequests: (promise: Promise<unknown>) => void) {
  app.addHook('preClose', (done) => {
    const { server } = app
    // A server that is closing ignores Node's timeouts, so a request that never ends would keep it open.
    setTimeout(() => server.closeAllConnections(), server.requestTimeout).unref()
    const accepted = acceptWaiting(server)
    // Meanwhile no request gets a response: clients may connect again as soon as they have one, and there would be no end.
    pauseNewRequests(accepted.then(() => setImmediate()))
    void accepted.then(() => done())
  })
  // Set before the app is closed: from then on, each response closes its connection.
  return { hasBegun: false }
}

/**
 * Calls `stop` at the first signal: of a supervisor, of Ctrl-C, or of a terminal that is closed. One that comes later ends
 * the process at once, with status 1.
 */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
  let first: number | undefined
  const receive = (signal: NodeJS.Signals) => {
    if (first === undefined) {
      first = performance.now()
      stop(signal)
    } else if (performance.now() - first > SAME_SIGNAL_MS) {
      process.exit(1)
    }
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, receive)
}

/**
 * Resolves when no connection waits to be accepted. Node accepts one per iteration of the event loop, and resets those that
 * wait when the server is closed, although their clients are connected and have sent requests.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let hasAccepted = true
  const note = () => {
    hasAccepted = true
  }
  server.on('connection', note)
  for (let interval = 0; hasAccepted && interval < MAX_INTERVALS; interval++) {
    hasAccepted = false
    await wait(QUIET_MS)
    // Connections that arrived while requests were processed are accepted in the iteration that begins now.
    await setImmediate()
  }
  server.off('connection', note)
}
