/** Texts of requests: their decoding, and excerpts of them for messages. */
import { TextError } from './errors.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

/** Decodes UTF-8. Throws a TextError with the position of the first byte that is not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    // A lenient decoder puts U+FFFD in place of an error. So the first byte that differs after encoding again is the error.
    const encoded = Buffer.from(lenient.decode(bytes))
    let at = 0
    let end = bytes.length
    // Find it by bisection: a loop over each byte takes many times as long.
    while (at < end) {
      const middle = (at + end) >> 1
      if (encoded.compare(bytes, at, middle + 1, at, middle + 1) === 0) at = middle + 1
      else end = middle
    }
    // Of a sequence that the end cuts off, the bytes may be the same.
    throw new TextError(`is not UTF-8 at byte ${Math.min(at + 1, bytes.length)}`, 'encoding')
  }
}

/** Shortens a text from the request for use in a message. */
export function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
