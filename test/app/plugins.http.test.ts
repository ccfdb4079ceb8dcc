/** The service on Fastify: hooks, plugins and routes of a host, beside and on the operations. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Agent } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import { send } from '../helpers/http.ts'
import { type Service, type ServiceOptions, startService } from '../helpers/service.ts'
import { waitUntil } from '../helpers/wait.ts'

const rex = { name: 'Rex', categoryId: 1 }

/** Starts the service with what is added to it for all routes. */
function startWith(t: Test, add: (app: FastifyInstance) => void, options: ServiceOptions = {}): Promise<Service> {
  const extend: ServiceOptions['extend'] = (app, layer) => {
    add(app)
    return layer
  }
  return startService(t, { ...options, extend })
}

/** Sends a good request to each operation, and one again whose response is then cached. */
async function callAll({ origin, key }: Service) {
  const headers = { authorization: `Bearer ${key}` }
  return [
    await send(origin, 'POST', '/v1/pets', { headers, json: rex }),
    await send(origin, 'GET', '/v1/pets', { headers }),
    await send(origin, 'GET', '/v1/pets', { headers }),
    await send(origin, 'GET', '/v1/pets', { headers }),
    await send(origin, 'GET', '/v1/pets/1', { headers }),
  ]
}

t.test('a hook that throws a 403 keeps every operation from succeeding', async (t) => {
  const hooks = ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'preSerialization', 'onSend']
  let throwing: string | undefined
  const service = await startWith(t, (app) => {
    for (const hook of hooks) {
      app.addHook(hook as 'onRequest', async (_request, reply) => {
        if (hook !== throwing || reply.statusCode >= 400) return
        throw Object.assign(new Error('not today'), { statusCode: 403 })
      })
    }
  })
  for (const { status } of await callAll(service)) t.ok(status < 300)
  for (throwing of hooks) {
    for (const { status, body } of await callAll(service)) {
      t.equal(status, 403, throwing)
      t.same(body, { code: 'invalid_request', message: 'not today', status: 403 })
    }
  }
  // The handler has run before the last two.
  t.equal((await service.store.pets.list({ after: 0n, limit: 10, status: undefined })).length, 3)
})

t.test('the log says that a stream of a response fails, also if it only ends too early', async (t) => {
  const errors = [new Error('no row'), undefined]
  const service = await startWith(t, (app) => {
    app.get('/stream', (_request, reply) => {
      const error = errors.shift()
      const chunks = ['begun']
      const read = function (this: Readable) {
        const chunk = chunks.pop()
        if (chunk === undefined) this.destroy(error)
        else this.push(chunk)
      }
      return reply.send(new Readable({ read }))
    })
  })
  for (const message of ['no row', 'Premature close']) {
    await t.rejects(send(service.origin, 'GET', '/stream'))
    const find = () => service.logged().find(({ err }) => (err as Error | undefined)?.message === message)
    await waitUntil(() => find() !== undefined)
    t.match(find(), { level: 50, msg: 'the stream of a response failed', reqId: String })
  }
})

t.test('a hook that responds by itself keeps the handler from being run', async (t) => {
  const service = await startWith(t, (app) =>
    app.addHook('preHandler', async (_request, reply) => {
      reply.code(202).send({ later: true })
    }),
  )
  for (const { status, body } of await callAll(service)) t.same([status, body], [202, { later: true }])
  t.same(await service.store.pets.list({ after: 0n, limit: 10, status: undefined }), [])
})

