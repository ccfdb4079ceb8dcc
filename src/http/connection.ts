/**
 * Connections: when one is closed, and what is sent on it beside the responses to requests. Errors below HTTP semantics, to
 * which Node responds by itself (requests that cannot be parsed, arrive too slowly, or ask for a tunnel), get the Error body
 * like all others, after the responses to the requests before them.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { HttpError, type ResponseHeaders, toErrorBody, unavailable } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { refusals } from './errors.ts'
import { createPipeline, type Pipeline } from './pipeline.ts'
import { fromParser } from './protocol.ts'

export type ConnectionGuard = ReturnType<typeof createConnectionGuard>

// An import of `node:http` would load WebSocket and fetch, which it offers as well: a tenth of a start.
const { createServer: createHttpServer, STATUS_CODES } = process.getBuiltinModule('node:http')

/** The time that a client has to read a response before its connection is closed, in milliseconds (RFC 9112, section 9.6). */
const LINGER_MS = 1000

/** The time for which a connection without a request stays open, in milliseconds: longer than proxies keep theirs. */
const KEEP_ALIVE_MS = 72_000

/** The interval at which Node reports a connection on which nothing moves, in milliseconds. */
const STALL_CHECK_MS = 1000

interface Connection {
  readonly pipeline: Pipeline
  /** The last response, and the one before it; undefined once it is sent, and nothing of its request is missing. */
  last?: ServerResponse | undefined
  previous?: ServerResponse | undefined
  /** True if what follows on the connection is ignored. */
  isClosing: boolean
  /** When something moved last, and when Node has last reported that nothing does. */
  movedAt: number
  checkedAt: number
}

/**
 * Makes the guard of a server's connections. `errorHeaders` are those of every error response. A request may take
 * `requestTimeout` milliseconds to arrive.
 */
