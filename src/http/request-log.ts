/**
 * One line in the log for each request.
 */
import type { FastifyRequest } from 'fastify'
import type { Logger } from '../logger.ts'

/** Logs a request when its response is complete, or when the client has disconnected before. */
export type LogRequest = (request: FastifyRequest, outcome: Outcome) => void

export interface Outcome {
  readonly statusCode: number
  /** How long the request took, in milliseconds. */
  readonly ms: number
  /** True if the client disconnected before the response was complete. */
  readonly isAborted: boolean
}

/** The status that many servers log for a request that the client aborted. */
const CLIENT_CLOSED_REQUEST = 499

export function createRequestLog(logger: Logger): LogRequest {
  return (request, { statusCode, ms, isAborted }) => {
    const { caller, id, operation } = request
    const line = {
      reqId: id,
      req: request,
      operationId: operation?.id,
      // Every use of a deprecated operation names the key that uses it.
      deprecated: operation?.deprecation && true,
      key: caller?.name,
      res: { statusCode: isAborted ? CLIENT_CLOSED_REQUEST : statusCode },
      ms: Math.round(ms * 1000) / 1000,
    }
    logger.info(line, isAborted ? 'request aborted by the client' : 'request')
  }
}
