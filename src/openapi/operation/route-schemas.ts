/** The schemas of an operation, by Fastify's names: plugins read them from the routes. The layer itself does not. */
import { JSON_TYPE, type MediaType } from '../document/content.ts'
import type { Operation } from '../document/operations.ts'
import { getParametersSchema } from '../request/input.ts'

export function getRouteSchemas({ method, parameters, requestBody, responses }: Operation) {
  const bodies = [...responses].flatMap(([key, { content }]) =>
    content.length === 0 ? [] : [[key, toBodySchema(content)]],
  )
  return {
    params: getParametersSchema(parameters, 'path'),
    querystring: getParametersSchema(parameters, 'query'),
    headers: getParametersSchema(parameters, 'header'),
    // Fastify rejects a body schema of a HEAD route, and each GET route has one.
    ...(requestBody && method !== 'get' && { body: toBodySchema(requestBody.content) }),
    response: Object.fromEntries(bodies),
  }
}

function toBodySchema(content: readonly MediaType[]): object {
  const [first] = content
  if (first?.type === JSON_TYPE && content.length === 1) return first.schema
  return { content: Object.fromEntries(content.map(({ type, schema }) => [type, { schema }])) }
}
