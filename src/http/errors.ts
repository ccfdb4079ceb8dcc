/** Turns every error into the one that the client gets. */
import { channel } from 'node:diagnostics_channel'
import type { FastifyRequest } from 'fastify'
import type { Redact } from '../auth/keys.ts'
import { HttpError, toError } from '../errors.ts'
import type { Logger } from '../logger.ts'

/** The channel with the error code of each request that is refused. */
export const refusals = channel('animal-store:refusal')

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

/** W3C Trace Context, section 3.2: a version other than ff, and ids that are not all zeros. Later versions may be longer. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?=$|-)/

/** Returns the place of a request in a distributed trace, if its header tells one. */
export function getTraceparent({ headers: { traceparent } }: Pick<FastifyRequest, 'headers'>): string | undefined {
  return traceparent === undefined ? undefined : TRACEPARENT.exec(String(traceparent))?.[0]
}

/** Maps the errors that Fastify and its plugins find in requests; undefined for all others. */
function fromFastify(error: NodeJS.ErrnoException & { readonly statusCode?: number }): HttpError | undefined {
  const { code, message, statusCode = 500 } = error
  if (code === 'FST_ERR_BAD_URL') return new HttpError(400, 'invalid_request', 'path has a malformed percent-encoding')
  // A plugin marks errors of the request by their status.
  return statusCode >= 400 && statusCode < 500 ? new HttpError(statusCode, 'invalid_request', message) : undefined
}
