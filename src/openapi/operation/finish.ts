/** Finishes a response once its body is serialized: the ETag, 304, and the headers of its status. */
import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../document/operations.ts'
import { findResponse } from '../document/responses.ts'
import type { HandlerHeaders } from '../response/headers.ts'
import { endStream } from '../response/items.ts'
import { matchesETag } from '../shared/http.ts'
import type { Result } from './exchange.ts'
import { LIST_HEADERS, type ResponsePlan, type ResponsePlans } from './responses.ts'
import { markFailure } from './streams.ts'

/**
 * Creates the function that takes the payload that Fastify is about to send, and returns the payload to send in its place: null for a
 * 304. `result` is what the handler returned; undefined for other responses.
 */
export function createFinish(
  { isConditional }: Operation,
  { declared, undeclared }: ResponsePlans,
  responseTypes: readonly string[],
) {
  return (request: FastifyRequest, reply: FastifyReply, result: Result | undefined, payload: unknown): unknown => {
    let finalPayload = payload
    const isWhole = typeof payload === 'string' || payload instanceof Uint8Array
    if (isConditional && reply.statusCode === 200 && isWhole) {
      // A hook that sends a response again has its ETag.
      const earlierETag = reply.getHeader('etag')?.toString()
      const type = responseTypes.length > 0 ? reply.getHeader('content-type') : ''
      const etag = earlierETag ?? (result && computeETag(payload, result.headers.link, type))
      if (etag !== undefined && earlierETag === undefined) reply.header('etag', etag)
      if (etag !== undefined && matchesETag(request.headers['if-none-match'], etag)) {
        reply.code(304).removeHeader('content-type')
        finalPayload = null
      }
    }
    // A response to HEAD has no body (RFC 9110, section 9.3.2), so a stream need not run.
    if (request.raw.method === 'HEAD' && endStream(finalPayload)) finalPayload = null
    const plan = findResponse(declared, reply.statusCode) ?? findResponse(undeclared, reply.statusCode)
    if (plan !== undefined) setHeaders(reply, plan, result?.headers ?? {})
    return markFailure(reply.raw, finalPayload)
  }
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

/** Sets the headers that the layer sends, and the declared ones of the handler, whose values `createWriter` has checked. */
function setHeaders(reply: FastifyReply, plan: ResponsePlan, handlerHeaders: HandlerHeaders): void {
  for (const name of Object.keys(handlerHeaders)) {
    const value = handlerHeaders[name]
    const declared = plan.declaredHeaders.get(name)
    if (value === undefined || declared === undefined || declared.constant !== undefined) continue
    const text = String(value)
    if (LIST_HEADERS.includes(name)) addToList(reply, name, text)
    else reply.header(name, text)
  }
  reply.headers(plan.constants)
  for (const [name, value] of plan.listItems) addToList(reply, name, value)
}

/** Adds items to a header that is a list, unless a hook has set them, which may send a response again. */
function addToList(reply: FastifyReply, name: string, value: string): void {
  const items = [reply.getHeader(name) ?? []].flat().join(', ')
  if (items === '') reply.header(name, value)
  else if (!`, ${items}, `.includes(`, ${value}, `)) reply.header(name, `${items}, ${value}`)
}
