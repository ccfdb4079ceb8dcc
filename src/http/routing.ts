/**
 * 404 for requests that match no route, and 405 for the paths beside the operations: health, the docs and their files.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '../errors.ts'
import { methodNotAllowed, type Stages } from '../openapi/index.ts'

/** A message quotes at most this many characters of a path. */
const MAX_PATH = 50

/** Makes the function that returns the 404. `paths` are the templates of the operations, behind `basePath`. */
export function createNotFound(basePath: string, paths: readonly string[]): (request: FastifyRequest) => HttpError {
  const patterns = paths.map((path) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`))
  return ({ method, raw }) => {
    // Without the query, where a key may be by mistake.
    const path = String(raw.url).replace(/\?.*$/s, '')
    const shown = path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path
    const lacksBasePath = basePath !== '' && path.length <= MAX_PATH && patterns.some((pattern) => pattern.test(path))
    const hint = lacksBasePath ? `; did you mean ${basePath}${path}?` : ''
    // The response to HEAD is that to GET (RFC 9110, section 9.3.2).
    const read = method === 'HEAD' ? 'GET' : method
    return new HttpError(404, 'not_found', `no route for ${read} ${shown}${hint}`)
  }
}

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
