/**
 * What goes wrong below HTTP semantics, where Node answers by itself: requests that cannot be parsed, come too slowly,
 * or ask for a tunnel. They get the Error body like all others, after the answers to the requests before them.
 */
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { errorAnswer, HttpError } from '../errors.ts'
import { errorHeaders } from './headers.ts'

/** How long a client has to read an answer before the connection is torn down, in milliseconds (RFC 9112, section 9.6). */
const LINGER = 1000

/** The response that was begun last on a connection, and the one before it: clients may send ahead (RFC 9112, section 9.3.2). */
interface Turn {
  readonly response: ServerResponse
  readonly before: ServerResponse | undefined
}

const turns = new WeakMap<Duplex, Turn>()

/** The connections on which something has been refused already; Node goes on to tell of all that comes behind it. */
const refused = new WeakSet<Duplex>()

/** Answers on the bare socket what Node's parser refuses: for `clientErrorHandler`. */
export function answerClientError(this: FastifyInstance, error: NodeJS.ErrnoException, socket: Duplex): void {
  if (refused.has(socket)) return
  refused.add(socket)
  const answer = answerTo(error)
  if (answer === undefined || !socket.writable) {
    socket.destroy()
    return
  }
  const id = randomUUID()
  this.log.info({ reqId: id, code: error.code, status: answer.status }, 'connection refused')
  const { response, before } = turns.get(socket) ?? {}
  if (response === undefined || response.req.complete) {
    afterAnswer(response, () => close(socket, textOf(answer, id)))
  } else {
    // It is the body of the last request that is wrong, and that request may have had its answer.
    afterAnswer(before, () => close(socket, response.headersSent ? '' : textOf(answer, id)))
  }
}

/** Keeps track of the connections, and answers what Node has events of their own for. */
export function watchConnections({ log, server }: FastifyInstance): void {
  // A client that has sent all it wants to send is waiting for the answer.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('connection', readToTheEnd)
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    turns.set(socket, { response, before: turns.get(socket)?.response })
  })
  const answer = (request: IncomingMessage, response: ServerResponse) => server.emit('request', request, response)
  // What is expected is looked at in message.ts.
  server.on('checkContinue', answer)
  server.on('checkExpectation', answer)
  server.on('connect', ({ socket }: IncomingMessage) => {
    const id = randomUUID()
    log.info({ reqId: id, status: 400 }, 'tunnel refused')
    // Node has let go of the socket; without a listener, a client that goes away would end the process.
    socket.on('error', () => socket.destroy())
    const refusal = new HttpError(400, 'invalid_request', 'this is no proxy: CONNECT has no meaning here')
    afterAnswer(turns.get(socket)?.response, () => close(socket, textOf(refusal, id)))
  })
}

/**
 * Node ends a connection with its last answer, also where the rest of a refused body is on its way; left unread, it
 * would make the system drop the answer (RFC 9112, section 9.6). The time-out of requests holds here, too.
 */
function readToTheEnd(socket: Socket): void {
  const destroySoon = socket.destroySoon.bind(socket)
  socket.destroySoon = () => {
    const request = turns.get(socket)?.response.req
    if (request === undefined || request.complete) {
      destroySoon()
    } else {
      request.once('end', destroySoon)
      socket.end()
    }
  }
}

/** The answer to a request that could not be read; undefined where nobody is left to hear it. */
function answerTo({ code, reason }: NodeJS.ErrnoException & { readonly reason?: string }): HttpError | undefined {
  switch (code) {
    case 'ECONNRESET':
      return undefined
    case 'HPE_HEADER_OVERFLOW':
      return new HttpError(431, 'headers_too_large', 'the headers are larger than the service takes')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new HttpError(413, 'content_too_large', 'the chunk extensions are larger than the service takes')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpError(408, 'request_timeout', 'the request did not arrive in time')
    case 'HPE_INVALID_EOF_STATE':
      return new HttpError(400, 'invalid_request', 'the request ended before it was complete')
    case 'HPE_PAUSED_H2_UPGRADE':
      return notHttp()
    default:
      return notHttp(reason)
  }
}

/** A request that is not one of HTTP/1.1; `reason` is the parser's, in words of its own and not of the request. */
export function notHttp(reason?: string): HttpError {
  const why = reason === undefined ? '' : `: ${reason}`
  return new HttpError(400, 'invalid_request', `this is not a request of HTTP/1.1${why}`)
}

/** Waits until an answer, if there is one to wait for, has gone out. */
function afterAnswer(response: ServerResponse | undefined, action: () => void): void {
  if (response === undefined || response.writableFinished) action()
  else response.once('close', action)
}

/** An answer as it goes over the wire. */
function textOf({ status, code, message }: HttpError, id: string): string {
  const body = JSON.stringify(errorAnswer(status, code, message).body)
  const headers = {
    ...errorHeaders(id),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Date: new Date().toUTCString(),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}

/** Writes what there is to say, ends the connection, and does not wait long for the client to do the same. */
function close(socket: Duplex, text: string): void {
  socket.end(text)
  // What the client still sends is thrown away; left unread, it would make the system drop the answer.
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER)
  socket.once('close', () => clearTimeout(timer))
}
