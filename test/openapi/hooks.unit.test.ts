/**
 * The hooks of a host, which run on operations as on any other route.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import { type OpenApiOptions, openapi, type SecurityFunction } from '../../src/openapi/index.ts'
import { send } from '../helpers/http.ts'
import { createHost, load } from './layer.ts'

const source = `openapi: 3.1.0
info: { title: Words, version: 1.0.0 }
paths:
  /words:
    get:
      operationId: listWords
      responses:
        "200":
          description: All.
          headers:
            Cache-Control: { schema: { type: string, const: no-cache } }
            Link: { schema: { type: string } }
          content: { application/json: { schema: { type: array, items: { type: string } } } }
        "304": { description: Known. }
        default: { description: Not., headers: { X-Error: { schema: { type: string, const: "yes" } } } }
  /words/secret:
    get:
      operationId: getSecret
      security: [{ Key: [read] }]
      responses: { "204": { description: Nothing. } }
components:
  securitySchemes:
    Key: { type: apiKey, in: header, name: X-Key }
`
const identify: SecurityFunction = (credential) => ({ id: credential, name: credential, scopes: [] })

/** Starts a host that has added its hooks before the operations. */
async function start(
  t: Test,
  addHooks: (app: FastifyInstance) => void,
  listWords = () => ['a', 'b'],
  cacheable: OpenApiOptions['cacheable'] = { listWords: () => 1 },
) {
  const app = createHost(t)
  addHooks(app)
  await app.register(openapi, {
    document: await load(t, source),
    handlers: {
      listWords: async () => ({ status: 200, body: listWords(), headers: { Link: '</next>; rel="next"' } }),
      getSecret: async () => ({ status: 204 }),
    },
    security: { Key: identify },
    cacheable,
    onOperation: ({ onRequest }) => {
      onRequest.splice(1, 0, async ({ caller }: FastifyRequest, reply: FastifyReply) => {
        if (caller !== undefined) reply.header('x-caller', caller.name)
      })
    },
  })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return (path: string, headers = {}) => send(origin, 'GET', path, { headers })
}

t.test('a hook that replaces the body has another ETag, from memory, too', async (t) => {
  let suffix = ''
  const get = await start(t, (app) => {
    app.addHook('preSerialization', async (_request, _reply, payload) => {
      return suffix === '' ? payload : [...(payload as string[]), suffix]
    })
  })
  const tags = new Set<unknown>()
  for (const each of ['', '', '', 'x', 'x', 'y', '']) {
    suffix = each
    const { body, headers, status } = await get('/words')
    t.strictSame({ status, body }, { status: 200, body: each === '' ? ['a', 'b'] : ['a', 'b', each] })
    t.match(await get('/words', { 'if-none-match': headers.etag }), {
      status: 304,
      text: '',
      headers: { etag: headers.etag, 'content-type': undefined, 'x-error': undefined },
    })
    tags.add(headers.etag)
  }
  t.equal(tags.size, 3)
})

t.test('a hook that replaces the text has another ETag', async (t) => {
  const get = await start(t, (app) => {
    app.addHook('onSend', async (request, _reply, payload) => (request.headers['x-loud'] ? '["A"]' : payload))
  })
  const [quiet, loud] = [await get('/words'), await get('/words', { 'x-loud': '1' })]
  t.match(loud, { status: 200, text: '["A"]' })
  t.not(quiet.headers.etag, loud.headers.etag)
})

t.test('the links of a hook and of the handler are one header', async (t) => {
  const get = await start(t, (app) => {
    app.addHook('onRequest', async (_request, reply) => void reply.header('link', '</docs>; rel="help"'))
  })
  t.match((await get('/words')).headers, {
    link: '</docs>; rel="help", </next>; rel="next"',
    'cache-control': 'no-cache',
  })
})

t.test('the response of a hook is sent as it is, with the headers of its status', async (t) => {
  const get = await start(t, (app) => {
    app.addHook('preHandler', async (_request, reply) => reply.code(418).send({ error: 'tea' }))
  })
  t.match(await get('/words'), { status: 418, body: { error: 'tea' }, headers: { 'x-error': 'yes', etag: undefined } })
})

t.test('a header that HTTP does not allow is an error without it', async (t) => {
  const get = await start(t, (app) => {
    app.addHook('onSend', async (request, reply) => {
      const isError = reply.statusCode >= 400
      if (request.headers['x-break'] === 'all' || !isError) reply.header('x-broken', 'a\nb')
    })
  })
  const error = /Invalid character in header content/
  t.match(await get('/words'), { status: 500, headers: { 'x-error': 'yes', 'x-broken': undefined }, body: { error } })
  t.match(await get('/words', { 'x-break': 'all' }), {
    status: 500,
    headers: { 'x-broken': undefined },
    body: { error },
  })
})

t.test('a hook between authentication and authorization knows clients that are refused', async (t) => {
  const get = await start(t, () => {})
  t.match(await get('/words/secret', { 'x-key': 'ada' }), { status: 403, headers: { 'x-caller': 'ada' } })
})

