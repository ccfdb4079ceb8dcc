// problems.ts
import { STATUS_CODES } from 'node:http'
import { join } from 'node:path'
import Fastify, { type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify'
import { HttpError, loadDocument, openapi } from 'fastify-openapi-first'

function sendProblem(error: FastifyError | HttpError, request: FastifyRequest, reply: FastifyReply) {
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
}

// Paths that Fastify's router rejects reach no error handler, but `frameworkErrors`.
const app = Fastify({ frameworkErrors: sendProblem })
app.setErrorHandler(sendProblem)
app.setNotFoundHandler(() => {
  throw new HttpError(404, 'not_found', 'this path does not exist')
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
for (const path of ['/order', '/%zz']) {
  const { status, headers } = await fetch(origin + path)
  console.log(path, status, headers.get('content-type'))
}
await app.close()
