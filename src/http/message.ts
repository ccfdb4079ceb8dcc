/**
 * What HTTP/1.1 asks of every request, whatever it is for, and Node's parser does not (RFC 9110, RFC 9112).
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HttpError } from '../errors.ts'
import { fieldValues } from '../openapi/request/fields.ts'
import { notHttp } from './connection.ts'

/** RFC 9112, section 3.2: a path, `*` for the server as such, or an address without user and fragment. */
const TARGET = /^(?:\/|https?:\/\/[^/?#@]+\/|https?:\/\/[^/?#@]+$)[^#]*$/i

/** RFC 9110, section 7.2, and RFC 3986, section 3.2.2: a name or an address, and perhaps a port. */
const HOST = /^(?:\[[0-9a-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+)(?::[0-9]*)?$/i

/** Refuses requests that can be understood in two ways, or ask for what is not done here, before anything else is looked at. */
export function addMessageCheck(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => done(faultIn(request)))
}

/** Asks a client for the body that it holds back, when there is nothing against it in the headers (RFC 9110, section 10.1.1). */
export function addContinue(app: FastifyInstance): void {
  app.addHook('preParsing', ({ raw }, reply, _payload, done) => {
    // Somebody wants to read it.
    if (expects(raw)) raw.once('resume', () => reply.raw.headersSent || reply.raw.writeContinue())
    done()
  })
}

/** Lets connections go on after an error, where Fastify would end them because a body may not have been read. */
export function addPersistence(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw }, reply, _payload, done) => {
    // A client that waits for 100 may send its body or may not, and only the end of the connection makes that clear.
    if (expects(raw) && !raw.complete) reply.header('Connection', 'close')
    else if (reply.hasHeader('Connection')) {
      // What the client has asked for (RFC 9112, section 9.3).
      reply.header('Connection', reply.raw.shouldKeepAlive ? 'keep-alive' : 'close')
    }
    done()
  })
}

/** What is wrong with a request, if anything is. */
export function faultIn({ headers, method, raw, url }: FastifyRequest): HttpError | undefined {
  const { httpVersion } = raw
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return notHttp()
  const hosts = fieldValues(raw, 'host')
  if (hosts.length > 1 || (hosts.length === 0 && httpVersion === '1.1')) {
    return invalid(`a request has one Host header, not ${hosts.length}`)
  }
  if (!hosts.every((host) => HOST.test(host))) return invalid('the Host header is no name of a host')
  if (!TARGET.test(url) && !(url === '*' && method === 'OPTIONS')) {
    return invalid('the address in the request line is neither a path nor an address of http without a fragment')
  }
  const codings = headers['transfer-encoding']
  // RFC 9112, section 6.1; where it would have 501, a client is told of its own mistake.
  if (codings !== undefined && httpVersion === '1.0') return invalid('HTTP/1.0 knows no Transfer-Encoding')
  if (codings !== undefined && codings.toLowerCase() !== 'chunked') {
    return invalid('the only transfer coding that is understood is chunked')
  }
  if (expects(raw) && headers.expect?.toLowerCase() !== '100-continue') {
    return new HttpError(417, 'expectation_failed', 'the only expectation that can be met is 100-continue')
  }
  return undefined
}

/** HTTP/1.0 has no expectations (RFC 9110, section 10.1.1). */
function expects({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersion === '1.1'
}

function invalid(message: string): HttpError {
  return new HttpError(400, 'invalid_request', message)
}
