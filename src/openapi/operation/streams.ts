/** The streams of items that an app sends: each has a signal, which tells its handler when nobody waits for more. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished, Readable } from 'node:stream'

export type Streams = ReturnType<typeof createStreams>

/** The time that uploads have to end when the app stops, in milliseconds. */
const UPLOAD_MS = 5000

/** Creates the record of the streams of an app. */
export function createStreams() {
  const controllers = new Map<ServerResponse, AbortController>()
  const uploads = new Set<IncomingMessage>()
  let isStopped = false
  return {
    /** Adds a request whose body is streamed, until all of it has arrived or its client has left. */
    addUpload: (request: IncomingMessage): void => {
      // A client may have left while its credential was checked.
      if (request.closed) return
      uploads.add(request)
      request.once('close', () => uploads.delete(request))
    },
    /** Creates the signal for a response that may be a stream. It aborts when the response is closed, or the app stops. */
    createSignal: (response: ServerResponse): AbortSignal => {
      const controller = new AbortController()
      // The client may have left before, while a hook waited. Then there is no event any more.
      if (isStopped || response.closed) controller.abort()
      if (response.closed) return controller.signal
      controllers.set(response, controller)
      response.once('close', () => {
        controllers.delete(response)
        controller.abort()
      })
      return controller.signal
    },
    /**
     * Aborts all signals, and those to come, and disconnects the clients of uploads that do not end in `UPLOAD_MS`. `onClose` is called
     * whenever one of the responses is closed.
     */
    stop: (onClose: () => void): void => {
      isStopped = true
      for (const [response, controller] of controllers) {
        response.once('close', onClose)
        controller.abort()
      }
      const endUploads = () => {
        for (const request of uploads) request.destroy()
      }
      // Their connections keep the process alive.
      setTimeout(endUploads, UPLOAD_MS).unref()
    },
  }
}

/** Prepares a response for a stream, which may wait for its first item, or for the next one, as long as it likes. */
export function prepareStream(response: ServerResponse): void {
  // Fastify has set the headers when it pipes. Otherwise they are sent with the first item.
  response.once('pipe', () => response.flushHeaders())
  // Without a listener, Node closes a connection on which nothing is sent. A client that does not read still loses it.
  response.on('timeout', (socket) => {
    if (socket.writableLength > 0) cutOff(response)
  })
}

/**
 * Lets a client notice that a stream fails, also if the response has no chunks, as those to HTTP/1.0: there, the end of the connection
 * is that of a whole response (RFC 9112, section 8). Returns the payload to send.
 */
export function markFailure(response: ServerResponse, payload: unknown): unknown {
  if (response.useChunkedEncodingByDefault) return payload
  const stream = payload instanceof ReadableStream ? Readable.fromWeb(payload) : payload
  // Fastify, which listens after this, destroys the response. Before its headers are sent, it responds with an error.
  if (stream instanceof Readable) finished(stream, (error) => error && response.headersSent && cutOff(response))
  return stream
}

/** Closes the connection of a response so that its client notices that the response is not whole. */
function cutOff(response: ServerResponse): void {
  const { socket } = response
  // Only plain TCP can be reset: a Unix socket has no address, and TLS has an end of its own.
  const canReset = socket?.remoteAddress !== undefined && !('encrypted' in socket)
  if (canReset && !response.useChunkedEncodingByDefault) socket.resetAndDestroy()
  else response.destroy()
}
