/**
 * An upload: a body with `x-stream`, whose bytes a handler reads while they arrive, or a form whose files are on disk. It lasts until
 * its response is closed and its handler has returned: a handler goes on if its client disconnects.
 */
import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OnEnd } from '../request/body-parser.ts'
import { whenBodyEnds } from '../shared/http.ts'
import type { Streams } from './streams.ts'

export interface Upload {
  /** Takes a function to call when the upload has ended. */
  readonly onEnd: OnEnd
  /**
   * Lets the upload wait for the handler; without a promise, the handler is not called any more. Only the first call counts, so a
   * response that is sent while the handler runs ends nothing.
   */
  waitFor(handled?: Promise<unknown>): void
  /** Calls `send` when the response with this payload can be sent. */
  respond(payload: unknown, send: () => void): void
}

/** Begins the upload of a request whose headers are accepted. */
export function beginUpload(request: FastifyRequest, reply: FastifyReply, streams: Streams): Upload {
  const { raw: response } = reply
  const closed = Promise.withResolvers<void>()
  const handled = Promise.withResolvers<unknown>()
  const ended = Promise.allSettled([closed.promise, handled.promise])
  const close = () => {
    closed.resolve()
    // Fastify does not call the handler after `reply.hijack`, and has no hook for it.
    if (reply.sent) handled.resolve(undefined)
  }
  // Not `onResponse`, which Fastify does not call if the client disconnects. If it has done so before, there is no event any more.
  if (response.closed) close()
  else response.once('close', close)
  streams.addUpload(request.raw)
  return {
    onEnd: (end) => void ended.then(end),
    waitFor: handled.resolve,
    respond(payload, send) {
      handled.resolve(undefined)
      // A stream may read the body, and takes its time anyway.
      const isStream = payload != null && typeof payload !== 'string' && !(payload instanceof Uint8Array)
      if (isStream) send()
      else sendComplete(request, response, send)
    },
  }
}

/** Discards the unread body, and sends a response that is no stream. Many clients read a response only after they have sent the body. */
function sendComplete({ body, raw }: FastifyRequest, response: ServerResponse, send: () => void): void {
  // Rejects for a stream that has failed, of which nothing is left.
  if (body instanceof ReadableStream && !body.locked) body.cancel().catch(() => {})
  // Otherwise Node closes the connection, and the system discards a response that arrives while the client still sends.
  if (raw.complete || response.shouldKeepAlive) send()
  else whenBodyEnds(raw, send)
}
