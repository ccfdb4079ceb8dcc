/** The layer as a Fastify plugin: its routes, the hooks of the app, and what requests do together. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { PassThrough } from 'node:stream'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import t, { type Test } from 'tap'
import { readOperations } from '../../src/openapi/document/operations.ts'
import { loadDocument, type OpenApiOptions, openapi, type SecurityFunction } from '../../src/openapi/index.ts'
import { SERVER_HEADERS } from '../../src/server-headers.ts'
import { send } from '../helpers/http.ts'
import { contractFile } from '../helpers/service.ts'
import { within } from '../helpers/wait.ts'
import { createHost, createLayer, idle, load, nobody, startLayer } from './layer.ts'

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
    post:
      operationId: addWord
      requestBody: { x-max-bytes: 10, content: { application/json: { schema: { type: string } } } }
      responses:
        "204": { description: Added. }
        default:
          description: What is wrong.
          headers: { Cache-Control: { schema: { type: string, const: no-store } } }
          content: { application/json: { schema: { type: object } } }
components:
  securitySchemes:
    Key: { type: apiKey, in: header, name: X-Key }
`
const identify: SecurityFunction = (credential) => ({ id: credential, name: credential, scopes: [] })

/** Starts an app that has added its hooks before the operations. */
async function start(t: Test, addHooks: (app: FastifyInstance) => void, options: Partial<OpenApiOptions> = {}) {
  const app = createHost(t)
  addHooks(app)
  const { handlers, ...others } = options
  let added = 0
  await app.register(openapi, {
    document: await load(t, source),
    handlers: {
      listWords: async () => ({ status: 200, body: ['a', 'b'], headers: { Link: '</next>; rel="next"' } }),
      getSecret: async () => ({ status: 204 }),
      addWord: async () => {
        added++
        return { status: 204 }
      },
      ...handlers,
    },
    security: { Key: identify },
    hooks: {
      afterIdentify: [
        async ({ openapi }: FastifyRequest, reply: FastifyReply) => {
          if (openapi?.caller !== undefined) reply.header('x-caller', openapi.caller.name)
        },
      ],
    },
    ...others,
  })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const get = (path: string, headers = {}) => send(origin, 'GET', path, { headers })
  const add = (contentType = 'application/json') =>
    send(origin, 'POST', '/words/secret', { body: '"a"', headers: { 'content-type': contentType } })
  return { get, add, getAdded: () => added }
}

