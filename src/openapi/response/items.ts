/**
 * Streams of items (OpenAPI 3.2, Sequential Media Types): a handler returns an async iterable, and each item is written when the
 * client can take it.
 */
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { endIterator, endStream } from './content.ts'

/** The time that a stream has to end when the app stops, in milliseconds. */
const STOP_MS = 5000

/** After so many characters, a stream lets the event loop go on: other requests wait some 10 ms, in place of seconds. */
const YIELD_LENGTH = 65_536

interface ItemStreamOptions {
  /** Writes an item. An error ends the stream. */
  readonly write: (item: unknown) => string
  /** Aborts when the client has left, or the app stops. */
  readonly signal: AbortSignal
  /**
   * True if the stream ends when the app stops, because its client comes back for more. Otherwise the stream goes on: its client
   * takes an end for the last item.
   */
  readonly endsAtStop: boolean
  /** Is told why the iterable could not be ended. */
  readonly onEndError: (error: unknown) => void
}

/**
 * Creates the stream of the written items. It asks for the next item when the client has taken those before, and does nothing at
 * all until it is read.
 *
 * | what happens                             | what follows                                                              |
 * |------------------------------------------|---------------------------------------------------------------------------|
 * | the iterable ends                        | the stream ends                                                           |
 * | the iterable or `write` throws           | the stream fails, so that its client notices                              |
 * | the client leaves                        | `return()` of the iterable is called, also while its next item is awaited |
 * | the app stops, and `endsAtStop` is true  | the stream ends, and does not wait for the next item                      |
 * | the app stops, and `endsAtStop` is false | the stream goes on; it fails after `STOP_MS`                              |
 */
export function createItemStream(
  items: AsyncIterable<unknown>,
  { write, signal, endsAtStop, onEndError }: ItemStreamOptions,
): Readable {
  let iterator: AsyncIterator<unknown> | undefined
  let endWaiting = () => {}
  let length = 0

  /** Waits for the next item, and writes it. */
  async function readNext(): Promise<IteratorResult<string>> {
    iterator ??= items[Symbol.asyncIterator]()
    const result = await iterator.next()
    if (result.done) return END
    const text = write(result.value)
    length += text.length
    // Otherwise, while a fast client reads items that are in memory, only microtasks run, and no other request.
    if (length >= YIELD_LENGTH) {
      length = 0
      await setImmediate()
    }
    return { done: false, value: text }
  }

  // Not an async generator: while that waits for the next item, it cannot be ended.
  const texts: AsyncIterator<string> = {
    next: () =>
      new Promise((resolve, reject) => {
        endWaiting = () => resolve(END)
        if (signal.aborted && endsAtStop) endWaiting()
        else readNext().then(resolve, reject)
      }),
    return: async () => {
      if (iterator === undefined) endStream(items)
      // Not awaited: a generator returns when it has its next item, which may take any time.
      else endIterator(iterator).catch(onEndError)
      return END
    },
  }
  const stream = Readable.from({ [Symbol.asyncIterator]: () => texts })

  function stop(): void {
    if (stream.destroyed) return
    if (endsAtStop) endWaiting()
    const timer = setTimeout(() => stream.destroy(new Error('the app stops before the stream has ended')), STOP_MS)
    stream.once('close', () => clearTimeout(timer))
  }

  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  return stream
}

const END: IteratorReturnResult<undefined> = { done: true, value: undefined }
