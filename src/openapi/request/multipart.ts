/**
 * The parser of multipart/form-data (RFC 7578), whose bytes arrive in pieces. @fastify/busboy 3.2.6 and busboy 1.6.0 lose data without
 * an error: a part with blanks after its boundary (`--B \r\n`, RFC 2046, section 5.1.1), and what follows a line of a text that begins
 * with the boundary. `Response.formData` of Node 26.10 rejects such blanks, and `filename="a\"b"`.
 */

import { parseParameters } from '../document/media-type.ts'
import { decodeText, malformedForm, type PartHeader, parsePartHeader } from './part-header.ts'
import { tooLarge } from './receive.ts'
import { invalidBody } from './violations.ts'

/** The most characters of a boundary (RFC 2046, section 5.1.1): the time of a search grows with its length. */
const MAX_BOUNDARY = 70

/** The most bytes of the header of a part. */
const MAX_HEADER_BYTES = 8192

const CARRIAGE_RETURN = 0x0d
const LINE_BREAK = Buffer.from('\r\n')
const CLOSING = Buffer.from('--')
const HEADER_END = Buffer.from('\r\n\r\n')

/**
 * Parses a form with this Content-Type and at most so many parts. Yields the header of each part, and after it the pieces of its
 * content. Throws a 400 or 413.
 */
export async function* parseMultipart(
  chunks: AsyncIterable<Buffer<ArrayBuffer>>,
  contentType: string,
  maxParts: number,
): AsyncGenerator<PartHeader | Buffer<ArrayBuffer>, void, undefined> {
  const parser = new MultipartParser(getDelimiter(contentType), maxParts)
  for await (const chunk of chunks) yield* parser.parse(chunk)
  parser.end()
}

/**
 * What the next bytes of a form are. A state ends with the bytes that it names, so each is followed by the next one; a content is
 * followed by a delimiter.
 *
 * | state           | bytes                                                                                                |
 * |-----------------|------------------------------------------------------------------------------------------------------|
 * | `preamble`      | anything, and the first delimiter: `\r\n--B`, whose line break may be missing                         |
 * | `delimiterEnd`  | `--` before the epilogue, otherwise nothing                                                          |
 * | `header`        | blanks, then `\r\n` and a field line each, and `\r\n` before the empty line                           |
 * | `headerEnd`     | the `\r\n` of the empty line, which is also the delimiter's if the content is empty                   |
 * | `content`       | the content and a delimiter                                                                          |
 * | `epilogue`      | anything                                                                                             |
 */
type State = 'preamble' | 'delimiterEnd' | 'header' | 'headerEnd' | 'content' | 'epilogue'

class MultipartParser {
  readonly #delimiter: Buffer
  readonly #maxParts: number
  #state: State = 'preamble'
  #partCount = 0
  /** The bytes that have arrived and are not parsed. They begin with the line break that the first delimiter may lack. */
  #bytes: Buffer<ArrayBuffer> = LINE_BREAK

  constructor(delimiter: Buffer, maxParts: number) {
    this.#delimiter = delimiter
    this.#maxParts = maxParts
  }

  /** Parses the next bytes of a form. Yields the headers that are complete, and the pieces of contents. */
  *parse(chunk: Buffer<ArrayBuffer>): Generator<PartHeader | Buffer<ArrayBuffer>, void, undefined> {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk])
    for (;;) {
      switch (this.#state) {
        case 'preamble':
        case 'content': {
          const end = this.#bytes.indexOf(this.#delimiter)
          const piece = this.#take(end < 0 ? this.#findPossibleDelimiter() : end)
          if (this.#state === 'content' && piece.length > 0) yield piece
          if (end < 0) return
          this.#take(this.#delimiter.length)
          this.#state = 'delimiterEnd'
          break
        }
        case 'delimiterEnd':
          if (this.#bytes.length < CLOSING.length) return
          this.#state = this.#startsWith(CLOSING) ? 'epilogue' : 'header'
          break
        case 'header': {
          const header = this.#takeHeader()
          if (header === undefined) return
          yield header
          this.#state = 'headerEnd'
          break
        }
        case 'headerEnd':
          if (this.#bytes.length < this.#delimiter.length) return
          if (!this.#startsWith(this.#delimiter)) this.#take(LINE_BREAK.length)
          this.#state = 'content'
          break
        case 'epilogue':
          this.#take(this.#bytes.length)
          return
      }
    }
  }

  /** Throws a 400 if the form is not complete. */
  end(): void {
    if (this.#state !== 'epilogue') throw malformedForm()
  }

  #take(length: number): Buffer<ArrayBuffer> {
    const taken = this.#bytes.subarray(0, length)
    this.#bytes = this.#bytes.subarray(length)
    return taken
  }

  #startsWith(bytes: Buffer): boolean {
    return this.#bytes.subarray(0, bytes.length).equals(bytes)
  }

  /** Returns where a delimiter may begin that ends in the next chunk. */
  #findPossibleDelimiter(): number {
    const start = this.#bytes.indexOf(CARRIAGE_RETURN, Math.max(0, this.#bytes.length - this.#delimiter.length + 1))
    return start < 0 ? this.#bytes.length : start
  }

  /** Takes the header of a part, but for its last line break; returns undefined while it is not complete. */
  #takeHeader(): PartHeader | undefined {
    const end = this.#bytes.subarray(0, MAX_HEADER_BYTES).indexOf(HEADER_END)
    if (end < 0) {
      if (this.#bytes.length < MAX_HEADER_BYTES) return undefined
      throw tooLarge(`has a part whose header is larger than ${MAX_HEADER_BYTES} bytes`)
    }
    if (this.#partCount++ === this.#maxParts) throw tooLarge(`has more than ${this.#maxParts} parts`)
    const header = parsePartHeader(decodeText(this.#take(end)))
    this.#take(LINE_BREAK.length)
    return header
  }
}

/** Returns what separates the parts of a form with this Content-Type. */
function getDelimiter(contentType: string): Buffer {
  const boundary = parseParameters(contentType)?.parameters.get('boundary') ?? ''
  if (boundary === '') throw malformedForm()
  if (boundary.length > MAX_BOUNDARY) {
    throw invalidBody('syntax', `body must have a boundary of at most ${MAX_BOUNDARY} characters`)
  }
  return Buffer.from(`\r\n--${boundary}`, 'latin1')
}
