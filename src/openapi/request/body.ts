/** The body of a request: the parser for its media type, and what its headers say before it is received. */
import { type BodyKind, isRange, type MediaType, planMedia } from '../document/content.ts'
import { hasOtherCharset } from '../document/media-type.ts'
import { HttpError, type ResponseHeaders } from '../shared/errors.ts'
import { getFieldValues, hasBody } from '../shared/http.ts'
import { IncomingMessage } from '../shared/node-http.ts'
import { createAppParser } from './app-body.ts'
import type { BodyContext, BodyParser } from './body-parser.ts'
import { createBytesParser } from './bytes-body.ts'
import { createFormParser } from './form-body.ts'
import { createJsonParser } from './json-body.ts'
import { tooLarge } from './receive.ts'
import { createTextParser } from './text-body.ts'
import { invalidBody } from './violations.ts'

/** A body whose headers are accepted, with the parser for its media type. */
export interface AcceptedBody {
  /** The media type or media type range, as the document has it. */
  readonly type: string
  readonly parser: BodyParser
  /** The value of Content-Type, as the client sends it. */
  readonly contentType: string
}

const CREATE_PARSER: Readonly<Record<BodyKind, (media: MediaType, context: BodyContext) => BodyParser>> = {
  codec: createAppParser,
  json: createJsonParser,
  form: createFormParser,
  text: createTextParser,
  bytes: createBytesParser,
}

/**
 * Creates the function that checks the headers of a body, and returns its parser; undefined if there is no body. It throws a 415 if the
 * media type or the content coding is not supported, and a 413 if the body is too large.
 */
export function createAcceptBody(content: readonly MediaType[], context: BodyContext) {
  const parsers = createParsers(content, context)
  // Most clients send a media type as the document spells it: then it is found without parsing.
  const exactParsers = new Map(parsers.flatMap((entry) => (isRange(entry.type) ? [] : [[entry.type, entry]])))
  const types = content.map(({ type }) => type).join(', ')
  const { maxBytes } = context
  return (request: IncomingMessage): AcceptedBody | undefined => {
    const contentTypes = getFieldValues(request, 'content-type')
    if (contentTypes.length > 1) {
      throw unsupportedMediaType(`a request has one Content-Type header, not ${contentTypes.length}`)
    }
    const [contentType = ''] = contentTypes
    const entry = exactParsers.get(contentType) ?? parsers.find(({ matches }) => matches(contentType))
    if (entry === undefined && (contentTypes.length > 0 || hasBody(request))) {
      const advice = hasOtherCharset(contentType) ? 'in UTF-8, as' : 'as'
      throw unsupportedMediaType(`send the body ${advice} Content-Type: ${types}`, { Accept: types })
    }
    // RFC 9110, section 8.4.1: `identity` is no coding. Senders should leave it out.
    const coding = request.headers['content-encoding']?.toLowerCase()
    if (coding !== undefined && coding !== 'identity') {
      throw unsupportedMediaType('send the body without a content coding', { 'Accept-Encoding': 'identity' })
    }
    if (Number(request.headers['content-length']) > maxBytes) throw tooLarge(`is larger than ${maxBytes} bytes`)
    return entry && mayHaveBody(request) ? { type: entry.type, parser: entry.parser, contentType } : undefined
  }
}

/** Creates the parsers of all media types that a body may have, the most specific first. */
function createParsers(content: readonly MediaType[], context: BodyContext) {
  const parsers = content.flatMap((media) => {
    const { mayBeBytes } = context.compile.views.get(media.schema)
    return planMedia(media, mayBeBytes).map(({ kind, matches }) => ({
      type: media.type,
      // All but bytes is decoded as UTF-8.
      matches: (contentType: string) => matches(contentType) && (kind === 'bytes' || !hasOtherCharset(contentType)),
      parser: CREATE_PARSER[kind](media, context),
    }))
  })
  // Of two types that differ in their parameters alone, the one with more parameters is more specific.
  const countParameters = (type: string) => (isRange(type) ? 0 : type.split(';').length)
  return parsers.toSorted((left, right) => countParameters(right.type) - countParameters(left.type))
}

/**
 * Returns false for a request of HTTP/1.1 without `Content-Length` and `Transfer-Encoding`: it has no body, also with a Content-Type
 * (RFC 9112, section 6.3). Requests of HTTP/2 and of `inject` need neither, and are no IncomingMessage.
 */
function mayHaveBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  return length !== undefined || coding !== undefined || !(request instanceof IncomingMessage)
}

/** Throws a 400 if there is a body: it would have no effect, and the client expects one (RFC 9110, section 9.3.1). */
export function checkNoBody(request: IncomingMessage): void {
  if (hasBody(request)) throw invalidBody('not', 'body is not allowed; the operation has none')
}

function unsupportedMediaType(message: string, headers?: ResponseHeaders): HttpError {
  return new HttpError(415, 'unsupported_media_type', message, headers && { headers })
}