t.test('a hook that replaces the body has another ETag, from memory, too', async (t) => {
  let suffix = ''
  const { get } = await start(t, (app) => {
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

t.test('a hook may replace the text, add links, and respond itself', async (t) => {
  const { get } = await start(t, (app) => {
    app.addHook('onRequest', async (_request, reply) => void reply.header('link', '</docs>; rel="help"'))
    app.addHook('preHandler', async ({ headers }, reply) => {
      if (headers['x-tea']) return reply.code(418).send({ error: 'tea' })
    })
    app.addHook('onSend', async ({ headers }, _reply, payload) => (headers['x-loud'] ? '["A"]' : payload))
  })
  const [quiet, loud] = [await get('/words'), await get('/words', { 'x-loud': '1' })]
  t.match(quiet.headers, { link: '</docs>; rel="help", </next>; rel="next"', 'cache-control': 'no-cache' })
  t.match(loud, { status: 200, text: '["A"]' })
  t.not(quiet.headers.etag, loud.headers.etag)
  const own = { status: 418, body: { error: 'tea' }, headers: { 'x-error': 'yes', etag: undefined } }
  t.match(await get('/words', { 'x-tea': '1' }), own)
})

t.test('a constant Link and those of hooks are one list, which has each once', async (t) => {
  const app = createHost(t)
  const link = '</docs>; rel="help"'
  app.addHook('preHandler', async (request, reply) => {
    reply.header('link', link)
    if (request.headers.again === 'yes') return reply.header('link', `${link}, </a>`).send(['a'])
  })
  const linked = source.replace('Link: { schema: { type: string } }', 'Link: { schema: { const: "</a>" } }')
  t.not(linked, source)
  await app.register(openapi, {
    document: await load(t, linked),
    missingHandlers: 'notImplemented',
    handlers: { listWords: async () => ({ status: 200, body: ['a'], headers: { Link: '</a>' } }) } as never,
    security: { Key: () => undefined } as never,
  })
  for (const again of ['no', 'yes']) {
    const { headers } = await app.inject({ url: '/words', headers: { again } })
    t.equal(headers.link, `${link}, </a>`)
  }
})

t.test('a header of a handler that HTTP does not allow is an error without it, also behind a slow hook', async (t) => {
  const { get } = await start(
    t,
    (app) => app.addHook('onSend', (_request, _reply, payload, done) => void setTimeout(done, 1, null, payload)),
    { handlers: { listWords: async () => ({ status: 200, body: [], headers: { Link: 'a\nb' } }) } },
  )
  const error = /Invalid character in header content/
  t.match(await get('/words'), { status: 500, headers: { 'x-error': 'yes', link: undefined }, body: { error } })
})

t.test('of many paths in any order, the one with more text receives a request that several match', async (t) => {
  const listPaths = (prefix: string, depth: number): string[] =>
    ['b', `{x${depth}}`, `{x${depth}}-{y${depth}}`].flatMap((segment) => {
      const path = `${prefix}/${segment}`
      return [path, ...(depth < 3 ? listPaths(path, depth + 1) : [])]
    })
  const listedPaths = listPaths('', 1)
  // 22 and the number of paths have no common divisor, so these are all paths, in an order without a system.
  const paths = listedPaths.map((_, index) => String(listedPaths[(index * 22) % listedPaths.length]))
  const responses = { 204: { description: 'OK.', headers: { Path: { schema: {} } } } }
  const toPathItem = (path: string) => {
    const names = Array.from(path.matchAll(/{(.*?)}/g), ([, name]) => name)
    const parameters = names.map((name) => ({ name, in: 'path', required: true, schema: {} }))
    return { get: { operationId: path, parameters, responses } }
  }
  const document = await loadDocument({
    name: 'paths',
    value: {
      openapi: '3.1.0',
      info: { title: 'Paths', version: '1' },
      paths: Object.fromEntries(paths.map((path) => [path, toPathItem(path)])),
    },
  })
  const handlers = Object.fromEntries(
    paths.map((path) => [path, async () => ({ status: 204, headers: { Path: path } })]),
  )
  const app = await createLayer(t, { source: '', document, handlers })
  for (const path of paths) t.equal((await app.inject(path.replaceAll(/{.*?}/g, 'v'))).headers.path, path)
})

t.test('operations of one added method may have a body or none; a response 205 has none', async (t) => {
  const operation = (id: string, more: string) => `{ additionalOperations: { PROPFIND: { operationId: ${id}, ${more}
    responses: { default: { description: It., content: { application/json: { schema: {} } } } } } } }`
  const source = `openapi: 3.2.0
info: { title: Words, version: 1.0.0 }
paths:
  /a: ${operation('a', 'requestBody: { content: { application/json: {} } },')}
  /b: ${operation('b', '')}
`
  const respond = async () => ({ status: 205, body: {} })
  const { call } = await startLayer(t, { source, handlers: { a: respond, b: respond } })
  for (const path of ['/a', '/b']) t.match(await call('PROPFIND', path), { status: 205, text: '' })
})

t.test('a method that the app has added with a body keeps it beside an operation without one', async (t) => {
  const app = createHost(t)
  app.addHttpMethod('PROPFIND', { hasBody: true })
  const document = `openapi: 3.2.0
info: { title: Words, version: 1.0.0 }
paths:
  /words: { additionalOperations: { PROPFIND: { operationId: findWords, responses: { "204": { description: None. } } } } }
`
  const handlers = { findWords: async () => ({ status: 204 }) } as never
  await app.register(openapi, { document: await load(t, document), handlers })
  app.route({ method: 'PROPFIND', url: '/own', handler: async ({ body }) => body })
  const method = 'PROPFIND' as never
  t.equal((await app.inject({ method, url: '/own', payload: { a: 1 } })).body, '{"a":1}')
  t.equal((await app.inject({ method, url: '/words' })).statusCode, 204)
})

t.test('an error that a function of the app throws at the start is that of the start', async (t) => {
  const error = new RangeError('the page is unknown')
  const missingHandlers = () => {
    throw error
  }
  await t.rejects(startLayer(t, { source, handlers: {}, missingHandlers, security: { Key: nobody } }), error)
})

t.test('a hook between authentication and authorization knows clients that are refused', async (t) => {
  const { get } = await start(t, () => {})
  t.match(await get('/words/secret', { 'x-key': 'ada' }), { status: 403, headers: { 'x-caller': 'ada' } })
})

t.test('a hook runs before the caller is known, with the caller, or once the request is accepted', async (t) => {
  let log: unknown[] = []
  const record = (name: string) => async (request: FastifyRequest) => {
    log.push([name, request.openapi?.operation.id, request.openapi?.caller?.name])
  }
  const { add, get } = await start(t, () => {}, {
    security: {
      Key: (credential) => ({ id: credential, name: credential, scopes: credential === 'ada' ? ['read'] : [] }),
    },
    hooks: {
      beforeIdentify: [record('first')],
      afterIdentify: [record('second')],
      afterAccept: [record('third'), record('fourth')],
    },
  })
  t.equal((await get('/words/secret', { 'x-key': 'bob' })).status, 403)
  const known = ['getSecret', 'bob']
  t.strictSame(log, [
    ['first', undefined, undefined],
    ['second', ...known],
  ])
  log = []
  t.equal((await get('/words/secret', { 'x-key': 'ada' })).status, 204)
  t.strictSame(
    log.map((entry) => (entry as unknown[]).filter(Boolean)),
    [['first'], ...['second', 'third', 'fourth'].map((name) => [name, 'getSecret', 'ada'])],
  )
  log = []
  t.equal((await add('text/plain')).status, 415)
  t.equal(log.length, 2, 'no hook runs once the headers are rejected')
})

t.test('the stream of a hook that replaces a body may fail when the body is already refused', async (t) => {
  const stream = new PassThrough()
  const { add, get } = await start(t, (app) => app.addHook('preParsing', async () => stream))
  stream.write('x'.repeat(11))
  t.equal((await add()).status, 413)
  const closed = new Promise((resolve) => stream.on('close', resolve))
  stream.destroy(new Error('the coding is wrong'))
  await within('end of the stream', closed)
  t.equal((await get('/words')).status, 200)
})

t.test('the stream of a hook that replaces a body may fail behind its end', async (t) => {
  const { add, getAdded } = await start(t, (app) => {
    app.addHook('preParsing', async () => {
      const stream = new PassThrough({ autoDestroy: false })
      stream.on('end', () => setImmediate(() => stream.emit('error', new Error('the checksum is wrong'))))
      return stream.end('"a"')
    })
  })
  t.equal((await add()).status, 204)
  t.equal(getAdded(), 1)
})

t.test('an error of a hook gets the response that the operation declares', async (t) => {
  const { add } = await start(t, (app) => {
    app.addHook('onRequest', async () => {
      throw Object.assign(new Error('not from there'), { statusCode: 403 })
    })
  })
  t.match(await add(), { status: 403, headers: { 'cache-control': 'no-store' }, text: '{"error":"not from there"}' })
})

t.test('of undeclared statuses, only errors have the headers that all declared errors have', async (t) => {
  const app = createHost(t)
  app.addHook('preHandler', async ({ headers }, reply) =>
    reply.code(Number(headers.status)).header('cache-control', 'max-age=60').send(),
  )
  const document = `openapi: 3.1.0
info: { title: Words, version: 1.0.0 }
paths:
  /words:
    get:
      operationId: listWords
      responses:
        "200": { description: All. }
        "400": { description: Not., headers: { Cache-Control: { schema: { const: no-store } } } }
`
  await app.register(openapi, { document: await load(t, document), handlers: { listWords: idle } as never })
  for (const [status, cacheControl] of [
    ['302', 'max-age=60'],
    ['404', 'no-store'],
    ['500', 'no-store'],
  ] as const) {
    const { headers } = await app.inject({ url: '/words', headers: { status } })
    t.equal(headers['cache-control'], cacheControl)
  }
})

t.test('a handler without a promise is a handler, too', async (t) => {
  const fail = () => {
    throw undefined
  }
  const listWords = (() => ({ status: 200, body: [] })) as never
  const { get, add } = await start(t, () => {}, { handlers: { listWords, addWord: fail as never } })
  t.match(await get('/words'), { status: 200, text: '[]' })
  t.equal((await add()).status, 500)
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

t.test('every route has the schemas that its operation has in the spec', async (t) => {
  const app = createHost(t)
  const routes = new Map<string, RouteOptions>()
  app.addHook('onRoute', (route) => {
    if (route.config?.operation !== undefined) routes.set(route.config.operation.id, route)
  })
  const document = await loadDocument(contractFile)
  await app.register(openapi, {
    document,
    handlers: Object.fromEntries(readOperations(document.root).map(({ id }) => [id, idle])),
    security: { ApiKey: nobody },
    serverHeaders: SERVER_HEADERS,
  })

  t.match(routes.get('listPets')?.schema, {
    querystring: { properties: { limit: { type: 'integer', default: 20 } }, additionalProperties: false },
    response: { 200: { $ref: '#/components/schemas/Pets' }, 401: { $ref: '#/components/schemas/Error' } },
  })
  t.match(routes.get('createPet')?.schema, {
    headers: { properties: { 'Idempotency-Key': { type: 'string', pattern: /./ } } },
    body: { $ref: '#/components/schemas/NewPet' },
    response: { 201: { $ref: '#/components/schemas/Pet' } },
  })
  t.match(routes.get('getPet')?.schema, {
    params: { properties: { petId: { $ref: '#/components/schemas/Int64' } }, required: ['petId'] },
  })
})

t.test('a handler has the log and the id of its request', async (t) => {
  const logged: unknown[] = []
  const { get } = await start(
    t,
    (app) => {
      app.addHook('onRequest', async (request) => {
        request.log.info = ((message: string) => logged.push(message)) as never
      })
    },
    {
      handlers: {
        getSecret: async ({ log, requestId }: { log: FastifyBaseLogger; requestId: string }) => {
          log.info(requestId)
          return { status: 204 }
        },
      },
      security: { Key: () => ({ id: '1', name: 'Ada', scopes: ['read'] }) },
    },
  )
  await get('/words/secret', { 'x-key': 'ada' })
  t.match(logged, [/^req-/])
})

t.test('the handler of a GET with a body runs in the context of its own request', async (t) => {
  const storage = new AsyncLocalStorage<string>()
  const app = createHost(t)
  app.addHook('onRequest', (request, _reply, done) => storage.run(request.id, done))
  const source = `openapi: 3.1.0
info: { title: Search, version: 1.0.0 }
paths:
  /things:
    get:
      operationId: findThings
      requestBody: { required: true, content: { application/json: { schema: { type: object } } } }
      responses: { "200": { description: ok, content: { application/json: { schema: { type: boolean } } } } }
`
  await app.register(openapi, {
    document: await load(t, source),
    handlers: {
      findThings: async ({ requestId }: { requestId: string }) => {
        return { status: 200, body: storage.getStore() === requestId }
      },
    },
  })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
  t.match(await send(origin, 'GET', '/things', { headers, body: '{}' }), { status: 200, text: 'true' })
})

t.test('a second document in the scope of another one is rejected, with what to do', async (t) => {
  const app = createHost(t)
  const source = 'openapi: 3.1.0\ninfo: { title: Words, version: 1.0.0 }\npaths: {}\n'
  const document = await load(t, source)
  const register = (scope: FastifyInstance) => scope.register(openapi, { document, handlers: {} })
  await app.register(register)
  await app.register(register)
  await register(app)
  const message = 'this scope, or one around it, has an OpenAPI document; register each in a scope of its own'
  await t.rejects(async () => await app.register(register), { message })
})
