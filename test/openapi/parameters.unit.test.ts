/** `style`, `explode` and `content` of parameters (OpenAPI 3.1, Style Values), on real requests. */
import t from 'tap'
import { startLayer } from './layer.ts'

const list = '{ type: array, items: { type: integer } }'
const object =
  '{ type: object, additionalProperties: false, properties: { r: { type: integer }, g: { type: string } } }'
const open = '{ type: object, properties: { r: { type: integer } }, additionalProperties: { type: boolean } }'
const id = '{ type: integer, format: int64 }'

const path = (more: string) => `/f/{p}: { get: { parameters: [{ name: p, in: path, required: true, ${more} }] } }`
const query = (more: string) => `/f: { get: { parameters: [{ name: p, in: query, ${more} }] } }`
const header = (more: string) => `/f: { get: { parameters: [{ name: p, in: header, ${more} }] } }`
const cookie = (more: string) => `/f: { get: { parameters: [{ name: p, in: cookie, ${more} }] } }`

/** Each with the requests, and what the handler receives, or the message of the 400. */
const cases: readonly (readonly [paths: string, requests: Readonly<Record<string, unknown>>])[] = [
  [
    path(`schema: ${list}`),
    {
      '/f/1,2': [1, 2],
      '/f/3': [3],
      '/f/1%2C2': 'path.p[0] must be an integer',
      '/f/1,x': 'path.p[1] must be an integer',
    },
  ],
  [path('schema: { type: array, items: { type: string } }'), { '/f/a%2Cb,c%2Fd': ['a,b', 'c/d'] }],
  [path(`schema: ${object}`), { '/f/r,100,g,a%20b': { r: 100, g: 'a b' }, '/f/r': 'path.p must be an object' }],
  [path(`explode: true, schema: ${object}`), { '/f/r=100,g=a%3Db': { r: 100, g: 'a=b' } }],
  [path('content: { application/json: { schema: { items: { type: integer } } } }'), { '/f/[1,2]': [1, 2] }],
  [
    query(`schema: ${list}`),
    {
      '/f?p=1&p=2': [1, 2],
      '/f?p=1': [1],
      '/f': undefined,
      '/f?p=1,2': 'query.p[0] must be an integer',
    },
  ],
  [
    query(`schema: { oneOf: [{ type: string, enum: [all] }, ${list}] }`),
    { '/f?p=all': 'all', '/f?p=1': [1], '/f?p=1&p=2': [1, 2] },
  ],
  [
    query(`explode: false, schema: { oneOf: [{ type: string, enum: [all] }, ${list}] }`),
    { '/f?p=all': 'all', '/f?p=1': [1], '/f?p=1,2': [1, 2] },
  ],
  [path(`schema: { oneOf: [{ type: string, enum: [all] }, ${list}] }`), { '/f/all': 'all', '/f/1,2': [1, 2] }],
  [
    query(`explode: false, schema: ${list}`),
    { '/f?p=1,2': [1, 2], '/f?p=1': [1], '/f?p=1&p=2': 'query.p is given more than once' },
  ],
  [query(`style: spaceDelimited, schema: ${list}`), { '/f?p=1%202': [1, 2], '/f?p=1+2': [1, 2], '/f?p=3': [3] }],
  [query(`style: pipeDelimited, schema: ${list}`), { '/f?p=1%7C2': [1, 2], '/f?p=1|2': [1, 2], '/f?p=3': [3] }],
  [
    query(`schema: ${object}`),
    {
      '/f?r=100&g=x': { r: 100, g: 'x' },
      '/f?b=1': 'query.b is not allowed; allowed are r, g',
      '/f?r=x': 'query.p.r must be an integer',
    },
  ],
  [query(`schema: ${open}`), { '/f?r=100&on=true': { r: 100, on: true }, '/f?on=1': 'query.p.on must be a boolean' }],
  [query(`explode: false, schema: ${object}`), { '/f?p=r,100,g,a%2Cb': { r: 100, g: 'a,b' } }],
  [query(`style: spaceDelimited, schema: ${object}`), { '/f?p=r%20100%20g%20x': { r: 100, g: 'x' } }],
  [
    query(`style: deepObject, schema: ${object}`),
    {
      '/f?p[r]=100&p%5Bg%5D=x': { r: 100, g: 'x' },
      '/f?p[r]=1&p[r]=2': 'query["p[r]"] is given more than once',
      '/f?p[b]=1': 'query.p.b is not allowed; allowed are r, g',
    },
  ],
  [query('style: deepObject, schema: { type: object }'), { '/f?p[a]=1&p[b%20c]=x': { a: '1', 'b c': 'x' } }],
  [
    query(`style: deepObject, schema: { properties: { values: ${list} } }`),
    { '/f?p[values]=1': { values: [1] }, '/f?p[values]=1&p[values]=2': { values: [1, 2] } },
  ],
  [
    query(`content: { application/json: { schema: { properties: { a: ${id} } } } }`),
    {
      '/f?p={%22a%22:9007199254740993}': { a: 9007199254740993n },
      '/f?p={%22a%22:1.5}': 'query.p.a must be an int64 integer',
      '/f?p={': 'query.p is not JSON: close brace expected at line 1, column 2',
    },
  ],
  // A schema that names no type takes a text, and of several types the first counts with which the text is valid.
  [query('schema: {}'), { '/f?p=1': '1' }],
  [query('schema: { type: array }'), { '/f?p=1': ['1'], '/f?p=1&p=x': ['1', 'x'] }],
  [
    query('schema: { anyOf: [{ type: integer, maximum: 9 }, { type: string }] }'),
    { '/f?p=7': 7, '/f?p=17': '17', '/f?p=x': 'x' },
  ],
  [query('schema: { type: [integer, "null"] }'), { '/f?p=7': 7, '/f?p=x': 'query.p must be an integer or null' }],
  [query('allowEmptyValue: false, schema: { type: boolean }'), { '/f?p': 'query.p must be a boolean' }],
]

