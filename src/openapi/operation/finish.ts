/** Finishes a response once its body is serialized: the ETag, 304, and the headers of its status. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../document/operations.ts'
import { findResponse } from '../document/responses.ts'
import { endStream } from '../response/content.ts'
import type { HandlerHeaders } from '../response/headers.ts'
import { matchesETag } from '../shared/http.ts'
import { validateHeaderValue } from '../shared/node-http.ts'
import { computeETag } from './etag.ts'
import type { Result } from './exchange.ts'
import type { CompiledResponse, CompiledResponses } from './responses.ts'
import { markFailure } from './streams.ts'

/**
 * Creates the function that takes the payload that Fastify is about to send, and returns the payload to send in its place: null for a
 * 304. `result` is what the handler returned; undefined for other responses. It throws if the handler returned a header that cannot be
 * sent.
 */
export function createFinish(
  { isConditional }: Operation,
  { declared, undeclared }: CompiledResponses,
  responseTypes: readonly string[],
) {
  return ({ headers, raw }: FastifyRequest, reply: FastifyReply, result: Result | undefined, payload: unknown) => {
    let finalPayload = payload
    const isWhole = typeof payload === 'string' || payload instanceof Uint8Array
    if (isConditional && reply.statusCode === 200 && isWhole) {
      // A hook that sends a response again has its ETag.
      const earlierETag = reply.getHeader('etag')?.toString()
      const type = responseTypes.length > 0 ? reply.getHeader('content-type') : ''
      const etag = earlierETag ?? (result && computeETag(payload, result.headers.link, type))
      if (etag !== undefined && earlierETag === undefined) reply.header('etag', etag)
      if (etag !== undefined && matchesETag(headers['if-none-match'], etag)) {
        reply.code(304).removeHeader('content-type')
        finalPayload = null
      }
    }
    // A response to HEAD has no body (RFC 9110, section 9.3.2), so a stream need not run.
    if (raw.method === 'HEAD' && endStream(finalPayload)) finalPayload = null
    setHeaders(reply, findResponse(declared, reply.statusCode) ?? undeclared, result?.headers)
    return markFailure(reply.raw, finalPayload)
  }
}

/**
 * Sets the headers that the spec fixes for a response, and of the headers that the handler returned those that the spec
 * declares. Throws if a value has characters that HTTP does not allow.
 */
function setHeaders(
  reply: FastifyReply,
  { constantHeaders, deprecationLink, handlerHeaders: handlerNames }: CompiledResponse,
  handlerHeaders: HandlerHeaders = {},
): void {
  const earlierVary = reply.getHeader('vary')
  reply.headers(constantHeaders)
  let link = deprecationLink
  for (const name of Object.keys(handlerHeaders)) {
    const value = handlerHeaders[name]
    if (value === undefined || !handlerNames.has(name)) continue
    const text = String(value)
    validateHeaderValue(name, text)
    if (name !== 'link') reply.header(name, text)
    else link = link === undefined ? text : `${text}, ${link}`
  }
  const vary = reply.getHeader('vary')
  // `accept` or a hook has set one (RFC 9110, section 12.5.5).
  if (earlierVary !== vary) reply.header('vary', [earlierVary ?? [], vary ?? []].flat().join(', '))
  if (link === undefined) return
  // A hook may have set links: all of them are one list (RFC 8288, section 3).
  const hookLinks = reply.getHeader('link') ?? []
  reply.header('link', [hookLinks, link].flat().join(', '))
}
