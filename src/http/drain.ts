/**
 * Taking leave: before a server stops, its clients and load balancers are told to go elsewhere.
 */
import type { FastifyInstance } from 'fastify'

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
  app.addHook('preClose', (done) => {
    // A server that is being closed heeds none of Node's time-outs: who never ends a request would keep it for ever.
    setTimeout(() => app.server.closeAllConnections(), app.server.requestTimeout).unref()
    done()
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
