/** Finishes a response once its body is serialized: the ETag, 304, and the headers of its status. */
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../document/operations.ts'
import { findResponse } from '../document/responses.ts'
import { addToList, type HandlerHeaders } from '../response/headers.ts'
import { endStream } from '../response/stream-bodies.ts'
import { matchesETag } from '../shared/http.ts'
import type { Result } from './exchange.ts'
import { type HeadersPlan, LIST_HEADERS, type ResponsePlans } from './response-plans.ts'
import { watchForFailure } from './stream-connections.ts'

/**
 * Creates the function that takes the payload that Fastify is about to send, and returns the payload to send in its place: null for a
 * 304. `result` is what the handler returned; undefined for other responses.
 */
export function createFinish(
  { isConditional }: Operation,
  { declared, undeclared }: ResponsePlans,
  responseTypes: readonly string[],
) {
  const variesByType = responseTypes.length > 0
  return (request: FastifyRequest, reply: FastifyReply, result: Result | undefined, payload: unknown): unknown => {
    const etag = isConditional && reply.statusCode === 200 ? getETag(reply, result, payload, variesByType) : undefined
    const isNotModified = etag !== undefined && matchesETag(request.headers['if-none-match'], etag)
    if (isNotModified) reply.code(304).removeHeader('content-type')
    const plan = findResponse(declared, reply.statusCode) ?? findResponse(undeclared, reply.statusCode)
    if (plan !== undefined) setHeaders(reply, plan, result?.headers ?? {})
    if (etag !== undefined) reply.header('etag', etag)
    if (isNotModified) return null
    // A response to HEAD has no body (RFC 9110, section 9.3.2), so a stream need not run.
    if (request.raw.method === 'HEAD' && endStream(payload)) return null
    return watchForFailure(reply.raw, payload)
  }
}

/**
 * Returns the ETag that a hook has set, such as that of a stored response, or else the ETag of the handler's response; undefined for a
 * stream, and for a response that is not the handler's.
 */
function getETag(
  reply: FastifyReply,
  result: Result | undefined,
  payload: unknown,
  variesByType: boolean,
): string | undefined {
  if (typeof payload !== 'string' && !(payload instanceof Uint8Array)) return undefined
  const earlierETag = reply.getHeader('etag')?.toString()
  if (earlierETag !== undefined || result === undefined) return earlierETag
  return computeETag(payload, result.headers.link, variesByType ? reply.getHeader('content-type') : '')
}

/**
 * Returns a strong validator: equal bodies with equal links and types have the same ETag, in practice only those (RFC 9110,
 * section 8.8.3). `type` is the media type if there are several.
 */
function computeETag(body: string | Uint8Array, link: unknown = '', type: unknown = ''): string {
  const head = `${link}\n${type}\n`
  const data = typeof body === 'string' ? head + body : Buffer.concat([Buffer.from(head), body])
  return `"${hash('sha1', data, 'base64url')}"`
}

/** Sets the declared headers of the handler, whose values `write.ts` has checked, and then the headers that the layer sends. */
function setHeaders(reply: FastifyReply, plan: HeadersPlan, handlerHeaders: HandlerHeaders): void {
  for (const name of Object.keys(handlerHeaders)) {
    const value = handlerHeaders[name]
    if (value === undefined || !plan.declaredNames.has(name)) continue
    if (LIST_HEADERS.includes(name)) addToList(reply, name, String(value))
    else reply.header(name, String(value))
  }
  for (const [name, value] of plan.sentHeaders) {
    if (LIST_HEADERS.includes(name)) addToList(reply, name, value)
    else reply.header(name, value)
  }
}
