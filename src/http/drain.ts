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
 * A connection that is closed while a client is about to use it again costs the client a failed request (RFC 9112,
 * section 9.3.1); one that the last answer said would be closed does not (section 9.6).
 */
export function addDrain(app: FastifyInstance): Drain {
  let begun = false
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (begun) reply.header('Connection', 'close')
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
