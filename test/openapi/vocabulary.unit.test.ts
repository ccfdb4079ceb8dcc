/** What documents of OpenAPI 3.0, 3.1 and 3.2 have besides schemas, on real requests. */
import t from 'tap'
import { type LayerOptions, startLayer } from './layer.ts'

const ok = '{ "200": { description: It., content: { application/json: { schema: {} } } } }'

/** A document of a version with these paths, each in a line; the handlers respond with the name of the operation and its input. */
function withPaths(version: string, paths: readonly string[], more = ''): LayerOptions {
  const source = `openapi: ${version}
info: { title: Library, version: 1.0.0 }
servers: [{ url: /v1 }]
paths:
${paths.map((path) => `  ${path.replaceAll('OK', ok)}\n`).join('')}${more}`
  const ids = Array.from(source.matchAll(/operationId: (\w+)/g), ([, id = '']) => id)
  const respond = (id: string) => async (input: Record<string, unknown>) => {
    return { status: 200, body: { id, ...(input.path as object), body: input.body, caller: input.caller } }
  }
  return { source, handlers: Object.fromEntries(ids.map((id) => [id, respond(id)])) }
}

const parameter = (name: string) => `{ name: ${name}, in: path, required: true, schema: { type: string } }`

t.test('a segment may have text beside parameters, or none, and several parameters', async (t) => {
  const { call } = await startLayer(
    t,
    withPaths('3.1.0', [
      `/books/{isbn}.json: { get: { operationId: asJson, parameters: [${parameter('isbn')}], responses: OK } }`,
      `/books/{isbn}: { get: { operationId: book, parameters: [${parameter('isbn')}], responses: OK } }`,
      `/books/from-{a}-to-{b}/titles: { get: { operationId: range, parameters: [${parameter('a')}, ${parameter('b')}], responses: OK } }`,
      `/books/{isbn}:lend: { get: { operationId: lend, parameters: [${parameter('isbn')}], responses: OK } }`,
      `/books/{a}:{b}/at: { get: { operationId: at, parameters: [${parameter('a')}, ${parameter('b')}], responses: OK } }`,
      '/books/:list: { get: { operationId: list, responses: OK } }',
      '/books/: { get: { operationId: shelf, responses: OK } }',
      '/books: { get: { operationId: books, responses: OK } }',
    ]),
  )
  for (const [path, status, body] of [
    ['/books/7.json', 200, { id: 'asJson', isbn: '7' }],
    ['/books/7.a%2Fb.json', 200, { id: 'asJson', isbn: '7.a/b' }],
    ['/books/7', 200, { id: 'book', isbn: '7' }],
    ['/books/from-1-to-2/titles', 200, { id: 'range', a: '1', b: '2' }],
    ['/books/from-1/titles', 404],
    ['/books/from-1-to-2-to-3/titles', 200, { id: 'range', a: '1', b: '2-to-3' }],
    ['/books/7:lend', 200, { id: 'lend', isbn: '7' }],
    ['/books/7:a:b/at', 200, { id: 'at', a: '7', b: 'a:b' }],
    ['/books/:list', 200, { id: 'list' }],
    ['/books/', 200, { id: 'shelf' }],
    ['/books', 200, { id: 'books' }],
  ] as const) {
    const response = await call('GET', `/v1${path}`)
    t.equal(response.status, status, path)
    if (body !== undefined) t.same(JSON.parse(response.text), body, path)
  }
})

t.test(
  'a reference may lead to any place of the document, and a pattern may escape what needs no escape',
  async (t) => {
    const text = String.raw`schema: { type: string, pattern: '^[\w\-.]\:$' }`
    const { call } = await startLayer(
      t,
      withPaths('3.1.0', [
        `/a/{x}: { parameters: [{ name: x, in: path, required: true, ${text} }], get: { operationId: one, responses: OK } }`,
        `/b/{x}: { parameters: [{ $ref: "#/paths/~1a~1%7Bx%7D/parameters/0" }], post: { operationId: two,
        requestBody: { content: { text/plain: { schema: { $ref: "#/paths/~1a~1{x}/parameters/0/schema" } } } },
        responses: { "200": { $ref: "#/paths/~1a~1{x}/get/responses/200" } } } }`,
      ]),
    )
    t.match(await call('GET', '/v1/a/-:'), { status: 200, text: '{"id":"one","x":"-:"}' })
    t.match(await call('GET', '/v1/a/-'), { status: 400 })
    const headers = { 'content-type': 'text/plain' }
    t.match(await call('POST', '/v1/b/.:', { headers, body: 'a:' }), { text: '{"id":"two","x":".:","body":"a:"}' })
    t.match(await call('POST', '/v1/b/.:', { headers, body: 'a' }), { status: 400 })
  },
)

