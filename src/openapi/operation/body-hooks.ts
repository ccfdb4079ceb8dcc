/** How the body of a request arrives: for the parser of the layer, or for a parser of the app. */
import { AsyncResource } from 'node:async_hooks'
import type { HookHandlerDoneFunction as Done, FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import type { ReceiveDone } from '../request/receive.ts'
import { getExchange } from './exchange.ts'

/** A content type parser of Fastify: passes on the parsed body, or undefined without a body. Fails with a 400 or 413. */
export function receiveBody(request: FastifyRequest, payload: RequestPayload, done: ReceiveDone): void {
  const { body, upload } = getExchange(request).accepted ?? {}
  if (body === undefined) done(null)
  else body.parser.receive(payload, body.contentType, done, upload?.onEnd)
}

/** A hook: receives the body of a GET. Fastify reads none, and to change that would change all routes of the app. */
export function receiveBodyOfGet(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: RequestPayload,
  done: Done,
): void {
  receiveInHook(request, reply, payload, (error, parsedBody) => {
    request.body = parsedBody
    done(error ?? undefined)
  })
}

/** A hook: receives a body for a content type parser of the app, with the limits of the layer. The parser gets a stream of it. */
export function receiveBodyForApp(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: RequestPayload,
  done: (error: Error | null, payload?: RequestPayload) => void,
): void {
  if (getExchange(request).accepted?.body?.parser.isParsedByApp) {
    receiveInHook(request, reply, payload, (error, stream) => done(error, stream as RequestPayload))
  } else {
    done(null, payload)
  }
}

/** Receives a body in a hook, with what Fastify does around its parsers: it keeps the context, and closes the connection. */
function receiveInHook(request: FastifyRequest, reply: FastifyReply, payload: RequestPayload, done: ReceiveDone): void {
  // The events of the stream run in the context of the connection, in which an AsyncLocalStorage of a hook has no store.
  const finish = AsyncResource.bind(done)
  receiveBody(request, payload, (error, parsedBody) => {
    // The client may still be sending.
    if (error !== null) reply.header('connection', 'close')
    finish(error, parsedBody)
  })
}
