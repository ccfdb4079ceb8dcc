/** Options of the plugin: where operations are mounted, operations without a handler, and responses that are not valid. */
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { type HttpError, type OpenApiOptions, openapi } from '../../src/openapi/index.ts'
import { mocks } from '../../src/openapi/mocks/mocks.ts'
import { createHost, getRefusal, type LayerOptions, load, startLayer } from './layer.ts'

/** A document whose servers have different paths, of which one is relative. */
const source = `openapi: 3.1.0
info: { title: Trains, version: 1.0.0 }
servers: [{ url: https://trains.example/v1 }, { url: ../mock }]
paths:
  /stations/{station}:
    get:
      operationId: getStation
      parameters: [{ name: station, in: path, required: true, schema: { type: string, maxLength: 10 } }]
      responses:
        "200": { description: Its URL., content: { application/json: { schema: { type: string } } } }
  /timetables:
    servers: [{ url: https://upload.example }]
    put:
      operationId: putTimetable
      responses: { "204": { description: Stored. } }
`
const handlers: LayerOptions['handlers'] = {
  getStation: async ({ urls, path }: { urls: Record<string, (parts: object) => string>; path: object }) => ({
    status: 200,
    body: urls.getStation?.({ path }),
  }),
  putTimetable: async () => ({ status: 204 }),
}

t.test('an operation whose servers have another path needs the option basePath, which the message names', async (t) => {
  const what = 'operations are served under /v1 alone, and "https://upload.example" has another path'
  t.strictSame(await getRefusal(t, { source, handlers }), [
    `12:17: ${what}; use the same path, or set the option basePath`,
  ])
})

for (const [basePath, mounted] of [
  ['/v2', '/v2'],
  ['/v2/', '/v2'],
  ['/a/b:c+d', '/a/b:c+d'],
  ['', ''],
  ['/', ''],
] as const) {
  t.test(`the base path "${basePath}" is that of all operations, whatever paths the servers have`, async (t) => {
    const { app, call } = await startLayer(t, { source, handlers, basePath })
    t.match(app.openapi, { basePath: mounted, publicBasePath: mounted, warnings: [] })
    t.match(await call('GET', `${mounted}/stations/Oslo`), { status: 200, body: `${mounted}/stations/Oslo` })
    t.match(await call('PUT', `${mounted}/timetables`), { status: 204 })
    t.match(await call('DELETE', `${mounted}/timetables`), { status: 405, headers: { allow: 'PUT' } })
    t.equal((await call('GET', '/v1/stations/Oslo')).status, 404)
  })
}

t.test('URLs for clients have the public path and the prefix of the app before the base path', async (t) => {
  const app = createHost(t)
  const document = await load(t, source)
  // The base path is that of the routes, also if it begins like the public path.
  await app.register(
    async (scope) => {
      await scope.register(openapi, { document, handlers, basePath: '/shop/v1', publicPath: '/shop' })
      t.match(scope.openapi, { basePath: '/shop/v1', publicBasePath: '/shop/eu/shop/v1' })
    },
    { prefix: '/eu' },
  )
  const response = await app.inject('/eu/shop/v1/stations/Oslo')
  t.strictSame([response.statusCode, response.json()], [200, '/shop/eu/shop/v1/stations/Oslo'])
})

t.test('a base path that is not a path is refused', async (t) => {
  for (const basePath of [
    'v1',
    './v1',
    '//v1',
    '/v1//',
    '/{v}',
    '/v1?a',
    '/*',
    'https://trains.example/v1',
    'http://[::',
  ]) {
    const message = `the option basePath is "${basePath}", which is not a path; write a path such as /v1`
    t.strictSame(await getRefusal(t, { source, handlers, basePath }), [`1:1: ${message}`])
  }
})

t.test('with a base path, servers are still checked for the form of their URLs', async (t) => {
  const misspelt = source.replace('../mock', 'trains.example')
  t.strictSame(await getRefusal(t, { source: misspelt, handlers, basePath: '/v1' }), [
    '3:49: "trains.example" is not an http(s) URL or path without query; correct it',
  ])
})

const measurements = `openapi: 3.2.0
info: { title: Measurements, version: 1.0.0 }
paths:
  /measurements/{kind}:
    get:
      operationId: getMeasurement
      parameters: [{ name: kind, in: path, required: true, schema: { type: string } }]
      responses:
        "200":
          description: It.
          headers: { X-Count: { schema: { type: integer, maximum: 9 } } }
          content: { application/json: { schema: { $ref: "#/components/schemas/Measurement" } } }
        "304": { description: Known. }
  /measurements:
    get:
      operationId: watchMeasurements
      responses:
        "200": { description: All., content: { application/jsonl: { itemSchema: { $ref: "#/components/schemas/Measurement" } } } }
components:
  schemas:
    Measurement:
      required: [degrees]
      properties: { degrees: { type: integer, maximum: 50 }, unit: { type: string } }
`