t.test('the handler receives If-None-Match, except for GET', async (t) => {
  const header = 'parameters: [{ name: If-None-Match, in: header, schema: { type: string } }]'
  const path = `/a: { ${header}, get: { operationId: get, responses: OK }, put: { operationId: put, responses: OK } }`
  const respond = async ({ header }: { readonly header: object }) => ({ status: 200, body: header })
  const { call } = await startLayer(t, {
    ...withPaths('3.1.0', [path]),
    handlers: { get: respond, put: respond },
  })
  const headers = { 'if-none-match': '*' }
  t.match(await call('GET', '/v1/a', { headers }), { status: 200, text: '{}' })
  t.match(await call('PUT', '/v1/a', { headers }), { status: 200, text: '{"If-None-Match":"*"}' })
})

t.test('HEAD, OPTIONS and the methods of OpenAPI 3.2 are like others, and all others are 405', async (t) => {
  const body = 'requestBody: { content: { application/json: { schema: { type: array } } } }'
  const { call } = await startLayer(
    t,
    withPaths('3.2.0', [
      `/a: { get: { operationId: get, responses: OK }, head: { operationId: head, responses: { "200": { description: It., headers: { X-A: { schema: { type: string, const: only HEAD } } } } } } }`,
      `/b: { options: { operationId: options, responses: OK }, get: { operationId: search, ${body}, responses: OK }, query: { operationId: query, ${body}, responses: OK }, delete: { operationId: remove, ${body}, responses: OK }, additionalOperations: { COPY: { operationId: copy, ${body}, responses: OK } } }`,
    ]),
  )
  t.match(await call('HEAD', '/v1/a'), { status: 200, headers: { 'x-a': 'only HEAD' }, text: '' })
  t.match(await call('GET', '/v1/a'), { status: 200, headers: { 'x-a': undefined }, text: '{"id":"get"}' })
  const withLength = { json: [1], headers: { 'content-length': 3 } }
  t.match(await call('OPTIONS', '/v1/b'), { status: 200, text: '{"id":"options"}' })
  for (const [method, id] of [
    ['GET', 'search'],
    ['QUERY', 'query'],
    ['DELETE', 'remove'],
    ['COPY', 'copy'],
  ] as const) {
    t.match(await call(method, '/v1/b', withLength), { status: 200, text: `{"id":"${id}","body":[1]}` })
    t.match(await call(method, '/v1/b', { json: 1, headers: { 'content-length': 1 } }), { status: 400 })
  }
  for (const method of ['PUT', 'TRACE']) {
    const allow = 'COPY, DELETE, GET, HEAD, OPTIONS, QUERY'
    t.match(await call(method, '/v1/b'), { status: 405, headers: { allow } })
  }
})

t.test('a document of OpenAPI 3.0 is read as one of 3.1', async (t) => {
  const schemas = `components:
  schemas:
    Kind: { type: string, enum: [a, b] }
    Limits: { type: number, minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false }
    Thing:
      type: object
      additionalProperties: false
      properties:
        text: { type: string, nullable: true, maxLength: 2 }
        kind: { type: string, enum: [a, b], nullable: true }
        other: { nullable: true, allOf: [{ $ref: "#/components/schemas/Named" }] }
        named: { $ref: "#/components/schemas/Named", nullable: true, example: 1 }
        limits: { $ref: "#/components/schemas/Limits" }
        file: { type: string, format: byte }
    Named: { type: object, required: [name], properties: { name: { type: string } } }
`
  const thing = 'requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Thing" } } } }'
  const { call } = await startLayer(
    t,
    withPaths('3.0.4', [`/a: { post: { operationId: add, ${thing}, responses: OK } }`], schemas),
  )
  for (const [member, value, message] of [
    ['text', null],
    ['text', 'abc', 'body.text must have at most 2 characters'],
    ['kind', null],
    ['kind', 'c', 'body.kind must be one of a, b, null'],
    ['other', null],
    ['other', { name: 'a' }],
    ['other', {}, /^body\.other/],
    // What stands beside a reference is ignored.
    ['named', null, 'body.named must be an object'],
    ['limits', 5],
    ['limits', 1, 'body.limits must be more than 1'],
    ['file', 'aGk='],
    ['file', '!', 'body.file must be a byte'],
  ] as const) {
    const response = await call('POST', '/v1/a', { json: { [member]: value } })
    if (message === undefined) t.match(response, { status: 200 }, `${member} ${value}`)
    else t.match(JSON.parse(response.text), { error: message }, `${member} ${value}`)
  }
})

t.test('a deprecation without a date has no header, and an Idempotency-Key is a parameter', async (t) => {
  const key = '{ name: Idempotency-Key, in: header, schema: { type: string, maxLength: 3 } }'
  const { call } = await startLayer(
    t,
    withPaths('3.1.0', [`/a: { post: { operationId: add, deprecated: true, parameters: [${key}], responses: OK } }`]),
  )
  const { status, headers } = await call('POST', '/v1/a', { headers: { 'idempotency-key': 'abc' } })
  t.match([status, headers.deprecation], [200, undefined])
  t.match(await call('POST', '/v1/a', { headers: { 'idempotency-key': 'abcd' } }), { status: 400 })
})