t.test('a header of a hook is in every response: successes, cached ones, 304 and errors', async (t) => {
  const service = await startWith(t, (app) => {
    app.addHook('onRequest', async (_request, reply) => void reply.header('x-early', 'a'))
    app.addHook('onSend', async (_request, reply) => void reply.header('x-late', 'b'))
  })
  const headers = { authorization: `Bearer ${service.key}` }
  const responses = await callAll(service)
  const etag = String(responses.at(-1)?.headers.etag)
  responses.push(await send(service.origin, 'GET', '/v1/pets/1', { headers: { ...headers, 'if-none-match': etag } }))
  responses.push(await send(service.origin, 'GET', '/v1/pets/2', { headers }))
  responses.push(await send(service.origin, 'GET', '/v1/pets?limit=0', { headers }))
  responses.push(await send(service.origin, 'GET', '/v1/pets'))
  responses.push(await send(service.origin, 'DELETE', '/v1/pets'))
  for (const response of responses)
    t.match(response.headers, { 'x-early': 'a', 'x-late': 'b' }, String(response.status))
  t.same(new Set(responses.map(({ status }) => status)), new Set([201, 200, 304, 404, 400, 401, 405]))
})

t.test('an onError hook sees the errors of operations, and a preSerialization hook the bodies', async (t) => {
  const errors: unknown[] = []
  const bodies: unknown[] = []
  const service = await startWith(t, (app) => {
    app.addHook('onError', async (_request, _reply, error) => void errors.push(error.code))
    app.addHook('preSerialization', async ({ openapi }, _reply, body) => {
      bodies.push(openapi?.operation.id)
      return body
    })
  })
  await callAll(service)
  // The third page is sent again as it was.
  t.same(bodies, ['createPet', 'listPets', 'listPets', 'getPet'])
  await send(service.origin, 'GET', '/v1/pets')
  t.same(errors, ['missing_key'])
})

t.test('an error that blames the request stays one, and any other is a 500 without its message', async (t) => {
  const key = 'a-key-of-the-environment'
  let thrown: unknown
  const throwIt = async () => {
    throw thrown
  }
  const options = { apiKeys: [{ name: 'ci', key }] }
  const service = await startWith(t, (app) => app.addHook('onRequest', throwIt), options)
  const unavailable = 'the service is unavailable at the moment; try again shortly'
  const failed = [500, 'internal_error', 'the service failed to respond; the failure is logged'] as const
  for (const [error, [status, code, message]] of [
    [{ statusCode: 418, message: `not for ${key}` }, [418, 'invalid_request', 'not for [redacted]']],
    [{ statusCode: 409, code: 'too_late', message: 'no' }, [409, 'too_late', 'no']],
    [{ statusCode: 503, message: `busy with ${key}` }, [503, 'service_unavailable', unavailable]],
    [{ statusCode: 502, message: key }, failed],
    [{ message: key }, failed],
  ] as const) {
    thrown = Object.assign(new Error(), error)
    const response = await send(service.origin, 'GET', '/v1/pets')
    t.same(response.body, { status, code, message })
    t.match(response.headers, { 'cache-control': 'no-store', 'retry-after': status === 503 ? '1' : undefined })
    t.match(service.logged().at(-1), { operationId: 'listPets', res: { statusCode: status, code } })
  }
  t.equal(service.logged().filter(({ msg }) => msg === 'request failed').length, 2)
})

t.test('a route of a plugin has the validators, the parsers and the serializers of Fastify', async (t) => {
  const service = await startWith(t, (app) => {
    const querystring = { type: 'object', properties: { count: { type: 'integer', maximum: 3 } } }
    const response = { 200: { type: 'object', properties: { count: { type: 'integer' } } } }
    app.get('/own', { schema: { querystring, response } }, async ({ query }) => ({ ...Object(query), more: true }))
    app.post('/own', async ({ body }) => ({ body }))
  })
  const { origin } = service
  t.match(await send(origin, 'GET', '/own?count=2'), { status: 200, text: '{"count":2}' })
  t.match(await send(origin, 'GET', '/own?count=4'), {
    status: 400,
    body: { message: 'querystring/count must be <= 3' },
  })
  t.match(await send(origin, 'POST', '/own', { json: [1] }), { status: 200, text: '{"body":[1]}' })
})

