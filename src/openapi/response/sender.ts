/** Sends what handlers return: the status, the headers, the body in its media type, the ETag, and 304. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findResponse, getKind, MEDIA_TYPE, STATUSES_WITHOUT_BODY } from '../document/operations.ts'
import type { HandlerResponse, OperationState, Plan, Replay, ResponsePlan } from '../plan.ts'
import type { Input } from '../request/input.ts'
import { computeETag, matchesETag, type Result } from './cache.ts'
import { checkBody, createJsonError, endStream, findContent, formatContentType } from './content.ts'
import { type HandlerHeaders, OF_NOT_MODIFIED } from './headers.ts'

// An import would read all exports of `node:http`, and so load WebSocket and fetch: a tenth of the time of a start.
const { validateHeaderValue } = process.getBuiltinModule('node:http')

type Done = (error?: Error | null, payload?: unknown) => void

/** A response in which nothing depends on the spec any more. */
interface Written {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The value of Content-Type, and the body; undefined if the response has no body. */
  readonly contentType?: string | undefined
  readonly text?: string | undefined
}

/** Makes the part of an operation's route that responds: three functions for its handler, and two hooks. */
export function createSender({ operation, negotiableTypes, responses, undeclaredResponse, cache }: Plan) {
  function getDeclared(status: number): ResponsePlan {
    const declared = findResponse(responses, status)
    if (declared === undefined) throw new Error(`${operation.id} returned the status ${status}, which is not declared`)
    return declared
  }

  /**
   * Keeps the result of a handler for `onSend`, and sets the status, the Content-Type and, for JSON, the serializer. Returns the
   * body for Fastify to send. Throws if the spec does not allow the result.
   */
  function respond(reply: FastifyReply, state: OperationState, status: number, result: Result): unknown {
    state.result = result
    const declared = getDeclared(status)
    reply.code(status)
    const { body, contentType, headers } = result
    for (const { name, value } of declared.fixedHeaders) {
      const handlerValue = headers[name]
      if (handlerValue === undefined || String(handlerValue) === value) continue
      throw new Error(`invalid response: the header ${name} is always ${value}, and the handler returned another value`)
    }
    const hasBody = !STATUSES_WITHOUT_BODY.includes(status)
    const content = hasBody ? findContent(declared.content, contentType) : undefined
    // What a handler returns as the body of such a response is not sent.
    if (content === undefined) {
      endStream(body)
      declared.check?.(undefined, undefined, headers)
      return undefined
    }
    const { serialize, type } = content
    reply.type(contentType === undefined ? content.contentType : formatContentType(contentType))
    // In a range, such as `*/*`, the type that the handler names decides.
    const isJson = !type.includes('*') || getKind(String(contentType)) === 'json'
    if (serialize === undefined || !isJson) {
      declared.check?.(undefined, undefined, headers)
      return checkBody(body)
    }
    // `serialize` rejects undefined. Fastify would not call it, and would send no body.
    if (body === undefined) serialize(undefined)
    // Fastify would take it for an error that the handler throws.
    if (body instanceof Error) throw createJsonError(body, contentType, declared.content)
    state.isUnserialized = true
    reply.serializer((toSend) => {
      state.isUnserialized = false
      // A `preSerialization` hook may have replaced the body.
      const isUnchanged = toSend === body
      // The text of a cached response.
      if (isUnchanged && result.text !== undefined) return result.text
      const text = serialize(toSend)
      declared.check?.(type, text, headers)
      if (isUnchanged) result.text = text
      return text
    })
    return body
  }

  /** Writes a response with a JSON body, or none, as a text that can be stored. Its values are not validated. */
  function write({ status, headers = {}, body, contentType }: HandlerResponse): string {
    const { content: contents } = getDeclared(status)
    const content = STATUSES_WITHOUT_BODY.includes(status) ? undefined : findContent(contents, contentType)
    const type = contentType ?? content?.type ?? MEDIA_TYPE
    if (getKind(type) !== 'json') throw new Error(`${operation.id} writes a body of ${type}; only JSON can be written`)
    const text = content?.serialize?.(body)
    const sent = Object.entries(headers).filter(([, value]) => value !== undefined)
    return JSON.stringify({
      status,
      headers: Object.fromEntries(sent.map(([name, value]) => [name, String(value)])),
      ...(content !== undefined && { contentType: formatContentType(type), text }),
    } satisfies Written)
  }

  /** Sends a response that was written. The spec may have changed since, so only its current headers are looked up. */
  function replay(reply: FastifyReply, state: OperationState, { written, headers }: Replay): unknown {
    const { status, contentType, text, headers: writtenHeaders }: Written = JSON.parse(written)
    state.result = { body: text, headers: { ...writtenHeaders, ...headers } }
    reply.code(status)
    if (contentType !== undefined) reply.type(contentType)
    return text
  }

  /** Discards the result with its status, the Content-Type and the serializer; the error handler of the app makes the body. */
  function onError({ operationState }: FastifyRequest, reply: FastifyReply, _error: Error, done: () => void): void {
    // A request that fails before authentication has no state.
    if (operationState?.result !== undefined) {
      endStream(operationState.result.body)
      operationState.result = undefined
      operationState.isUnserialized = false
      // Fastify takes the status of the error in place of 200 alone.
      reply.code(200)
    }
    reply.removeHeader('content-type').serializer(null as never)
    done()
  }

  /** Adds the declared headers and the ETag, caches the response, and makes a 304 of one that the client has already. */
  function onSend(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void {
    const { headers, operationState: state, raw } = request
    const result = state?.result
    if (result && state.isUnserialized) {
      endStream(payload)
      const content = findResponse(responses, reply.statusCode)?.content ?? []
      done(createJsonError(payload, result.contentType, content))
      return
    }
    let body = payload
    const isWhole = typeof payload === 'string' || payload instanceof Uint8Array
    if (result && operation.isConditional && reply.statusCode === 200 && isWhole) {
      // False if a hook has replaced the text.
      const isUnchanged = payload === result.text
      const etag =
        (isUnchanged ? result.etag : undefined) ??
        computeETag(payload, result.headers.Link, negotiableTypes.length > 0 ? reply.getHeader('content-type') : '')
      if (isUnchanged && state?.cached === undefined) {
        result.etag = etag
        cache?.add(String(raw.url), { input: request.input as Input, result }, state?.revision)
      }
      reply.header('etag', etag)
      if (matchesETag(headers['if-none-match'], etag)) {
        reply.code(304).removeHeader('content-type')
        body = null
      }
    }
    // A response to HEAD has no body (RFC 9110, section 9.3.2), so a stream need not run.
    if (raw.method === 'HEAD' && endStream(body)) body = null
    const { statusCode } = reply
    const isNotModified = operation.isConditional && statusCode === 304
    setHeaders(reply, findResponse(responses, statusCode) ?? undeclaredResponse, isNotModified, result?.headers)
    done(null, body)
  }

  return { respond, write, replay, onError, onSend }
}

/**
 * Sets the headers that the spec fixes for a response, and of the headers that the handler has returned those that the spec
 * declares. Throws if a value has characters that HTTP does not allow.
 */
function setHeaders(
  reply: FastifyReply,
  plan: ResponsePlan,
  isNotModified: boolean,
  handlerHeaders: HandlerHeaders = {},
): void {
  const vary = reply.getHeader('vary')
  reply.headers(plan.constantHeaders)
  let link = plan.deprecationLink
  for (const name of Object.keys(handlerHeaders)) {
    const value = handlerHeaders[name]
    if (value === undefined || !plan.handlerHeaders.has(name)) continue
    if (isNotModified && !OF_NOT_MODIFIED.test(name)) continue
    const text = String(value)
    validateHeaderValue(name, text)
    if (name.toLowerCase() !== 'link') reply.header(name, text)
    else link = link === undefined ? text : `${text}, ${link}`
  }
  const ownVary = reply.getHeader('vary')
  // `authorize` or a hook has set one (RFC 9110, section 12.5.5).
  if (vary !== ownVary) reply.header('vary', [vary ?? [], ownVary ?? []].flat().join(', '))
  if (link === undefined) return
  // A hook may have set links, too: they are a list (RFC 8288, section 3).
  const others = reply.getHeader('link') ?? []
  reply.header('link', [others, link].flat().join(', '))
}
