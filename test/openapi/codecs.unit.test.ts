/** Media types that the app adds: content type parsers for requests, and serializers for responses. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import { generate } from '../../src/openapi/generate/index.ts'
import { type OpenApiOptions, openapi } from '../../src/openapi/index.ts'
import { mocks } from '../../src/openapi/mocks/mocks.ts'
import { exchange, readToEnd, send } from '../helpers/http.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { createHost, getRefusal, idle, load } from './layer.ts'

const source = `openapi: 3.1.0
info: { title: Orders, version: 1.0.0 }
paths:
  /orders:
    get:
      operationId: listOrders
      responses:
        "200":
          description: All.
          content:
            text/csv: { schema: { $ref: "#/components/schemas/Orders" } }
        "304": { description: Known. }
    post:
      operationId: addOrders
      parameters: [{ name: dry, in: query, schema: { type: boolean } }]
      requestBody:
        required: true
        x-max-bytes: 200
        x-max-depth: 5
        content:
          text/csv: { schema: { $ref: "#/components/schemas/Orders" } }
          application/json: { schema: { $ref: "#/components/schemas/Orders" } }
          application/vnd.orders+json: { schema: { $ref: "#/components/schemas/Orders" } }
          application/octet-stream: {}
          text/plain: {}
          application/x-www-form-urlencoded: { schema: { type: object, properties: { id: { type: integer } } } }
          video/mp4: { x-stream: true }
      responses:
        "200":
          description: The same.
          content:
            application/json: {}
            text/csv: { schema: { $ref: "#/components/schemas/Orders" } }
  /search:
    get:
      operationId: search
      requestBody: { content: { text/csv: { schema: { $ref: "#/components/schemas/Orders" } } } }
      responses: { "200": { description: The text., content: { application/json: {} } } }
components:
  schemas:
    Orders: { type: array, items: { $ref: "#/components/schemas/Order" } }
    Order:
      type: object
      required: [id]
      additionalProperties: false
      properties:
        id: { type: integer, format: int64, maximum: 1000000000000000000 }
        note: { type: string, maxLength: 5, default: none }
        secret: { type: string, writeOnly: true }
        number: { type: integer, readOnly: true }
        next: { $ref: "#/components/schemas/Order" }
`

/** Parses lines `id,note`; an id of digits is a number, or a bigint if a number does not hold it. */
function parseCsv(text: string): object[] {
  const lines = text.split('\n').filter(Boolean)
  if (lines.some((line) => line.includes('"'))) {
    throw Object.assign(new Error('quotes are not supported'), { statusCode: 422, code: 'quoted' })
  }
  return lines.map((line) => {
    const [id = '', ...notes] = line.split(',')
    if (id === '') throw new Error('a line without an id')
    const toNumber = () => (Number.isSafeInteger(Number(id)) ? Number(id) : BigInt(id))
    return { id: /^\d+$/.test(id) ? toNumber() : id, ...(notes.length > 0 && { note: notes.join(',') }) }
  })
}

const toCsv = (value: unknown) =>
  (value as object[]).map((order) => Object.entries(order).flat().map(String).join(',')).join('\n')

interface Received {
  readonly body: unknown
  readonly contentType: string
}

interface Started {
  readonly app: FastifyInstance
  readonly received: Received[]
  add(payload: string, contentType?: string, url?: string): Promise<{ status: number; body: string; type: unknown }>
}

/** Starts an app that has a parser of CSV, unless `addParsers` adds others. */
async function start(
  t: Test,
  options: Partial<OpenApiOptions> = {},
  addParsers = (app: FastifyInstance) => {
    app.addContentTypeParser('text/csv', { parseAs: 'string' }, async (_request: FastifyRequest, text: string) =>
      parseCsv(text),
    )
  },
): Promise<Started> {
  const app = createHost(t)
  addParsers(app)
  const received: Received[] = []
  await app.register(openapi, {
    document: await load(t, source),
    handlers: {
      listOrders: async () => ({ status: 200, body: [{ id: 1n }] }),
      addOrders: async (request: Received) => {
        received.push(request)
        return { status: 200, contentType: 'application/json', body: {} }
      },
      search: async ({ body }: Received) => ({ status: 200, body }),
    },
    ...options,
  })
  return {
    app,
    received,
    async add(payload, contentType = 'text/csv', url = '/orders') {
      const response = await app.inject({ method: 'POST', url, payload, headers: { 'content-type': contentType } })
      return { status: response.statusCode, body: response.body, type: response.headers['content-type'] }
    },
  }
}

