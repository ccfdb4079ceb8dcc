/** The line of each request in the log, which the metrics count as well. */
import { channel } from 'node:diagnostics_channel'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from '../logger.ts'
import { isHealthCheck } from './health.ts'

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

/** Logs and publishes a request when its connection is done with it. The client has disconnected if the response is not complete. */
export function logRequest(logger: Logger, request: FastifyRequest, { raw }: FastifyReply, begin: RequestBegin): void {
  const isComplete = raw.writableFinished
  // Many servers log 499 for a request whose client disconnected.
  const statusCode = isComplete ? raw.statusCode : 499
  const event = describeRequest(request, statusCode, begin)
  requests.publish(event)
  // Not logged by default: load balancers send health checks all the time.
  const level = isHealthCheck(request.raw.url) && isComplete && statusCode < 400 ? 'debug' : 'info'
  logger[level](event, isComplete ? 'request' : 'request aborted by the client')
}

/** What is known only when a request begins: its time by `performance.now`, and the address, which a closed socket lacks. */
export interface RequestBegin {
  readonly startedAt: number
  readonly remoteAddress: string
}

/** The parts of version 00, with which later versions begin (W3C Trace Context, section 4.3). */
const TRACEPARENT = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}/
/** The log has this many characters of a `User-Agent`. */
const MAX_AGENT = 256

function describeRequest(request: FastifyRequest, statusCode: number, begin: RequestBegin) {
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
      remoteAddress: begin.remoteAddress,
      userAgent: headers['user-agent']?.slice(0, MAX_AGENT),
    },
    operationId: operation?.id,
    deprecated: operation?.deprecation === undefined ? undefined : true,
    key: openapi?.caller?.name,
    res: { statusCode, code: errorCode },
    /** The duration of the request, in milliseconds. */
    ms: Math.round((performance.now() - begin.startedAt) * 1000) / 1000,
  }
}
