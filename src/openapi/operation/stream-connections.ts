/** The connection of a response that is a stream: it may wait for the next item, and its client notices that the stream fails. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { finished, Readable } from 'node:stream'
import { isStream } from '../response/stream-bodies.ts'

/** Prepares a response for a stream, which may wait for its first item, or for the next one, as long as it likes. */
export function prepareStream(response: ServerResponse): void {
  // Fastify sets the headers, and then pipes the stream. Without this, Node sends the headers with the first item.
  response.once('pipe', () => response.flushHeaders())
  // Without a listener, Node destroys a connection on which nothing is sent for a time. The listener destroys it only if bytes wait
  // for a client that does not read. HTTP/2 passes no socket: Node leaves such a connection open.
  response.on('timeout', (socket?: Socket) => {
    if (socket !== undefined && socket.writableLength > 0) cutOff(response)
  })
}

/**
 * Watches a payload that is a stream, so that a client of HTTP/1.0, such as nginx by default, notices if it fails. Without chunks, the
 * client takes the end of the connection for the end of the body (RFC 9112, section 8). Returns the payload to send: a stream of the web
 * becomes a stream of Node.
 */
export function watchForFailure(response: ServerResponse, payload: unknown): unknown {
  if (!isStream(payload) || hasChunks(response)) return payload
  const stream = payload instanceof Readable ? payload : Readable.fromWeb(payload)
  // Fastify, which listens after this, destroys the response. Before its headers are sent, it responds with an error.
  finished(stream, (error) => {
    if (error && response.headersSent) cutOff(response)
  })
  return stream
}

/** Closes the connection of a response so that its client notices that the response is not whole. */
function cutOff(response: ServerResponse): void {
  const { socket } = response
  // Only plain TCP can be reset: a Unix socket has no address, and TLS has an end of its own.
  const canReset = socket?.remoteAddress !== undefined && !('encrypted' in socket)
  if (canReset && !hasChunks(response)) socket.resetAndDestroy()
  else response.destroy()
}

/** True from HTTP/1.1 on: a body without a length has chunks, or frames, of which the last one is marked. */
function hasChunks({ req }: ServerResponse): boolean {
  return Number(req.httpVersion) > 1
}
