/**
 * An upload: a body with `x-stream`, whose bytes a handler reads while they arrive, or a form whose files are on disk. It ends when it
 * is handled and responded to. A handler goes on if its client disconnects.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OnEnd } from '../request/body-parser.ts'
import { isWhole } from '../response/stream-bodies.ts'
import { whenBodyEnds } from '../shared/http.ts'
import type { Streams } from './streams.ts'

/**
 * The first event that handles an upload counts, so a response that is sent while the handler runs ends nothing:
 *
 * | event                                                 | handled           | responded                |
 * |-------------------------------------------------------|-------------------|--------------------------|
 * | the handler is called: `waitFor`                      | when it settles   |                          |
 * | the request fails: `skipHandler`                      | at once           |                          |
 * | a text, bytes or no body is to be sent: `respond`     | at once           | at once                  |
 * | a stream is to be sent: `respond`                     | at once           | when the response closes |
 * | the response closes, and a hook has hijacked it       | at once           | at once                  |
 * | the response closes otherwise: the client may leave   |                   | at once                  |
 */
export interface Upload {
  /** Registers a function to call when the upload has ended. */
  readonly onEnd: OnEnd
  /** Lets the upload wait for the handler. */
  waitFor(handled: Promise<unknown>): void
  /** Lets the upload end without the handler, unless it is called already. */
  skipHandler(): void
  /** Calls `send` when the response with this payload can be sent. */
  respond(payload: unknown, send: () => void): void
}

/** Begins the upload of a request whose headers are accepted. */
export function beginUpload(request: FastifyRequest, reply: FastifyReply, streams: Streams): Upload {
  const { raw: response } = reply
  const handled = Promise.withResolvers<unknown>()
  const responded = Promise.withResolvers<void>()
  const ended = Promise.allSettled([handled.promise, responded.promise])
  const skipHandler = () => handled.resolve(undefined)
  const close = () => {
    responded.resolve()
    // Fastify does not call the handler after `reply.hijack`, and has no hook for it.
    if (reply.sent) skipHandler()
  }
  // Not `onResponse`, which Fastify does not call if the client disconnects. If it has done so before, there is no event any more.
  if (response.closed) close()
  else response.once('close', close)
  streams.addUpload(request.raw)
  return {
    onEnd: (end) => void ended.then(end),
    waitFor: handled.resolve,
    skipHandler,
    respond(payload, send) {
      // A hook may have made the response before the handler was called.
      skipHandler()
      if (!isWhole(payload)) {
        send()
        // By then, a stream that reads the body has begun, and has locked it.
        setImmediate(discardUnread, request.body)
        return
      }
      responded.resolve()
      // Without the wait, Node closes the connection, and the system discards what the client has not received of the response.
      if (request.raw.complete || response.shouldKeepAlive) send()
      else whenBodyEnds(request.raw, send)
    },
  }
}

/** Discards a body that nobody reads: many clients read the response only after they have sent all of the body. */
function discardUnread(body: unknown): void {
  // The reader keeps the lock, so that a later read is an error, and not the end of the body.
  if (!(body instanceof ReadableStream) || body.locked) return
  const reader = body.getReader()
  reader.cancel().catch(() => {})
}
