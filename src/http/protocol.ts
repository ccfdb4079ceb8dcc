/** The rules of HTTP/1.1 (RFC 9110, RFC 9112) that Node's parser does not enforce, and the responses to what it rejects. */
import type { IncomingMessage } from 'node:http'
import { getFieldValues, HttpError } from 'fastify-openapi-first/shared'

/** RFC 9112, section 3.2: a path, or an absolute URL without user and fragment, whose path may be empty. */
const TARGET = /^(?:\/|https?:\/\/[^/?#@]+(?:[/?]|$))[^#]*$/i

/** RFC 9110, section 7.2, and RFC 3986, section 3.2.2: a name or an address, with an optional port. */
const HOST = /^(?:\[[0-9a-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+)(?::[0-9]*)?$/i

/** Throws a 400 for a request that is ambiguous, or that needs an unsupported part of HTTP. */
export function checkProtocol(request: IncomingMessage): void {
  const { headers, httpVersion, method, url = '' } = request
  if (httpVersion !== '1.1' && httpVersion !== '1.0') throw malformedRequest()
  const hosts = getFieldValues(request, 'host')
  if (hosts.length > 1 || (hosts.length === 0 && httpVersion === '1.1')) {
    throw invalidRequest(`a request has one Host header, not ${hosts.length}`)
  }
  if (!hosts.every((host) => HOST.test(host))) throw invalidRequest('the Host header is not the name of a host')
  // RFC 9112, section 3.2.4: `OPTIONS *` is for the server as a whole.
  if (!TARGET.test(url) && !(url === '*' && method === 'OPTIONS')) {
    throw invalidRequest('the request target must be a path, or an http URL without user and fragment')
  }
  if (hasFaultyFraming(request)) throw invalidRequest('HTTP/1.0 has no Transfer-Encoding')
  const codings = headers['transfer-encoding']
  // RFC 9112, section 6.1. It suggests 501, but the mistake is the client's.
  if (codings !== undefined && codings.toLowerCase() !== 'chunked') {
    throw invalidRequest('the only supported transfer coding is chunked')
  }
}

/** True for HTTP/1.0 with a Transfer-Encoding: what follows may be a part of the body (RFC 9112, section 6.1). */
export function hasFaultyFraming({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion === '1.0' && headers['transfer-encoding'] !== undefined
}

/** Returns the error response for a request that Node's parser rejects; `reason` is missing in errors of the connection. */
export function convertParserError({ code, reason }: NodeJS.ErrnoException & { readonly reason?: string }): HttpError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new HttpError(431, 'headers_too_large', 'the request line and the headers are too large; shorten them')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new HttpError(413, 'content_too_large', 'the chunk extensions are too large; send none')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpError(408, 'request_timeout', 'the request did not arrive in time; send it again, without pauses')
    case 'HPE_INVALID_EOF_STATE':
      return invalidRequest('the request ended before it was complete')
    case 'HPE_PAUSED_H2_UPGRADE':
      return malformedRequest()
    default:
      return malformedRequest(reason)
  }
}

/** The 400 for what is not HTTP/1.1; `reason` is in the words of the parser, not of the request. */
function malformedRequest(reason?: string): HttpError {
  return invalidRequest(`the request is not valid HTTP/1.1${reason === undefined ? '' : `: ${reason}`}`)
}

function invalidRequest(message: string): HttpError {
  return new HttpError(400, 'invalid_request', message)
}
