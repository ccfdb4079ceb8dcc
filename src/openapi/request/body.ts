/** The body of a request: what the headers say of it before it is read, and its value. */
import type { IncomingMessage } from 'node:http'
import type { RequestPayload } from 'fastify'
import { type BodyKind, type Content, getKind, toPattern } from '../document/content.ts'
import { createParametersMatcher } from '../document/media-type.ts'
import type { Body } from '../document/operations.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import type { SchemaView } from '../schema/view.ts'
import { createViolation, invalidBody, invalidRequest, takeValue } from '../schema/violations.ts'
import { HttpError, type ResponseHeaders, TextError, toServerError, type Violation } from '../shared/errors.ts'
import { getFieldValues, hasBody } from '../shared/http.ts'
import { isLargerThan, parseJson } from '../shared/json.ts'
import { createBodyStream } from './body-stream.ts'
import { receiveForm } from './form-upload.ts'
import { createFormReader } from './forms.ts'
import { type ReceivedBody, receiveChunks, tooLarge } from './receive.ts'
import { createScalarReader } from './styles.ts'
import { decodeTextBody } from './text.ts'
import type { UploadFolder } from './upload-folder.ts'

/** Reads the bodies of a media type. */
export interface BodyReader {
  /** The media type or media type range, as the document has it. */
  readonly type: string
  /** Parses the bytes of a body with this Content-Type. Throws a 400 or 413. */
  parse(bytes: Buffer<ArrayBuffer>, contentType: string): unknown
  /** True if a content type parser of the app parses the bytes, which `parse` returns as they are. */
  readonly hasCodec?: boolean
  /** Receives a body of `x-stream`, in place of `parse`. Rejects with a 400, 413 or 503. */
  receive?(payload: RequestPayload, accepted: AcceptedBody): Promise<ReceivedBody>
  /** Returns the body for the handler; adds what is wrong with the parsed body to `violations`. */
  read(parsedBody: unknown, violations: Violation[]): unknown
}

/** Finds the reader for a Content-Type; returns undefined if the media type is not declared. */
export type FindBodyReader = (contentType: string) => BodyReader | undefined

/** A body whose headers are accepted. */
export interface AcceptedBody {
  readonly reader: BodyReader
  /** The value of Content-Type, as the client sends it. */
  readonly contentType: string
  readonly maxBytes: number
}

/** The arrays and objects that a parsed body may have besides one for each byte: a body of few bytes has some, too. */
const SPARE_COUNT = 1000

const KINDS: readonly BodyKind[] = ['json', 'form', 'text', 'bytes']

/** Creates the readers of all media types that a body may have, and the function that finds the one for a Content-Type. */
export function createFindBodyReader(
  { content, maxBytes, maxDepth }: Body,
  compile: SchemaCompiler,
  uploadFolder: UploadFolder,
): FindBodyReader {
  function createReader(kind: BodyKind, declared: Content): Omit<BodyReader, 'type'> {
    const { schema, hasCodec = false, isStreamed } = declared
    const view = compile.views.get(schema)
    const validate = compile(schema, 'request')
    const take = (value: unknown, violations: Violation[]) => takeValue(validate(value), 'body', violations)
    if (hasCodec) {
      const read: BodyReader['read'] = (value, violations) => {
        // Without limits, a parser that resolves references, as in YAML, could occupy the app with a small body.
        if (!isLargerThan(value, maxDepth, maxBytes + SPARE_COUNT)) return take(value, violations)
        const message = `body is nested deeper than ${maxDepth} levels, or has too many arrays and objects`
        violations.push(createViolation({ in: 'body', keyword: 'complexity', message }))
        return undefined
      }
      return { hasCodec, parse: keep, read }
    }
    if (kind === 'json') {
      return { parse: (bytes) => (bytes.length === 0 ? undefined : parseJsonBody(bytes, maxDepth)), read: take }
    }
    if (kind === 'form') {
      const form = createFormReader(declared, maxDepth, compile)
      const { parse, read } = form
      return {
        parse,
        ...(isStreamed && { receive: (payload, accepted) => receiveForm(payload, accepted, form, uploadFolder) }),
        read: (entries, violations) => take(read(entries as never, violations), violations),
      }
    }
    if (kind === 'bytes') return createBytesReader(view, isStreamed)
    const parse = decodeTextBody
    // A schema of something else than text describes what the handler parses.
    if (!view.isScalar) return { parse, read: keep }
    const readText = createScalarReader(view, compile)
    return { parse, read: (text, violations) => take(readText(String(text)), violations) }
  }

  const readers = content.flatMap((declared) => {
    const { type, schema, hasCodec = false, isStreamed } = declared
    // A range whose schema is streamed or bytes is not parsed. Otherwise, the Content-Type of the request decides.
    const ofRange = isStreamed || compile.views.get(schema).mayBeBytes ? (['bytes'] as const) : KINDS
    const kinds = type.includes('*') ? ofRange : [getKind(type)]
    const pattern = toPattern(type)
    return kinds.map((kind) => {
      const hasParameters = createParametersMatcher(type, hasCodec || kind !== 'bytes')
      const fits = (contentType: string) =>
        pattern.test(contentType) &&
        hasParameters(contentType) &&
        (kinds.length === 1 || kind === getKind(contentType.toLowerCase()))
      return { type, fits, ...createReader(kind, declared) }
    })
  })
  // Of two types that differ in their parameters alone, the one with more parameters is more specific.
  const countParameters = ({ type }: BodyReader) => (type.includes('*') ? 0 : type.split(';').length)
  const specificFirst = readers.toSorted((left, right) => countParameters(right) - countParameters(left))
  // Most clients send a declared media type as it is written there, so it need not be parsed.
  const exactReaders = new Map(readers.flatMap((reader) => (reader.type.includes('*') ? [] : [[reader.type, reader]])))
  return (contentType) => exactReaders.get(contentType) ?? specificFirst.find(({ fits }) => fits(contentType))
}