t.test('a handler receives the value that a parser of the app returns, converted and with defaults', async (t) => {
  const { add, received } = await start(t)
  for (const type of ['text/csv', 'Text/CSV', 'text/csv; charset=utf-8', 'text/csv;header=absent']) {
    t.match(await add('7,a\n9007199254740993', type), { status: 200 }, type)
    t.match(received.pop(), { contentType: 'text/csv' })
  }
  await add('7,a\n9007199254740993')
  t.strictSame(received[0]?.body, [
    { id: 7n, note: 'a' },
    { id: 9007199254740993n, note: 'none' },
  ])
})

t.test('a parsed value is validated by its schema, with every violation of the request in one 400', async (t) => {
  const { add, received } = await start(t)
  const response = await add('1,far too long\nx\n1000000000000000001', 'text/csv', '/orders?dry=1')
  t.equal(response.status, 400)
  const { error } = JSON.parse(response.body)
  t.strictSame(error.split('; ').sort(), [
    'body[0].note must have at most 5 characters',
    'body[1].id must be an int64 integer',
    'body[2].id must be at most 1000000000000000000',
    'query.dry must be a boolean',
  ])
  t.strictSame(received, [])
})

t.test('texts within a parsed value stay texts, and a readOnly member is not allowed, as in JSON', async (t) => {
  const { add } = await start(t, {}, (app) => {
    app.addContentTypeParser('text/csv', (_request, _payload, done) => done(null, [{ id: '12', number: 1 }]))
  })
  t.match(await add('12'), {
    status: 400,
    body: /body\[0\]\.id must be an int64 integer.*body\[0\]\.number is read-only/,
  })
})

t.test('a required body is missing although the parser of the app returns a value for no bytes', async (t) => {
  const { app, received } = await start(t)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const head = 'POST /orders HTTP/1.1\r\nHost: a\r\nContent-Type: text/csv\r\nConnection: close\r\n'
  t.match(await exchange(origin, `${head}\r\n`), [{ status: 400, body: { error: 'body is required' } }])
  t.strictSame(received, [])
})

t.test('a parser that returns nothing has not received a body', async (t) => {
  const { add } = await start(t, {}, (app) => {
    app.addContentTypeParser('text/csv', (_request, _payload, done) => done(null))
  })
  t.match(await add('1'), { status: 400, body: 'body is required' })
})

t.test(
  'the limit of the document holds for every parser, also if it reads the stream or has another limit',
  async (t) => {
    for (const addParser of [
      (app: FastifyInstance) =>
        app.addContentTypeParser(
          'text/csv',
          { parseAs: 'string', bodyLimit: 10 },
          async (_request: unknown, text: string) => parseCsv(text),
        ),
      (app: FastifyInstance) =>
        app.addContentTypeParser(
          'text/csv',
          { parseAs: 'buffer', bodyLimit: 1e6 },
          async (_request: unknown, bytes: Buffer) => parseCsv(String(bytes)),
        ),
      (app: FastifyInstance) =>
        app.addContentTypeParser('text/csv', async (_request: unknown, payload: Readable) =>
          parseCsv(await readToEnd(payload)),
        ),
    ]) {
      const { app, received } = await start(t, {}, addParser)
      const origin = await app.listen({ port: 0, host: '127.0.0.1' })
      const row = '123456789\n'
      for (const chunked of [false, true]) {
        const call = (rows: number) =>
          send(origin, 'POST', '/orders', {
            headers: { 'content-type': 'text/csv', ...(chunked && { 'transfer-encoding': 'chunked' }) },
            body: row.repeat(rows),
          })
        t.match(await call(20), { status: 200 })
        t.match(await call(21), { status: 413, text: /the body is larger than 200 bytes/ })
      }
      t.equal(received.length, 2)
      t.match(received[0]?.body, { length: 20 })
    }
  },
)

t.test('an error of a parser has its own status, or is a 500, as in Fastify', async (t) => {
  const { add, received } = await start(t)
  t.match(await add('1,"a"'), { status: 422, body: 'quotes are not supported' })
  t.match(await add(',a'), { status: 500, body: 'a line without an id' })
  t.match(await add('1'), { status: 200 })
  t.equal(received.length, 1)
})

