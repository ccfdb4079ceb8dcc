/**
 * 405 for the paths beside the operations: health, the docs and their files.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { methodNotAllowed, type Stages } from '../openapi/index.ts'

/**
 * Records every route that is added from now on. Returns a function to call when all are added: it adds routes that refuse
 * the other methods of their paths (RFC 9110, section 15.5.6).
 */
export function addMethodNotAllowed(app: FastifyInstance, stages: Stages): () => void {
  const methods = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    // Fastify adds HEAD wherever there is GET, and does not always report both.
    const added = method === 'HEAD' ? ['GET', 'HEAD'] : [method].flat()
    methods.set(url, new Set([...(methods.get(url) ?? []), ...added]))
  })
  return () => {
    for (const [url, allowed] of [...methods]) {
      const others = app.supportedMethods.filter((method) => !allowed.has(method))
      const refuse = (request: FastifyRequest, reply: FastifyReply) => {
        // Fastify's router takes `*`, the server as a whole, for its root (RFC 9110, section 9.3.7).
        const isServer = request.raw.url === '*'
        stages.refuse(reply, isServer ? stages.notFound(request) : methodNotAllowed([...allowed].sort()))
      }
      app.route({ method: others, url, onRequest: refuse, handler: refuse })
    }
  }
}
