/** The hooks that every request passes, whatever its route is: its id, its line in the log, and whether its connection goes on. */
import { AsyncResource } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasBody } from 'fastify-openapi-first/shared'
import type { Logger } from '../logger.ts'
import type { Shutdown } from '../shutdown.ts'
import { type ConnectionGuard, endWithClient } from './connections.ts'
import { isHealthCheck } from './health.ts'
import type { OverloadGuard } from './limits.ts'
import { hasFaultyFraming } from './protocol.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The code in the error response. */
    errorCode: string | undefined
  }
}

/** The channel with the `RequestEvent` of each request that has ended. */
export const requests = channel('animal-store:request')

/** The log fields of a request: no query, no body, and of the headers only `User-Agent` and `traceparent`. */
export type RequestEvent = ReturnType<typeof describeRequest>

/** Creates the function that begins a request: it sends its id, and logs its line when the connection is done with it. */
export function createBeginRequest(logger: Logger, overload: OverloadGuard, connections: ConnectionGuard) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const { raw } = reply
    const startedAt = performance.now()
    // Read here because a closed socket has no address.
    const remoteAddress = request.ip
    overload.enter(request)
    reply.header('x-request-id', request.id)
    // Fastify's `onResponse` hooks do not run for a client that has disconnected.
    raw.on('close', () => {
      overload.leave(request)
      connections.dropResponse(raw)
      const isComplete = raw.writableFinished
      // Many servers log 499 for a request whose client disconnected.
      const statusCode = isComplete ? raw.statusCode : 499
      const event = describeRequest(request, statusCode, startedAt, remoteAddress)
      requests.publish(event)
      // Not logged by default: load balancers send health checks all the time.
      const level = isHealthCheck(request.raw.url) && isComplete && statusCode < 400 ? 'debug' : 'info'
      logger[level](event, isComplete ? 'request' : 'request aborted by the client')
    })
  }
}

/** The parts of version 00, with which later versions begin (W3C Trace Context, section 4.3). */
const TRACEPARENT = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}/
/** The log has this many characters of a `User-Agent`. */
const MAX_AGENT = 256

function describeRequest(request: FastifyRequest, statusCode: number, startedAt: number, remoteAddress: string) {
  const { errorCode, headers, id, method, openapi, raw } = request
  // Before authentication, a request has its operation only in the config of its route.
  const operation = openapi?.operation ?? request.routeOptions.config?.operation
  return {
    reqId: id,
    // The place of the request in a distributed trace (W3C Trace Context).
    traceparent: TRACEPARENT.exec(String(headers.traceparent))?.[0],
    req: {
      method,
      path: String(raw.url).replace(/[?#].*/s, ''),
      remoteAddress,
      userAgent: headers['user-agent']?.slice(0, MAX_AGENT),
    },
    operationId: operation?.id,
    deprecated: operation?.deprecation !== undefined || undefined,
    key: openapi?.caller?.name,
    res: { statusCode, code: errorCode },
    /** The duration of the request, in milliseconds. */
    ms: Math.round((performance.now() - startedAt) * 1000) / 1000,
  }
}

/** Adds the hook that says in each response whether its connection goes on (RFC 9112, section 9.6). */
export function addKeepAlive(app: FastifyInstance, overload: OverloadGuard, shutdown: Shutdown): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request
    // A stream is load until its end. Any other response only waits for its client from here on: without this call, clients that do
    // not read block others.
    if (isStream(payload)) endWithClient(reply.raw)
    else overload.leave(request)
    const endsConnection = shutdown.hasBegun || hasFaultyFraming(raw) || raw.headers.upgrade !== undefined
    const { shouldKeepAlive } = reply.raw
    if (endsConnection) reply.header('connection', 'close')
    // Undo Fastify's `close` after a body error: the connection can go on, because the rest of the body is discarded.
    else if (hasBody(raw) && shouldKeepAlive && reply.hasHeader('connection')) reply.header('connection', 'keep-alive')
    // Node closes the connection after the response. Data that is unread then makes the system discard the response.
    const mustDrainBody = (endsConnection || !shouldKeepAlive) && hasBody(raw) && !raw.complete
    if (mustDrainBody) whenBodyEnds(raw, done)
    else done()
  })
}

/** True for what Fastify sends piece by piece: a stream of Node or the web, or a `Response`. */
function isStream(payload: unknown): boolean {
  return typeof payload === 'object' && payload !== null && !(payload instanceof Uint8Array)
}

/** The time for which a response waits for the rest of a rejected body, in milliseconds. */
const BODY_MS = 1000

/** Calls a function when the body of a request has arrived, or its time is over. */
function whenBodyEnds(request: IncomingMessage, done: () => void): void {
  // Without `bind`, the next hooks run in the asynchronous context of the connection, and not in that of the request.
  const finish = AsyncResource.bind(() => {
    clearTimeout(timer)
    request.off('close', finish)
    done()
  })
  const timer = setTimeout(finish, BODY_MS)
  request.once('close', finish)
}
