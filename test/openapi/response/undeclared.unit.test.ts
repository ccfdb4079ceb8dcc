/**
 * Responses of handlers that the spec does not declare or allow, and that the compiler does not find.
 */
import t from 'tap'
import { type LayerOptions, startLayer } from '../layer.ts'

const source = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /things:
    get:
      operationId: getThing
      responses:
        "200":
          description: The thing.
          headers:
            X-Count: { schema: { type: integer, maximum: 9 } }
            X-Next: { schema: { type: string } }
          content:
            application/json:
              schema: { type: object, additionalProperties: false, properties: { name: { type: string, maxLength: 3 } } }
        "204": { description: No thing., headers: { X-Count: { schema: { type: integer, maximum: 9 } } } }
        default:
          description: What is wrong.
          content: { application/json: { schema: { type: object } } }
`

const respondWith = (response: object): LayerOptions => ({
  source,
  handlers: { getThing: async () => response as never },
})

t.test('a header or a member that is not declared is not sent', async (t) => {
  const body = { name: 'box', secret: 1 }
  const headers = { 'X-Count': 1, 'X-Secret': 'x', 'X-Next': undefined }
  const { call } = await startLayer(t, respondWith({ status: 200, body, headers }))
  const response = await call('GET', '/things')
  t.same(response.body, { name: 'box' })
  t.equal(response.headers['x-count'], '1')
  t.notOk('x-secret' in response.headers)
})

t.test('values that the spec does not allow are sent, unless responses are validated', async (t) => {
  const response = { status: 200, body: { name: 'boxes' }, headers: { 'X-Count': 10 } }
  const { call } = await startLayer(t, respondWith(response))
  t.match(await call('GET', '/things'), { status: 200, body: { name: 'boxes' }, headers: { 'x-count': '10' } })
})

t.test('a response that the spec does not allow is a 500 where responses are validated', async (t) => {
  for (const [response, error] of [
    [{ body: { name: 'boxes' } }, 'invalid response: body.name must have at most 3 characters'],
    [{ body: {}, headers: { 'X-Count': 10 } }, 'invalid response: X-Count must be at most 9'],
    [{ status: 204, headers: { 'X-Count': 10 } }, 'invalid response: X-Count must be at most 9'],
    [{ body: {}, headers: { 'X-Secret': 'x' } }, 'invalid response: the header X-Secret is not declared'],
    [{ body: {}, headers: { constructor: 'x' } }, 'invalid response: the header constructor is not declared'],
  ] as const) {
    const { call } = await startLayer(t, { ...respondWith({ status: 200, ...response }), validateResponses: true })
    t.match(await call('GET', '/things'), { status: 500, body: { error } })
  }
  const right = { status: 200, body: { name: 'box' }, headers: { 'X-Count': 9, 'X-Next': undefined } }
  const { call } = await startLayer(t, { ...respondWith(right), validateResponses: true })
  t.match(await call('GET', '/things'), { status: 200, body: { name: 'box' }, headers: { 'x-count': '9' } })
})

t.test('a response without a header that its handler must return is a 500 where responses are validated', async (t) => {
  const required = source.replace('X-Next: {', 'X-Next: { required: true,')
  const start = (headers: object) =>
    startLayer(t, { ...respondWith({ status: 200, body: {}, headers }), source: required, validateResponses: true })
  const error = 'invalid response: the header X-Next is required and missing'
  for (const headers of [{}, { 'X-Count': 1, 'X-Next': undefined }]) {
    t.match(await (await start(headers)).call('GET', '/things'), { status: 500, body: { error } })
  }
  t.match(await (await start({ 'X-Next': 'a' })).call('GET', '/things'), { status: 200, headers: { 'x-next': 'a' } })
})

t.test('the links of a handler and of the deprecation are one header', async (t) => {
  const deprecated = source
    .replace(
      'operationId: getThing',
      'operationId: getThing\n      deprecated: true\n      x-deprecated-since: 2026-01-01',
    )
    .replace('X-Count:', 'Link: { schema: { type: string } }\n            X-Count:')
  const { call } = await startLayer(t, {
    ...respondWith({ status: 200, body: {}, headers: { Link: '</things?page=2>; rel="next"' } }),
    source: deprecated,
  })
  const { headers } = await call('GET', '/things')
  t.match(headers.link, /^<\/things\?page=2>; rel="next", <\/read-me#.*>; rel="deprecation"/)
})

t.test('the structure of combined schemas is checked without components, too', async (t) => {
  const combined = source
    .replace(
      'schema: { type: object, additionalProperties: false,',
      'schema: { anyOf: [{ type: "null" }, { type: array, items: { type: integer } }], x-properties: {',
    )
    .replace('{ name: { type: string, maxLength: 3 } } }', '{ a: 1 } } }')
  const wrong = await startLayer(t, { ...respondWith({ status: 200, body: ['a'] }), source: combined })
  t.match(await wrong.call('GET', '/things'), {
    status: 500,
    body: { error: /^invalid response: body/ },
  })
  const right = await startLayer(t, { ...respondWith({ status: 200, body: [1] }), source: combined })
  t.match(await right.call('GET', '/things'), { status: 200, body: [1] })
})

t.test('an error has the body that the host gives it, whatever the operation declares', async (t) => {
  const short = source.replace('schema: { type: object } }', 'schema: { properties: { error: { maxLength: 12 } } } }')
  const thrown = async () => Promise.reject(new Error('more than twelve characters'))
  const { call } = await startLayer(t, { source: short, handlers: { getThing: thrown }, validateResponses: true })
  t.match(await call('GET', '/things'), { status: 500, body: { error: 'more than twelve characters' } })
  const error = 'query.undeclared is not allowed; none is allowed'
  t.match(await call('GET', '/things?undeclared=1'), { status: 400, body: { error } })
})
