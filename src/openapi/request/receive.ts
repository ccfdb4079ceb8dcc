/** The chunks of a body as they arrive, counted: neither their sizes nor their number may be above a limit. */
import { Readable } from 'node:stream'
import type { RequestPayload } from 'fastify'
import { invalidBody } from '../schema/violations.ts'
import { HttpError, toError } from '../shared/errors.ts'
import { hasTooManyChunks } from '../shared/http.ts'

/** A body of `x-stream` that was received, or is being received. */
export interface ReceivedBody {
  /** The parsed body. */
  readonly value: unknown
  /** Discards what is not read, and removes the files: must be called when the handler and the response are done. */
  end(): void | Promise<void>
}

/** What takes the chunks of a body. */
interface ChunkReceiver {
  /** Takes a chunk. The next one arrives when the promise, if there is one, is resolved. It may throw or reject. */
  add(chunk: Buffer<ArrayBuffer>): void | Promise<void>
  /**
   * Called once, when no `add` is running: without an error after the last chunk, or with the error of `add`, with a 413, or
   * with a 400 if the body ends too early.
   */
  finish(error?: Error): void
}

/** Receives a body. After an error, what is left of it is discarded as it arrives. */
export function receiveChunks(payload: RequestPayload, maxBytes: number, { add, finish }: ChunkReceiver): void {
  let size = 0
  let count = 0
  let pendingAdd: Promise<void> | undefined
  /**
   * True after the last chunk, and after an error. Later events are ignored: a hook may have replaced the payload by a stream that
   * goes on after an error, or has an error after its end.
   */
  let isFinished = false

  function finishOnce(error?: Error): void {
    if (isFinished) return
    isFinished = true
    if (error !== undefined) payload.resume()
    if (pendingAdd === undefined) finish(error)
    else void pendingAdd.finally(() => finish(error))
  }

  function addChunk(chunk: Buffer<ArrayBuffer>): void {
    let added: void | Promise<void>
    try {
      added = add(chunk)
    } catch (thrown) {
      finishOnce(toError(thrown))
      return
    }
    if (added === undefined) return
    payload.pause()
    pendingAdd = added.then(
      () => {
        pendingAdd = undefined
        payload.resume()
      },
      (thrown) => {
        pendingAdd = undefined
        finishOnce(toError(thrown))
      },
    )
  }

  // The client has left, and Node does not say so again.
  if (payload instanceof Readable && payload.destroyed) {
    finishOnce(incompleteBody())
    return
  }
  payload
    .on('data', (chunk: Buffer<ArrayBuffer>) => {
      if (isFinished) return
      size += chunk.length
      if (size > maxBytes) finishOnce(tooLarge(`is larger than ${maxBytes} bytes`))
      else if (hasTooManyChunks(++count, size)) finishOnce(tooLarge('has too many small chunks; send larger ones'))
      else addChunk(chunk)
    })
    .on('end', () => {
      // The last chunk may still be added: a stream that was paused at its last chunk ends nevertheless.
      if (pendingAdd === undefined) finishOnce()
      else void pendingAdd.then(() => finishOnce())
    })
    .on('error', () => finishOnce(incompleteBody()))
}

function incompleteBody(): Error {
  return invalidBody('syntax', 'the body ended before it was complete')
}

/** The 413 for a body above a limit. */
export function tooLarge(what: string): HttpError {
  return new HttpError(413, 'content_too_large', `the body ${what}`)
}
