/**
 * Taking leave: before a server stops, its clients and load balancers are told to go elsewhere.
 */
import type { Server } from 'node:http'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** The server is closed when no connection has come for so many milliseconds, or after so many such intervals. */
const QUIET = 10
const INTERVALS = 25

export interface Drain {
  /** From now on, each answer ends its connection. */
  begin(): void
  readonly begun: boolean
}

/**
 * Requests in flight are finished before the server is closed, as long as they arrive in time.
 * A connection that is closed while a client is about to use it again costs the client a failed request (RFC 9112,
 * section 9.3.1); one that the last answer said would be closed does not (section 9.6).
 */
export function addDrain(app: FastifyInstance): Drain {
  let begun = false
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (begun) reply.header('Connection', 'close')
    done()
  })
  let closing: Promise<unknown> | undefined
  app.addHook('onRequest', (_request, _reply, done) => {
    // Who is answered may come again at once, and there would be no end of it.
    if (closing === undefined) done()
    else void closing.then(() => done())
  })
  app.addHook('preClose', (done) => {
    // A server that is being closed heeds none of Node's time-outs: who never ends a request would keep it for ever.
    setTimeout(() => app.server.closeAllConnections(), app.server.requestTimeout).unref()
    closing = acceptWaiting(app.server).then(() => {
      done()
      // Until the server is closed.
      return setImmediate()
    })
  })
  return {
    begin: () => {
      begun = true
    },
    get begun() {
      return begun
    },
  }
}

/**
 * Resolves when no connection waits to be accepted. Node accepts one in a turn of the event loop, and those that wait
 * when the server is closed are reset, although their clients are connected and have sent requests.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = true
  const note = () => {
    accepted = true
  }
  server.on('connection', note)
  for (let interval = 0; accepted && interval < INTERVALS; interval++) {
    accepted = false
    await wait(QUIET)
    // Whatever has come while others were served is accepted in the turn that begins now.
    await setImmediate()
  }
  server.off('connection', note)
}