for (const [paths, requests] of cases) {
  t.test(`parameters are read as the document says: ${paths}`, async (t) => {
    const { call } = await start(t, paths)
    for (const [url, expected] of Object.entries(requests)) await expect(t, await call('GET', url), expected, url)
  })
}

t.test('a list in a header is split at commas, and may be in several lines', async (t) => {
  const { call } = await start(t, header(`schema: ${list}`))
  for (const [p, expected] of [
    ['1, 2', [1, 2]],
    [
      ['1', '2,3'],
      [1, 2, 3],
    ],
    [' , 1,,2', [1, 2]],
    ['x', 'header.p[0] must be an integer'],
  ] satisfies [string | string[], unknown][]) {
    await expect(t, await call('GET', '/f', { headers: { p } }), expected, String(p))
  }
})

t.test('a cookie is a parameter; other cookies are ignored', async (t) => {
  for (const [more, sent, expected] of [
    [`schema: ${id}`, 'a=b; p=9007199254740993; c', 9007199254740993n],
    ['schema: { type: string }', 'p=a%20b=c', 'a b=c'],
    ['schema: { type: string, default: none }', 'q=1', 'none'],
    [`explode: false, schema: ${list}`, 'p=1,2', [1, 2]],
    ['required: true, schema: { type: string }', 'q=1', 'cookie.p is required'],
    ['schema: { type: string }', 'p=1; p=2', 'cookie.p is given more than once'],
    ['schema: { type: string }', 'p=%zz', 'cookie.p has a malformed percent-encoding'],
  ] as const) {
    const { call } = await start(t, cookie(more))
    await expect(t, await call('GET', '/f', { headers: { cookie: sent } }), expected, `${more}, ${sent}`)
  }
})

