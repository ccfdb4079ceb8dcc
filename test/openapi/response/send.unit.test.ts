import type { ServerResponse } from 'node:http'
import Fastify from 'fastify'
import t from 'tap'
import { sendResponse } from '../../../src/openapi/index.ts'

t.test('the responses of a turn are written together, up to 32', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const responses: ServerResponse[] = []
  const unwritten: number[] = []
  app.get('/', (request, reply) => {
    responses.push(reply.raw)
    sendResponse(reply, 200, [], String(request.query))
    unwritten.push(responses.filter(({ writableEnded }) => !writableEnded).length)
  })
  await app.ready()
  const received = await Promise.all(Array.from({ length: 40 }, () => app.inject('/')))
  t.same(
    received.map(({ statusCode }) => statusCode),
    Array(40).fill(200),
  )
  t.same(
    unwritten,
    [...Array(40).keys()].map((index) => (index + 1) % 32),
  )
})
