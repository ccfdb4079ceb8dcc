/**
 * The parser of multipart/form-data (RFC 7578), whose bytes arrive in pieces. @fastify/busboy 3.2.6 and busboy 1.6.0 lose data without
 * an error: a part with blanks after its boundary (`--B \r\n`, RFC 2046, section 5.1.1), and what follows a line of a text that begins
 * with the boundary. `Response.formData` of Node 26.10 rejects such blanks, and `filename="a\"b"`.
 */
import { parseParameters } from '../document/media-type.ts'
import { malformedForm, type PartHeader, parsePartHeader } from './part-header.ts'
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
 * What the next bytes of a form are:
 *
 * | state          | bytes                                                                             | next state              |
 * |----------------|-----------------------------------------------------------------------------------|-------------------------|
 * | `preamble`     | anything, and a delimiter: `\r\n--B`, whose line break may be missing             | `delimiterEnd`          |
 * | `delimiterEnd` | nothing, or `--` at the end of the form                                           | `header`, or `epilogue` |
 * | `header`       | blanks, field lines with a `\r\n` before each, and the last `\r\n`               | `headerEnd`             |
 * | `headerEnd`    | the `\r\n` of the empty line; without content, it also begins the delimiter       | `content`               |
 * | `content`      | anything, and a delimiter                                                         | `delimiterEnd`          |
 * | `epilogue`     | anything                                                                          |                         |
 */
type State = 'preamble' | 'delimiterEnd' | 'header' | 'headerEnd' | 'content' | 'epilogue'

/** The header of a part, or a piece of its content. */
type FormEvent = PartHeader | Buffer<ArrayBuffer>

/**
 * Parses a form with this Content-Type and at most `maxParts` parts. Yields the header of each part, and after it the pieces of its
 * content. Throws a 400 or 413.
 */
export async function* parseMultipart(
  chunks: AsyncIterable<Buffer<ArrayBuffer>>,
  contentType: string,
  maxParts: number,
): AsyncGenerator<FormEvent, void, undefined> {
  const delimiter = getDelimiter(contentType)
  let state: State = 'preamble'
  let partCount = 0
  // The bytes that are not parsed. They begin with the line break that the first delimiter may lack.
  let bytes = LINE_BREAK
  for await (const chunk of chunks) {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
    for (let step = parseStep(state, bytes, delimiter); step; step = parseStep(state, bytes, delimiter)) {
      if (state === 'header' && ++partCount > maxParts) throw tooLarge(`has more than ${maxParts} parts`)
      if (step.event !== undefined) yield step.event
      state = step.nextState
      bytes = bytes.subarray(step.length)
    }
  }
  if (state !== 'epilogue') throw malformedForm()
}

/** One step of the parser: the number of bytes that it takes, what they are, and the next state. */
interface Step {
  readonly length: number
  readonly event?: FormEvent | undefined
  readonly nextState: State
}

/** Parses the first of the bytes; returns undefined if it takes more of them. */
function parseStep(state: State, bytes: Buffer<ArrayBuffer>, delimiter: Buffer): Step | undefined {
  switch (state) {
    case 'preamble':
    case 'content': {
      const start = bytes.indexOf(delimiter)
      const end = start < 0 ? findPossibleDelimiter(bytes, delimiter) : start
      const event = state === 'content' && end > 0 ? bytes.subarray(0, end) : undefined
      if (start >= 0) return { length: end + delimiter.length, event, nextState: 'delimiterEnd' }
      return end > 0 ? { length: end, event, nextState: state } : undefined
    }
    case 'delimiterEnd':
      if (bytes.length < CLOSING.length) return undefined
      return { length: 0, nextState: startsWith(bytes, CLOSING) ? 'epilogue' : 'header' }
    case 'header': {
      const end = bytes.subarray(0, MAX_HEADER_BYTES).indexOf(HEADER_END)
      if (end >= 0) {
        const event = parsePartHeader(bytes.subarray(0, end))
        return { length: end + LINE_BREAK.length, event, nextState: 'headerEnd' }
      }
      if (bytes.length < MAX_HEADER_BYTES) return undefined
      throw tooLarge(`has a part whose header is larger than ${MAX_HEADER_BYTES} bytes`)
    }
    case 'headerEnd':
      if (bytes.length < delimiter.length) return undefined
      return { length: startsWith(bytes, delimiter) ? 0 : LINE_BREAK.length, nextState: 'content' }
    case 'epilogue':
      return bytes.length > 0 ? { length: bytes.length, nextState: state } : undefined
  }
}

function startsWith(bytes: Buffer, prefix: Buffer): boolean {
  return bytes.subarray(0, prefix.length).equals(prefix)
}

/** Returns where a delimiter may begin that ends in the next chunk. */
function findPossibleDelimiter(bytes: Buffer, delimiter: Buffer): number {
  const start = bytes.indexOf(CARRIAGE_RETURN, Math.max(0, bytes.length - delimiter.length + 1))
  return start < 0 ? bytes.length : start
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