/** Parses a body of JSON. Throws a 400 if it cannot be read. */
function parseJsonBody(bytes: Uint8Array, maxDepth: number): unknown {
  try {
    return parseJson(bytes, maxDepth)
  } catch (error) {
    if (!(error instanceof TextError)) throw error
    const message = `body ${error.message}`
    const violations = [createViolation({ in: 'body', keyword: error.keyword, message })]
    throw new HttpError(400, 'malformed_json', message, { violations })
  }
}

function keep(value: unknown): unknown {
  return value
}

/**
 * Makes the reader of bytes, whose `minLength` and `maxLength` count octets (OpenAPI 3.1.1, "Working with Binary Data"). No other
 * keyword applies to bytes: JSON Schema does not know them.
 */
function createBytesReader({ conjuncts }: SchemaView, isStreamed: boolean): Omit<BodyReader, 'type'> {
  const minimum = Math.max(...conjuncts.map(({ minLength = 0 }) => minLength))
  const maximum = Math.min(...conjuncts.map(({ maxLength = Infinity }) => maxLength))
  const createSizeViolation = (keyword: string, limit: number, relation: string) => {
    const message = `body must have ${relation} ${limit} ${limit === 1 ? 'byte' : 'bytes'}`
    return createViolation({ in: 'body', keyword, params: { limit }, message })
  }

  function findViolation(size: number, isComplete: boolean): Violation | undefined {
    if (size > maximum) return createSizeViolation('maxLength', maximum, 'at most')
    return isComplete && size < minimum ? createSizeViolation('minLength', minimum, 'at least') : undefined
  }

  function checkSize(size: number, isComplete: boolean): void {
    const violation = findViolation(size, isComplete)
    if (violation !== undefined) throw invalidRequest([violation])
  }

  if (isStreamed) {
    return {
      parse: keep,
      receive: async (payload, { maxBytes }) => createBodyStream(payload, maxBytes, checkSize),
      read: keep,
    }
  }
  const read: BodyReader['read'] = (bytes, violations) => {
    const violation = findViolation((bytes as Uint8Array).length, true)
    if (violation !== undefined) violations.push(violation)
    return bytes
  }
  return { parse: keep, read }
}

/**
 * Judges the headers of a body, and returns the body to come; undefined if there is none. Throws a 415 if the media type or the
 * content coding is not supported, and a 413 if the body is too large.
 */
export function acceptBody(
  request: IncomingMessage,
  { content, maxBytes }: Body,
  findBodyReader: FindBodyReader,
): AcceptedBody | undefined {
  const contentTypes = getFieldValues(request, 'content-type')
  if (contentTypes.length > 1) {
    throw unsupportedMediaType(`a request has one Content-Type header, not ${contentTypes.length}`)
  }
  const [contentType = ''] = contentTypes
  const reader = findBodyReader(contentType)
  if (reader === undefined && (contentTypes.length > 0 || hasBody(request))) {
    const types = content.map(({ type }) => type).join(', ')
    throw unsupportedMediaType(`send the body as Content-Type: ${types}`, { Accept: types })
  }
  // RFC 9110, section 8.4.1: `identity` is no coding. Senders should leave it out.
  if (!/^identity$/i.test(request.headers['content-encoding'] ?? 'identity')) {
    throw unsupportedMediaType('send the body without a content coding', { 'Accept-Encoding': 'identity' })
  }
  if (Number(request.headers['content-length']) > maxBytes) throw tooLarge(`is larger than ${maxBytes} bytes`)
  return reader && { reader, contentType, maxBytes }
}

/** Throws a 400 if there is a body: it would have no effect, and the client expects one (RFC 9110, section 9.3.1). */
export function checkNoBody(request: IncomingMessage): void {
  if (hasBody(request)) throw invalidBody('not', 'body is not allowed; the operation has none')
}

function unsupportedMediaType(message: string, headers?: ResponseHeaders): HttpError {
  return new HttpError(415, 'unsupported_media_type', message, headers && { headers })
}

/**
 * Receives and parses a body, as Fastify's content type parsers do it. The error is a 413 if the body is too large, and a 400 if
 * it cannot be parsed or ends too early. The chunks are copied into one buffer as they arrive: each takes 400 bytes of memory
 * besides its content.
 */
export function parseBody(
  payload: RequestPayload,
  { reader, contentType, maxBytes }: AcceptedBody,
  done: (error: Error | null, parsedBody?: unknown) => void,
): void {
  let bytes = Buffer.alloc(0)
  let size = 0

  function add(chunk: Buffer<ArrayBuffer>): void {
    const start = size
    size += chunk.length
    // Most bodies are in one chunk, which is not copied.
    if (start === 0) {
      bytes = chunk
      return
    }
    if (size > bytes.length) bytes = Buffer.concat([bytes], Math.min(2 * size, maxBytes))
    chunk.copy(bytes, start)
  }

  function finish(error?: Error): void {
    if (error !== undefined) {
      done(error)
      return
    }
    let parsedBody: unknown
    try {
      parsedBody = reader.parse(bytes.subarray(0, size), contentType)
    } catch (thrown) {
      done(toServerError(thrown))
      return
    }
    done(null, parsedBody)
  }

  receiveChunks(payload, maxBytes, { add, finish })
}