/** An app that keeps the lines of its log. */
function createLoggingApp(t: Test, level: string) {
  const lines: { level: number; msg: string; operationId?: string }[] = []
  const app = Fastify({ logger: { level, stream: { write: (line) => void lines.push(JSON.parse(line)) } } })
  t.teardown(() => app.close())
  return { app, lines }
}

/** Starts the operations with handlers that return valid and invalid responses. Returns the lines of the log, too. */
async function startMeasurements(t: Test, validateResponses: OpenApiOptions['validateResponses']) {
  const { app, lines } = createLoggingApp(t, 'error')
  const responses: Record<string, object> = {
    valid: { status: 200, headers: { 'X-Count': 9 }, body: { degrees: 50 } },
    hot: { status: 200, body: { degrees: 99, unit: 'C' } },
    many: { status: 200, headers: { 'X-Count': 10, 'X-Other': 'a' }, body: { degrees: 1 } },
    'both-wrong': { status: 200, headers: { 'X-Count': 10 }, body: { degrees: 99 } },
    surrogate: { status: 200, body: { degrees: 1, unit: '\ud800' } },
    undeclared: { status: 201 },
    untyped: { status: 200, body: { degrees: 'warm' } },
  }
  const getMeasurement = async ({ path }: { path: { kind: string } }) => responses[path.kind] as never
  const watchMeasurements = async () => ({
    status: 200,
    body: (async function* () {
      yield* [{ degrees: 1 }, { degrees: 99 }, { degrees: 98 }, { degrees: 2 }]
    })(),
  })
  await app.register(openapi, {
    document: await load(t, measurements),
    handlers: { getMeasurement, watchMeasurements },
    ...(validateResponses !== undefined && { validateResponses }),
  })
  const get = (kind: string, headers = {}) => app.inject({ url: `/measurements/${kind}`, headers })
  return { app, get, takeLines: () => lines.splice(0).map(({ level, msg, operationId }) => [level, operationId, msg]) }
}

t.test(
  'an invalid response is logged, in a line for its headers and one for its body, and sent as it is',
  async (t) => {
    const { get, takeLines } = await startMeasurements(t, 'report')
    const silent = await startMeasurements(t, false)
    for (const [kind, ...messages] of [
      ['valid'],
      ['hot', 'body.degrees must be at most 50'],
      ['many', 'X-Count must be at most 9; the header x-other is not declared'],
      ['both-wrong', 'X-Count must be at most 9', 'body.degrees must be at most 50'],
      ['surrogate', 'body has half of a surrogate pair at line 1, column 21'],
    ] as const) {
      const response = await get(kind)
      t.strictSame(
        takeLines(),
        messages.map((message) => [50, 'getMeasurement', `invalid response: ${message}`]),
        kind,
      )
      const { statusCode, headers, body } = await silent.get(kind)
      t.strictSame([response.statusCode, response.body], [200, body])
      t.equal(statusCode, 200)
      for (const name of ['x-count', 'x-other', 'etag']) t.equal(response.headers[name], headers[name])
      const { etag } = response.headers
      t.equal((await get(kind, { 'if-none-match': etag })).statusCode, 304)
      takeLines()
    }
  },
)

t.test('a response that cannot be written is a 500, also where invalid ones are reported', async (t) => {
  const { get } = await startMeasurements(t, 'report')
  for (const kind of ['undeclared', 'untyped', 'missing']) t.equal((await get(kind)).statusCode, 500, kind)
})

t.test('a stream is sent to its end, and its first invalid item is logged', async (t) => {
  const { app, takeLines } = await startMeasurements(t, 'report')
  const { statusCode, body } = await app.inject('/measurements')
  const items = [1, 99, 98, 2].map((degrees) => `{"degrees":${degrees}}\n`).join('')
  t.strictSame([statusCode, body], [200, items])
  t.strictSame(takeLines(), [[50, 'watchMeasurements', 'invalid response: item.degrees must be at most 50']])
})

