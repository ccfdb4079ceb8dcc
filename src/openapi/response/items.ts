/**
 * Streams of items (OpenAPI 3.2, Sequential Media Types): a handler returns an async iterable, and each item is written when the
 * client can take it.
 */
import { Readable } from 'node:stream'
import { endStream } from './content.ts'

/** The time that a stream has to end when the app stops, in milliseconds. */
const STOP_MS = 5000

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
 * Creates the stream of the written items. It asks for an item when the client has taken those before, calls `return()` of the
 * iterable when it ends early, and does nothing at all until it is read.
 */
export function createItemStream(
  items: AsyncIterable<unknown>,
  { write, signal, endsAtStop, onEndError }: ItemStreamOptions,
): Readable {
  let iterator: AsyncIterator<unknown> | undefined
  const end: IteratorReturnResult<undefined> = { done: true, value: undefined }
  let stopWaiting = () => {}

  // Not an async generator: while that waits for the next item, it cannot be ended.
  const texts: AsyncIterator<string> = {
    next: () =>
      new Promise((resolve, reject) => {
        stopWaiting = () => resolve(end)
        if (signal.aborted && endsAtStop) return stopWaiting()
        iterator ??= items[Symbol.asyncIterator]()
        iterator
          .next()
          .then((result) => resolve(result.done ? end : { done: false, value: write(result.value) }))
          .catch(reject)
      }),
    return: async () => {
      // A generator returns when it has its next item, which may take any time.
      if (iterator === undefined) endStream(items)
      else iterator.return?.().catch(onEndError)
      return end
    },
  }
  const stream = Readable.from({ [Symbol.asyncIterator]: () => texts })
  const stop = () => {
    if (stream.destroyed) return
    if (endsAtStop) stopWaiting()
    const timer = setTimeout(() => stream.destroy(new Error('the app stops before the stream has ended')), STOP_MS)
    stream.once('close', () => clearTimeout(timer))
  }
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  return stream
}
