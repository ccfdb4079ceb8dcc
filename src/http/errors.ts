/**
 * Every error, wherever in the stack it arises, as an answer: its status, the word and the text for the body, and headers.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorAnswer, HttpError, unavailable } from '../errors.ts'
import { createRedactor, type Redact, redactKeys } from '../keys.ts'
import { MethodNotAllowedError, UnsupportedMediaTypeError } from '../openapi/errors.ts'
import { MEDIA_TYPE } from '../openapi/operations.ts'
import { JsonError } from '../openapi/request/json.ts'
import { InvalidRequestError } from '../openapi/request/violations.ts'
import { StoreUnavailableError } from '../stores/store.ts'
import { errorHeaders } from './headers.ts'
import { faultIn } from './message.ts'
import { logRefused } from './request-log.ts'

/**
 * Answers errors and unknown paths with the Error body. The keys are those that cannot be told by their looks (those of
 * the environment): names and paths out of the request are in messages, and a key may have been put there by mistake.
 */
export function addErrorHandlers(app: FastifyInstance, keys: readonly string[]): void {
  const redact = createRedactor(keys)
  const answerNotFound = (request: FastifyRequest, reply: FastifyReply) =>
    answerError(notFound(request), request, reply, redact)
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, redact))
  app.setNotFoundHandler(answerNotFound)
  // Before Fastify reads the body, in which there may be much to find fault with.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (request.is404) answerNotFound(request, reply)
    else done()
  })
}

/** Answers what Fastify's router refuses, before any hook runs: for `frameworkErrors`. */
export function answerRouterError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(errorHeaders(request.id))
  answerError(faultIn(request) ?? error, request, reply, redactKeys)
  logRefused(request, reply)
}

/** Answers an error with the Error body; failures of the service itself are logged, and nothing of them is told. */
function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, redact: Redact): void {
  const known = httpErrorOf(error, request)
  // A refusal is no failure, whatever its status.
  if (!(error instanceof HttpError) && (known === undefined || known.status >= 500)) {
    request.log.error({ err: error }, 'request failed')
  }
  const { status, code, message, headers } =
    known ?? new HttpError(500, 'internal_error', 'the service failed to answer; the failure has been logged')
  reply
    .code(status)
    .headers(headers)
    .send(errorAnswer(status, code, redact(message)).body)
}

/** What an error says to the client, if it is one that the client is to hear of. */
function httpErrorOf(error: unknown, request: FastifyRequest): HttpError | undefined {
  if (error instanceof HttpError) return error
  if (error instanceof InvalidRequestError) return new HttpError(400, 'invalid_request', error.message)
  if (error instanceof JsonError) return new HttpError(400, 'malformed_json', error.message)
  if (error instanceof MethodNotAllowedError) {
    return new HttpError(405, 'method_not_allowed', error.message, { Allow: error.allow })
  }
  if (error instanceof UnsupportedMediaTypeError) return new HttpError(415, 'unsupported_media_type', error.message)
  if (error instanceof StoreUnavailableError) {
    return unavailable('the catalogue cannot be reached for the moment; try again shortly')
  }
  return fromFastify(error, request)
}

/** The errors that Fastify finds in requests, by their codes. */
function fromFastify(error: unknown, request: FastifyRequest): HttpError | undefined {
  switch ((error as { code?: unknown }).code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new HttpError(415, 'unsupported_media_type', `send the body as Content-Type: ${MEDIA_TYPE}`)
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new HttpError(413, 'content_too_large', `the body is larger than ${request.routeOptions.bodyLimit} bytes`)
    case 'FST_ERR_BAD_URL':
      return new HttpError(400, 'invalid_request', 'path has a malformed percent-encoding')
    case 'ECONNRESET':
      return new HttpError(400, 'invalid_request', 'the body ended before it was complete')
    case 'FST_STATIC_FORBIDDEN_PATH':
      return notFound(request)
    default:
      return fromPlugin(error as Error & { readonly statusCode?: number })
  }
}

/** The errors of plugins say by a status that it is the request that is wrong, such as a range that a file does not have. */
function fromPlugin({ statusCode, message }: Error & { readonly statusCode?: number }): HttpError | undefined {
  const isOfRequest = statusCode !== undefined && statusCode >= 400 && statusCode < 500
  return isOfRequest ? new HttpError(statusCode, 'invalid_request', message) : undefined
}

function notFound(request: FastifyRequest): HttpError {
  return new HttpError(404, 'not_found', `there is nothing at ${shortPath(request)}`)
}

/** No more than a short piece of the path. */
function shortPath(request: FastifyRequest): string {
  const path = pathOf(request)
  return path.length > 60 ? `${path.slice(0, 60)}…` : path
}

/** The path without the query, where a key may have been put by mistake. */
function pathOf({ url }: FastifyRequest): string {
  return url.replace(/\?.*$/s, '')
}
