/**
 * The headers of every answer.
 */
import type { FastifyInstance } from 'fastify'

/** The headers of every answer, whatever it is. */
export function commonHeaders(requestId: string): Record<string, string> {
  return { 'X-Request-Id': requestId, 'X-Content-Type-Options': 'nosniff' }
}

/** Adds the headers that every answer has; those that the document states for an operation take their place. */
export function addCommonHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders(request.id))
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // RFC 9111, section 5.2.2.5
    if (reply.statusCode >= 400) reply.header('Cache-Control', 'no-store')
    done()
  })
}
