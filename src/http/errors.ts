/** Turns every error into the one that the client gets. */
import type { FastifyRequest } from 'fastify'
import type { Redact } from '../auth/keys.ts'
import { HttpError, toError } from '../errors.ts'
import { refusals } from '../events.ts'
import type { Logger } from '../logger.ts'
import { getTraceparent } from './request-log.ts'

/**
 * Makes the function that returns the error for the client. It logs errors of the service itself; of those, the client gets
 * only the message that `explain` returns. `redact` is applied to every message: messages quote requests, which may contain
 * a key by mistake.
 */
export function createErrorMapper(logger: Logger, redact: Redact, explain: (failure: unknown) => string) {
  const logOutage = createOutageLog(logger)
  return (thrown: unknown, request: FastifyRequest): HttpError => {
    const error = thrown instanceof HttpError ? thrown : fromFastify(toError(thrown))
    refusals.publish(error?.code ?? 'internal_error')
    // The cause of a 503 is a failure of the store; without a cause, the service refuses by its own decision.
    if (error?.cause !== undefined) logOutage(error.cause, request)
    if (error === undefined) {
      logger.error({ ...identify(request), err: thrown }, 'request failed')
      return new HttpError(500, 'internal_error', redact(explain(thrown)))
    }
    const { status, code, message, headers } = error
    const redacted = redact(message)
    return redacted === message ? error : new HttpError(status, code, redacted, { headers })
  }
}

/** The time without a failed request after which an outage of the store counts as over, in milliseconds. */
const QUIET_MS = 5000

/** Makes the function that logs each cause of an outage once, and at its end the number of failed requests. */
function createOutageLog(logger: Logger): (cause: unknown, request: FastifyRequest) => void {
  const causes = new Set<string>()
  let failures = 0
  let timer: NodeJS.Timeout | undefined

  function end(): void {
    logger.warn({ failures }, `no request has failed because of the store for ${QUIET_MS / 1000} seconds`)
    causes.clear()
    failures = 0
    timer = undefined
  }

  return (cause, request) => {
    failures++
    timer ??= setTimeout(end, QUIET_MS).unref()
    timer.refresh()
    const text = String(cause)
    if (causes.has(text)) return
    causes.add(text)
    logger.error({ ...identify(request), err: cause }, 'the store is unavailable')
  }
}

function identify(request: FastifyRequest) {
  return { reqId: request.id, traceparent: getTraceparent(request) }
}

/** Maps the errors that Fastify and its plugins find in requests; undefined for all others. */
function fromFastify(error: NodeJS.ErrnoException & { readonly statusCode?: number }): HttpError | undefined {
  const { code, message, statusCode = 500 } = error
  if (code === 'FST_ERR_BAD_URL') return new HttpError(400, 'invalid_request', 'path has a malformed percent-encoding')
  // A plugin marks errors of the request by their status.
  return statusCode >= 400 && statusCode < 500 ? new HttpError(statusCode, 'invalid_request', message) : undefined
}
