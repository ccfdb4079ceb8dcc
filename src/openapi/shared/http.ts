/** HTTP messages as Node receives them: field values, ETags, and bodies that nobody reads. */
import { AsyncResource } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Returns the values of a header field, one for each time it was sent: Node keeps only the first of some fields, and joins
 * others. `name` is in lower case.
 */
export function getFieldValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const field = rawHeaders[index]
    if (field?.length === name.length && field.toLowerCase() === name) values.push(String(rawHeaders[index + 1]))
  }
  return values
}

/** True if `If-None-Match` names the ETag, in the weak comparison (RFC 9110, section 13.1.2). */
export function matchesETag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  // A tag may contain commas, and no quotes (section 8.8.3). Weak tags begin with `W/`.
  const opaqueTags: readonly string[] = ifNoneMatch.match(/"[^"]*"/g) ?? []
  return opaqueTags.includes(etag.replace(/^W\//, ''))
}

/** True if the headers of a request announce a body (RFC 9112, section 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

const MAX_CHUNKS = 1000
const CHUNK_BYTES = 64

/**
 * True if a body has more than 1000 chunks and one more for each 64 bytes. This bounds the CPU that a client can cause, because each
 * chunk costs as much as 1 KiB, however small it is. The limit grows with the size because a large chunk arrives in pieces, some of
 * which are small.
 */
export function hasTooManyChunks(count: number, bytes: number): boolean {
  return count > MAX_CHUNKS + bytes / CHUNK_BYTES
}

/** The listeners that send 100 (Continue), by the request whose client waits for it before it sends the body. */
const continueListeners = new WeakMap<IncomingMessage, (event: string | symbol) => void>()

/**
 * Sends 100 (Continue) when somebody begins to read the body, which is when the headers are accepted: for the event `checkContinue` of
 * a server. Otherwise, Node sends it at once, and a client whose headers are rejected uploads in vain (RFC 9110, section 10.1.1).
 */
export function continueOnRead(request: IncomingMessage, response: ServerResponse): void {
  const writeContinue = () => {
    if (!response.headersSent) response.writeContinue()
  }
  const onListener = (event: string | symbol) => {
    if (event !== 'data' && event !== 'readable') return
    request.off('newListener', onListener)
    continueListeners.delete(request)
    // A pipelined response has no socket until the one before it ends. Without this wait, Node sends "100 Continue" in the middle of that one.
    if (response.socket === null) response.once('socket', writeContinue)
    else writeContinue()
  }
  continueListeners.set(request, onListener)
  request.on('newListener', onListener)
}

/** True if the client of a request waits for 100 (Continue), and has not got it. */
export function awaitsContinue(request: IncomingMessage): boolean {
  return continueListeners.has(request)
}

/** Discards the rest of a body as it arrives, and closes the connection of a client that sends it in too many chunks. */
export function discardBody(request: IncomingMessage): void {
  const onListener = continueListeners.get(request)
  // Otherwise, the listener for 'data' asks the client for the body. The request stays in `continueListeners`: its client waits for 100.
  if (onListener !== undefined) request.off('newListener', onListener)
  let count = 0
  let bytes = 0
  request.on('data', ({ length }: Buffer) => {
    bytes += length
    if (hasTooManyChunks(++count, bytes)) request.socket.destroy()
  })
}

/** The time for which a response waits for the rest of a body that nobody reads, in milliseconds. */
const MAX_BODY_WAIT_MS = 1000

/** Calls a function when the body of a request has arrived, or its time is over. */
export function whenBodyEnds(request: IncomingMessage, done: () => void): void {
  // Without `bind`, the next hooks run in the asynchronous context of the connection, and not of the request.
  const finish = AsyncResource.bind(() => {
    clearTimeout(timer)
    request.off('close', finish)
    done()
  })
  const timer = setTimeout(finish, MAX_BODY_WAIT_MS)
  request.once('close', finish)
}
