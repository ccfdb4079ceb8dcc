/** Graceful shutdown: the signals, and how clients and load balancers are told to go elsewhere before anything is closed. */
import type { Server } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** The largest number of connections that are accepted before the server is closed: their clients may connect again and again. */
const MAX_ACCEPTED = 1000

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
 * announced as closed does not (section 9.6).
 */
export function addShutdown(app: FastifyInstance) {
  app.addHook('preClose', (done) => {
    const { server } = app
    // A server that is closing ignores Node's timeouts, so a request that never ends would keep it open.
    setTimeout(() => server.closeAllConnections(), server.requestTimeout).unref()
    void acceptWaiting(server).then(() => done())
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
  // From the end of this iteration to the end of the next, and so on.
  await setImmediate()
  for (let accepted = 0; hasAccepted && accepted < MAX_ACCEPTED; accepted++) {
    hasAccepted = false
    await setImmediate()
  }
  server.off('connection', note)
}
