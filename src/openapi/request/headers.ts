/** The header fields of a request, and what they say of its body before it is read. */
import type { IncomingMessage } from 'node:http'
import { HttpError, type ResponseHeaders } from '../../errors.ts'
import { MEDIA_TYPE } from '../document/operations.ts'
import { invalidRequest } from '../schema/violations.ts'

/**
 * Returns the values of a field, one for each time it was sent: Node keeps only the first of some fields, and joins others.
 * `name` is in lower case.
 */
export function getFieldValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const other = rawHeaders[index] as string
    if (other.length === name.length && other.toLowerCase() === name) values.push(rawHeaders[index + 1] as string)
  }
  return values
}

/** RFC 9110, section 5.6.6: names and values of parameters. */
const PARAMETER = /;[ \t]*([\w!#$%&'*+.^`|~-]+)=([\w!#$%&'*+.^`|~-]+|"(?:[^"\\]|\\.)*")/g

/** RFC 9110, section 8.3.1. A semicolon may be followed by nothing. */
const MEDIA = new RegExp(`^${MEDIA_TYPE}((?:[ \\t]*(?:${PARAMETER.source}|;))*)[ \\t]*$`, 'i')

/** Throws a 415 if the media type or the content coding is not supported. Does not look whether there is a body. */
export function checkContentType(request: IncomingMessage): void {
  const [type, ...more] = getFieldValues(request, 'content-type')
  if (more.length > 0) {
    throw unsupportedMediaType(`a request has one Content-Type header, not ${more.length + 1}`)
  }
  const [, parameters] = type === undefined ? [] : (MEDIA.exec(type) ?? [])
  if (type !== undefined && parameters === undefined) {
    throw unsupportedMediaType(`send the body as Content-Type: ${MEDIA_TYPE}`)
  }
  for (const [, name = '', value = ''] of parameters ? parameters.matchAll(PARAMETER) : []) {
    if (name.toLowerCase() === 'charset' && !/^"?utf-8"?$/i.test(value)) {
      throw unsupportedMediaType('the body must be in UTF-8 (RFC 8259, section 8.1)')
    }
  }
  if (request.headers['content-encoding'] !== undefined) {
    throw unsupportedMediaType('send the body without a content coding', { 'Accept-Encoding': 'identity' })
  }
}

/** Throws a 400 if there is a body: it would have no effect, and the client expects one (RFC 9110, section 9.3.1). */
export function checkNoBody({ headers }: IncomingMessage): void {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (hasBody) throw invalidRequest(['body is not allowed; the operation has none'])
  // Fastify would parse an empty body, for clients that send a type with every request.
  if (headers['content-type'] !== undefined) headers['content-type'] = undefined
  if (headers['content-length'] !== undefined) headers['content-length'] = undefined
}

export function unsupportedMediaType(message: string, headers?: ResponseHeaders): HttpError {
  return new HttpError(415, 'unsupported_media_type', message, headers && { headers })
}
