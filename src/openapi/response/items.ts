/**
 * Streams of items (OpenAPI 3.2, Sequential Media Types): a handler returns an async iterable, and each item is written when the
 * client can take it.
 */
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { endIterator, endStream } from './stream-bodies.ts'

/** The time that a stream has to end when the app stops, in milliseconds. */
const STOP_MS = 5000

/** The characters after which a stream lets the event loop go on, so that other requests need not wait for its end. */
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
  /** Is called with the error of an iterable that cannot be ended. */
  readonly onEndError: (error: unknown) => void
}

interface KeepAlive {
  readonly text: string
  /** The time without an item after which the text is sent, in milliseconds. */
  readonly interval: number
}

/**
 * The stream of the written items. It asks for no item before it is read, and for the next one when the client has taken those before.
 *
 * | what happens                             | what follows                                                              |
 * |------------------------------------------|---------------------------------------------------------------------------|
 * | the iterable ends                        | the stream ends                                                           |
 * | the iterable or `write` throws           | the stream fails, so that its client notices                              |
 * | the client leaves                        | `return()` of the iterable is called, also while its next item is awaited |
 * | the app stops, and `endsAtStop` is true  | the stream ends, and does not wait for the next item                      |
 * | the app stops, and `endsAtStop` is false | the stream goes on; it fails after `STOP_MS`                              |
 * | no item comes for `keepAlive.interval`   | `keepAlive.text` is sent, if the client has taken all before              |
 *
 * It is not made of an async generator: while that waits for the next item, it cannot be ended.
 */
export class ItemStream extends Readable {
  readonly #items: AsyncIterable<unknown>
  readonly #options: ItemStreamOptions
  readonly #keepAliveTimer: NodeJS.Timeout | undefined
  /** Undefined until the stream is read. */
  #iterator: AsyncIterator<unknown> | undefined
  /** True once the iterable has ended or thrown: `return()` is not called then, as by `for await`. */
  #isExhausted = false
  #isAwaitingItem = false
  #hasEnded = false
  /** The characters since the stream last let the event loop go on. */
  #length = 0

  constructor(items: AsyncIterable<unknown>, options: ItemStreamOptions) {
    super({ objectMode: true, highWaterMark: 1 })
    const { keepAlive, signal } = options
    this.#items = items
    this.#options = options
    this.#keepAliveTimer = keepAlive && setInterval(() => this.#pushKeepAlive(keepAlive.text), keepAlive.interval)
    // A hook may send something else. Without a listener, the error of a stream that nobody reads ends the process.
    this.on('error', () => {})
    if (signal.aborted) this.#stop()
    else signal.addEventListener('abort', () => this.#stop(), { once: true })
  }

  override _read(): void {
    // A keep-alive text is read while an item is awaited.
    if (this.#isAwaitingItem) return
    this.#isAwaitingItem = true
    this.#pushNext().catch((error) => this.#hasEnded || this.destroy(error))
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#hasEnded = true
    clearInterval(this.#keepAliveTimer)
    if (this.#iterator === undefined) endStream(this.#items)
    // Not awaited: a generator returns when it has its next item, which may take any time.
    else if (!this.#isExhausted) endIterator(this.#iterator).catch(this.#options.onEndError)
    done(error)
  }

  /** Waits for the next item, and writes it, unless the stream has ended meanwhile. */
  async #pushNext(): Promise<void> {
    this.#iterator ??= this.#items[Symbol.asyncIterator]()
    let result: IteratorResult<unknown>
    try {
      result = await this.#iterator.next()
    } catch (error) {
      this.#isExhausted = true
      throw error
    }
    this.#isExhausted = result.done === true
    if (this.#hasEnded) return
    if (result.done) return this.#end()
    const text = this.#options.write(result.value)
    this.#length += text.length
    // Otherwise, while a fast client reads items that are in memory, only microtasks run, and no other request.
    if (this.#length >= YIELD_LENGTH) {
      this.#length = 0
      await setImmediate()
    }
    if (this.#hasEnded) return
    this.#isAwaitingItem = false
    this.#keepAliveTimer?.refresh()
    this.push(text)
  }

  #pushKeepAlive(text: string): void {
    // Otherwise, texts pile up for a client that does not read.
    if (this.readableLength === 0) this.push(text)
  }

  #end(): void {
    this.#hasEnded = true
    clearInterval(this.#keepAliveTimer)
    this.push(null)
  }

  /** Ends the stream, or lets it go on for a while. If the client has left, Fastify destroys it meanwhile. */
  #stop(): void {
    if (this.#hasEnded) return
    const stopTimer = setTimeout(() => this.destroy(new Error('the app stops before the stream has ended')), STOP_MS)
    this.once('close', () => clearTimeout(stopTimer))
    if (this.#options.endsAtStop) this.#end()
  }
}
