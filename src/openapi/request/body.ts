/** The body of a request: what the headers say of it before it is read, and its JSON. */
import type { IncomingMessage } from 'node:http'
import { HttpError, type ResponseHeaders } from '../../errors.ts'
import { type Body, MEDIA_TYPE } from '../document/operations.ts'
import { parseJson } from '../json.ts'
import { invalidRequest } from '../schema/violations.ts'
import { getFieldValues } from './text.ts'

/** RFC 9110, section 5.6.6: names and values of parameters. */
const PARAMETER = /;[ \t]*([\w!#$%&'*+.^`|~-]+)=([\w!#$%&'*+.^`|~-]+|"(?:[^"\\]|\\.)*")/g

/** RFC 9110, section 8.3.1. A semicolon may be followed by nothing. */
const MEDIA = new RegExp(`^${MEDIA_TYPE}((?:[ \\t]*(?:${PARAMETER.source}|;))*)[ \\t]*$`, 'i')

/** Throws a 415 if the media type or the content coding is not supported. */
export function checkContentType(request: IncomingMessage): void {
  const types = getFieldValues(request, 'content-type')
  if (types.length > 1) {
    throw unsupportedMediaType(`a request has one Content-Type header, not ${types.length}`)
  }
  const [type = hasBody(request) ? '' : MEDIA_TYPE] = types
  const [, parameters] = MEDIA.exec(type) ?? []
  if (parameters === undefined) throw unsupportedMediaType(`send the body as Content-Type: ${MEDIA_TYPE}`)
  for (const [, name = '', value = ''] of parameters === '' ? [] : parameters.matchAll(PARAMETER)) {
    if (name.toLowerCase() === 'charset' && !/^"?utf-8"?$/i.test(value)) {
      throw unsupportedMediaType('the body must be in UTF-8 (RFC 8259, section 8.1)')
    }
  }
  if (request.headers['content-encoding'] !== undefined) {
    throw unsupportedMediaType('send the body without a content coding', { 'Accept-Encoding': 'identity' })
  }
}

/** Throws a 400 if there is a body: it would have no effect, and the client expects one (RFC 9110, section 9.3.1). */
export function checkNoBody(request: IncomingMessage): void {
  if (hasBody(request)) throw invalidRequest(['body is not allowed; the operation has none'])
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function unsupportedMediaType(message: string, headers?: ResponseHeaders): HttpError {
  return new HttpError(415, 'unsupported_media_type', message, headers && { headers })
}

/** A parsed body. The wrapper distinguishes the body `null` from no body. */
export interface ReceivedBody {
  readonly json: unknown
}

/**
 * Reads the body of a request; undefined if there is none. Rejects with a 413 if it is too large, and with a 400 if it is not
 * JSON or ends too early.
 */
export function readBody(request: IncomingMessage, { maxBytes, maxDepth }: Body): Promise<ReceivedBody | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let length = 0

  function add(chunk: Buffer): void {
    length += chunk.length
    if (length <= maxBytes) chunks.push(chunk)
    else {
      // The rest is still read, so that the client can read the response.
      request.off('data', add)
      refuse()
    }
  }

  function refuse(): void {
    reject(new HttpError(413, 'content_too_large', `the body is larger than ${maxBytes} bytes`))
  }

  if (Number(request.headers['content-length']) > maxBytes) {
    // Before the client is asked for it.
    refuse()
  } else {
    request.on('data', add)
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', () => reject(invalidRequest(['the body ended before it was complete'])))
  }
  return promise.then((bytes) => (bytes.length === 0 ? undefined : { json: parseJson(bytes, maxDepth) }))
}
