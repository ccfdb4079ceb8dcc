/** Turns every error into an Error body, and logs the failures of the service. */
import { channel } from 'node:diagnostics_channel'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { discardBody, HttpError, type ResponseHeaders, toError } from 'fastify-openapi-first/shared'
import type { ErrorSchema as ErrorBody, ErrorCode } from '../../generated/server.d.ts'
import type { Redact } from '../auth/keys.ts'
import { unavailable } from '../errors.ts'

/** The channel with the error code of each request that is rejected. */
export const rejections = channel('animal-store:rejection')

/** The body of an error response. The contract tests check that the spec lists each code. */
export function toErrorBody({ statusCode, code, message }: HttpError): ErrorBody {
  return { code: code as ErrorCode, message, status: statusCode }
}

/** The time for which the cause of an outage is not logged again, in milliseconds. */
const OUTAGE_MS = 5000

/**
 * Creates the error handler, which sends the Error body, without secrets: messages quote requests. Failures of the service
 * itself are logged. Every error response has the headers of `getHeaders`.
 */
export function createErrorHandler(getHeaders: () => ResponseHeaders, redact: Redact) {
  /** When an outage was logged last, by the code of the error: one of the folder for uploads does not hide one of the store. */
  const loggedAt = new Map<string, number>()

  function logOutage({ cause, code, message }: HttpError, request: FastifyRequest): void {
    const now = performance.now()
    if (now - (loggedAt.get(code) ?? Number.NEGATIVE_INFINITY) < OUTAGE_MS) return
    loggedAt.set(code, now)
    request.log.error({ err: cause }, code === 'service_unavailable' ? 'the store is unavailable' : message)
  }

  function toHttpError(thrown: unknown, request: FastifyRequest): HttpError {
    const error = thrown instanceof HttpError ? thrown : convertFastifyError(toError(thrown))
    // An error with a cause is an outage, such as of the store. A 503 without a cause is a decision of the service itself.
    if (error?.cause !== undefined) logOutage(error, request)
    if (error !== undefined) return error
    request.log.error({ err: thrown }, 'request failed')
    return new HttpError(500, 'internal_error', 'the service failed to respond; the failure is logged')
  }

  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const error = toHttpError(thrown, request)
    rejections.publish(error.code)
    request.errorCode = error.code
    if (!request.raw.complete) discardBody(request.raw)
    reply
      .code(error.statusCode)
      .headers({ ...getHeaders(), ...error.headers })
      .send({ ...toErrorBody(error), message: redact(error.message) })
  }
}

/** A message quotes at most this many characters of a path. */
const MAX_PATH = 50

/** The 404 for a request that matches no route. */
export function notFound({ method, raw }: FastifyRequest): HttpError {
  // Without the query, which may contain a key by mistake.
  const path = String(raw.url).replace(/\?.*$/s, '')
  const shownPath = path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path
  // The same message for HEAD and GET: their responses have the same headers (RFC 9110, section 9.3.2).
  return new HttpError(404, 'not_found', `no route for ${method === 'HEAD' ? 'GET' : method} ${shownPath}`)
}

/** Converts an error of Fastify, a hook or a plugin by its status. Returns undefined for a failure of the service. */
function convertFastifyError(error: NodeJS.ErrnoException & { readonly statusCode?: number }): HttpError | undefined {
  const { code = '', message, statusCode = 500 } = error
  if (code === 'FST_ERR_BAD_URL') {
    return new HttpError(400, 'invalid_request', 'the request target must be a path whose percent-encodings are valid')
  }
  // From a plugin that protects from overload.
  if (statusCode === 503) return unavailable('the service is unavailable at the moment; try again shortly')
  if (statusCode < 400 || statusCode > 499) return undefined
  // A plugin may have codes like ours. Those of Fastify, such as FST_ERR_VALIDATION, are not for clients.
  return new HttpError(statusCode, /^[a-z]+(_[a-z]+)*$/.test(code) ? code : 'invalid_request', message)
}
