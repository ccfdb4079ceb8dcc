/** The headers of the parts of a multipart form (RFC 7578, section 4). */
import { parseParameters } from '../document/media-type.ts'
import { toPointer } from '../document/pointers.ts'
import { formatMember } from '../schema/messages.ts'
import { decodeTextBody } from './receive.ts'
import { createViolation, invalidBody, invalidRequest } from './violations.ts'

/** The header of a part: what follows it, up to the next header, is its content. */
export interface PartHeader {
  readonly name: string
  /** As the client sends it, perhaps with a path; undefined if the part has no file name. */
  readonly fileName: string | undefined
  readonly contentType: string
}

/** Parses what is between a delimiter and the content: blanks (RFC 2046, section 5.1.1) and field lines. */
export function parsePartHeader(bytes: Uint8Array): PartHeader {
  const text = decodeTextBody(bytes, 'body has a text that')
  const [padding = '', ...lines] = text.replaceAll(/\r\n(?=[ \t])/g, '').split('\r\n')
  if (padding.trim() !== '') throw malformedForm()
  const fields = parseFieldLines(lines)
  const disposition = parseParameters(fields.get('content-disposition') ?? '')
  const name = disposition?.parameters.get('name')
  if (disposition?.type !== 'form-data' || name === undefined) throw malformedForm()
  checkEncoding(name, fields.get('content-transfer-encoding'))
  const { parameters } = disposition
  return {
    name: decodeName(name),
    fileName: decodeExtended(parameters.get('filename*')) ?? decodeName(parameters.get('filename')),
    contentType: fields.get('content-type') ?? 'text/plain',
  }
}

/** Parses `Name: value`, by names in lower case. */
function parseFieldLines(lines: readonly string[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const line of lines) {
    const [, name, value = ''] = /^([!-9;-~]+):(.*)$/s.exec(line) ?? []
    if (name === undefined || fields.has(name.toLowerCase())) throw malformedForm()
    fields.set(name.toLowerCase(), value.trim())
  }
  return fields
}

/** Throws a 400 for a part in another encoding than bytes as they are: RFC 7578, section 4.7, deprecates the others. */
function checkEncoding(name: string, encoding = 'binary'): void {
  if (/^(7bit|8bit|binary)$/i.test(encoding)) return
  const message = `${formatMember('body', name)} must not have a Content-Transfer-Encoding`
  throw invalidRequest([createViolation({ in: 'body', pointer: toPointer(name), keyword: 'contentEncoding', message })])
}

/** Decodes what browsers encode in names (HTML Standard, "Multipart form data"). They leave any other percent sign as it is. */
function decodeName<Name extends string | undefined>(name: Name): Name {
  return name?.replaceAll(/%(?:22|0A|0D)/gi, decodeURIComponent) as Name
}

/** Decodes `UTF-8''%e2%82%ac.txt` (RFC 8187), which RFC 7578 rules out for file names, and .NET's HttpClient sends. */
function decodeExtended(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  // Senders must use UTF-8 (RFC 8187, section 3.2.1).
  const [, encodedName] = /^utf-8'[^']*'(.*)$/i.exec(value) ?? []
  if (encodedName === undefined) throw malformedForm()
  try {
    return decodeURIComponent(encodedName)
  } catch {
    throw malformedForm()
  }
}

export function malformedForm(): Error {
  return invalidBody('syntax', 'body is not multipart/form-data with the boundary of its Content-Type')
}
