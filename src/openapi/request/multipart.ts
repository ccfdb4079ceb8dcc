/**
 * The parser of multipart/form-data (RFC 7578), whose bytes arrive in pieces. @fastify/busboy 3.2.6 and busboy 1.6.0 lose data without
 * an error: a part with blanks after its boundary (`--B \r\n`, RFC 2046, section 5.1.1), and what follows a line of a text that begins
 * with the boundary. `Response.formData` of Node 26.10 rejects such blanks, and `filename="a\"b"`.
 */

import { parseParameters } from '../document/media-type.ts'
import { toPointer } from '../document/pointers.ts'
import { createViolation, formatMember, invalidBody, invalidRequest } from '../schema/violations.ts'
import { decodeUtf8 } from '../shared/json.ts'
import { tooLarge } from './receive.ts'

/** The header of a part: what follows it, up to the next header, is its content. */
export interface PartHeader {
  readonly name: string
  /** As the client sends it, perhaps with a path; undefined for a text. */
  readonly fileName: string | undefined
  readonly contentType: string
}

/** The most characters of a boundary (RFC 2046, section 5.1.1): the time of a search grows with its length. */
const MAX_BOUNDARY = 70

/** The most bytes of the header of a part. */
const MAX_HEADER_BYTES = 8192

const CARRIAGE_RETURN = 0x0d
const CLOSING = Buffer.from('--')
const HEADER_END = Buffer.from('\r\n\r\n')
const LINE_BREAK_BYTES = 2
const NOTHING = Buffer.alloc(0)

/**
 * Creates the parser of one form with this Content-Type and at most so many parts. Each of its functions throws a 400 or 413. A form,
 * with the state in which each line is parsed:
 *
 *     --B                                                     preamble
 *     ␣␣\r\n Content-Disposition: form-data; name="a" \r\n    header, up to an empty line; blanks may precede it
 *     \r\n 1                                                  content
 *     \r\n--B                                                 (the delimiter: the next part begins)
 *     \r\n Content-Disposition: form-data; name="b" \r\n      header
 *     \r\n--B                                                 content, which is empty: its delimiter takes the header's line break
 *     --                                                      header, which is the end of the form
 *                                                             epilogue
 */
export function createMultipartParser(contentType: string, maxParts: number) {
  const boundary = parseParameters(contentType)?.parameters.get('boundary') ?? ''
  if (boundary === '') throw malformedForm()
  if (boundary.length > MAX_BOUNDARY) {
    throw invalidBody('syntax', `body must have a boundary of at most ${MAX_BOUNDARY} characters`)
  }
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  /** The bytes that have arrived and are not parsed. A line break first: a delimiter begins with one, and the first may have none. */
  let rest = Buffer.from('\r\n')
  let state: 'preamble' | 'header' | 'content' | 'epilogue' = 'preamble'
  let partCount = 0
  /** The number of bytes at the beginning of the rest that are no content: the line break at the end of a header. */
  let skippedBytes = 0

  /** Takes a part's header off the rest; undefined if it is incomplete, or if the rest begins with the end of the form. */
  function takeHeader(): PartHeader | undefined {
    if (rest.length < CLOSING.length) return undefined
    if (rest.subarray(0, CLOSING.length).equals(CLOSING)) {
      state = 'epilogue'
      return undefined
    }
    const end = rest.subarray(0, MAX_HEADER_BYTES).indexOf(HEADER_END)
    if (end < 0 && rest.length < MAX_HEADER_BYTES) return undefined
    if (end < 0) throw tooLarge(`has a part whose header is larger than ${MAX_HEADER_BYTES} bytes`)
    if (++partCount > maxParts) throw tooLarge(`has more than ${maxParts} parts`)
    const header = parseHeader(decodeText(rest.subarray(0, end)))
    // Keep the last line break of the header: the delimiter of a part without content may begin with it.
    rest = rest.subarray(end + LINE_BREAK_BYTES)
    skippedBytes = LINE_BREAK_BYTES
    state = 'content'
    return header
  }

  /** Takes off the rest the content before the next delimiter, and the delimiter if all of it has arrived. */
  function takeContent() {
    const start = rest.indexOf(delimiter)
    const hasDelimiter = start >= 0
    // Leave the last bytes if they may be the beginning of a delimiter that ends in the next chunk.
    const possibleStart = rest.indexOf(CARRIAGE_RETURN, Math.max(0, rest.length - delimiter.length + 1))
    const end = hasDelimiter ? start : possibleStart >= 0 ? possibleStart : rest.length
    const content = state === 'preamble' ? NOTHING : rest.subarray(skippedBytes, end)
    rest = rest.subarray(hasDelimiter ? end + delimiter.length : end)
    if (hasDelimiter) state = 'header'
    if (end > 0) skippedBytes = 0
    return { content, hasDelimiter }
  }

  return {
    /** Yields the headers of the parts, and after each header the pieces of its content. */
    *push(chunk: Buffer<ArrayBuffer>): Generator<PartHeader | Buffer<ArrayBuffer>> {
      if (state === 'epilogue') return
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      for (let isReady = true; isReady; ) {
        if (state === 'header') {
          const header = takeHeader()
          if (header === undefined) return
          yield header
        }
        const { content, hasDelimiter } = takeContent()
        if (content.length > 0) yield content
        isReady = hasDelimiter
      }
    },
    /** Throws a 400 if the form is not complete. */
    end(): void {
      if (state !== 'epilogue') throw malformedForm()
    },
  }
}

