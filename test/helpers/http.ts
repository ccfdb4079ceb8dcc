/** Requests over real sockets. Unlike `fetch`, they are sent exactly as given. */
import { once } from 'node:events'
import { type Agent, type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { connect, type Socket, type SocketConstructorOpts } from 'node:net'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { readJson, writeJson } from './json.ts'
import { TIMEOUT_MS, waitForEvent, within } from './wait.ts'

export interface Call {
  /** Header fields; a list stands for as many fields of that name. */
  readonly headers?: OutgoingHttpHeaders
  /** A value to send as JSON, with its media type. */
  readonly json?: unknown
  /** A body to send as it is. */
  readonly body?: string | Uint8Array
  /** The connections to use; by default, the request has one of its own. */
  readonly agent?: Agent | undefined
}

export interface HttpResponse {
  readonly status: number
  /** By names in small letters. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly rawHeaders: readonly string[]
  readonly text: string
  /** The value of the text, if it is JSON, with all digits. */
  readonly body: unknown
}

/** Sends a request to the server at `origin`. */
export async function send(origin: string, method: string, path: string, call: Call = {}): Promise<HttpResponse> {
  const body = call.json === undefined ? call.body : writeJson(call.json)
  const headers = { ...(call.json !== undefined && { 'content-type': 'application/json' }), ...call.headers }
  const sent = request(origin, { method, path, headers, agent: call.agent ?? false })
  sent.end(body)
  return readResponse(sent)
}

/** Reads the response to a request. Rejects with ETIMEDOUT if nothing comes for a minute. */
export async function readResponse(sent: ClientRequest): Promise<HttpResponse> {
  const error = Object.assign(new Error(`nothing received for ${TIMEOUT_MS} ms`), { code: 'ETIMEDOUT' })
  sent.setTimeout(TIMEOUT_MS, () => sent.destroy(error))
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject)
  })
  const { statusCode = 0, rawHeaders } = response
  const received = await text(response)
  return { status: statusCode, headers: byName(rawHeaders), rawHeaders, text: received, body: jsonIn(received) }
}

/** Opens a connection to the server at `origin`. */
export async function connectTo(origin: string, options: SocketConstructorOpts = {}): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  const socket = connect({ ...options, port: Number(port), host: hostname })
  await waitForEvent(socket, 'connect')
  return socket
}

/** Opens a connection to the server at `origin`, over which bytes are sent as they are. */
export function openRaw(origin: string) {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname).setEncoding('utf8')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  // A reset is one way to end.
  socket.on('error', () => {})
  const ended = once(socket, 'close').then(() => received)
  const showReceived = () => JSON.stringify(received.slice(-1000))
  return {
    write: (bytes: string | Uint8Array) => void socket.write(bytes),
    /** Resolves when what has come back so far holds the text; rejects when the connection is closed before. */
    until: async (text: string) => {
      while (!received.includes(text)) {
        if (socket.closed) throw new Error(`the connection is closed, and all that came is: ${received}`)
        const next = Promise.race([once(socket, 'data'), once(socket, 'close')])
        await within(() => `${JSON.stringify(text)} in ${showReceived()}`, next)
      }
    },
    /** Resolves with everything that was received until the connection was closed. */
    waitForEnd: () => within(() => `end of the connection, only ${showReceived()}`, ended),
    destroy: () => void socket.destroy(),
  }
}

/** Sends bytes to the server at `origin`; gives all that comes back until the server closes the connection. */
export async function sendRaw(origin: string, bytes: string | Uint8Array): Promise<string> {
  const { write, waitForEnd } = openRaw(origin)
  write(bytes)
  return waitForEnd()
}

/** Resolves with everything that is received until the connection ends. */
export function readToEnd(stream: Readable): Promise<string> {
  return within('end of the stream', text(stream))
}

/** Sends bytes to the server at `origin`; returns the responses until the server closes the connection. */
export async function exchange(origin: string, bytes: string | Uint8Array): Promise<HttpResponse[]> {
  return readResponses(await sendRaw(origin, bytes))
}

/** Reads what a server has sent on a connection, response by response. Throws where that is no HTTP/1.1. */
export function readResponses(received: string): HttpResponse[] {
  const responses: HttpResponse[] = []
  for (let bytes = Buffer.from(received); bytes.length > 0; ) {
    const end = bytes.indexOf('\r\n\r\n')
    const [statusLine = '', ...lines] = bytes.subarray(0, end).toString().split('\r\n')
    const [, status] = /^HTTP\/1\.1 ([1-5][0-9]{2}) [A-Za-z ]+$/.exec(statusLine) ?? []
    if (end < 0 || status === undefined) throw new Error(`this is no response: ${JSON.stringify(String(bytes))}`)
    const rawHeaders = lines.flatMap((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
    const headers = byName(rawHeaders)
    const start = end + 4
    // A response to HEAD has no body, and is the last in these tests.
    const text = bytes.subarray(start, start + Number(headers['content-length'] ?? 0)).toString()
    responses.push({ status: Number(status), headers, rawHeaders, text, body: jsonIn(text) })
    bytes = bytes.subarray(start + Buffer.byteLength(text))
  }
  return responses
}

function byName(rawHeaders: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers[String(rawHeaders[index]).toLowerCase()] = String(rawHeaders[index + 1])
  }
  return headers
}

function jsonIn(text: string): unknown {
  try {
    return readJson(text)
  } catch {
    return undefined
  }
}