t.test('a handler has the asynchronous context of its request, also where requests wait for each other', async (t) => {
  const context = new AsyncLocalStorage<string>()
  const get = await start(
    t,
    (app) => {
      app.addHook('onRequest', (request, _reply, done) => context.run(String(request.headers['x-name']), done))
    },
    () => [String(context.getStore())],
    {},
  )
  const names = Array.from({ length: 40 }, (_, index) => `name-${index}`)
  const responses = await Promise.all(names.map((name) => get('/words', { 'x-name': name })))
  t.strictSame(
    responses.map(({ body }) => body),
    names.map((name) => [name]),
  )
})

t.test('a state of the data that cannot be read is an error of each request that waits for it', async (t) => {
  let isBroken = true
  const listWords = () => {
    if (isBroken) throw new Error('the disk is gone')
    return 1
  }
  const get = await start(t, () => {}, undefined, { listWords })
  for (const { status, body } of await Promise.all([get('/words'), get('/words')])) {
    t.strictSame({ status, body }, { status: 500, body: { error: 'the disk is gone' } })
  }
  isBroken = false
  t.equal((await get('/words')).status, 200)
})

/** Starts a host with an operation whose body, of at most 10 bytes, a hook replaces. */
async function startAddWord(t: Test, replaceBody: () => Promise<PassThrough>) {
  const app = createHost(t)
  app.addHook('preParsing', replaceBody)
  const document = await load(
    t,
    `openapi: 3.1.0
info: { title: Words, version: 1.0.0 }
paths:
  /words:
    post:
      operationId: addWord
      requestBody: { x-max-bytes: 10, content: { application/json: { schema: { type: string } } } }
      responses: { "204": { description: Added. } }
`,
  )
  let added = 0
  const addWord = async () => {
    added++
    return { status: 204 }
  }
  await app.register(openapi, { document, handlers: { addWord } })
  return { origin: await app.listen({ port: 0, host: '127.0.0.1' }), getAdded: () => added }
}

t.test('the stream of a hook that replaces a body may fail when the body is already refused', async (t) => {
  const stream = new PassThrough()
  const { origin } = await startAddWord(t, async () => stream)
  stream.write('x'.repeat(11))
  t.equal((await send(origin, 'POST', '/words', { json: 'a' })).status, 413)
  stream.destroy(new Error('the coding is wrong'))
  await new Promise((resolve) => setTimeout(resolve, 50))
  t.equal((await send(origin, 'GET', '/words')).status, 405)
})

t.test('a response that cannot be written at all ends its connection, and no other', async (t) => {
  const get = await start(t, (app) => {
    app.addHook('onSend', async (request, { raw }) => {
      if (request.headers['x-break']) raw.statusMessage = 'a\nb'
    })
  })
  await t.rejects(get('/words', { 'x-break': '1' }))
  t.equal((await get('/words')).status, 200)
})

t.test('a hook that changes a body in place gets an error when other callers would get that body, too', async (t) => {
  const get = await start(t, (app) => {
    app.addHook('preSerialization', async ({ headers }, _reply, payload) => {
      if (headers['x-mine']) (payload as string[]).push('mine')
      return payload
    })
  })
  for (const _each of 'abc') t.strictSame((await get('/words')).body, ['a', 'b'])
  t.equal((await get('/words', { 'x-mine': '1' })).status, 500)
  t.strictSame((await get('/words')).body, ['a', 'b'])
})

t.test('documents in scopes of their own have the prefix of the scope in their URLs', async (t) => {
  const app = createHost(t)
  const document = await load(
    t,
    `openapi: 3.1.0
info: { title: Words, version: 1.0.0 }
servers: [{ url: /v1 }]
paths:
  /words/{word}:
    get:
      operationId: getWord
      parameters: [{ name: word, in: path, required: true, schema: { type: string } }]
      responses:
        "200": { description: The URL., content: { application/json: { schema: { type: string } } } }
`,
  )
  const handlers: OpenApiOptions['handlers'] = {
    getWord: async ({ urls, path }: { urls: Record<string, (parts: object) => string>; path: object }) => ({
      status: 200,
      body: urls.getWord?.({ path }),
    }),
  }
  for (const prefix of ['/one', '/two']) {
    await app.register(async (scope) => void scope.register(openapi, { document, handlers }), { prefix })
  }
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  for (const path of ['/one/v1/words/a%20b', '/two/v1/words/c']) t.equal((await send(origin, 'GET', path)).body, path)
})

t.test('a handler without a promise is a handler, too', async (t) => {
  const handle = (() => ({ status: 204 })) as never
  const fail = (() => {
    throw undefined
  }) as never
  for (const [handler, status] of [
    [handle, 204],
    [fail, 500],
  ] as const) {
    const app = createHost(t)
    const document = await load(
      t,
      `openapi: 3.1.0
info: { title: Words, version: 1.0.0 }
paths: { /words: { get: { operationId: listWords, responses: { "204": { description: None. } } } } }
`,
    )
    await app.register(openapi, { document, handlers: { listWords: handler } })
    t.equal((await send(await app.listen({ port: 0, host: '127.0.0.1' }), 'GET', '/words')).status, status)
  }
})

t.test('the stream of a hook that replaces a body may fail behind its end', async (t) => {
  const { origin, getAdded } = await startAddWord(t, async () => {
    const stream = new PassThrough({ autoDestroy: false })
    stream.on('end', () => setImmediate(() => stream.emit('error', new Error('the checksum is wrong'))))
    return stream.end('"a"')
  })
  t.equal((await send(origin, 'POST', '/words', { json: 'a' })).status, 204)
  t.equal(getAdded(), 1)
})
