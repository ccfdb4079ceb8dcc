/**
 * Streams of items (OpenAPI 3.2, Sequential Media Types): a handler returns an async iterable, and each item is written when the
 * client can take it.
 */
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'

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
  /** What is sent between items that are far apart; undefined if the media type has nothing for this. */
  readonly keepAlive: KeepAlive | undefined
  /** Is told why the iterable could not be ended. */
  readonly onEndError: (error: unknown) => void
}

interface KeepAlive {
  readonly text: string
  /** The time without an item after which the text is sent, in milliseconds. */
  readonly interval: number
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
 * | no item comes for `keepAlive.interval`   | `keepAlive.text` is sent, if the client has taken all before              |
 */
export function createItemStream(
  items: AsyncIterable<unknown>,
  { write, signal, endsAtStop, keepAlive, onEndError }: ItemStreamOptions,
): Readable {
  let iterator: AsyncIterator<unknown> | undefined
  let isReading = false
  let hasEnded = false
  let length = 0

  /** Waits for the next item, and writes it, unless the stream has ended meanwhile. */
  async function pushNext(): Promise<void> {
    iterator ??= items[Symbol.asyncIterator]()
    const result = await iterator.next()
    if (hasEnded) return
    if (result.done) return end()
    const text = write(result.value)
    length += text.length
    // Otherwise, while a fast client reads items that are in memory, only microtasks run, and no other request.
    if (length >= YIELD_LENGTH) {
      length = 0
      await setImmediate()
    }
    if (hasEnded) return
    isReading = false
    timer?.refresh()
    stream.push(text)
  }

  // Not of an async generator: while that waits for the next item, it cannot be ended.
  const stream = new Readable({
    objectMode: true,
    highWaterMark: 1,
    read() {
      // A text of `keepAlive` is read while an item is awaited.
      if (isReading) return
      isReading = true
      pushNext().catch((error) => hasEnded || stream.destroy(error))
    },
    destroy(error, done) {
      hasEnded = true
      clearInterval(timer)
      if (iterator === undefined) endStream(items)
      // Not awaited: a generator returns when it has its next item, which may take any time.
      else endIterator(iterator).catch(onEndError)
      done(error)
    },
  })

  // A hook may send something else. Without a listener, the error of a stream that nobody reads ends the process.
  stream.on('error', () => {})
  const timer = keepAlive && setInterval(pushKeepAlive, keepAlive.interval, keepAlive.text)

  function pushKeepAlive(text: string): void {
    // Otherwise, texts pile up for a client that does not read.
    if (stream.readableLength === 0) stream.push(text)
  }

  function end(): void {
    hasEnded = true
    clearInterval(timer)
    stream.push(null)
  }

  function stop(): void {
    if (hasEnded) return
    const stopTimer = setTimeout(() => stream.destroy(new Error('the app stops before the stream has ended')), STOP_MS)
    stream.once('close', () => clearTimeout(stopTimer))
    if (endsAtStop) end()
  }

  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  return stream
}

/** Ends a stream or an iterable that is not sent, also the stream of a Response. Returns false for other bodies. */
export function endStream(body: unknown): boolean {
  // Compare the name: a reference to the class would load `fetch`.
  const stream = Object.prototype.toString.call(body) === '[object Response]' ? (body as Response).body : body
  // Without a listener, an error of the stream ends the process.
  if (stream instanceof Readable) stream.on('error', () => {}).destroy()
  else if (stream instanceof ReadableStream) stream.cancel().catch(() => {})
  else if (isAsyncIterable(stream)) endIterator(stream[Symbol.asyncIterator]()).catch(() => {})
  else return false
  return true
}

/** Ends an iterator as `for await` does: it may have no `return`, or one that returns no promise. */
async function endIterator(iterator: AsyncIterator<unknown>): Promise<void> {
  await iterator.return?.()
}

export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
