/** The rejections of requests that never reach Fastify: the log line, the Error body, and the end of the connection. */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { HttpError, ResponseHeaders } from 'fastify-openapi-first/shared'
import type { Logger } from '../logger.ts'
import { rejections, toErrorBody } from './errors.ts'
import { STATUS_CODES } from './node-http.ts'

/** The time that a client has to read a response before its connection is closed, in milliseconds (RFC 9112, section 9.6). */
const LINGER_MS = 1000

/** Creates the functions that reject requests. `getErrorHeaders` returns the headers of every error response. */
export function createConnectionRejections(logger: Logger, getErrorHeaders: () => ResponseHeaders) {
  /** Rejects what Node's parser has rejected with this code, and ends the connection. */
  function reject(socket: Socket, error: HttpError, code: string | undefined): void {
    // Nothing follows a response that closes the connection (RFC 9112, section 9.6).
    if (socket.writable) {
      const id = noteRejection(socket, error, 'connection refused', code)
      socket.write(formatRejection(error, { ...getErrorHeaders(), 'X-Request-Id': id }))
    }
    endConnection(socket)
  }

  /** Counts and logs a rejection, and returns its request id. */
  function noteRejection({ remoteAddress }: Socket, error: HttpError, message: string, code?: string): string {
    const id = randomUUID()
    rejections.publish(error.code)
    logger.info({ reqId: id, remoteAddress, code, status: error.statusCode }, message)
    return id
  }

  return { reject, noteRejection }
}

/** Formats the last response of a connection: an error with these headers and those of its body. */
function formatRejection(error: HttpError, headers: ResponseHeaders): string {
  const { statusCode } = error
  const body = JSON.stringify(toErrorBody(error))
  const allHeaders = {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Date: new Date().toUTCString(),
    Connection: 'close',
  }
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${lines.join('')}\r\n${body}`
}

/** Ends a connection; closes it if the client does not. */
export function endConnection(socket: Duplex): void {
  if (socket.writable) socket.end()
  // Discards data that still arrives. Unread data makes the system discard the response.
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}
