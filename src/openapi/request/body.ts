/** The body of a request: the parser for its media type, and what its headers say before it is received. */
import { type BodyKind, type MediaType, planMedia } from '../document/content.ts'
import { hasOtherCharset } from '../document/media-type.ts'
import type { Body } from '../document/operations.ts'
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

/** The parser for one media type or media type range. */
interface MediaTypeParser {
  /** As the document has it. */
  readonly type: string
  readonly parser: BodyParser
}

/** Finds the parser for a Content-Type; returns undefined if the media type is not declared. */
export type FindBodyParser = (contentType: string) => MediaTypeParser | undefined

/** A body whose headers are accepted. */
export interface AcceptedBody extends MediaTypeParser {
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

/** Creates the parsers of all media types that a body may have, and the function that finds the one for a Content-Type. */
export function createFindBodyParser(content: readonly MediaType[], context: BodyContext): FindBodyParser {
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
  const countParameters = ({ type }: MediaTypeParser) => (type.includes('*') ? 0 : type.split(';').length)
  const specificFirst = parsers.toSorted((left, right) => countParameters(right) - countParameters(left))
  // Most clients send a declared media type as it is written there, so it need not be parsed.
  const exactParsers = new Map(parsers.flatMap((entry) => (entry.type.includes('*') ? [] : [[entry.type, entry]])))
  return (contentType) => exactParsers.get(contentType) ?? specificFirst.find(({ matches }) => matches(contentType))
}

/**
 * Judges the headers of a body, and returns the body to come; undefined if there is none. Throws a 415 if the media type or the
 * content coding is not supported, and a 413 if the body is too large.
 */
export function acceptBody(
  request: IncomingMessage,
  { content, maxBytes }: Body,
  findBodyParser: FindBodyParser,
): AcceptedBody | undefined {
  const contentTypes = getFieldValues(request, 'content-type')
  if (contentTypes.length > 1) {
    throw unsupportedMediaType(`a request has one Content-Type header, not ${contentTypes.length}`)
  }
  const [contentType = ''] = contentTypes
  const mediaTypeParser = findBodyParser(contentType)
  if (mediaTypeParser === undefined && (contentTypes.length > 0 || hasBody(request))) {
    const types = content.map(({ type }) => type).join(', ')
    const advice = hasOtherCharset(contentType) ? 'in UTF-8, as' : 'as'
    throw unsupportedMediaType(`send the body ${advice} Content-Type: ${types}`, { Accept: types })
  }
  // RFC 9110, section 8.4.1: `identity` is no coding. Senders should leave it out.
  if (!/^identity$/i.test(request.headers['content-encoding'] ?? 'identity')) {
    throw unsupportedMediaType('send the body without a content coding', { 'Accept-Encoding': 'identity' })
  }
  if (Number(request.headers['content-length']) > maxBytes) throw tooLarge(`is larger than ${maxBytes} bytes`)
  return mediaTypeParser && mayHaveBody(request) ? { ...mediaTypeParser, contentType } : undefined
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