t.test('oauth2 and openIdConnect take a bearer token with scopes, and an apiKey may be a cookie', async (t) => {
  const { call } = await startLayer(t, {
    ...withPaths(
      '3.1.0',
      [
        '/a: { get: { operationId: a, security: [{ OAuth: [read] }], responses: OK } }',
        '/b: { get: { operationId: b, security: [{ OpenId: [write] }], responses: OK } }',
        '/c: { get: { operationId: c, security: [{ Session: [] }], responses: OK } }',
        '/d: { get: { operationId: d, security: [{ Certificate: [] }], responses: OK } }',
      ],
      `components:
  securitySchemes:
    OAuth: { type: oauth2, flows: { clientCredentials: { tokenUrl: /token, scopes: { read: All. } } } }
    OpenId: { type: openIdConnect, openIdConnectUrl: https://id.example/.well-known/openid-configuration }
    Session: { type: apiKey, in: cookie, name: session }
    Certificate: { type: mutualTLS }
`,
    ),
    security: Object.fromEntries(
      ['OAuth', 'OpenId', 'Session', 'Certificate'].map((name) => [
        name,
        (credential: string) => (credential === 'abc' ? { id: '1', name: 'Ali', scopes: ['read'] } : undefined),
      ]),
    ),
  })
  for (const [path, headers, status] of [
    ['/a', { authorization: 'Bearer abc' }, 200],
    ['/a', { authorization: 'Bearer abcd' }, 401],
    ['/a', {}, 401],
    ['/b', { authorization: 'Bearer abc' }, 403],
    ['/c', { cookie: 'other=1; session=abc' }, 200],
    ['/c', { cookie: 'session=abc; session=abc' }, 401],
    ['/c', { cookie: 'xsession=abc' }, 401],
    ['/d', {}, 401],
  ] as const) {
    t.match(await call('GET', `/v1${path}`, { headers }), { status }, `${path} ${JSON.stringify(headers)}`)
  }
})

t.test('the servers of a path or operation are those under which it is served', async (t) => {
  const to = (url: string) =>
    withPaths('3.1.0', [`/a: { servers: [{ url: ${url} }], get: { operationId: a, responses: OK } }`])
  const { call } = await startLayer(t, to('https://other.example/v1'))
  t.match(await call('GET', '/v1/a'), { status: 200 })
  await t.rejects(startLayer(t, to('https://other.example/v2')), {
    message: /:5:9: operations are served under \/v1 alone; use servers with that path, or remove these$/,
  })
})

t.test(
  'what is readOnly is refused in requests, and what is writeOnly is not sent, also behind references',
  async (t) => {
    const schemas = `components:
  schemas:
    Part: { properties: { id: { type: string, readOnly: true }, name: { type: string }, pin: { type: string, writeOnly: true } } }
    Car: { type: object, required: [id, name, pin], allOf: [{ $ref: "#/components/schemas/Part" }] }
    Cars: { type: array, items: { anyOf: [{ $ref: "#/components/schemas/Car" }] } }
`
    const content = 'content: { application/json: { schema: { $ref: "#/components/schemas/Cars" } } }'
    const source = `openapi: 3.1.0
info: { title: Cars, version: 1.0.0 }
paths:
  /cars: { post: { operationId: add, requestBody: { ${content} }, responses: { "200": { description: It., ${content} } } } }
${schemas}`
    const received: unknown[] = []
    const { call } = await startLayer(t, {
      source,
      handlers: {
        add: async ({ body }: { body: unknown }) => {
          received.push(body)
          return { status: 200, body: [{ id: '1', name: 'x', pin: '2' }] }
        },
      },
    })
    t.match(await call('POST', '/cars', { json: [{ name: 'x', pin: '1' }] }), {
      status: 200,
      text: '[{"id":"1","name":"x"}]',
    })
    t.strictSame(received, [[{ name: 'x', pin: '1' }]])
    t.match(await call('POST', '/cars', { json: [{ id: '1', name: 'x', pin: '1' }] }), {
      status: 400,
      text: /body\[0\]\.id is read-only/,
    })
  },
)

t.test('annotations, and fields of OpenAPI 3.2 for readers, change nothing', async (t) => {
  const schema = '{ type: string, maxLength: 1, xml: { name: a }, externalDocs: { url: /docs }, $comment: It. }'
  const body = `requestBody: { content: { application/json: { schema: ${schema} } } }`
  const { call } = await startLayer(
    t,
    withPaths(
      '3.2.0',
      [`/a: { post: { operationId: add, tags: [a], ${body}, responses: OK } }`],
      '$self: https://a.example/openapi.yaml\ntags: [{ name: a, summary: As., kind: nav, parent: b }, { name: b }]\n',
    ),
  )
  t.match(await call('POST', '/v1/a', { json: 'a' }), { status: 200 })
  t.match(await call('POST', '/v1/a', { json: 'ab' }), { status: 400 })
})
