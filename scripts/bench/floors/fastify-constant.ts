/**
 * A floor: Fastify that sends constants. The service is built on it.
 */
import Fastify from 'fastify'
import { recognize } from '../workloads.ts'
import { contentType, readResponses, run } from './responses.ts'

const responses = readResponses((response) => response)
const app = Fastify()

for (const [method, url] of [
  ['GET', '/v1/pets'],
  ['GET', '/v1/pets/:petId'],
  ['POST', '/v1/pets'],
] as const) {
  app.route({
    method,
    url,
    handler: (request, reply) => {
      const { status, body } = responses[recognize(request.method, request.url)]
      if (status !== 304) reply.type(contentType)
      reply.code(status).send(body)
    },
  })
}

await run((port) => app.listen({ port, host: '127.0.0.1' }))
