/**
 * 404 for requests that match no route.
 */
import type { FastifyRequest } from 'fastify'
import { HttpError } from '../errors.ts'

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
