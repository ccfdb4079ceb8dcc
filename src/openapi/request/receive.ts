/** Receives the bytes of a body, of which neither the number nor the number of chunks may be above a limit, and decodes them. */
import { finished, type Readable, Transform } from 'node:stream'
import type { RequestPayload } from 'fastify'
import { HttpError, TextError, toServerError } from '../shared/errors.ts'
import { hasTooManyChunks } from '../shared/http.ts'
import { decodeUtf8 } from '../shared/texts.ts'
import { invalidBody } from './violations.ts'

/**
 * Receives a body as one buffer, and passes on what `parse` returns. The error is a 413, a 400 for a body that ends too early, or
 * what `parse` throws.
 */
export function receiveBytes(
  payload: RequestPayload,
  maxBytes: number,
  parse: (bytes: Buffer<ArrayBuffer>) => unknown,
  done: (error: Error | null, parsedBody?: unknown) => void,
): void {
  let buffer: Uint8Array<ArrayBuffer> = new Uint8Array()
  let size = 0
  let chunkCount = 0
  let isDone = false

  function addChunk(chunk: Uint8Array<ArrayBuffer> | string): void {
    // A hook may have replaced the payload by a stream that goes on after an error.
    if (isDone) return
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    const error = findLimitError(++chunkCount, size + bytes.length, maxBytes)
    if (error !== undefined) finish(error)
    else buffer = size === 0 ? bytes : append(buffer, size, bytes, maxBytes)
    size += bytes.length
  }

  function finish(error?: HttpError): void {
    if (isDone) return
    isDone = true
    let parsedBody: unknown
    try {
      if (error !== undefined) throw error
      parsedBody = parse(Buffer.from(buffer.buffer, buffer.byteOffset, size))
    } catch (thrown) {
      done(toServerError(thrown))
      return
    }
    done(null, parsedBody)
  }

  const fail = () => (isDone ? undefined : finish(incompleteBody()))
  // The client has left, and Node does not say so again.
  if (payload.destroyed) fail()
  // A stream of a hook may be destroyed without an error.
  else payload.on('data', addChunk).on('end', finish).on('error', fail).on('close', fail)
}

/** Appends a chunk to the first bytes of a buffer. Copies it, because each chunk takes 400 bytes of memory besides. */
function append(buffer: Uint8Array<ArrayBuffer>, size: number, chunk: Uint8Array<ArrayBuffer>, maxBytes: number) {
  const nextSize = size + chunk.length
  if (nextSize > buffer.length)
    return Buffer.concat([buffer.subarray(0, size), chunk], Math.min(2 * nextSize, maxBytes))
  buffer.set(chunk, size)
  return buffer
}

/**
 * Returns a body as a stream, which fails with a 413, with a 400 if the body ends too early, or with what `findSizeError` returns
 * for the number of bytes so far. Once the stream is closed, the rest of the body is discarded as it arrives.
 */
export function receiveStream(
  payload: RequestPayload,
  maxBytes: number,
  findSizeError: (size: number, isComplete: boolean) => Error | undefined = () => undefined,
): Readable {
  let size = 0
  let chunkCount = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      done(findLimitError(++chunkCount, size, maxBytes) ?? findSizeError(size, false), chunk)
    },
    flush(done) {
      done(findSizeError(size, true))
    },
  })
  // Not `pipeline`, which would destroy the connection after an error, before the error response.
  payload.pipe(stream)
  finished(payload, (error) => {
    if (error) stream.destroy(incompleteBody())
  })
  stream.once('close', () => payload.resume())
  // Errors are for who reads the stream, and perhaps nobody does.
  stream.on('error', () => {})
  return stream
}

/** Returns a 413 for a body above a limit. */
function findLimitError(chunkCount: number, size: number, maxBytes: number): HttpError | undefined {
  if (size > maxBytes) return tooLarge(`is larger than ${maxBytes} bytes`)
  return hasTooManyChunks(chunkCount, size) ? tooLarge('has too many small chunks; send larger ones') : undefined
}

function incompleteBody(): HttpError {
  return invalidBody('syntax', 'the body ended before it was complete')
}

/** The 413 for a body above a limit; the predicate says which. */
export function tooLarge(predicate: string): HttpError {
  return new HttpError(413, 'content_too_large', `the body ${predicate}`)
}

/** Decodes a body of text, or a text in it, which the message names. Throws a 400 if it is not UTF-8. */
export function decodeTextBody(bytes: Uint8Array, subject = 'body'): string {
  try {
    return decodeUtf8(bytes)
  } catch (error) {
    if (!(error instanceof TextError)) throw error
    throw invalidBody(error.keyword, `${subject} ${error.message}`)
  }
}
