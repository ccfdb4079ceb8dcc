/** Receives the bytes of a body: neither their number nor the number of their chunks may be above a limit. */
import { finished, type Readable, Transform } from 'node:stream'
import type { RequestPayload } from 'fastify'
import { HttpError, toServerError } from '../shared/errors.ts'
import { hasTooManyChunks } from '../shared/http.ts'
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
  const findLimitError = createLimit(maxBytes)
  let bytes = Buffer.alloc(0)
  let size = 0
  // Later events are ignored: a hook may have replaced the payload by a stream that goes on after an error.
  let isDone = false

  function finish(error?: HttpError): void {
    if (isDone) return
    isDone = true
    let parsedBody: unknown
    try {
      if (error !== undefined) throw error
      parsedBody = parse(bytes.subarray(0, size))
    } catch (thrown) {
      done(toServerError(thrown))
      return
    }
    done(null, parsedBody)
  }

  function addChunk(chunk: Buffer<ArrayBuffer>): void {
    if (isDone) return
    const error = findLimitError(chunk)
    if (error !== undefined) {
      finish(error)
      return
    }
    const start = size
    size += chunk.length
    // Copy all chunks but the first into one buffer: each takes 400 bytes of memory besides its content.
    if (start === 0) bytes = chunk
    else if (size > bytes.length) bytes = Buffer.concat([bytes.subarray(0, start), chunk], Math.min(2 * size, maxBytes))
    else chunk.copy(bytes, start)
  }

  function fail(): void {
    if (!isDone) finish(incompleteBody())
  }

  // The client has left, and Node does not say so again.
  if (payload.destroyed) fail()
  // A stream of a hook may be destroyed without an error.
  else payload.on('data', addChunk).on('end', finish).on('error', fail).on('close', fail)
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
  const findLimitError = createLimit(maxBytes)
  let size = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      done(findLimitError(chunk) ?? findSizeError(size, false), chunk)
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

/** Creates the function that counts the chunks of a body, and returns a 413 above a limit. */
function createLimit(maxBytes: number): (chunk: Buffer) => HttpError | undefined {
  let size = 0
  let count = 0
  return ({ length }) => {
    size += length
    if (size > maxBytes) return tooLarge(`is larger than ${maxBytes} bytes`)
    return hasTooManyChunks(++count, size) ? tooLarge('has too many small chunks; send larger ones') : undefined
  }
}

function incompleteBody(): HttpError {
  return invalidBody('syntax', 'the body ended before it was complete')
}

/** The 413 for a body above a limit; the predicate says which. */
export function tooLarge(predicate: string): HttpError {
  return new HttpError(413, 'content_too_large', `the body ${predicate}`)
}
