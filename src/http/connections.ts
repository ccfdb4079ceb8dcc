/**
 * The connections of the HTTP server: their limits, and the Error body for requests that never reach Fastify, because Node's
 * parser rejects them or they arrive too slowly.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { continueOnRead, type ResponseHeaders } from 'fastify-openapi-first/shared'
import { unavailable } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { createConnectionRejections, endConnection } from './connection-rejections.ts'
import { createServer as createHttpServer } from './node-http.ts'
import { convertParserError, hasFaultyFraming } from './protocol.ts'

/** The time for which a connection without a request stays open, in milliseconds: longer than proxies keep it open. */
const KEEP_ALIVE_MS = 72_000

/**
 * The most requests of a connection that may be in progress, or arrive in one read. A client that pipelines more (RFC 9112,
 * section 9.3.2) loses its connection: Node may parse 2,400 at once, and keeps their responses until they are read.
 */
const MAX_PIPELINED = 16

/**
 * The bytes of a connection that are still processed:
 *
 * | state          | since                                                  | processed bytes          |
 * |----------------|--------------------------------------------------------|--------------------------|
 * | `requests`     | the beginning                                          | all                      |
 * | `current body` | a request with an Upgrade or a faulty framing          | the body of that request |
 * | `nothing`      | an error of the parser, or too many pipelined requests | none                     |
 */
type Expected = 'requests' | 'current body' | 'nothing'

interface Connection {
  expects: Expected
  /** The number of bytes that Node had read at the last request. It is the same for all requests in one read. */
  bytesRead: number
  /** The number of requests in the last read so far. */
  readCount: number
  /**
   * The responses that are not sent, in the order of their requests. A response whose request still arrives stays when it is sent:
   * `handleClientError` finds the request by it.
   */
  pending: ServerResponse[]
}

/**
 * Creates the guard of the connections. `getErrorHeaders` returns the headers of every error response. A request may take
 * `requestTimeout` milliseconds to arrive.
 */
