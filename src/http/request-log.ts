/** One line in the log for each request. */
import type { FastifyRequest } from 'fastify'
import { requests } from '../events.ts'
import type { Logger, RequestLine } from '../logger.ts'

/** The status that many servers log for a request whose client disconnected. */
const CLIENT_CLOSED_REQUEST = 499

/** Logs a request when its response is complete, or when the client has disconnected before. */
export function logRequest(logger: Logger, request: FastifyRequest, statusCode: number | undefined, ms: number): void {
  const { caller, errorBody, id, method, operation, raw } = request
  const line: RequestLine = {
    message: statusCode === undefined ? 'request aborted by the client' : 'request',
    id,
    method,
    url: String(raw.url),
    statusCode: statusCode ?? CLIENT_CLOSED_REQUEST,
    ms,
    operationId: operation?.id,
    // Every use of a deprecated operation names the key that uses it.
    isDeprecated: operation?.deprecation !== undefined,
    key: caller?.name,
    traceparent: getTraceparent(request),
    code: errorBody && /"code":"(\w+)"/.exec(errorBody)?.[1],
  }
  logger.request(line)
  requests.publish(line)
}

/** W3C Trace Context, section 3.2: a version other than ff, and ids that are not all zeros. Later versions may be longer. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?=$|-)/

/** Returns the place of a request in a distributed trace, if its header tells one. */
export function getTraceparent({ headers: { traceparent } }: Pick<FastifyRequest, 'headers'>): string | undefined {
  return traceparent === undefined ? undefined : TRACEPARENT.exec(String(traceparent))?.[0]
}