/** A document of which one operation has a handler. */
const shop = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /things:
    get:
      operationId: toString
      responses: { "204": { description: Nothing. } }
    post:
      operationId: addThing
      security: [{ Key: [write] }]
      parameters: [{ name: count, in: query, schema: { type: integer } }]
      requestBody: { required: true, x-max-bytes: 20, content: { application/json: { schema: { type: object, required: [name] } } } }
      responses:
        "201": { description: The thing., content: { application/json: {}, text/csv: {} } }
  /things/{thing}:
    delete:
      operationId: deleteThing
      parameters: [{ name: thing, in: path, required: true, schema: { type: integer } }]
      responses:
        "204": { description: Deleted. }
        "501": { description: Not yet., headers: { X-Plan: { schema: { type: string, const: soon } } } }
  /news:
    get: { operationId: getNews, responses: { "204": { description: None. } } }
components:
  securitySchemes: { Key: { type: apiKey, in: header, name: X-Key } }
`
const getNews = async () => ({ status: 204 })
const security: OpenApiOptions['security'] = {
  Key: (credential) => ({ id: credential, name: credential, scopes: [credential] }),
}

t.test('operations without a handler are refused, and the message names the option missingHandlers', async (t) => {
  const advice = 'write one, remove the operation, or set the option missingHandlers'
  t.strictSame(await getRefusal(t, { source: shop, handlers: { getNews }, security }), [
    `6:7: "toString" has no handler; ${advice}`,
    `9:7: "addThing" has no handler; ${advice}`,
    `17:7: "deleteThing" has no handler; ${advice}`,
  ])
})

t.test('an operation without a handler responds with 501 to what is authorized and valid', async (t) => {
  const { app, lines } = createLoggingApp(t, 'warn')
  app.setErrorHandler(({ code, message, statusCode }: HttpError, _request, reply) =>
    reply.code(statusCode).send({ code, message }),
  )
  const document = await load(t, shop)
  await app.register(openapi, { document, handlers: { getNews }, security, missingHandlers: 'notImplemented' })
  const headers = { 'x-key': 'write' }
  const body = { name: 'box' }
  for (const [status, code, request] of [
    [401, 'missing_key', { body }],
    [403, 'insufficient_scope', { headers: { 'x-key': 'read' }, body }],
    [406, 'not_acceptable', { headers: { ...headers, accept: 'text/html' }, body }],
    [415, 'unsupported_media_type', { headers: { ...headers, 'content-type': 'text/plain' }, body: 'box' }],
    [413, 'content_too_large', { headers, body: { name: 'a large box of boxes' } }],
    [400, 'invalid_request', { headers, body: {} }],
    [400, 'invalid_request', { headers, query: { count: 'x' }, body }],
    [501, 'not_implemented', { headers, body }],
  ] as const) {
    const response = await app.inject({ method: 'POST', url: '/things', ...request })
    t.match(response, { statusCode: status }, code)
    t.equal(response.json().code, code)
  }
  for (const [method, url, statusCode] of [
    ['GET', '/things', 501],
    ['HEAD', '/things', 501],
    ['PUT', '/things', 405],
    ['GET', '/thing', 404],
    ['DELETE', '/things/x', 400],
    ['GET', '/news', 204],
  ] as const) {
    t.match(await app.inject({ method, url }), { statusCode }, `${method} ${url}`)
  }
  t.match(await app.inject({ method: 'DELETE', url: '/things/1' }), { statusCode: 501, headers: { 'x-plan': 'soon' } })
  const what =
    'these operations have no handler, and respond with 501: toString, addThing, deleteThing; write one for each'
  t.strictSame(
    lines.map(({ level, msg }) => [level, msg.replace(/^.*?(?=:\d)/, '')]),
    [[40, `:3:1: ${what}`]],
  )
})

t.test('handlers may be left out, as those of a document whose operations have none', async (t) => {
  const app = createHost(t)
  await app.register(openapi, { document: await load(t, shop), security, missingHandlers: 'notImplemented' })
  t.match(await app.inject('/news'), { statusCode: 501 })
})

t.test('an operation without a handler responds with an example of the document, with `mocks`', async (t) => {
  const mocked = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /things:
    get:
      operationId: listThings
      security: [{ Key: [] }]
      parameters: [{ name: limit, in: query, schema: { type: integer } }]
      responses:
        "200": { description: ok, content: { application/json: { schema: { type: array }, example: [{ name: box }] } } }
        "404": { description: none, content: { application/json: { schema: { type: object, required: [size], properties: { size: { type: integer, minimum: 7 } } } } } }
components: { securitySchemes: { Key: { type: apiKey, in: header, name: x-key } } }
`
  const { app, lines } = createLoggingApp(t, 'warn')
  await app.register(openapi, {
    document: await load(t, mocked),
    handlers: {},
    security: { Key: (credential) => ({ id: credential, name: credential }) },
    missingHandlers: mocks,
  })
  const get = (url: string, headers = {}) => app.inject({ url, headers })
  t.match(await get('/things'), { statusCode: 401 })
  t.match(await get('/things?limit=x', { 'x-key': 'a' }), { statusCode: 400 })
  const response = await get('/things', { 'x-key': 'a' })
  t.strictSame([response.statusCode, response.json()], [200, [{ name: 'box' }]])
  const preferred = await get('/things', { 'x-key': 'a', prefer: 'code=404' })
  t.equal(preferred.statusCode, 404)
  t.ok(preferred.json().size >= 7, 'a value is made from the schema')
  t.match(JSON.stringify(lines), 'these operations have no handler, and respond with examples: listThings')
})

