/** The errors of requests that match no route: 405 if the path has a route for another method, otherwise 404. */
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify'
import { HttpError } from '../errors.ts'

/** A message quotes at most this many characters of a path. */
const MAX_PATH = 50

/**
 * Makes the function that returns the error. It knows the routes without parameters; the operations have routes of their own
 * for the methods that they lack.
 */
export function createNotFound(app: FastifyInstance): (request: FastifyRequest) => HttpError {
  return ({ method, raw }) => {
    const { basePath, publicBasePath } = app.openapi
    // Without the query, which may contain a key by mistake.
    const path = String(raw.url).replace(/\?.*$/s, '')
    // As Fastify's router matches it: without the origin (RFC 9112, section 3.2.2), and with percent-encodings decoded.
    // Malformed ones have been rejected by the router or, in a fragment, by `checkProtocol`.
    const url = decodeURI(path.replace(/^https?:\/\/[^/]*/i, '') || '/')
    // Fastify asks for the pattern of a route, and throws an error at one that is none.
    const hasRoute = (each: string, url: string) =>
      !/[*:]/.test(url) && app.hasRoute({ method: each as HTTPMethods, url })
    const allow = app.supportedMethods
      .filter((each) => hasRoute(each, url))
      .sort()
      .join(', ')
    if (allow !== '') {
      // RFC 9110, section 15.5.6
      return new HttpError(405, 'method_not_allowed', `this path supports only ${allow}`, { headers: { Allow: allow } })
    }
    const shown = path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path
    const hint = hasRoute(method, basePath + url) ? `; did you mean ${publicBasePath}${path}?` : ''
    // The response to HEAD is that to GET (RFC 9110, section 9.3.2).
    const read = method === 'HEAD' ? 'GET' : method
    return new HttpError(404, 'not_found', `no route for ${read} ${shown}${hint}`)
  }
}
