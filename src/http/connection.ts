/**
 * Connections: how many requests of one are processed at a time, and when it is closed. Errors below HTTP semantics, to which
 * Node responds by itself (requests that cannot be parsed, arrive too slowly, or ask for a tunnel), get the Error body like
 * all others, after the responses to the requests before them.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { HttpError, type ResponseHeaders, toErrorBody } from '../errors.ts'
import { refusals } from '../events.ts'
import type { Logger } from '../logger.ts'
import { malformedRequest } from './protocol.ts'

export interface ConnectionGuard {
  /** Responds to what Node's parser refuses: for Fastify's `clientErrorHandler`. */
  handleClientError(error: NodeJS.ErrnoException, socket: Duplex): void
  /** Bounds the connections of a server, and handles the requests for which Node has events of their own. */
  watch(server: Server): void
  /** Holds all requests that arrive until the promise is resolved. */
  hold(released: Promise<unknown>): void
}

/** Importing it would load WebSocket and fetch, which `node:http` offers as well: a tenth of a start. */
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** How long a client has to read a response before its connection is closed, in milliseconds (RFC 9112, section 9.6). */
const LINGER_MS = 1000

/** How many requests of a connection are processed at a time: Node has no bound for those that are pipelined. */
const MAX_ACTIVE = 16

/** How many bytes of such a connection are parsed at a time: a request has as few as 20, and takes several kilobytes. */
const PIECE_BYTES = 1024

/** How often Node reports a connection on which nothing moves, in milliseconds. */
const STALL_CHECK_MS = 1000

/** The requests of a connection: clients may pipeline them (RFC 9112, section 9.3.2). */
interface Pipeline {
  /** The last response, and the one before it. */
  last?: ServerResponse
  previous?: ServerResponse | undefined
  /** The number of requests that are processed and whose responses are not yet sent. */
  active: number
  /** The responses to requests that are not yet processed. While there are any, nothing is read from the connection. */
  readonly waiting: ServerResponse[]
  isScheduled: boolean
  /** What is parsed at a time: a piece after a request has waited. */
  parses: 'all' | 'all, once more' | 'a piece'
  /** True if what follows on the connection is ignored. */
  isClosing: boolean
  /** When something moved last, and when Node has last reported that nothing does. */
  movedAt: number
  checkedAt: number
}

/**
 * Makes the guard of a server's connections. `errorHeaders` are those of every error response. A connection on which
 * nothing moves for `stallTimeout` milliseconds is closed.
 */