t.test('the layer reads JSON, forms, text/plain, streams and what the app has no parser for', async (t) => {
  const parse = (_request: FastifyRequest, _body: unknown, done: (error: null, value: unknown) => void) =>
    done(null, 'of the app')
  const { add, received } = await start(t, {}, (app) => {
    app.removeAllContentTypeParsers()
    for (const type of [
      ...['text/csv', 'application/json', 'application/vnd.orders+json', 'text/plain', 'video/mp4', '*', /^/],
      ...[/^application\/.*/, 'application/x-www-form-urlencoded'],
    ]) {
      app.addContentTypeParser(type, { parseAs: 'string' }, parse)
    }
  })
  const readers = [
    ['application/json', '[{"id":9007199254740993}]', [{ id: 9007199254740993n, note: 'none' }]],
    ['application/vnd.orders+json', '[{"id":1}]', [{ id: 1n, note: 'none' }]],
    ['text/plain', 'a', 'a'],
    ['application/octet-stream', 'a', Buffer.from('a')],
    ['application/x-www-form-urlencoded', 'id=1', { id: 1 }],
  ] as const
  for (const [type, payload, value] of readers) {
    t.match(await add(payload, type), { status: 200 }, type)
    t.same(received.pop()?.body, value, type)
  }
  t.match(await add('a', 'video/mp4'), { status: 200 })
  t.ok(received.pop()?.body instanceof ReadableStream)
  t.match(await add('1', 'text/csv'), { status: 400, body: 'body must be an array' })
  t.match(await add('1', 'application/xml'), { status: 415 })
})

t.test('a media type is bytes or text without a parser that has its name, and in a GET', async (t) => {
  for (const type of ['*', /^text\/.*/] as const) {
    const { add, received } = await start(t, {}, (app) => {
      app.addContentTypeParser(type, async () => 'of the app')
    })
    t.match(await add('1'), { status: 200 })
    t.equal(received[0]?.body, '1')
  }
  const { app } = await start(t)
  const get = { method: 'GET', url: '/search', payload: '1', headers: { 'content-type': 'text/csv' } } as const
  t.match(await app.inject(get), { statusCode: 200, body: '"1"' })
})

t.test('a charset other than UTF-8 is a 415', async (t) => {
  const { add } = await start(t)
  t.match(await add('1', 'text/csv; charset=latin1'), { status: 415 })
})

t.test('a parsed value that is too deep, too large or contains itself is a 400', async (t) => {
  const circular: { id: number; next?: object } = { id: 1 }
  circular.next = circular
  const toDeep = (depth: number): object => (depth === 0 ? { id: 1 } : { id: 1, next: toDeep(depth - 1) })
  const toWide = (depth: number): unknown[] => (depth === 0 ? [] : Array(99).fill(toWide(depth - 1)))
  let value: unknown
  const { add } = await start(t, {}, (app) => {
    app.addContentTypeParser('text/csv', async () => value)
  })
  for (const [valid, next] of [
    [true, [toDeep(3)]],
    [false, [toDeep(4)]],
    [false, [toDeep(100_000 / 20)]],
    [false, [circular]],
    [false, toWide(4)],
    [true, Array.from({ length: 1000 }, (_, id) => ({ id }))],
  ] as const) {
    value = next
    const response = await add('1')
    if (valid) t.equal(response.status, 200)
    else t.match(response, { status: 400, body: 'body is nested deeper than 5 levels, or has too many' })
  }
})

t.test('a parser runs in the context of its request, after the hooks that replace the stream', async (t) => {
  const storage = new AsyncLocalStorage<string>()
  const seen: unknown[] = []
  const { app } = await start(
    t,
    {
      routes: { addOrders: { preParsing: async (_request, _reply, payload) => void seen.push(payload !== undefined) } },
    },
    (app) => {
      app.addHook('onRequest', (request, _reply, done) => storage.run(request.id, done))
      app.addContentTypeParser('text/csv', { parseAs: 'string' }, async (request: FastifyRequest, text: string) => {
        seen.push(storage.getStore() === request.id, request.openapi?.operation.id)
        return parseCsv(text)
      })
    },
  )
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const headers = { 'content-type': 'text/csv', 'transfer-encoding': 'chunked' }
  t.match(await send(origin, 'POST', '/orders', { headers, body: '1' }), { status: 200 })
  t.strictSame(seen, [true, true, 'addOrders'])
})

