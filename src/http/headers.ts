/**
 * The headers of every answer.
 */
import type { FastifyInstance } from 'fastify'

const NO_STORE = { 'Cache-Control': 'no-store' }

/** The headers of every answer, whatever it is. */
function commonHeaders(requestId: string): Record<string, string> {
  return { 'X-Request-Id': requestId, 'X-Content-Type-Options': 'nosniff' }
}

/** The headers of every error: none is to be cached (RFC 9111, section 5.2.2.5). */
export function errorHeaders(requestId: string): Record<string, string> {
  return { ...commonHeaders(requestId), ...NO_STORE }
}

/** Adds the headers that every answer has; those that the document states for an operation take their place. */
export function addCommonHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders(request.id))
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (reply.statusCode >= 400) reply.headers(NO_STORE)
    done()
  })
}
