/** The body of a request: what the headers say of it before it is read, and its JSON. */
import type { IncomingMessage } from 'node:http'
import { HttpError, type ResponseHeaders } from '../../errors.ts'
import { type Body, MEDIA_TYPE } from '../document/operations.ts'
import { parseJson } from '../json.ts'
import { invalidRequest } from '../schema/violations.ts'
import { getFieldValues } from './text.ts'

/** JSON has no parameters, and is in UTF-8 (RFC 8259, sections 8.1 and 11); many clients say so. */
const MEDIA = new RegExp(`^${MEDIA_TYPE}[ \\t]*(;[ \\t]*(charset=("utf-8"|utf-8))?)?$`, 'i')

/** Returns a 415 if the media type or the content coding is not supported, and a 413 if the body is too large. */
export function checkContent(request: IncomingMessage, { maxBytes }: Body): HttpError | undefined {
  const types = getFieldValues(request, 'content-type')
  if (types.length > 1) {
    return unsupportedMediaType(`a request has one Content-Type header, not ${types.length}`)
  }
  const [type = hasBody(request) ? '' : MEDIA_TYPE] = types
  if (!MEDIA.test(type)) return unsupportedMediaType(`send the body as Content-Type: ${MEDIA_TYPE}`)
  // RFC 9110, section 8.4.1: no coding. Senders should leave it out.
  if (!/^identity$/i.test(request.headers['content-encoding'] ?? 'identity')) {
    return unsupportedMediaType('send the body without a content coding', { 'Accept-Encoding': 'identity' })
  }
  return Number(request.headers['content-length']) > maxBytes ? tooLarge(maxBytes) : undefined
}

function tooLarge(maxBytes: number): HttpError {
  return contentTooLarge(`the body is larger than ${maxBytes} bytes`)
}

function contentTooLarge(message: string): HttpError {
  return new HttpError(413, 'content_too_large', message)
}

/** Returns a 400 if there is a body: it would have no effect, and the client expects one (RFC 9110, section 9.3.1). */
export function checkNoBody(request: IncomingMessage): HttpError | undefined {
  return hasBody(request) ? invalidRequest(['body is not allowed; the operation has none']) : undefined
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function unsupportedMediaType(message: string, headers?: ResponseHeaders): HttpError {
  return new HttpError(415, 'unsupported_media_type', message, headers && { headers })
}

/**
 * A body may have this many chunks, and one more for each 64 bytes: each takes as much time as a kilobyte. The number is
 * relative to the size because a large chunk arrives in pieces, some of which are small.
 */
const MAX_CHUNKS = 1000
const CHUNK_BYTES = 64

function hasTooManyChunks(count: number, bytes: number): boolean {
  return count > MAX_CHUNKS + bytes / CHUNK_BYTES
}

/** Discards the rest of a body as it arrives, and closes the connection of a client that sends it in too many chunks. */
export function discardBody(request: IncomingMessage): void {
  let count = 0
  let bytes = 0
  request.on('data', ({ length }: Buffer) => {
    bytes += length
    if (hasTooManyChunks(++count, bytes)) request.socket.destroy()
  })
}

/**
 * Reads the JSON of a body, as Fastify's content type parsers do it; undefined if there is none. The error is a 413 if it is
 * too large, and a 400 if it is not JSON or ends too early. The chunks are copied into one buffer as they arrive: each takes
 * 400 bytes of memory besides its content.
 */
export function parseBody(
  payload: IncomingMessage,
  { maxBytes, maxDepth }: Body,
  done: (error: Error | null, json?: unknown) => void,
): void {
  let bytes: Buffer | undefined
  let size = 0
  let count = 0
  let isDone = false

  /** The stream of a hook that replaces the payload may go on after an error, and have an error after its end. */
  function finish(error: Error | null, json?: unknown): void {
    if (isDone) return
    isDone = true
    done(error, json)
  }

  function add(chunk: Buffer): void {
    if (isDone) return
    const start = size
    size += chunk.length
    if (size > maxBytes) finish(tooLarge(maxBytes))
    else if (hasTooManyChunks(++count, size))
      finish(contentTooLarge('the body has too many small chunks; send larger ones'))
    // Most bodies are in one chunk, which is not copied.
    else if (bytes === undefined) bytes = chunk
    else {
      if (size > bytes.length) bytes = Buffer.concat([bytes], Math.min(2 * size, maxBytes))
      chunk.copy(bytes, start)
    }
  }

  function parse(): void {
    if (isDone) return
    let json: unknown
    try {
      if (bytes !== undefined) json = parseJson(bytes.subarray(0, size), maxDepth)
    } catch (error) {
      finish(error as HttpError)
      return
    }
    finish(null, json)
  }

  payload
    .on('data', add)
    .on('end', parse)
    .on('error', () => finish(invalidRequest(['the body ended before it was complete'])))
}