t.test('a mocked stream has the same items in each response, and a conditional mock depends on Prefer', async (t) => {
  const mocked = `openapi: 3.2.0
info: { title: Shop, version: 1.0.0 }
paths:
  /things:
    get:
      operationId: watchThings
      responses:
        "200":
          description: ok
          content: { application/jsonl: { itemSchema: { type: object, required: [id], properties: { id: { type: string, minLength: 9 } } } } }
  /news:
    get:
      operationId: getNews
      responses:
        "200": { description: ok, content: { application/json: { example: news, schema: { type: string } } } }
        "304": { description: known }
        "404": { description: none }
`
  const { app } = await startLayer(t, {
    source: mocked,
    handlers: { getNews: undefined } as never,
    missingHandlers: mocks,
  })
  const get = async (url: string, headers = {}) => (await app.inject({ url, headers })).body
  const items = await get('/things')
  t.match(items, /^(\{"id":"stringstr"\}\n){3}$/)
  t.equal(await get('/things'), items)
  for (const _ of [1, 2]) t.equal(await get('/news'), '"news"')
  t.equal((await app.inject({ url: '/news', headers: { prefer: 'code=404' } })).statusCode, 404)
})

t.test('a mock sends the first example that its header can have', async (t) => {
  const document = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /things:
    get:
      operationId: listThings
      responses:
        "200":
          description: ok
          headers:
            X-Count: { required: true, schema: { type: integer }, examples: { wrong: { value: many }, right: { value: 7 } } }
            X-Name: { required: true, schema: { type: string, examples: ["two\\nlines", \u65e5\u672c, cat] } }
        "404":
          description: none
          headers: { X-Code: { required: true, schema: { type: string, pattern: ^\u65e5$, examples: [\u65e5] } } }
`
  const { app } = await startLayer(t, { source: document, handlers: {}, missingHandlers: mocks })
  const { statusCode, headers } = await app.inject('/things')
  t.match({ statusCode, headers }, { statusCode: 200, headers: { 'x-count': '7', 'x-name': 'cat' } })
  const response = await app.inject({ url: '/things', headers: { prefer: 'code=404' } })
  t.match(response, { statusCode: 501, body: /no valid value is known of the schema at .*:15:/ })
})

t.test('a hook that changes the body of a mock changes no later response', async (t) => {
  const content = '{ schema: { type: array, items: { type: object } }, example: [{ name: box }] }'
  const document = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /things: { get: { operationId: listThings, responses: { "200": { description: ok, content: { application/json: ${content} } } } } }
`
  const routes = {
    listThings: {
      preSerialization: async (_request: unknown, _reply: unknown, body: unknown) => {
        for (const thing of body as { name: string }[]) thing.name += 'es'
        return body
      },
    },
  }
  const { app } = await startLayer(t, { source: document, handlers: {}, missingHandlers: mocks, routes })
  for (const _ of [1, 2]) t.strictSame((await app.inject('/things')).json(), [{ name: 'boxes' }])
})

t.test('options with values that they may not have are refused', async (t) => {
  const wrong = { missingHandlers: 'Mock', validateResponses: 'Report', keepAliveInterval: Number.NaN } as never
  t.strictSame(await getRefusal(t, { source: shop, handlers: { getNews }, security, ...(wrong as object) }), [
    '1:1: the option keepAliveInterval is NaN; use an integer from 0 to 2147483647',
    '1:1: the option missingHandlers is "Mock"; use one of: "error", "notImplemented"',
    '1:1: the option validateResponses is "Report"; use one of: true, false, "report"',
  ])
  for (const keepAliveInterval of [-1, 0.5, 2 ** 31]) {
    const [message] = await getRefusal(t, { source, handlers, basePath: '', keepAliveInterval })
    t.match(message, `the option keepAliveInterval is ${keepAliveInterval}`)
  }
})

t.test('nothing is said of handlers if none is missing', async (t) => {
  const { app } = await startLayer(t, { source, handlers, basePath: '', missingHandlers: 'notImplemented' })
  t.strictSame(app.openapi.warnings, [])
})