t.test('the URLs that handlers build have the styles of the parameters', async (t) => {
  for (const [paths, value, url] of [
    [path(`schema: ${list}`), [1, 2], '/f/1,2'],
    [path('schema: { type: array, items: { type: string } }'), ['a,b', 'c/d'], '/f/a%2Cb,c%2Fd'],
    [path(`explode: true, schema: ${object}`), { r: 1, g: 'a=b' }, '/f/r=1,g=a%3Db'],
    [query(`schema: ${list}`), [1, 2], '/f?p=1&p=2'],
    [query(`style: pipeDelimited, schema: ${list}`), [1, 2], '/f?p=1%7C2'],
    [query(`schema: ${object}`), { r: 1, g: 'x&y' }, '/f?r=1&g=x%26y'],
    [query(`style: deepObject, schema: ${object}`), { r: 1 }, '/f?p%5Br%5D=1'],
    [query('content: { application/json: {} }'), { a: 1n }, '/f?p=%7B%22a%22%3A1%7D'],
  ] as const) {
    const { app } = await start(t, paths)
    const build = app.openapi.urls.f as (input: object) => string
    t.equal(build(paths.startsWith('/f/') ? { path: { p: value } } : { query: { p: value } }), url)
  }
})

t.test('a path parameter has any name', async (t) => {
  const names = ['pet-id', 'pet.id', 'pet$id', 'pet id', 'größe', 'a:b(c)', '1']
  const declare = (name: string, schema: string) => `{ name: "${name}", in: path, required: true, schema: ${schema} }`
  for (const [schema, sent, value, error] of [
    [id, '-7', -7n, 'path.pet-id must be an int64 integer'],
    [list, '1,2', [1, 2], 'path.pet-id[0] must be an integer'],
  ] as const) {
    const source = `openapi: 3.1.0
info: { title: Names, version: 1.0.0 }
paths:
  "/f/${names.map((name) => `{${name}}`).join('/')}":
    get:
      operationId: f
      parameters: [${names.map((name) => declare(name, schema)).join()}]
      responses: { "204": { description: It. } }
`
    const seen: unknown[] = []
    const f = async ({ path }: { path: object }) => {
      seen.push(path)
      return { status: 204 }
    }
    const { app, call } = await startLayer(t, { source, handlers: { f } })
    const path = Object.fromEntries(names.map((name) => [name, value]))
    const url = (app.openapi.urls.f as (input: object) => string)({ path })
    t.equal(url, `/f${`/${sent}`.repeat(names.length)}`)
    t.equal((await call('GET', url)).status, 204)
    t.strictSame(seen, [path])
    const { status, body } = await call('GET', `/f/x${url.slice(2 + sent.length + 1)}`)
    t.strictSame([status, body], [400, { error }])
    t.equal((await call('GET', '/f/1')).status, 404)
    t.equal((await call('POST', url)).status, 405)
  }
})

t.test('path parameters whose names are no words have text beside them', async (t) => {
  const { call } = await start(
    t,
    `"/f/{a-b}.{p}": { get: { parameters: [{ name: a-b, in: path, required: true, schema: { type: string } },
      { name: p, in: path, required: true, schema: ${id} }] } }`,
  )
  await expect(t, await call('GET', '/f/x.7'), 7, '/f/x.7')
  await expect(t, await call('GET', '/f/x.y'), 'path.p must be an int64 integer', '/f/x.y')
})

/** Starts an operation whose handler responds with its parameter. */
async function start(t: Parameters<typeof startLayer>[0], paths: string) {
  const responses = 'responses: { "200": { description: It., content: { application/json: {} } } }'
  const source = `openapi: 3.1.0
info: { title: Styles, version: 1.0.0 }
paths:
  ${paths.replace('get: {', `get: { operationId: f, ${responses},`)}
`
  const f = async (input: Readonly<Record<'path' | 'query' | 'header' | 'cookie', Record<string, unknown>>>) => {
    const value = [input.path, input.query, input.header, input.cookie].map(({ p }) => p).find((p) => p !== undefined)
    return { status: 200, body: { value } }
  }
  return startLayer(t, { source, handlers: { f } })
}

async function expect(
  t: Parameters<typeof startLayer>[0],
  { status, body }: { readonly status: number; readonly body: unknown },
  expected: unknown,
  what: string,
) {
  const isError = typeof expected === 'string' && status === 400
  t.strictSame(body, isError ? { error: expected } : expected === undefined ? {} : { value: expected }, what)
}
