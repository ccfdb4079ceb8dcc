/**
 * One line in the log for each request.
 */
import type { FastifyRequest } from 'fastify'
import type { Logger } from '../logger.ts'

/** The status that many servers log for a request whose client disconnected. */
const CLIENT_CLOSED_REQUEST = 499

/** Logs a request when its response is complete, or when the client has disconnected before. */
export function logRequest(logger: Logger, request: FastifyRequest, statusCode: number | undefined, ms: number): void {
  const { caller, errorBody, id, method, operation, raw } = request
  logger.request({
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
    code: errorBody && /"code":"(\w+)"/.exec(errorBody)?.[1],
  })
}