t.test('a range or stream that the app could parse, beside a media type that it parses, is rejected', async (t) => {
  const addVideo = `{ requestBody: { content: { video/mp4: {} } }, responses: { "204": { description: Added. } } }`
  for (const [changed, message] of [
    [
      source.replace('application/octet-stream: {}', 'application/*: {}'),
      'could read some of application/*; name the media types in place of the range',
    ],
    [
      source.replace('\n  /search:', `\n  /videos: { post: ${addVideo} }\n  /search:`),
      'would read the stream of video/mp4; stream it in an operation of its own',
    ],
  ] as const) {
    const options = { source: changed, handlers: {}, missingHandlers: mocks } as const
    const app = createHost(t)
    for (const type of ['text/csv', 'video/mp4']) app.addContentTypeParser(type, async () => [])
    const document = await load(t, changed)
    const { name, message: text } = await app.register(openapi, { ...options, document }).then(String, (error) => error)
    t.equal(name, 'DocumentError')
    t.match(
      text,
      `api.yaml:16:7: a content type parser of the app reads another media type of this body, and ${message}`,
    )
    t.strictSame(await getRefusal(t, options), [])
  }
})

const respond = (body: unknown) => ({
  listOrders: async () => ({ status: 200, body }),
  addOrders: async () => ({ status: 200, contentType: 'text/csv', body }),
  search: idle,
})

t.test(
  'a serializer of the app writes the members that a body of JSON would have, and receives a bigint',
  async (t) => {
    const body = [{ id: 10n ** 18n - 1n, note: undefined, secret: 'x', other: 1 }, { id: 5 }]
    for (const validateResponses of [false, true]) {
      const { app, add } = await start(t, {
        handlers: respond(body),
        serializers: {
          'text/csv': (value) => {
            t.strictSame(value, [{ id: 10n ** 18n - 1n }, { id: 5 }])
            return toCsv(value)
          },
        },
        validateResponses,
      })
      const text = 'id,999999999999999999\nid,5'
      const headers = { 'content-type': 'text/csv; charset=utf-8', 'content-length': String(text.length) }
      t.match(await app.inject('/orders'), { statusCode: 200, body: text, headers })
      t.match(await app.inject({ method: 'HEAD', url: '/orders' }), { statusCode: 200, body: '', headers })
      t.match(await add('[]', 'application/json'), { status: 200, body: text, type: headers['content-type'] })
    }
  },
)

t.test('the bytes of a serializer are sent as they are', async (t) => {
  const { app } = await start(t, {
    handlers: respond([{ id: 1 }]),
    serializers: { 'text/csv': () => Uint8Array.of(0, 255, 1, 2).subarray(1, 3) },
  })
  t.same((await app.inject('/orders')).rawPayload, Buffer.of(255, 1))
})

t.test('a body of a serializer has an ETag', async (t) => {
  for (const toBody of [toCsv, (value: unknown) => Buffer.from(toCsv(value))]) {
    let [handled, serialized] = [0, 0]
    const { app } = await start(t, {
      handlers: {
        ...respond([]),
        listOrders: async () => {
          handled++
          return { status: 200, body: [{ id: 1 }] }
        },
      },
      serializers: {
        'text/csv': (value) => {
          serialized++
          return toBody(value)
        },
      },
    })
    const { headers } = await app.inject('/orders')
    for (let count = 0; count < 5; count++) {
      t.match(await app.inject('/orders'), { statusCode: 200, body: 'id,1', headers: { etag: headers.etag } })
    }
    t.strictSame([handled, serialized], [6, 6])
    t.match(await app.inject({ url: '/orders', headers: { 'if-none-match': String(headers.etag) } }), {
      statusCode: 304,
      body: '',
    })
  }
})

t.test('a body that its schema does not allow is a 500, and no serializer gets it', async (t) => {
  const received: unknown[] = []
  const serializers = { 'text/csv': (value: unknown) => String(received.push(value)) }
  for (const [body, message] of [
    ['id,1', 'body must be of type array, but is of type string'],
    [undefined, 'the body of text/csv must be a JSON value, but is of type undefined'],
    [[{}], 'body[0].id is required and missing'],
    [Buffer.from('id,1'), 'the body of text/csv must be a JSON value, but is of type Buffer'],
  ] as const) {
    const { app } = await start(t, { handlers: respond(body), serializers })
    t.match(await app.inject('/orders'), { statusCode: 500, body: `invalid response: ${message}` })
  }
  const { app } = await start(t, {
    handlers: respond([{ id: 1, note: 'far too long' }]),
    serializers,
    validateResponses: true,
  })
  t.match(await app.inject('/orders'), { statusCode: 500, body: 'body[0].note must have at most 5 characters' })
  t.strictSame(received, [])
})

