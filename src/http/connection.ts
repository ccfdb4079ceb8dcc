/**
 * What goes wrong below HTTP semantics, where Node answers by itself: requests that cannot be parsed, come too slowly,
 * or ask for what a server of JSON does not do. They get the Error body like all others.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { errorAnswer, HttpError } from '../errors.ts'
import { commonHeaders } from './headers.ts'

/** How long a client has to read an answer before the connection is torn down, in milliseconds (RFC 9112, section 9.6). */
const LINGER = 1000

/** The response that was begun last on a connection, and with it the request that was read last. */
const latest = new WeakMap<Duplex, ServerResponse>()

/** Answers on the bare socket what Node's parser refuses: for `clientErrorHandler`. */
export function answerClientError(this: FastifyInstance, error: NodeJS.ErrnoException, socket: Duplex): void {
  const answer = answerTo(error)
  if (answer === undefined || !socket.writable) {
    socket.destroy()
    return
  }
  this.log.info({ code: error.code, status: answer.status }, 'connection refused')
  const response = latest.get(socket)
  if (response === undefined || response.writableFinished) {
    close(socket, answer)
  } else if (response.req.complete) {
    // What cannot be parsed came behind a request that can; that one is answered first.
    response.once('close', () => close(socket, answer))
  } else if (response.headersSent) {
    socket.destroy()
  } else {
    close(socket, answer)
  }
}

/** Keeps track of the server's connections, and answers what Node has events of their own for. */
export function watchConnections(server: Server): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => latest.set(request.socket, response))
  // RFC 9110, section 10.1.1: the body is asked for once there is nothing against it in the headers, in addContinue.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response)
  })
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    close(socket, new HttpError(400, 'invalid_request', 'this is no proxy: CONNECT has no meaning here'))
  })
  // Nothing but 100-continue is to be expected.
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    close(
      response.req.socket,
      new HttpError(417, 'expectation_failed', 'the only expectation that can be met is 100-continue'),
    )
  })
}

/** Asks a client for the body that it holds back, when its key has been found good. */
export function addContinue(app: FastifyInstance): void {
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (request.headers.expect !== undefined) reply.raw.writeContinue()
    done()
  })
}

/** Refuses requests without exactly one Host header (RFC 9112, section 3.2), of which Node would take the first. */
export function addHostCheck(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { httpVersion, rawHeaders } = request.raw
    const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name)).length
    if (httpVersion !== '1.1' && httpVersion !== '1.0') done(notHttp())
    else if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) done()
    else done(new HttpError(400, 'invalid_request', `a request has one Host header, not ${hosts}`))
  })
}

/** The answer to a request that could not be read; undefined where nobody is left to hear it. */
function answerTo({ code }: NodeJS.ErrnoException): HttpError | undefined {
  switch (code) {
    case 'ECONNRESET':
      return undefined
    case 'HPE_HEADER_OVERFLOW':
      return new HttpError(431, 'headers_too_large', 'the headers are larger than the service takes')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new HttpError(413, 'content_too_large', 'the chunk extensions are larger than the service takes')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpError(408, 'request_timeout', 'the request did not arrive in time')
    default:
      return notHttp()
  }
}

function notHttp(): HttpError {
  return new HttpError(400, 'invalid_request', 'this is not a request of HTTP/1.1')
}

/** Writes an answer, ends the connection, and does not wait long for the client to do the same. */
function close(socket: Duplex, { status, code, message }: HttpError): void {
  const body = JSON.stringify(errorAnswer(status, code, message).body)
  const headers = {
    ...commonHeaders(randomUUID()),
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Date: new Date().toUTCString(),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  // What the client still sends is thrown away; left unread, it would make the system drop the answer.
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER)
  socket.once('close', () => clearTimeout(timer))
}
