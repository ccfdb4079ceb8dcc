/**
 * The parser of multipart/form-data (RFC 7578), whose bytes arrive in pieces. @fastify/busboy 3.2.6 and busboy 1.6.0 lose data without
 * an error: a part with blanks after its boundary (`--B \r\n`, RFC 2046, section 5.1.1), and what follows a line of a text that begins
 * with the boundary. `Response.formData` of Node 26.10 rejects such blanks, and `filename="a\"b"`.
 */

import { parseParameters } from '../document/media-type.ts'
import { toPointer } from '../document/pointers.ts'
import { formatMember } from '../schema/messages.ts'
import { decodeUtf8 } from '../shared/texts.ts'
import { tooLarge } from './receive.ts'
import { createViolation, invalidBody, invalidRequest } from './violations.ts'

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
const LINE_BREAK = Buffer.from('\r\n')
const CLOSING = Buffer.from('--')
const HEADER_END = Buffer.from('\r\n\r\n')

/**
 * Parses a form with this Content-Type and at most so many parts. Yields the header of each part, and after it the pieces of its
 * content. Throws a 400 or 413.
 *
 *     --B                                                     the delimiter, which the preamble may precede
 *     ␣␣\r\n Content-Disposition: form-data; name="a" \r\n    header, up to an empty line; blanks may precede it
 *     \r\n 1                                                  content
 *     \r\n--B                                                 delimiter
 *     \r\n Content-Disposition: form-data; name="b" \r\n      header
 *     \r\n--B                                                 delimiter, which takes the line break of an empty content
 *     --                                                      the end; what follows is discarded
 */
export async function* parseMultipart(
  chunks: AsyncIterator<Buffer<ArrayBuffer>>,
  contentType: string,
  maxParts: number,
): AsyncGenerator<PartHeader | Buffer<ArrayBuffer>, void, undefined> {
  const delimiter = getDelimiter(contentType)
  /** The bytes that have arrived and are not parsed. A line break first: a delimiter begins with one, and the first may have none. */
  let rest = LINE_BREAK

  async function addChunk(): Promise<void> {
    const { done, value } = await chunks.next()
    if (done) throw malformedForm()
    rest = rest.length === 0 ? value : Buffer.concat([rest, value])
  }

  /** Takes the bytes before the next delimiter, and the delimiter. */
  async function* takeContent() {
    for (;;) {
      const start = rest.indexOf(delimiter)
      // Without a delimiter, leave the last bytes if a delimiter that ends in the next chunk may begin with them.
      const possibleStart = rest.indexOf(CARRIAGE_RETURN, Math.max(0, rest.length - delimiter.length + 1))
      const end = start >= 0 ? start : possibleStart >= 0 ? possibleStart : rest.length
      if (end > 0) yield rest.subarray(0, end)
      rest = rest.subarray(start >= 0 ? end + delimiter.length : end)
      if (start >= 0) return
      await addChunk()
    }
  }

  /** Takes the header of a part; returns undefined at the end of the form. */
  async function takeHeader(): Promise<PartHeader | undefined> {
    while (rest.length < CLOSING.length) await addChunk()
    if (rest.indexOf(CLOSING) === 0) return undefined
    while (!rest.includes(HEADER_END) && rest.length < MAX_HEADER_BYTES) await addChunk()
    const end = rest.subarray(0, MAX_HEADER_BYTES).indexOf(HEADER_END)
    if (end < 0) throw tooLarge(`has a part whose header is larger than ${MAX_HEADER_BYTES} bytes`)
    const header = parseHeader(decodeText(rest.subarray(0, end)))
    // Keep the last line break of the header if it begins the delimiter of a part without content.
    rest = rest.subarray(end + LINE_BREAK.length)
    while (rest.length < delimiter.length) await addChunk()
    if (rest.indexOf(delimiter) !== 0) rest = rest.subarray(LINE_BREAK.length)
    return header
  }

  for await (const _preamble of takeContent());
  for (let count = 0; ; count++) {
    const header = await takeHeader()
    if (header === undefined) break
    if (count === maxParts) throw tooLarge(`has more than ${maxParts} parts`)
    yield header
    yield* takeContent()
  }
  while (!(await chunks.next()).done);
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
