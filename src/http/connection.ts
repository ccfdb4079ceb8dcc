/**
 * Errors below HTTP semantics, to which Node responds by itself: requests that cannot be parsed, arrive too slowly, or ask
 * for a tunnel. They get the Error body like all others, after the responses to the requests before them.
 */
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { HttpError, type ResponseHeaders, toErrorBody } from '../errors.ts'
import { refusals } from '../events.ts'
import type { Logger } from '../logger.ts'
import { malformedRequest } from './protocol.ts'

export interface ConnectionGuard {
  /** Responds to what Node's parser refuses: for Fastify's `clientErrorHandler`. */
  handleClientError(error: NodeJS.ErrnoException, socket: Duplex): void
  /** Tracks the connections of a server, and handles the requests for which Node has events of their own. */
  watch(server: Server): void
}

/** How long a client has to read a response before its connection is closed, in milliseconds (RFC 9112, section 9.6). */
const LINGER_MS = 1000

/** The last response on a connection and the one before it: clients may pipeline requests (RFC 9112, section 9.3.2). */
interface PipelinedResponses {
  readonly last: ServerResponse
  readonly previous: ServerResponse | undefined
}

/** Makes the guard of a server's connections. `errorHeaders` are those of every error response. */
export function createConnectionGuard(logger: Logger, errorHeaders: ResponseHeaders): ConnectionGuard {
  const pipelines = new WeakMap<Duplex, PipelinedResponses>()
  /** The connections on which a request was refused: Node reports all that follows on them, too. */
  const refused = new WeakSet<Duplex>()

  function handleClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
    if (refused.has(socket)) return
    refused.add(socket)
    const response = toHttpError(error)
    if (response === undefined || !socket.writable) {
      socket.destroy()
      return
    }
    const id = randomUUID()
    refusals.publish(response.code)
    logger.info({ reqId: id, code: error.code, status: response.status }, 'connection refused')
    const { last, previous } = pipelines.get(socket) ?? {}
    if (last === undefined || last.req.complete) {
      whenSent(last, () => endConnection(socket, formatResponse(response, id)))
    } else {
      // The body of the last request is wrong, and that request may have been responded to.
      whenSent(previous, () => endConnection(socket, last.headersSent ? '' : formatResponse(response, id)))
    }
  }

  function watch(server: Server): void {
    // A client that has sent everything waits for the response.
    Object.assign(server, { httpAllowHalfOpen: true })
    server.on('connection', readToEnd)
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      pipelines.set(socket, { last: response, previous: pipelines.get(socket)?.last })
    })
    const handle = (request: IncomingMessage, response: ServerResponse) => server.emit('request', request, response)
    // `checkProtocol` decides about expectations.
    server.on('checkContinue', handle)
    server.on('checkExpectation', handle)
    server.on('connect', ({ socket }: IncomingMessage) => {
      const id = randomUUID()
      logger.info({ reqId: id, status: 400 }, 'tunnel refused')
      // Node has released the socket; without a listener, a client that disconnects would end the process.
      socket.on('error', () => socket.destroy())
      const response = new HttpError(400, 'invalid_request', 'CONNECT is not supported: this is not a proxy')
      whenSent(pipelines.get(socket)?.last, () => endConnection(socket, formatResponse(response, id)))
    })
  }

  /**
   * Node closes a connection after its last response, even if the rest of a refused body is still arriving. Unread data
   * would make the system discard the response (RFC 9112, section 9.6). The request timeout ends this, too.
   */
  function readToEnd(socket: Socket): void {
    const destroySoon = socket.destroySoon.bind(socket)
    socket.destroySoon = () => {
      const request = pipelines.get(socket)?.last.req
      if (request === undefined || request.complete) {
        destroySoon()
      } else {
        request.once('end', destroySoon)
        socket.end()
      }
    }
  }

  /** Formats a response as it is sent. */
  function formatResponse(error: HttpError, id: string): string {
    const body = JSON.stringify(toErrorBody(error))
    const headers = {
      ...errorHeaders,
      'X-Request-Id': id,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      Date: new Date().toUTCString(),
      Connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`
  }

  return { handleClientError, watch }
}

/** The error for a request that could not be read; undefined if the client has disconnected. */
function toHttpError({ code, reason }: NodeJS.ErrnoException & { readonly reason?: string }): HttpError | undefined {
  switch (code) {
    case 'ECONNRESET':
      return undefined
    case 'HPE_HEADER_OVERFLOW':
      return new HttpError(431, 'headers_too_large', 'the headers are too large')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new HttpError(413, 'content_too_large', 'the chunk extensions are too large')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpError(408, 'request_timeout', 'the request did not arrive in time')
    case 'HPE_INVALID_EOF_STATE':
      return new HttpError(400, 'invalid_request', 'the request ended before it was complete')
    case 'HPE_PAUSED_H2_UPGRADE':
      return malformedRequest()
    default:
      return malformedRequest(reason)
  }
}

/** Runs an action when a response, if there is one, has been sent. */
function whenSent(response: ServerResponse | undefined, action: () => void): void {
  if (response === undefined || response.writableFinished) action()
  else response.once('close', action)
}

/** Writes a text and ends the connection; closes it if the client does not. */
function endConnection(socket: Duplex, text: string): void {
  socket.end(text)
  // What the client still sends is discarded; unread, it would make the system discard the response.
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}