t.test('request.log writes to the log, with the id of the request', async (t) => {
  const service = await startWith(t, (app) => app.addHook('preHandler', async ({ log }) => log.info('hello')))
  const { headers } = await service.call('GET', '/v1/pets')
  t.match(service.logged(), [{ msg: 'hello', reqId: headers['x-request-id'] }, { msg: 'request' }])
})

t.test('hooks and listeners have the asynchronous context of their own request to its end', async (t) => {
  const context = new AsyncLocalStorage<unknown>()
  const seen: Record<string, [own: unknown, found: unknown][]> = { handler: [], onSend: [], onResponse: [], finish: [] }
  const service = await startWith(t, (app) => {
    const note = (place: string, { headers }: FastifyRequest) =>
      void seen[place]?.push([headers['x-own'], context.getStore()])
    app.addHook('onRequest', (request, reply, done) => {
      const own = request.headers['x-own']
      reply.raw.on('finish', () => note('finish', request))
      if (Number(own) % 2 === 0) return context.run(own, done)
      context.enterWith(own)
      done()
    })
    app.addHook('preHandler', async (request) => note('handler', request))
    app.addHook('onSend', async (request) => note('onSend', request))
    app.addHook('onResponse', async (request) => note('onResponse', request))
  })
  await callAll(service)
  const requests = [
    ['GET', '/v1/pets'],
    ['GET', '/v1/pets/1'],
    ['GET', '/v1/pets/2'],
    ['GET', '/v1/pets?limit=0'],
    ['POST', '/v1/pets', { json: rex }],
    ['POST', '/v1/pets', { json: 'x'.repeat(100_000) }],
    ['POST', '/v1/pets', { body: 'x'.repeat(100_000) }],
    ['DELETE', '/v1/pets'],
    ['GET', '/livez'],
  ] as const
  const agent = new Agent({ keepAlive: true, maxSockets: 50 })
  t.teardown(() => agent.destroy())
  await Promise.all(
    Array.from({ length: 300 }, (_, own) => {
      const [method, path, call] = requests[own % requests.length] ?? requests[0]
      const headers = { 'x-own': String(own), authorization: `Bearer ${own % 7 === 0 ? 'wrong' : service.key}` }
      return send(service.origin, method, path, { ...call, headers, ...(own % 2 === 0 && { agent }) })
    }),
  )
  await waitUntil(() => seen.onResponse?.length === 305)
  for (const [place, pairs] of Object.entries(seen)) {
    const wrong = pairs.filter(([own, found]) => own !== found)
    t.strictSame(wrong, [], `${place}: ${wrong.length} of ${pairs.length}`)
  }
})

t.test('diagnostics channels of Fastify see the handlers of operations', async (t) => {
  const seen: unknown[] = []
  const note = (message: unknown) => void seen.push((message as { route: { url: string } }).route.url)
  subscribe('tracing:fastify.request.handler:start', note)
  t.teardown(() => unsubscribe('tracing:fastify.request.handler:start', note))
  await callAll(await startService(t))
  t.same(seen.length, 4)
  t.equal(seen[0], '/v1/pets')
})

t.test('a hook that throws when the response is made gets a 500 and a line in the log', async (t) => {
  const service = await startWith(t, (app) =>
    app.addHook('onSend', async ({ errorCode }) => {
      if (errorCode === undefined) throw new Error('too late')
    }),
  )
  for (const { status, body } of await callAll(service)) {
    t.equal(status, 500)
    t.match(body, { code: 'internal_error', status: 500 })
  }
  t.ok(service.logged().filter(({ level }) => level === 50).length >= 5)
})

t.test('a hook that goes on when it has responded does no harm', async (t) => {
  const service = await startWith(t, (app) =>
    app.addHook('onSend', (_request, reply, payload, done) => {
      done(null, payload)
      reply.send('again')
      if (reply.statusCode < 400) throw new Error('and too late')
    }),
  )
  await callAll(service).catch(() => {})
  t.equal((await send(service.origin, 'GET', '/livez')).status, 200)
})
