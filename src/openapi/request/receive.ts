/** Receives the bytes of a body, at most `maxBytes` in not too many chunks, and decodes texts. */
import { finished, type Readable, Transform } from 'node:stream'
import type { RequestPayload } from 'fastify'
import { HttpError, TextError, toServerError } from '../shared/errors.ts'
import { hasTooManyChunks } from '../shared/http.ts'
import { decodeUtf8 } from '../shared/texts.ts'
import { invalidBody } from './violations.ts'

/** Takes the parsed body. */
export type ReceiveDone = (error: Error | null, parsedBody?: unknown) => void

/**
 * Receives a body as one buffer, and passes on what `parse` returns. The error is a 413, what `toBodyError` returns, or what `parse`
 * throws.
 */
export function receiveBytes(
  payload: RequestPayload,
  maxBytes: number,
  parse: (bytes: Buffer<ArrayBuffer>) => unknown,
  done: ReceiveDone,
): void {
  const buffer = createByteBuffer(maxBytes)
  let isDone = false

  function addChunk(chunk: Uint8Array<ArrayBuffer> | string): void {
    // A hook may have replaced the payload by a stream that goes on after an error.
    if (isDone) return
    const error = buffer.add(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
    if (error !== undefined) fail(error)
  }

  function fail(error: Error): void {
    isDone = true
    done(error)
  }

  function finish(): void {
    if (isDone) return
    isDone = true
    let parsedBody: unknown
    try {
      parsedBody = parse(buffer.getBytes())
    } catch (thrown) {
      done(toServerError(thrown))
      return
    }
    done(null, parsedBody)
  }

  const close = () => (isDone ? undefined : fail(toBodyError(payload)))
  // After a client has left, its request emits no event, and a stream of a hook may be destroyed without an error.
  if (payload.destroyed) close()
  else payload.on('data', addChunk).on('end', finish).on('error', close).on('close', close)
}

const NO_BYTES = new Uint8Array()

/** Creates a buffer that grows with the chunks of a body. It copies them: a chunk that is kept takes 400 bytes besides its content. */
function createByteBuffer(maxBytes: number) {
  let buffer: Uint8Array<ArrayBuffer> = NO_BYTES
  let size = 0
  let chunkCount = 0
  return {
    /** Adds a chunk. Returns a 413 if the body is above a limit. */
    add(chunk: Uint8Array<ArrayBuffer>): HttpError | undefined {
      const nextSize = size + chunk.length
      const error = findLimitError(++chunkCount, nextSize, maxBytes)
      if (error !== undefined) return error
      // The first chunk is not copied: most bodies have no other.
      if (size === 0) buffer = chunk
      else if (nextSize <= buffer.length) buffer.set(chunk, size)
      else buffer = Buffer.concat([buffer.subarray(0, size), chunk], Math.min(2 * nextSize, maxBytes))
      size = nextSize
      return undefined
    },
    getBytes: () => Buffer.from(buffer.buffer, buffer.byteOffset, size),
  }
}

/**
 * Returns a body as a stream, which fails with a 413, with what `toBodyError` returns, or with what `findSizeError` returns for the
 * number of bytes so far. Once the stream is closed, the rest of the body is discarded as it arrives.
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
    if (error) stream.destroy(toBodyError(payload))
  })
  stream.once('close', () => payload.resume())
  // Perhaps nobody reads the stream. Without a listener, its error ends the process.
  stream.on('error', () => {})
  return stream
}

/** Returns a 413 for a body above a limit. */
function findLimitError(chunkCount: number, size: number, maxBytes: number): HttpError | undefined {
  if (size > maxBytes) return tooLarge(`is larger than ${maxBytes} bytes`)
  return hasTooManyChunks(chunkCount, size) ? tooLarge('has too many small chunks; send larger ones') : undefined
}

/**
 * Returns the error of a body that ends too early: a 400, or the error of a stream that a hook of the app put in place of the request. As
 * in Fastify's own parsers, that error has the status 400 unless it has another one.
 */
function toBodyError(payload: RequestPayload): Error {
  const { errored } = payload
  // A request, which has headers, fails with its connection.
  if (!errored || 'rawHeaders' in payload) return invalidBody('syntax', 'the body ended before it was complete')
  const hasStatus = 'statusCode' in errored && Number(errored.statusCode) >= 400
  return hasStatus ? errored : Object.assign(errored, { statusCode: 400 })
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
