/** Cross-origin requests (Fetch Standard, CORS protocol), for the origins that the operator lists. */
import type { FastifyRequest } from 'fastify'
import type { Operation } from '../openapi/index.ts'

/** Allows pages of these origins to call the service, and to read every header that the operations declare. */
export function createCors(operations: readonly Operation[], origins: readonly string[]) {
  const parameters = operations.flatMap((operation) => operation.parameters.filter((each) => each.in === 'header'))
  const responses = operations.flatMap((operation) => [...operation.responses.values()])
  const allowed = [...new Set(['Authorization', 'Content-Type', ...parameters.map(({ name }) => name)])].join(', ')
  const exposed = [...new Set(responses.flatMap(({ headers }) => Object.keys(headers)))].join(', ')
  // A cache must not mistake a response for that to another origin.
  const vary = ['Vary', 'Origin']
  const exposing = [...vary, 'Access-Control-Expose-Headers', exposed, 'Access-Control-Allow-Origin']
  return {
    /** Returns the headers of every response, as alternating names and values. */
    getHeaders: ({ headers: { origin = '' } }: FastifyRequest) =>
      origins.includes(origin) ? [...exposing, origin] : vary,
    /** Returns the headers of the response to a preflight for a path with these methods; undefined for other requests. */
    getPreflightHeaders: ({ headers: { origin = '' }, method }: FastifyRequest, allow: string) => {
      if (method !== 'OPTIONS' || !origins.includes(origin)) return undefined
      // HEAD is always allowed.
      const methods = allow.split(', ').filter((each) => each !== 'HEAD')
      return { 'Access-Control-Allow-Methods': methods.join(', '), 'Access-Control-Allow-Headers': allowed }
    },
  }
}
