/** The errors of requests that match no route: 405 if the path has routes for other methods, otherwise 404. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HttpError } from '../errors.ts'

/** A parameter in a URL of Fastify's router: `:petId`, or `:petId(PATTERN)`. */
const PARAMETER = /:\w+(?:\([^)]*\))?/g

/** A message quotes at most this many characters of a path. */
const MAX_PATH = 50

/** Makes the function that returns the error. It knows the routes that are added to the instance from now on. */
export function createNotFound(app: FastifyInstance): (request: FastifyRequest) => HttpError {
  const routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.isMethodNotAllowed) return
    const route = routes.get(url) ?? { pattern: toPattern(url), methods: new Set() }
    routes.set(url, route)
    for (const each of [method].flat()) route.methods.add(each)
  })
  const findMethods = (path: string) => {
    const found = [...routes].filter(([, { pattern }]) => pattern.test(path))
    // In the first segment in which two of them differ, one has a text and the other a parameter: the text comes first.
    const [first] = found.sort(([one], [other]) => (toSortKey(one) < toSortKey(other) ? -1 : 1))
    return first?.[1].methods
  }

  return ({ method, raw }) => {
    const { basePath, publicBasePath } = app.openapi
    // Without the query, which may contain a key by mistake.
    const path = String(raw.url).replace(/\?.*$/s, '')
    // As Fastify's router matches it: without the origin (RFC 9112, section 3.2.2), and with percent-encodings decoded.
    // Malformed ones have been refused by the router or, in a fragment, when the request was admitted.
    const methods = findMethods(decodeURI(path.replace(/^https?:\/\/[^/]*/i, '') || '/'))
    if (methods !== undefined && !methods.has(method)) {
      // RFC 9110, section 15.5.6
      const allow = [...methods].sort().join(', ')
      return new HttpError(405, 'method_not_allowed', `this path supports only ${allow}`, { headers: { Allow: allow } })
    }
    const shown = path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path
    const lacksBasePath = path.length <= MAX_PATH && findMethods(basePath + path) !== undefined
    const hint = lacksBasePath ? `; did you mean ${publicBasePath}${path}?` : ''
    // The response to HEAD is that to GET (RFC 9110, section 9.3.2).
    const read = method === 'HEAD' ? 'GET' : method
    return new HttpError(404, 'not_found', `no route for ${read} ${shown}${hint}`)
  }
}

/** The URL of a route with its parameters behind every text. */
function toSortKey(url: string): string {
  return url.replaceAll(PARAMETER, '\uFFFF')
}

/** The pattern of the paths that a URL of Fastify's router matches. */
function toPattern(url: string): RegExp {
  const texts = url.split(PARAMETER).map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${texts.join('[^/]+')}$`)
}
