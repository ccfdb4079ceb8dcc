/**
 * The methods that a path does not have, for the paths beside the operations: health, the docs and their files.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MethodNotAllowedError } from '../openapi/errors.ts'

/**
 * Takes note of every route that is added from now on. What it returns is to be called when all are there, and adds
 * routes that refuse the other methods of their paths (RFC 9110, section 15.5.6).
 */
export function addOtherMethods(app: FastifyInstance): () => void {
  const methods = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    // Fastify adds HEAD wherever there is GET, and does not always tell of both.
    const added = method === 'HEAD' ? ['GET', 'HEAD'] : [method].flat()
    methods.set(url, new Set([...(methods.get(url) ?? []), ...added]))
  })
  return () => {
    for (const [url, allowed] of [...methods]) {
      const others = app.supportedMethods.filter((method) => !allowed.has(method))
      // With CORS, preflight requests are answered on any path, and that is no path of its own.
      if (url === '*' || others.length === 0) continue
      const refuse = async (request: FastifyRequest, reply: FastifyReply) => {
        // Fastify's router takes the server as such for its root (RFC 9110, section 9.3.7).
        if (request.url === '*') return reply.callNotFound()
        throw new MethodNotAllowedError([...allowed].sort().join(', '))
      }
      app.route({ method: others, url, onRequest: refuse, handler: refuse })
    }
  }
}