t.test('a serializer that throws, or returns neither text nor bytes, is a 500', async (t) => {
  for (const [serializer, message] of [
    [
      async () => '',
      'invalid response: the serializer of text/csv must return a text or bytes, but returned a value of type Promise',
    ],
    [
      () => {
        throw new Error('no CSV')
      },
      'no CSV',
    ],
  ] as const) {
    const { app } = await start(t, {
      handlers: respond([]),
      serializers: { 'text/csv': serializer as () => string },
    })
    t.match(await app.inject('/orders'), { statusCode: 500, body: message })
  }
})

t.test('a mock of a media type with a serializer is a value', async (t) => {
  const { app } = await start(t, {
    handlers: {},
    missingHandlers: mocks,
    serializers: { 'text/csv': (value) => JSON.stringify(Array.isArray(value)) },
  })
  t.match(await app.inject('/orders'), { statusCode: 200, body: 'true' })
})

t.test('a serializer without a response that it could write is refused', async (t) => {
  for (const type of ['text/cvs', 'Text/CSV', 'application/json', 'text/plain', 'text/csv; charset=utf-8']) {
    t.strictSame(await getRefusal(t, { source, handlers: respond([]), serializers: { [type]: toCsv } }), [
      `3:1: no response has the media type "${type}", or the layer needs no serializer for it; ` +
        'name another one, in lower case and without parameters, or remove it',
    ])
  }
})

const codecs = { parsers: ['text/csv'], serializers: ['text/csv'] }

async function generateFiles(t: Test, options: object) {
  const file = join(temporaryFolder(t), 'api.yaml')
  writeFileSync(file, source)
  return new Map((await generate(file, options)).map(({ name, text }) => [name, text]))
}

t.test('generated types have a value for each media type with a parser or serializer', async (t) => {
  const values = String((await generateFiles(t, codecs)).get('server.d.ts'))
  t.ok(values.includes('{ readonly contentType: "text/csv"; readonly body: OrderInRequest[] }'))
  t.ok(values.includes('{ readonly status: 200; readonly contentType: "text/csv"; readonly body: Order[] }'))
  t.ok(values.includes('readonly body: string | undefined'), 'of the GET')
  const texts = String((await generateFiles(t, {})).get('server.d.ts'))
  t.ok(texts.includes('{ readonly contentType: "text/csv"; readonly body: string }'))
  t.ok(texts.includes('{ readonly status: 200; readonly contentType: "text/csv"; readonly body: RawBody }'))
})

t.test('types are not generated for a parser or serializer that has no body', async (t) => {
  await t.rejects(generateFiles(t, { parsers: ['text/plain'] }), {
    name: 'DocumentError',
    message: /:3:1: no request body has the media type "text\/plain", or the layer needs no content type parser for it/,
  })
  await t.rejects(generateFiles(t, { serializers: ['text/cvs'] }), /no response has the media type "text\/cvs"/)
})

t.test('types that were generated for other parsers or serializers are refused, with what to do', async (t) => {
  const readDigests = async (options: object) =>
    JSON.parse(String((await generateFiles(t, options)).get('digests.json')))
  t.match(await readDigests({ parsers: ['text/csv', 'text/csv'] }), { parsers: ['text/csv'], serializers: undefined })
  t.match(await readDigests({}), { parsers: undefined, serializers: undefined })
  const serializers = { 'text/csv': toCsv }
  t.ok(await start(t, { digests: await readDigests(codecs), serializers }))
  t.ok(await start(t, { digests: await readDigests({}) }, () => {}))
  const advice = 'the generated types do not know of it; generate them with --parsers text/csv --serializers text/csv'
  await t.rejects(start(t, { digests: await readDigests({}), serializers }), {
    name: 'DocumentError',
    message: new RegExp(
      `api.yaml:3:1: the app has a content type parser for text/csv, and ${advice}\n` +
        `.*api.yaml:3:1: the app has a serializer for text/csv, and ${advice}$`,
    ),
  })
  const made = 'the generated types are for an app with a'
  await t.rejects(
    start(t, { digests: await readDigests(codecs) }, () => {}),
    {
      name: 'DocumentError',
      message: new RegExp(
        `api.yaml:3:1: ${made} content type parser for text/csv; add it before the plugin, or generate them again\n` +
          `.*api.yaml:3:1: ${made} serializer for text/csv; add it to the option serializers, or generate them again$`,
      ),
    },
  )
})
