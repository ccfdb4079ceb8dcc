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
 * An upload ends when two promises are settled. The first event settles each:
 * - `handled`: the handler has run, or it is certain that nothing waits for it.
 * - `responded`: a whole response is to be sent, or the response closes. A response that is sent while the handler runs does not end
 *   the upload.
 *
 * | event                                                              | `handled`        | `responded` |
 * |--------------------------------------------------------------------|------------------|-------------|
 * | `waitFor`: the handler is called                                   | when it has run  |             |
 * | `skipHandler`: the request fails                                   | at once          |             |
 * | `respond`: a text, bytes or no body is to be sent                  | at once          | at once     |
 * | `respond`: a stream is to be sent                                  | at once          |             |
 * | the response closes: it is sent, or the client has disconnected    |                  | at once     |
 * | the response closes after a hook has hijacked it                   | at once          | at once     |
 */
export interface Upload {
  /** Registers a function to call when the upload has ended. */
  readonly onEnd: OnEnd
  /** Lets the upload wait for the handler. */
  waitFor(handled: Promise<unknown>): void
  /** Settles `handled`, unless the handler is called already. */
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
  const onClose = () => {
    responded.resolve()
    // After `reply.hijack`, Fastify does not call the handler. After any other response, `handled` is settled already.
    if (reply.sent) skipHandler()
  }
  // The hook `onResponse` is not called if the client disconnects. If it has disconnected already, no event follows.
  if (response.closed) onClose()
  else response.once('close', onClose)
  streams.addUpload(request.raw)
  return {
    onEnd: (end) => void ended.then(end),
    waitFor: handled.resolve,
    skipHandler,
    respond(payload, send) {
      // A hook may respond before the handler is called.
      skipHandler()
      if (!isWhole(payload)) {
        send()
        // Wait for one iteration: a response stream that reads the request body has locked it by then.
        setImmediate(discardUnread, request.body)
        return
      }
      responded.resolve()
      // Wait for the body if the connection closes after the response. Otherwise, the system discards what the client has not received.
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