/** Decodes a text of a form. Throws a 400 if it is not UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return decodeUtf8(bytes)
  } catch {
    throw invalidBody('encoding', 'body has a text that is not UTF-8')
  }
}

function malformedForm(): Error {
  return invalidBody('syntax', 'body is not multipart/form-data with the boundary of its Content-Type')
}

/** Parses what is between a delimiter and the content: blanks (RFC 2046, section 5.1.1) and field lines. */
function parseHeader(text: string): PartHeader {
  const [padding = '', ...lines] = text.replaceAll(/\r\n(?=[ \t])/g, '').split('\r\n')
  if (padding.trim() !== '') throw malformedForm()
  const fields = new Map<string, string>()
  for (const line of lines) {
    const [, name, value = ''] = /^([!-9;-~]+):(.*)$/s.exec(line) ?? []
    if (name === undefined || fields.has(name.toLowerCase())) throw malformedForm()
    fields.set(name.toLowerCase(), value.trim())
  }
  const disposition = parseParameters(fields.get('content-disposition') ?? '')
  const name = disposition?.parameters.get('name')
  if (disposition?.type !== 'form-data' || name === undefined) throw malformedForm()
  const encoding = fields.get('content-transfer-encoding') ?? 'binary'
  if (!/^(7bit|8bit|binary)$/i.test(encoding)) {
    // RFC 7578, section 4.7: deprecated.
    const message = `${formatMember('body', name)} must not have a Content-Transfer-Encoding`
    throw invalidRequest([
      createViolation({ in: 'body', pointer: toPointer(name), keyword: 'contentEncoding', message }),
    ])
  }
  const { parameters } = disposition
  return {
    name: decodeName(name),
    fileName: decodeExtended(parameters.get('filename*')) ?? decodeName(parameters.get('filename')),
    contentType: fields.get('content-type') ?? 'text/plain',
  }
}

/** Decodes what browsers encode in names (HTML Standard, "Multipart form data"). They leave any other percent sign as it is. */
function decodeName<Name extends string | undefined>(name: Name): Name {
  return name?.replaceAll(/%(?:22|0A|0D)/gi, decodeURIComponent) as Name
}

/** Decodes `UTF-8''%e2%82%ac.txt` (RFC 8187), which RFC 7578 rules out for file names, and some clients send. */
function decodeExtended(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  try {
    return decodeURIComponent(value.replace(/^utf-8'[^']*'/i, ''))
  } catch {
    throw malformedForm()
  }
}
