/** Graceful shutdown: the signals, and how clients and load balancers are told to go elsewhere before anything is closed. */
import type { Server } from 'node:http'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/**
 * The server closes after an interval of this many milliseconds without a new connection. The interval is longer than most
 * requests take on other instances: the clients behind a proxy that get their responses there send the next requests here.
 */
const QUIET_MS = 50
/** The server closes after this many intervals, even if connections still arrive. */
const MAX_INTERVALS = 5

/**
 * The least time between the beginning of a shutdown and the closing of connections, in milliseconds: a request that is in
 * transit when the shutdown begins arrives within it. Without this, its client loses the request.
 */
export const IN_TRANSIT_MS = 250

/**
 * Further signals in this time count as one with the first, in milliseconds: npm forwards a signal that a terminal or a
 * supervisor has already sent to the whole group of processes.
 */
const SAME_SIGNAL_MS = 1000

export type Shutdown = ReturnType<typeof addShutdown>

/**
 * Lets requests in flight finish before the server is closed, if they arrive in time. While `hasBegun` is true, each response
 * announces that its connection closes (RFC 9112, section 9.6). Otherwise, a client that is about to use a connection again
 * loses a request (section 9.3.1). `pauseNewRequests` makes new requests wait until its promise is resolved.
 */
export function addShutdown(app: FastifyInstance, pauseNewRequests: (promise: Promise<unknown>) => void) {
  app.addHook('preClose', (done) => {
    const { server } = app
    // A server that is closing ignores Node's timeouts, so a request that never ends would keep it open.
    setTimeout(() => server.closeAllConnections(), server.requestTimeout).unref()
    const queueAccepted = acceptQueuedConnections(server)
    // Without this pause, clients that get a response connect again, and the queue never ends: most stops lose requests. The
    // pause ends one iteration later, when the server is closed.
    pauseNewRequests(queueAccepted.then(() => setImmediate()))
    void queueAccepted.then(() => done())
  })
  // Set to true before the app is closed.
  return { hasBegun: false }
}

/**
 * Calls `stop` at the first signal: of a supervisor, of Ctrl-C, or of a terminal that is closed. A later signal ends the
 * process immediately, with status 1.
 */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
  let firstSignalAt: number | undefined
  const handleSignal = (signal: NodeJS.Signals) => {
    if (firstSignalAt === undefined) {
      firstSignalAt = performance.now()
      stop(signal)
    } else if (performance.now() - firstSignalAt > SAME_SIGNAL_MS) {
      process.exit(1)
    }
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, handleSignal)
}

/**
 * Resolves when the system's queue has no connection left to accept. Node accepts one connection per event-loop iteration, and
 * a closed server resets those in the queue, although their clients are connected and have sent requests.
 */
async function acceptQueuedConnections(server: Server): Promise<void> {
  let hasAccepted = true
  const noteConnection = () => {
    hasAccepted = true
  }
  server.on('connection', noteConnection)
  for (let interval = 0; hasAccepted && interval < MAX_INTERVALS; interval++) {
    hasAccepted = false
    await sleep(QUIET_MS)
    // Connections that arrived while requests were processed are accepted in the iteration that begins now.
    await setImmediate()
  }
  server.off('connection', noteConnection)
}
