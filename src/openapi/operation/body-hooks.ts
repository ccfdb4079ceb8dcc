/** How the body of a request arrives: for the parser of the layer, or for a parser of the app. */
import { AsyncResource } from 'node:async_hooks'
import type { HookHandlerDoneFunction as Done, FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import { getExchange } from './exchange.ts'

/** A content type parser of Fastify: passes on the parsed body, or undefined without a body. Fails with a 400 or 413. */
export function receiveBody(
  request: FastifyRequest,
  payload: RequestPayload,
  done: (error: Error | null, parsedBody?: unknown) => void,
): void {
  const { body, upload } = getExchange(request).accepted ?? {}
  if (body === undefined) done(null)
  else body.parser.receive(payload, body.contentType, done, upload?.onEnd)
}

/** A hook: receives the body of a GET. Fastify reads none, and to change that would change all routes of the app. */
export function receiveBodyOfGet(request: FastifyRequest, _reply: unknown, payload: RequestPayload, done: Done): void {
  // The events of the stream run in the context of the connection, in which an AsyncLocalStorage of a hook has no store.
  const finish = AsyncResource.bind(done)
  receiveBody(request, payload, (error, parsedBody) => {
    request.body = parsedBody
    finish(error ?? undefined)
  })
}

/** A hook: receives a body for a content type parser of the app, with the limits of the layer. The parser gets a stream of it. */
export function receiveBodyForParser(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: RequestPayload,
  done: (error: Error | null, payload?: RequestPayload) => void,
): void {
  const body = getExchange(request).accepted?.body
  if (!body?.parser.isParsedByApp) {
    done(null, payload)
    return
  }
  // The parser runs in the context of the request, and not of the connection.
  const finish = AsyncResource.bind(done)
  body.parser.receive(payload, body.contentType, (error, stream) => {
    // The client may go on sending. Fastify does the same after an error of a parser.
    if (error !== null) reply.header('connection', 'close')
    finish(error, stream as RequestPayload | undefined)
  })
}