export function createConnectionGuard(
  logger: Logger,
  errorHeaders: ResponseHeaders,
  stallTimeout: number,
): ConnectionGuard {
  const pipelines = new WeakMap<Duplex, Pipeline>()
  let respond: RequestListener
  let released: Promise<unknown> | undefined

  function getPipeline(socket: Duplex): Pipeline {
    let pipeline = pipelines.get(socket)
    if (pipeline === undefined) {
      pipeline = {
        active: 0,
        waiting: [],
        isScheduled: false,
        parses: 'all',
        isClosing: false,
        movedAt: 0,
        checkedAt: 0,
      }
      pipelines.set(socket, pipeline)
    }
    return pipeline
  }

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const pipeline = getPipeline(socket)
    if (pipeline.isClosing) return
    if (request.headers.upgrade !== undefined) {
      // No upgrade is supported, but Node's parser drops the bytes that follow in the same segment.
      pipeline.isClosing = true
      response.shouldKeepAlive = false
      response.once('close', () => endConnection(socket, ''))
    }
    pipeline.previous = pipeline.last
    pipeline.last = response
    if (released === undefined && pipeline.active < MAX_ACTIVE && pipeline.waiting.length === 0) {
      start(pipeline, response)
      return
    }
    pipeline.waiting.push(response)
    if (pipeline.parses === 'all') pipeline.parses = 'all, once more'
    socket.pause()
    if (released !== undefined) void released.then(() => startWaiting(socket, pipeline))
  }

  function start(pipeline: Pipeline, response: ServerResponse): void {
    const { req: request } = response
    pipeline.active++
    response.once('close', () => {
      pipeline.active--
      if (pipeline.waiting.length === 0 || pipeline.isScheduled) return
      pipeline.isScheduled = true
      // Other connections have their turn first.
      setImmediate(startWaiting, request.socket, pipeline)
    })
    respond(request, response)
  }

  function startWaiting(socket: Socket, pipeline: Pipeline): void {
    const { waiting } = pipeline
    pipeline.isScheduled = false
    if (socket.destroyed) waiting.length = 0
    for (const response of waiting.splice(0, MAX_ACTIVE - pipeline.active)) start(pipeline, response)
    if (waiting.length === 0) socket.resume()
  }

  /** Runs when a connection is read again, for whatever reason. */
  function handleResume(socket: Socket): void {
    const pipeline = getPipeline(socket)
    if (pipeline.waiting.length > 0) socket.pause()
    else if (pipeline.parses !== 'all, once more' || pipeline.isClosing || socket.isPaused()) return
    else parseInPieces(socket, pipeline)
  }

  /** Puts itself between a connection and Node's listener, which would parse all 64 KB that are read at a time. */
  function parseInPieces(socket: Socket & { readonly _paused?: boolean }, pipeline: Pipeline): void {
    const [parse] = socket.listeners('data') as [(bytes: Buffer) => void]
    // Node asserts that it is not given bytes while it has paused the connection.
    const isPaused = () => pipeline.waiting.length > 0 || socket._paused === true
    pipeline.parses = 'a piece'
    // The new listener comes first: without one, the connection would be paused.
    socket.on('data', (bytes: Buffer) => {
      let at = 0
      while (at < bytes.length && !isPaused() && socket.listenerCount('data') > 0) {
        parse(bytes.subarray(at, at + PIECE_BYTES))
        at += PIECE_BYTES
      }
      if (!isPaused()) return
      socket.pause()
      // The end of the connection comes behind it.
      if (at < bytes.length) socket.unshift(bytes.subarray(at))
    })
    socket.off('data', parse)
    socket.once('close', () => socket.removeAllListeners('data'))
  }

  /** Closes a connection when nothing has moved on it for too long: Node's own timer may take twice its time. */
  function checkStall(socket: Socket): void {
    const pipeline = getPipeline(socket)
    const now = performance.now()
    // Something has moved since the last report, or that would have been the interval ago.
    if (now - pipeline.checkedAt > 1.5 * STALL_CHECK_MS) pipeline.movedAt = now - STALL_CHECK_MS
    pipeline.checkedAt = now
    // A kept-alive connection without a request has a timeout of its own.
    if (socket.timeout !== STALL_CHECK_MS || now - pipeline.movedAt >= stallTimeout) socket.destroy()
    else socket.setTimeout(STALL_CHECK_MS)
  }

  function handleClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
    const pipeline = getPipeline(socket)
    if (pipeline.isClosing) return
    pipeline.isClosing = true
    const { last, previous } = pipeline
    if (error.code === 'HPE_CLOSED_CONNECTION') {
      // The last request has said that nothing would follow.
      whenSent(last, () => endConnection(socket, ''))
      return
    }
    const response = toHttpError(error as ParserError)
    if (response === undefined || !socket.writable) {
      socket.destroy()
      return
    }
    const id = randomUUID()
    refusals.publish(response.code)
    logger.info({ reqId: id, code: error.code, status: response.status }, 'connection refused')
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
    // Fastify's listener is the only one: the server was created with it.
    respond = server.listeners('request')[0] as RequestListener
    server.removeAllListeners('request').on('request', receive)
    server.setTimeout(STALL_CHECK_MS, checkStall)
    server.on('connection', (socket: Socket) => {
      readToEnd(socket)
      socket.on('resume', () => handleResume(socket))
    })
    const handle = (request: IncomingMessage, response: ServerResponse) => server.emit('request', request, response)
    // `checkProtocol` decides about expectations.
    server.on('checkContinue', handle)
    server.on('checkExpectation', handle)
    server.on('connect', ({ socket }: IncomingMessage) => {
      const id = randomUUID()
      logger.info({ reqId: id, status: 400 }, 'tunnel refused')
      socket.removeAllListeners('data')
      // Node has released the socket; without a listener, a client that disconnects would end the process.
      socket.on('error', () => socket.destroy())
      const response = new HttpError(400, 'invalid_request', 'CONNECT is not supported: this is not a proxy')
      const pipeline = getPipeline(socket)
      pipeline.isClosing = true
      whenSent(pipeline.last, () => endConnection(socket, formatResponse(response, id)))
    })
  }

  /**
   * Node closes a connection after its last response, even if the rest of a refused body is still arriving. Unread data
   * would make the system discard the response (RFC 9112, section 9.6). The request timeout ends this, too.
   */
  function readToEnd(socket: Socket): void {
    const destroySoon = socket.destroySoon.bind(socket)
    socket.destroySoon = () => {
      const { last, isClosing } = getPipeline(socket)
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

  function hold(promise: Promise<unknown>): void {
    released = promise
    void promise.then(() => {
      released = undefined
    })
  }

  return { handleClientError, watch, hold }
}

interface ParserError extends NodeJS.ErrnoException {
  readonly reason?: string
  /** The bytes that were parsed last, and how many of them are without error: of errors of the parser alone. */
  readonly rawPacket: Buffer
  readonly bytesParsed: number
}

/** The error for a request that could not be read; undefined if the client has disconnected. */
function toHttpError({ code, reason, rawPacket, bytesParsed }: ParserError): HttpError | undefined {
  switch (code) {
    case 'ECONNRESET':
      return undefined
    case 'HPE_HEADER_OVERFLOW':
      // The line that is too long is the first one if nothing or a blank line is before it.
      return /(?:^|\n\r?\n)[A-Z]+ [^\n]*$/.test(rawPacket.toString('latin1', 0, bytesParsed))
        ? new HttpError(414, 'uri_too_long', 'the request line is too long')
        : new HttpError(431, 'headers_too_large', 'the headers are too large')
    case 'HPE_INVALID_METHOD': {
      // RFC 9110, section 9.1. What is no request line at all has no method either.
      const line = rawPacket.toString('latin1', rawPacket.lastIndexOf('\n', bytesParsed) + 1)
      return /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?\n/.test(line)
        ? new HttpError(501, 'method_not_implemented', 'the method is unknown')
        : malformedRequest(reason)
    }
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
