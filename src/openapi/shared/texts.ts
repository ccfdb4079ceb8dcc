/** Texts of requests: their decoding, and excerpts of them for messages. */
import { TextError } from './errors.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes UTF-8. Throws a TextError for other bytes. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new TextError('is not UTF-8', 'encoding')
  }
}

/** Shortens a text from the request for use in a message. */
export function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
