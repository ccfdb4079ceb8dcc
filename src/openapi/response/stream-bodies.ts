/** Bodies that are streams: how to tell them, and how to end one that is not sent. */
import { Readable } from 'node:stream'

export function isStream(value: unknown): value is Readable | ReadableStream {
  return value instanceof Readable || value instanceof ReadableStream
}

/** True for a payload that is sent at once: a text, bytes, or none. Any other is a stream, or the Response of one. */
export function isWhole(payload: unknown): boolean {
  return payload == null || typeof payload === 'string' || payload instanceof Uint8Array
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
  // Without a listener, an error of the stream ends the process.
  if (stream instanceof Readable) stream.on('error', () => {}).destroy()
  else if (stream instanceof ReadableStream) stream.cancel().catch(() => {})
  else if (isAsyncIterable(stream)) endIterator(stream[Symbol.asyncIterator]()).catch(() => {})
  else return false
  return true
}

/** Ends an iterator as `for await` does: it may have no `return`, or one that returns no promise. */
export async function endIterator(iterator: AsyncIterator<unknown>): Promise<void> {
  await iterator.return?.()
}
