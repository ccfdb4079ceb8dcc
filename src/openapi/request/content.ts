/**
 * What a request says of its body, before anything of the body is read.
 */
import type { IncomingMessage } from 'node:http'
import { UnsupportedMediaTypeError } from '../errors.ts'
import { MEDIA_TYPE } from '../operations.ts'
import { fieldValues } from './fields.ts'
import { InvalidRequestError } from './violations.ts'

/** RFC 9110, section 5.6.6: names and values of parameters. */
const PARAMETER = /;[ \t]*([\w!#$%&'*+.^`|~-]+)=([\w!#$%&'*+.^`|~-]+|"(?:[^"\\]|\\.)*")/g

/** RFC 9110, section 8.3.1. A semicolon may be followed by nothing. */
const MEDIA = new RegExp(`^${MEDIA_TYPE}((?:[ \\t]*(?:${PARAMETER.source}|;))*)[ \\t]*$`, 'i')

/** What is wrong with the media type and the content coding of a body; whether there is one is not looked at. */
export function contentFault(request: IncomingMessage): Error | null {
  const [type, ...more] = fieldValues(request, 'content-type')
  if (more.length > 0) {
    return new UnsupportedMediaTypeError(`a body has one Content-Type, not ${more.length + 1}`)
  }
  const [, parameters] = type === undefined ? [] : (MEDIA.exec(type) ?? [])
  if (type !== undefined && parameters === undefined) {
    return new UnsupportedMediaTypeError(`send the body as Content-Type: ${MEDIA_TYPE}`)
  }
  for (const [, name = '', value = ''] of (parameters ?? '').matchAll(PARAMETER)) {
    if (name.toLowerCase() === 'charset' && !/^"?utf-8"?$/i.test(value)) {
      return new UnsupportedMediaTypeError('the body must be in UTF-8 (RFC 8259, section 8.1)')
    }
  }
  if (request.headers['content-encoding'] !== undefined) {
    return new UnsupportedMediaTypeError('the body must come without a content encoding')
  }
  return null
}

/** Nothing is dropped in silence: what comes with a request that takes no body is a mistake (RFC 9110, section 9.3.1). */
export function undeclaredBody({ headers }: IncomingMessage): Error | null {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  return hasBody ? new InvalidRequestError(['body is not known; the operation takes none']) : null
}