export function createConnectionGuard(logger: Logger, errorHeaders: ResponseHeaders, requestTimeout: number) {
  // A client that stops reading is disconnected long after every response is written, even a 408 or one of a slow store.
  const stallTimeout = requestTimeout + 10_000
  const connections = new WeakMap<Duplex, Connection>()
  const find = (socket: Duplex) => connections.get(socket) as Connection
  const queue = { length: 0 }
  let released: Promise<unknown> | undefined

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const connection = find(socket)
    if (connection.isClosing) return
    if (request.headers.upgrade !== undefined) {
      // No upgrade is supported, but Node's parser drops the bytes that follow in the same segment.
      close(connection)
      response.shouldKeepAlive = false
      response.once('close', () => endConnection(socket, ''))
    }
    connection.previous = connection.last
    connection.last = response
    if (connection.pipeline.add(response, released !== undefined)) {
      void released?.then(connection.pipeline.startWaiting)
      return
    }
    // Without a response: Node keeps the requests that it has parsed as long as the connection is open.
    refuse(unavailable('the server is overloaded'), 'connection closed')
    close(connection)
    socket.destroy()
  }

  /** Lets go of a response: while the connection is open, each garbage collection would find it alive and copy it. */
  function letGo(connection: Connection, response: ServerResponse): void {
    if (connection.previous === response) connection.previous = undefined
    if (connection.last === response && response.req.complete) connection.last = undefined
  }

  function close(connection: Connection): void {
    connection.isClosing = true
    connection.pipeline.close()
  }

  /** Closes a connection when nothing has moved on it for too long: Node's own timer may take twice its time. */
  function checkStall(socket: Socket): void {
    const connection = find(socket)
    const now = performance.now()
    // Something has moved since the last report, or that would have been the interval ago.
    if (now - connection.checkedAt > 1.5 * STALL_CHECK_MS) connection.movedAt = now - STALL_CHECK_MS
    connection.checkedAt = now
    // A kept-alive connection without a request has a timeout of its own.
    if (socket.timeout !== STALL_CHECK_MS || now - connection.movedAt >= stallTimeout) socket.destroy()
    else socket.setTimeout(STALL_CHECK_MS)
  }

  /** Responds to what Node's parser refuses: for Fastify's `clientErrorHandler`. */
  function handleClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
    const connection = find(socket)
    if (connection.isClosing) return
    close(connection)
    const { last, previous } = connection
    if (error.code === 'HPE_CLOSED_CONNECTION') {
      // The last request has said that nothing would follow.
      whenSent(last, () => endConnection(socket, ''))
      return
    }
    // The client has disconnected.
    if (!socket.writable) {
      socket.destroy()
      return
    }
    const text = refuse(fromParser(error), 'connection refused', error.code)
    if (last === undefined || last.req.complete) whenSent(last, () => endConnection(socket, text))
    else {
      whenSent(previous, () => {
        // The body of the last request is wrong, and that request may have been responded to.
        if (last.headersSent) whenSent(last, () => endConnection(socket, ''))
        else endConnection(socket, text)
      })
    }
  }

  /**
   * Makes the server, which bounds its connections, and handles the requests for which Node has events of their own. Fastify
   * would make a second one, without any of this, for the other address of `localhost`.
   */
  function createServer(respond: RequestListener): Server {
    const limits = { requestTimeout, headersTimeout: requestTimeout, keepAliveTimeout: KEEP_ALIVE_MS }
    // Without a Host header, Node would respond by itself; `checkProtocol` does it with the Error body.
    const server = createHttpServer({ ...limits, connectionsCheckingInterval: 500, requireHostHeader: false }, receive)
    // A client that has sent everything waits for the response.
    Object.assign(server, { httpAllowHalfOpen: true })
    server.setTimeout(STALL_CHECK_MS, checkStall)
    server.on('connection', (socket: Socket) => {
      const release = (response: ServerResponse) => letGo(connection, response)
      const pipeline = createPipeline(socket, respond, release, queue)
      const connection: Connection = { pipeline, isClosing: false, movedAt: 0, checkedAt: 0 }
      connections.set(socket, connection)
      readToEnd(socket)
    })
    const handle = (request: IncomingMessage, response: ServerResponse) => server.emit('request', request, response)
    // `checkProtocol` decides about expectations.
    server.on('checkContinue', handle)
    server.on('checkExpectation', handle)
    server.on('connect', ({ socket }: IncomingMessage) => {
      socket.removeAllListeners('data')
      // Node has released the socket; without a listener, a client that disconnects would end the process.
      socket.on('error', () => socket.destroy())
      const error = new HttpError(400, 'invalid_request', 'CONNECT is not supported: this is not a proxy')
      const text = refuse(error, 'tunnel refused')
      const connection = find(socket)
      close(connection)
      whenSent(connection.last, () => endConnection(socket, text))
    })
    return server
  }

  /**
   * Node closes a connection after its last response, even if the rest of a refused body is still arriving. Unread data
   * would make the system discard the response (RFC 9112, section 9.6). The request timeout ends this, too.
   */
  function readToEnd(socket: Socket): void {
    const destroySoon = socket.destroySoon.bind(socket)
    socket.destroySoon = () => {
      const { last, isClosing } = find(socket)
      const request = last?.req
      // `endConnection` follows.
      if (isClosing) return
      if (request === undefined || request.complete) {
        destroySoon()
      } else {
        request.once('end', destroySoon)
        socket.end()
      }
    }
  }

  /** Counts and logs a refusal, with the code of Node; returns the response. */
  function refuse(error: HttpError, message: string, code?: string): string {
    const id = randomUUID()
    refusals.publish(error.code)
    logger.info({ reqId: id, code, status: error.status }, message)
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

  /** Holds all requests that arrive until the promise is resolved. */
  function hold(promise: Promise<unknown>): void {
    released = promise
    void promise.then(() => {
      released = undefined
    })
  }

  return { handleClientError, createServer, hold }
}

/** Runs an action when a response, if there is one, has been sent. */
function whenSent(response: ServerResponse | undefined, action: () => void): void {
  if (response === undefined || response.writableFinished) action()
  else response.once('close', action)
}

/** Writes a text and ends the connection; closes it if the client does not. */
function endConnection(socket: Duplex, text: string): void {
  socket.end(text)
  // Data that still arrives is discarded: unread, it would make the system discard the response.
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}
