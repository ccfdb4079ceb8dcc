/** Keeps connections alive after a response, or closes them (RFC 9112, section 9.6). */
import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { awaitsContinue, hasBody, whenBodyEnds } from 'fastify-openapi-first/shared'
import type { Shutdown } from '../shutdown.ts'
import type { RequestsInFlight } from './in-flight.ts'
import { hasFaultyFraming } from './protocol.ts'

interface KeepAliveOptions {
  readonly requests: RequestsInFlight
  readonly shutdown: Shutdown
  /** Ends a stream when its client ends the connection. */
  readonly endWithClient: (response: ServerResponse) => void
}

/** Adds the hook that says in each response whether its connection goes on. */
export function addKeepAlive(app: FastifyInstance, { requests, shutdown, endWithClient }: KeepAliveOptions): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request
    // A stream is load until its end. Any other response only waits for its client from here on: without this call, clients that do
    // not read block others.
    if (isStream(payload)) endWithClient(reply.raw)
    else requests.leave(request)
    const endsConnection = shutdown.hasBegun || hasFaultyFraming(raw) || raw.headers.upgrade !== undefined
    const { shouldKeepAlive } = reply.raw
    if (endsConnection) reply.header('connection', 'close')
    // Undo Fastify's `close` after a body error: the connection can go on, because the rest of the body is discarded.
    else if (hasBody(raw) && shouldKeepAlive && reply.hasHeader('connection')) reply.header('connection', 'keep-alive')
    // A client that waits for 100 (Continue) sends no body once it has the response.
    const isArriving = hasBody(raw) && !raw.complete && !awaitsContinue(raw)
    // Otherwise, Node closes a connection with unread data, which makes the system discard the response.
    const mustDrainBody = (endsConnection || !shouldKeepAlive) && isArriving
    if (mustDrainBody) whenBodyEnds(raw, done)
    else done()
  })
}

/** True for what Fastify sends piece by piece: a stream of Node or the web, or a `Response`. */
function isStream(payload: unknown): boolean {
  return typeof payload === 'object' && payload !== null && !(payload instanceof Uint8Array)
}
