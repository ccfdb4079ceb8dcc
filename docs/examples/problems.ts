// problems.ts
import { STATUS_CODES } from 'node:http'
import { join } from 'node:path'
import Fastify, { type FastifyError } from 'fastify'
import { HttpError, loadDocument, openapi } from 'fastify-openapi-first'

const app = Fastify()
app.setErrorHandler((error: FastifyError | HttpError, request, reply) => {
  const { message, statusCode: status = 500 } = error
  if (status >= 500) request.log.error({ err: error }, 'the request failed')
  const { headers = {}, violations = [] } = error instanceof HttpError ? error : {}
  const problem = {
    status,
    title: STATUS_CODES[status],
    ...(status < 500 && { detail: message }),
    ...(violations.length > 0 && { errors: violations.map(({ message: detail, ...data }) => ({ detail, ...data })) }),
  }
  return reply.code(status).headers(headers).type('application/problem+json').send(problem)
})
await app.register(openapi, {
  document: await loadDocument(join(import.meta.dirname, 'problems.yaml')),
  handlers: { addOrder: async () => ({ status: 201 }) },
})
const origin = await app.listen({ port: 0, host: '127.0.0.1' })
const response = await fetch(`${origin}/orders?currency=USD`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{ "items": [{ "id": 1, "count": 0 }, {}], "note": "" }',
})
const { errors, ...problem } = (await response.json()) as { errors: readonly object[] }
console.log(response.headers.get('content-type'), problem)
for (const error of errors) console.log(JSON.stringify(error))
await app.close()
