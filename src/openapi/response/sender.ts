/** Sends what handlers return: the status, the headers, the body in its media type, the ETag, and 304. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findResponse, getKind, STATUSES_WITHOUT_BODY } from '../document/operations.ts'
import type { Plan, ResponsePlan } from '../plan.ts'
import type { Input } from '../request/input.ts'
import type { OperationState } from '../request/state.ts'
import { computeETag, matchesETag, type Result } from './cache.ts'
import { checkBody, findContent } from './content.ts'
import type { HandlerHeaders } from './headers.ts'

// An import of `node:http` would load WebSocket and fetch as well: a tenth of a start.
const { validateHeaderValue } = process.getBuiltinModule('node:http')

type Done = (error?: Error | null, payload?: unknown) => void

/** Makes the part of an operation's route that responds: `respond` for its handler, and two hooks. */
export function createSender({ operation, types, responses, undeclaredResponse, hasETag, cache }: Plan) {
  /** Sets the status and the serializer, and returns the body for Fastify to send. */
  function respond(reply: FastifyReply, state: OperationState, status: number, result: Result): unknown {
    const declared = findResponse(responses, status)
    if (declared === undefined) throw new Error(`${operation.id} returned the status ${status}, which is not declared`)
    state.result = result
    reply.code(status)
    const { body, contentType = '', headers } = result
    const hasBody = !STATUSES_WITHOUT_BODY.includes(status)
    const content = hasBody ? findContent(declared.content, result.contentType) : undefined
    if (content === undefined) {
      declared.checkResponse?.(undefined, headers)
      return undefined
    }
    const { checkResponse, serialize, formatContentType, type } = content
    reply.type(contentType === '' ? content.contentType : formatContentType(contentType))
    if (serialize === undefined || (type.includes('*') && getKind(contentType) !== 'json')) {
      checkResponse?.(typeof body === 'string' ? body : undefined, headers)
      return checkBody(body)
    }
    // Throws. Fastify would not call the serializer for undefined, and would send no body.
    if (body === undefined) serialize(undefined)
    reply.serializer((body) => {
      const isUnchanged = body === result.body
      // The text of a cached response.
      if (isUnchanged && result.text !== undefined) return result.text
      const text = serialize(body)
      checkResponse?.(text, headers)
      if (isUnchanged) result.text = text
      return text
    })
    return result.body
  }

  /** Discards what `respond` has set: the error handler of the app makes the body of every error. */
  function onError({ operationState }: FastifyRequest, reply: FastifyReply, _error: Error, done: () => void): void {
    if (operationState !== undefined) operationState.result = undefined
    reply.removeHeader('content-type').serializer(null as never)
    done()
  }

  /** Adds the declared headers and the ETag, caches the response, and makes a 304 of one that the client has already. */
  function onSend(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void {
    const { headers, operationState: state, raw } = request
    const result = state?.result
    let body = payload
    if (result && hasETag && reply.statusCode === 200 && typeof payload === 'string') {
      // False if a hook has replaced the text.
      const isUnchanged = payload === result.text
      const etag =
        (isUnchanged ? result.etag : undefined) ??
        computeETag(payload, result.headers.Link, types.length > 0 ? reply.getHeader('content-type') : '')
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
    const { statusCode } = reply
    const declared = findResponse(responses, statusCode) ?? undeclaredResponse
    // The client has the headers of the handler already (RFC 9110, section 15.4.5).
    setHeaders(reply, declared, statusCode === 304 ? undefined : result?.headers)
    done(null, body)
  }

  return { respond, onError, onSend }
}

/** Sets the constant headers of a response, and those declared ones that the handler has returned. Throws if HTTP does not allow one. */
function setHeaders(reply: FastifyReply, declared: ResponsePlan, handlerHeaders: HandlerHeaders = {}): void {
  reply.headers(declared.headers)
  let link = declared.deprecationLink
  for (const name of Object.keys(handlerHeaders)) {
    const value = handlerHeaders[name]
    if (value === undefined || !Object.hasOwn(declared.declaredHeaders, name)) continue
    const text = String(value)
    validateHeaderValue(name, text)
    if (name.toLowerCase() !== 'link') reply.header(name, text)
    else link = link === undefined ? text : `${text}, ${link}`
  }
  if (link === undefined) return
  // A hook may have set links, too: they are a list (RFC 8288, section 3).
  const others = reply.getHeader('link') ?? []
  reply.header('link', [others, link].flat().join(', '))
}
