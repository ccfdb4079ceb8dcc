/** Bodies of bytes that a handler reads while they arrive (`x-stream`). */
import type { RequestPayload } from 'fastify'
import { type ReceivedBody, receiveChunks } from './receive.ts'

/**
 * Creates the stream of a body. A read rejects with a 413 or 400 if the body is too large or ends too early. `checkSize`
 * takes the number of bytes so far, and throws a 400 above the maximum; once the body is complete, also below the minimum.
 *
 *     payload ──chunk──► add ──enqueue──► stream ──► handler
 *        ▲                                  │
 *        └─────────── requestChunk ◄── pull ┘
 *
 * `add` returns a promise, until whose end the payload is paused. The handler's next read calls `pull`, which resolves the promise.
 */
export function createBodyStream(
  payload: RequestPayload,
  maxBytes: number,
  checkSize: (size: number, isComplete: boolean) => void,
): ReceivedBody {
  let size = 0
  /** True until the stream is closed, cancelled or has an error. */
  let isOpen = true
  /** True once nobody reads the stream any more: chunks are dropped as they arrive. */
  let isDiscarded = false
  /** Lets the next chunk arrive: resolves the promise of the last `add`. */
  let requestChunk = () => {}
  let controller: ReadableStreamDefaultController<Uint8Array>

  const stream = new ReadableStream<Uint8Array>(
    {
      start(streamController) {
        controller = streamController
      },
      pull() {
        requestChunk()
      },
      cancel() {
        isOpen = false
        discard()
      },
    },
    { highWaterMark: 0 },
  )

  function add(chunk: Buffer): void | Promise<void> {
    if (isDiscarded) return undefined
    size += chunk.length
    checkSize(size, false)
    const { promise, resolve } = Promise.withResolvers<void>()
    requestChunk = resolve
    // Calls `pull` at once if another read waits.
    controller.enqueue(chunk)
    return promise
  }

  function finish(error?: Error): void {
    if (!isOpen) return
    isOpen = false
    try {
      if (error !== undefined) throw error
      checkSize(size, true)
      controller.close()
    } catch (thrown) {
      controller.error(thrown)
    }
  }

  /** Lets the rest of the body pass. Otherwise, the connection waits for somebody to read it. */
  function discard(): void {
    isDiscarded = true
    requestChunk()
  }

  receiveChunks(payload, maxBytes, { add, finish })
  return {
    value: stream,
    end() {
      finish(new Error('the body can be read until the response is sent'))
      discard()
    },
  }
}
