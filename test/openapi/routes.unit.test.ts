/** The option `routes`: what an app adds to the Fastify route of an operation. */
import { PassThrough, Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import { type OpenApiOptions, saveInput } from '../../src/openapi/index.ts'
import { waitUntil, within } from '../helpers/wait.ts'
import { createLayer, getRefusal, startLayer } from './layer.ts'

const source = `openapi: 3.2.0
info: { title: Words, version: 1.0.0 }
paths:
  /words:
    get:
      operationId: listWords
      responses:
        "200": { description: All., content: { application/json: { schema: { type: array, items: { type: string } } } } }
        "304": { description: Known. }
    post:
      operationId: addWord
      security: [{ Key: [write] }]
      requestBody: { required: true, content: { application/json: { schema: { type: string, maxLength: 2000000 } } } }
      responses:
        "201": { description: The word., content: { application/json: { schema: { type: object } } } }
  /search:
    get:
      operationId: search
      requestBody: { x-max-bytes: 100, content: { application/json: { schema: { type: string } } } }
      responses:
        "200": { description: The word., content: { application/json: { schema: { type: string } } } }
components:
  securitySchemes: { Key: { type: apiKey, in: header, name: X-Key } }
`
const options = {
  source,
  handlers: {
    listWords: async () => ({ status: 200, body: ['a', 'b'] }),
    addWord: async ({ body }: { body: string }) => ({ status: 201, body: { word: body } }),
    search: async ({ body }: { body: string }) => ({ status: 200, body }),
  },
  security: { Key: (credential: string) => ({ id: credential, name: credential, scopes: [credential] }) },
}
const start = (t: Test, routes: OpenApiOptions['routes'], others: Partial<OpenApiOptions> = {}) =>
  createLayer(t, { ...options, ...others, ...(routes && { routes }) })

const add = (body: string, headers = {}) =>
  ({ method: 'POST', url: '/words', headers: { 'x-key': 'write', ...headers }, payload: body }) as const
const json = { 'content-type': 'application/json' }

t.test('the hooks of a route run in the order of a request, each with what is known by then', async (t) => {
  const log: unknown[] = []
  const note = (hook: string, { body, openapi }: FastifyRequest, payload?: unknown) =>
    void log.push([hook, openapi?.caller?.name, body, openapi?.input?.body, payload])
  const app = await start(
    t,
    {
      addWord: {
        onRequest: [
          async (request: FastifyRequest) => note('onRequest', request),
          (request, _reply, done) => {
            note('second onRequest', request)
            done()
          },
        ],
        preParsing: async (request: FastifyRequest, _reply: FastifyReply, payload) => {
          note('preParsing', request)
          return payload
        },
        preValidation: async (request: FastifyRequest) => note('preValidation', request),
        preHandler: async (request: FastifyRequest) => note('preHandler', request),
        preSerialization: async (request: FastifyRequest, _reply: FastifyReply, payload) => {
          note('preSerialization', request, payload)
          return payload
        },
        onSend: async (request: FastifyRequest, _reply: FastifyReply, payload) => {
          note('onSend', request, payload)
          return payload
        },
        onResponse: async (request: FastifyRequest) => note('onResponse', request),
        onError: async (request: FastifyRequest) => note('onError', request),
      },
    },
    { hooks: { afterAccept: [async (request) => note('afterAccept of all', request)] } },
  )
  t.match(await app.inject(add('"a"', json)), { statusCode: 201, body: '{"word":"a"}' })
  t.strictSame(log.splice(0), [
    ['afterAccept of all', 'write', undefined, undefined, undefined],
    ['onRequest', 'write', undefined, undefined, undefined],
    ['second onRequest', 'write', undefined, undefined, undefined],
    ['preParsing', 'write', undefined, undefined, undefined],
    ['preValidation', 'write', 'a', undefined, undefined],
    ['preHandler', 'write', 'a', 'a', undefined],
    ['preSerialization', 'write', 'a', 'a', { word: 'a' }],
    ['onSend', 'write', 'a', 'a', '{"word":"a"}'],
    ['onResponse', 'write', 'a', 'a', undefined],
  ])
  const getNames = () => log.splice(0).map((entry) => (entry as unknown[])[0])
  t.equal((await app.inject(add('7', json))).statusCode, 400)
  t.strictSame(getNames().slice(4), ['preValidation', 'onError', 'preSerialization', 'onSend', 'onResponse'])
  t.equal((await app.inject(add('"a"', { ...json, 'x-key': 'read' }))).statusCode, 403)
  t.strictSame(getNames(), ['onError', 'preSerialization', 'onSend', 'onResponse'])
  t.equal((await app.inject('/words')).statusCode, 200)
  t.strictSame(getNames(), ['afterAccept of all'])
})

t.test('a hook may decode the body before it is received, and change it before it is validated', async (t) => {
  const decode = async (_request: FastifyRequest, _reply: FastifyReply, payload: Readable) => {
    const chunks = await payload.toArray()
    return Readable.from([gunzipSync(Buffer.concat(chunks))])
  }
  const app = await start(t, {
    addWord: {
      preParsing: decode,
      preValidation: async (request: FastifyRequest) => {
        if (request.body === 7) request.body = 'seven'
      },
    },
    search: { preParsing: decode },
  })
  for (const [text, statusCode, body] of [
    ['"a"', 201, '{"word":"a"}'],
    ['7', 201, '{"word":"seven"}'],
    ['8', 400, '{"error":"body must be a string"}'],
  ] as const) {
    t.match(await app.inject({ ...add('', json), payload: gzipSync(text) }), { statusCode, body })
  }
  t.match(await app.inject({ url: '/search', headers: json, payload: gzipSync('"a"') }), {
    statusCode: 200,
    body: '"a"',
  })
})

t.test('a body that a hook destroys ended before it was complete', async (t) => {
  const preParsing = async () => {
    const payload = new PassThrough()
    setImmediate(() => payload.destroy())
    return payload
  }
  const app = await start(t, { addWord: { preParsing }, search: { preParsing } })
  const error = { statusCode: 400, body: '{"error":"the body ended before it was complete"}' }
  for (const request of [add('"a"', json), { url: '/search', headers: json, payload: '"a"' }])
    t.match(await within('the response', app.inject(request)), error)
})

t.test('the error of a stream in place of the body is reported with its status, or as a 400', async (t) => {
  const content = '{ application/json: {}, text/plain: {}, multipart/form-data: {}, video/mp4: { x-stream: true } }'
  const handlers = {
    ...options.handlers,
    addWord: async ({ body }: { body: never }) => ({ status: 201, body: { word: await Array.fromAsync(body) } }),
  }
  for (const [details, statusCode] of [
    [{}, 400],
    [{ statusCode: 200 }, 400],
    [{ statusCode: 422 }, 422],
  ] as const) {
    const preParsing = async () => {
      const error = Object.assign(new Error('it is not encrypted'), details)
      return new Readable({
        read() {
          this.destroy(error)
        },
      })
    }
    const app = await createLayer(t, {
      ...options,
      source: source.replace(/content: .*maxLength.*/, `content: ${content} }`),
      handlers,
      routes: { addWord: { preParsing }, search: { preParsing } },
    })
    const types = ['application/json', 'text/plain', 'multipart/form-data; boundary=b', 'video/mp4']
    const requests = types.map((type) => add('"a"', { 'content-type': type }))
    for (const request of [...requests, { url: '/search', headers: json, payload: '"a"' }]) {
      const response = { statusCode, body: '{"error":"it is not encrypted"}' }
      t.match(await within('the response', app.inject(request)), response)
    }
  }
})

t.test('a hook may respond itself, also to HEAD', async (t) => {
  let isClosed = false
  const preHandler = async (_request: FastifyRequest, reply: FastifyReply) => {
    if (isClosed) return reply.code(418).send({ error: 'closed' })
  }
  const app = await start(t, { listWords: { preHandler } })
  for (const _time of [1, 2, 3]) t.equal((await app.inject('/words')).body, '["a","b"]')
  isClosed = true
  t.match(await app.inject('/words'), { statusCode: 418, body: '{"error":"closed"}' })
  t.equal((await app.inject({ method: 'HEAD', url: '/words' })).statusCode, 418)
})

t.test('a hook cannot set an input that was not validated for its operation', async (t) => {
  const saved = new Map<string, Exclude<FastifyRequest['openapi'], undefined>['input']>()
  const received: unknown[] = []
  const read = `openapi: 3.1.0
info: { title: Words, version: 1.0.0 }
paths:
  /a: { get: { operationId: a, parameters: [{ name: n, in: query, schema: { type: integer } }], responses: { "204": { description: None. } } } }
  /b: { get: { operationId: b, parameters: [{ name: n, in: query, schema: { type: string } }], responses: { "204": { description: None. } } } }
`
  const handler = async ({ query }: { query: object }) => {
    received.push(query)
    return { status: 204 }
  }
  const app = await createLayer(t, {
    source: read,
    handlers: { a: handler, b: handler },
    routes: Object.fromEntries(
      ['a', 'b'].map((id) => [
        id,
        {
          preValidation: ({ openapi, headers }, _reply, done) => {
            const name = headers['x-input']
            if (openapi && name) {
              openapi.input = saved.get(String(name)) ?? {
                path: {},
                query: { n: 'forged' },
                header: {},
                cookie: {},
                body: 1,
              }
            }
            done()
          },
          onResponse: ({ openapi }, _reply, done) => {
            if (openapi?.result) saved.set(id, saveInput(openapi))
            done()
          },
        },
      ]),
    ),
  })
  const get = async (url: string, input: string) => {
    const { statusCode } = await app.inject({ url, headers: { 'x-input': input } })
    return [statusCode, received.pop()]
  }
  t.strictSame(await get('/a?n=1', 'forged'), [204, { n: 1 }])
  t.strictSame(await get('/a?n=x', 'forged'), [400, undefined])
  t.strictSame(await get('/b?n=1', 'a'), [204, { n: '1' }])
  t.strictSame(await get('/a?n=2', 'b'), [204, { n: 2 }])
  t.strictSame(await get('/a?n=2', 'a'), [204, { n: 2 }])
})

t.test('a handler cannot change an input that later requests share', async (t) => {
  let saved: Exclude<FastifyRequest['openapi'], undefined>['input']
  const app = await createLayer(t, {
    source: `openapi: 3.1.0
info: { title: Words, version: 1.0.0 }
paths:
  /words:
    get:
      operationId: list
      parameters: [{ name: tags, in: query, schema: { type: array, items: { type: string } } }]
      responses: { "200": { description: Tags., content: { application/json: { schema: { type: array } } } } }
`,
    handlers: {
      list: async ({ query }: { query: { tags: string[] } }) => {
        query.tags.push('new')
        return { status: 200, body: query.tags }
      },
    },
    routes: {
      list: {
        preValidation: async ({ openapi }) => {
          if (openapi && saved) openapi.input = saved
        },
        onResponse: async ({ openapi }) => {
          if (openapi?.result) saved = saveInput(openapi)
        },
      },
    },
  })
  t.match(await app.inject('/words?tags=a'), { statusCode: 200, body: '["a","new"]' })
  t.match(await app.inject('/words?tags=a'), { statusCode: 500, body: /not extensible/ })
})

t.test('a response that a hook sends again has its ETag, and may be a 304', async (t) => {
  const app = await start(t, {
    listWords: {
      preHandler: async (_request, reply) => reply.header('etag', '"mine, too"').type('application/json').send('["x"]'),
    },
  })
  t.match(await app.inject('/words'), { statusCode: 200, body: '["x"]', headers: { etag: '"mine, too"' } })
  const conditional = { url: '/words', headers: { 'if-none-match': '"yours", W/"mine, too"' } }
  t.match(await app.inject(conditional), { statusCode: 304, body: '', headers: { etag: '"mine, too"' } })
})

t.test('the ETag is that of the payload which a hook has replaced', async (t) => {
  let payload = '["a"]'
  const app = await start(t, { listWords: { onSend: async () => payload } })
  const { headers } = await app.inject('/words')
  const conditional = { url: '/words', headers: { 'if-none-match': String(headers.etag) } }
  t.equal((await app.inject(conditional)).statusCode, 304)
  payload = '["b"]'
  t.match(await app.inject(conditional), { statusCode: 200, body: '["b"]' })
})

t.test('the config of a route is there beside its operation, and plugins find it', async (t) => {
  const configs: unknown[] = []
  const config = { rateLimit: { max: 3 }, operation: 'mine' } as object
  const app = await start(t, {
    listWords: {
      config,
      onRequest: async ({ routeOptions }: FastifyRequest) => void configs.push(routeOptions.config),
    },
  })
  await app.inject('/words')
  t.match(configs, [{ rateLimit: { max: 3 }, operation: { id: 'listWords' } }])
})

t.test('a route has its own error handler, and no other has it', async (t) => {
  const app = await start(t, {
    addWord: { errorHandler: (_error, _request, reply) => void reply.code(400).send('no') },
  })
  t.match(await app.inject(add('7', json)), { statusCode: 400, body: 'no' })
  t.match(await app.inject('/words?a=1'), { statusCode: 400, body: /query\.a/ })
})

t.test('a handler that takes longer than its route allows gets a 503', async (t) => {
  let respondLate = () => {}
  const late = new Promise<void>((resolve) => {
    respondLate = resolve
  })
  const app = await start(
    t,
    { listWords: { handlerTimeout: 5 } },
    { handlers: { ...options.handlers, listWords: () => late.then(() => ({ status: 200, body: [] })) } },
  )
  t.equal((await app.inject('/words')).statusCode, 503)
  respondLate()
  t.equal((await app.inject(add('"a"', json))).statusCode, 201)
})

t.test('onRequestAbort runs when the client leaves', async (t) => {
  const client = new AbortController()
  let isAborted = false
  const leave = () => {
    client.abort()
    return new Promise<never>(() => {})
  }
  const { origin } = await startLayer(t, {
    ...options,
    handlers: { ...options.handlers, listWords: leave },
    routes: {
      listWords: {
        onRequestAbort: async () => {
          isAborted = true
        },
      },
    },
  })
  const sent = fetch(`${origin}/words`, { signal: client.signal })
  await t.rejects(sent)
  await waitUntil(() => isAborted)
})

for (const [bodyLimit, length, statusCode] of [
  [10, 8, 201],
  [10, 9, 413],
  [undefined, 1024 * 1024, 413],
  [2_000_000, 1_999_998, 201],
  [2_000_000, 1_999_999, 413],
] as const) {
  t.test(`with the limit ${bodyLimit}, a body of ${length} characters and two quotes gets ${statusCode}`, async (t) => {
    const app = await start(t, { addWord: { bodyLimit } as object })
    t.equal((await app.inject(add(`"${'a'.repeat(length)}"`, json))).statusCode, statusCode)
    // Without Content-Length, the bytes are counted as they arrive.
    const payload = Readable.from([`"${'a'.repeat(length)}"`])
    t.equal((await app.inject({ ...add('', json), payload })).statusCode, statusCode)
    const { requestBody } = app.openapi.operations.find(({ id }) => id === 'addWord') ?? {}
    t.equal(requestBody?.maxBytes, bodyLimit ?? 1024 * 1024)
  })
}

t.test('options that an operation cannot have, and options without an operation, are refused', async (t) => {
  const handler = () => {}
  const routes = {
    addWords: { bodyLimit: 1 },
    listWords: {
      bodyLimit: 1,
      constraints: { version: '1' },
      handler,
      method: 'PUT',
      schema: {},
      url: '/',
      config: {},
    },
    search: { bodyLimit: 1, validatorCompiler: undefined, exposeHeadRoute: true },
    addWord: { bodyLimit: 0, attachValidation: false, prefixTrailingSlash: 'slash' },
  }
  const unsupported = (name: string, id: string, reason: string) =>
    `the route option "${name}" of "${id}" is not supported: ${reason}; remove it`
  t.strictSame(await getRefusal(t, { ...options, routes: routes as never }), [
    '3:1: the route options "addWords" have no operation; add one or remove the options',
    '5:5: the route option "bodyLimit" of "listWords" has no effect, because the operation has no body; remove it',
    `5:5: ${unsupported('constraints', 'listWords', 'the 405 of a path has no constraints')}`,
    `5:5: ${unsupported('handler', 'listWords', 'it belongs in the option handlers')}`,
    `5:5: ${unsupported('method', 'listWords', 'the document has the methods')}`,
    `5:5: ${unsupported('schema', 'listWords', 'the document has the schemas')}`,
    `5:5: ${unsupported('url', 'listWords', 'the document has the paths')}`,
    `10:5: ${unsupported('attachValidation', 'addWord', 'an invalid request never reaches the handler')}`,
    '10:5: the route option "bodyLimit" of "addWord" is 0; use an integer from 1 to 536870888',
    `10:5: ${unsupported('prefixTrailingSlash', 'addWord', 'the document has the paths')}`,
    '17:5: the route option "bodyLimit" of "search" has no effect beside "x-max-bytes" in the document; remove one of them',
    `17:5: ${unsupported('exposeHeadRoute', 'search', 'the route of a GET serves HEAD, too')}`,
  ])
})
