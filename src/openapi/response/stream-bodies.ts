/** Bodies that are streams: how to tell them, and how to end one that is not sent. */
import type { Readable } from 'node:stream'

/** True for a stream of Node or of the web, by Fastify's own test. A reference to the class `ReadableStream` takes 4 ms, which load it. */
export function isStream(value: unknown): value is Readable | ReadableStream {
  if (typeof value !== 'object' || value === null) return false
  const { pipe, getReader } = value as Partial<Record<'pipe' | 'getReader', unknown>>
  return typeof pipe === 'function' || typeof getReader === 'function'
}

/** True for a Response of `fetch`. Compares the name: a reference to the class would load `fetch`. */
export function isResponse(value: unknown): value is Response {
  return Object.prototype.toString.call(value) === '[object Response]'
}

export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** Ends a stream or an iterable that is not sent, also the stream of a Response. Returns false for other bodies. */
export function endStream(body: unknown): boolean {
  const stream = isResponse(body) ? body.body : body
  if (isStream(stream)) {
    if ('cancel' in stream) stream.cancel().catch(() => {})
    // Without a listener, an error of the stream ends the process.
    else stream.on('error', () => {}).destroy()
  } else if (isAsyncIterable(stream)) {
    endIterator(stream[Symbol.asyncIterator]()).catch(() => {})
  } else {
    return false
  }
  return true
}

/** Ends an iterator as `for await` does: it may have no `return`, or one that returns no promise. */
export async function endIterator(iterator: AsyncIterator<unknown>): Promise<void> {
  await iterator.return?.()
}
