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
  const body = new BodyBuffer(maxBytes)
  // Later events are ignored: a hook may have replaced the payload by a stream that goes on after an error.
  let isDone = false

  function finish(error?: HttpError): void {
    if (isDone) return
    isDone = true
    let parsedBody: unknown
    try {
      if (error !== undefined) throw error
      parsedBody = parse(body.bytes)
    } catch (thrown) {
      done(toServerError(thrown))
      return
    }
    done(null, parsedBody)
  }

  function addChunk(chunk: Buffer<ArrayBuffer>): void {
    const error = isDone ? undefined : body.add(chunk)
    if (error !== undefined) finish(error)
  }

  function fail(): void {
    if (!isDone) finish(incompleteBody())
  }

  // The client has left, and Node does not say so again.
  if (payload.destroyed) fail()
  // A stream of a hook may be destroyed without an error.
  else payload.on('data', addChunk).on('end', finish).on('error', fail).on('close', fail)
}

/** The bytes of a body that have arrived. */
class BodyBuffer {
  readonly #maxBytes: number
  readonly #limit: BodyLimit
  #buffer = Buffer.alloc(0)

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
    this.#limit = new BodyLimit(maxBytes)
  }

  get bytes(): Buffer<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#limit.size)
  }

  /** Adds a chunk; returns a 413 above a limit. */
  add(chunk: Buffer<ArrayBuffer>): HttpError | undefined {
    const { size: start } = this.#limit
    const error = this.#limit.add(chunk)
    if (error !== undefined) return error
    const { size } = this.#limit
    // Copy all chunks but the first into one buffer: each takes 400 bytes of memory besides its content.
    if (start === 0) this.#buffer = chunk
    else if (size <= this.#buffer.length) chunk.copy(this.#buffer, start)
    else this.#buffer = Buffer.concat([this.#buffer.subarray(0, start), chunk], Math.min(2 * size, this.#maxBytes))
    return undefined
  }
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
  const limit = new BodyLimit(maxBytes)
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(limit.add(chunk) ?? findSizeError(limit.size, false), chunk)
    },
    flush(done) {
      done(findSizeError(limit.size, true))
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

/** Counts the bytes and the chunks of a body. */
class BodyLimit {
  readonly #maxBytes: number
  #chunkCount = 0
  size = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Returns a 413 above a limit. */
  add({ length }: Buffer): HttpError | undefined {
    this.size += length
    if (this.size > this.#maxBytes) return tooLarge(`is larger than ${this.#maxBytes} bytes`)
    const hasTooMany = hasTooManyChunks(++this.#chunkCount, this.size)
    return hasTooMany ? tooLarge('has too many small chunks; send larger ones') : undefined
  }
}

function incompleteBody(): HttpError {
  return invalidBody('syntax', 'the body ended before it was complete')
}

/** The 413 for a body above a limit; the predicate says which. */
export function tooLarge(predicate: string): HttpError {
  return new HttpError(413, 'content_too_large', `the body ${predicate}`)
}