export function createConnectionGuard(logger: Logger, getErrorHeaders: () => ResponseHeaders, requestTimeout: number) {
  const { reject, noteRejection } = createConnectionRejections(logger, getErrorHeaders)
  const connections = new WeakMap<Duplex, Connection>()
  /** The responses that end when their client ends the connection. */
  const streams = new WeakSet<ServerResponse>()
  const getConnection = (socket: Duplex) => connections.get(socket) as Connection
  /** Resolves when new requests may be processed; undefined while they need not wait. */
  let pause: Promise<unknown> | undefined

  /** Passes a request to `respond`, if the connection still expects one. Closes the connection if there are too many. */
  function receive(request: IncomingMessage, response: ServerResponse, respond: RequestListener): void {
    const { socket } = request
    const connection = getConnection(socket)
    if (connection.expects !== 'requests') {
      // Node parses all of its last read, even if the connection is closed. A destroyed request takes less memory.
      if (socket.destroyed) request.destroy()
      return
    }
    if (noteRequest(connection, socket.bytesRead) >= MAX_PIPELINED) {
      connection.expects = 'nothing'
      noteRejection(socket, unavailable('too many pipelined requests'), 'connection closed')
      socket.destroy()
      return
    }
    connection.pending.push(response)
    response.once('close', () => dropResponse(connection, response))
    // Node drops bytes after an Upgrade, so accept no further request (no upgrade is supported). After a faulty framing, the
    // beginning of the next request is unknown.
    if (request.headers.upgrade !== undefined || hasFaultyFraming(request)) connection.expects = 'current body'
    if (pause === undefined) respond(request, response)
    else void pause.then(() => response.closed || respond(request, response))
  }

  /**
   * Handles an error of Node's parser: for Fastify's `clientErrorHandler`. What is done depends on the last request:
   *
   * | last request | its response  | what is done                                                                     |
   * |--------------|---------------|----------------------------------------------------------------------------------|
   * | none         |               | the error gets a response                                                        |
   * | complete     | any           | the error is in the next request: it gets a response after those of all requests |
   * | incomplete   | not begun     | the error is in its body: it gets the response of that request                   |
   * | incomplete   | begun or sent | the error is in its body: the connection ends without another response           |
   *
   * Nothing is done about bytes that the connection does not expect.
   */
  function handleClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
    const connection = getConnection(socket)
    const { expects, pending } = connection
    const [previousResponse, lastResponse] = [pending.at(-2), pending.at(-1)]
    const isInBody = lastResponse?.req.complete === false
    if (expects === 'nothing' || (expects === 'current body' && !isInBody)) return
    connection.expects = 'nothing'
    // No response: the client has disconnected, or has sent bytes after a request with `Connection: close`.
    if (!socket.writable || error.code === 'HPE_CLOSED_CONNECTION') {
      whenSent(lastResponse, () => socket.destroy())
      return
    }
    const respondWithError = () => reject(socket as Socket, convertParserError(error), error.code)
    if (isInBody) {
      whenSent(previousResponse, () => (lastResponse.headersSent ? endConnection(socket) : respondWithError()))
    } else {
      whenSent(lastResponse, respondWithError)
    }
  }

  /** Creates the server, for Fastify's `serverFactory`. */
  function createServer(respond: RequestListener): Server {
    const options = {
      requestTimeout,
      headersTimeout: requestTimeout,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: 500,
      // Otherwise Node responds to a request without a Host header. `checkProtocol` does that, with the Error body.
      requireHostHeader: false,
    }
    const listener: RequestListener = (request, response) => receive(request, response, respond)
    const server = createHttpServer(options, listener)
    // A client that has ended its side of the connection still gets its responses, but for streams: see `endWithClient`.
    Object.assign(server, { httpAllowHalfOpen: true })
    // Disconnects a client that reads nothing. The time is long enough for every response: the 408 of a request that arrives too
    // slowly, and the 503 of a store that does not respond.
    server.setTimeout(requestTimeout + 10_000)
    server.on('connection', (socket: Socket) => {
      connections.set(socket, { expects: 'requests', bytesRead: 0, readCount: 0, pending: [] })
      socket.once('end', () => {
        for (const response of getConnection(socket).pending) if (streams.has(response)) endStream(response)
      })
    })
    server.on('checkContinue', (request, response) => {
      continueOnRead(request, response)
      listener(request, response)
    })
    // Ignores an expectation other than 100-continue (RFC 9110, section 10.1.1). Otherwise Node responds with 417.
    server.on('checkExpectation', listener)
    return server
  }

  /**
   * Ends a stream when its client ends the connection. Otherwise, with `httpAllowHalfOpen`, Node notices only at the next write
   * that the client has left, and a stream may wait for its next item as long as it likes.
   */
  function endWithClient(response: ServerResponse): void {
    streams.add(response)
    if (response.req.socket.readableEnded) endStream(response)
  }

  /**
   * Destroys a response, and its connection once the earlier responses are sent. Otherwise the connection stays open: Node forgets
   * a response that is destroyed before its turn.
   */
  function endStream(response: ServerResponse): void {
    const { socket } = response.req
    const { pending } = getConnection(socket)
    const previousResponse = pending[pending.indexOf(response) - 1]
    response.destroy()
    whenSent(previousResponse, () => socket.destroy())
  }

  /** Lets all requests that arrive wait until the promise is resolved. */
  function pauseNewRequests(promise: Promise<unknown>): void {
    pause = promise
    void promise.then(() => {
      pause = undefined
    })
  }

  return { createServer, endWithClient, handleClientError, pauseNewRequests }
}

/**
 * Notes a request that begins when Node has read so many bytes. Returns the number of earlier requests of its connection that are in
 * progress, or in the same read.
 */
function noteRequest(connection: Connection, bytesRead: number): number {
  connection.readCount = bytesRead === connection.bytesRead ? connection.readCount + 1 : 1
  connection.bytesRead = bytesRead
  // Removes the responses that `dropResponse` has kept for their requests.
  connection.pending = connection.pending.filter(({ closed }) => !closed)
  // To count pending responses is not enough: an invalid request gets its response before Node parses the next one of the read.
  return Math.max(connection.pending.length, connection.readCount - 1)
}

/** Removes a response that is sent, or cannot be sent any more, so that V8 can collect it; not while its request arrives. */
function dropResponse(connection: Connection, response: ServerResponse): void {
  if (!response.req.complete) return
  connection.pending = connection.pending.filter((pendingResponse) => pendingResponse !== response)
}

/** Runs an action when a response, if there is one, has been sent. */
function whenSent(response: ServerResponse | undefined, action: () => void): void {
  if (response === undefined || response.writableFinished) action()
  else response.once('close', action)
}
