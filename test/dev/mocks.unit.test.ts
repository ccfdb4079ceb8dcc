/**
 * The responses of operations without a handler.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { serve } from './serve.ts'

const ours = readFileSync(join(import.meta.dirname, '../../openapi.yaml'), 'utf8')

/** A document with one operation, `getThing` at `/thing`, and its responses. */
function withResponses(responses: string, more = ''): string {
  const head = 'openapi: 3.1.0\ninfo: { title: Things, version: 1.0.0 }\npaths:\n  /thing:\n    get:\n'
  return `${head}      operationId: getThing\n      responses:\n${responses.replaceAll(/^/gm, '        ')}\n${more}`
}

/** Responds with a body of the schema. */
function withSchema(schema: string, more = ''): string {
  const response = `"200": { description: It., content: { application/json: { schema: ${schema} } } }`
  return withResponses(response, more)
}

const examples = withResponses(
  `default: { description: All others., content: { application/json: { schema: {}, example: other } } }
"404": { description: None., content: { application/json: { schema: {}, example: none } } }
"201":
  description: Made.
  headers:
    Location: { required: true, schema: { type: string }, example: /things/1 }
    Count: { $ref: "#/components/headers/Count" }
    Size: { required: true, schema: { type: integer, minimum: 3 } }
    Link: { schema: { type: string }, example: </things> }
    Kind: { required: true, schema: { type: string, const: thing } }
  content:
    application/json:
      schema: {}
      examples: { one: { value: [1] }, two: { value: [1, 2] } }
`,
  'components: { headers: { Count: { required: true, schema: { type: integer }, examples: { two: { value: 2 } } } } }',
)

t.test('the first example of the success is the response, with the headers that a handler has to return', async (t) => {
  const { get, lines } = await serve(t, examples)
  const { status, body, headers } = await get('/thing')
  t.strictSame([status, body], [201, [1]])
  t.match(headers, { location: '/things/1', count: '2', size: '3', kind: 'thing' })
  t.notOk('link' in headers)
  t.match(lines.join(''), 'operations without a handler, which respond with examples: getThing\n')
})

t.test('an operation without an operationId has a mock, too', async (t) => {
  const { get, lines } = await serve(t, examples.replace('      operationId: getThing\n', ''))
  t.strictSame((await get('/thing')).body, [1])
  t.match(lines.join(''), 'operations without a handler, which respond with examples: getThing\n')
})

t.test('Prefer chooses a status', async (t) => {
  const { get } = await serve(t, examples)
  const prefer = async (value: string) => {
    const { status, body } = await get('/thing', { prefer: value })
    return [status, status === 400 ? body.message : body]
  }
  t.strictSame(await prefer('code=404'), [404, 'none'])
  t.strictSame(await prefer('return=minimal, Code = "418"'), [418, 'other'])
  t.strictSame(await prefer('code=99'), [
    400,
    'Prefer: "getThing" declares no response 99; prefer one of: 201, 404, default',
  ])
})

t.test('without a success, the first other response is sent', async (t) => {
  for (const [responses, status] of [
    ['"4XX": { description: No., content: { application/json: { schema: { const: a } } } }', 400],
    ['default: { description: Any., content: { application/json: { schema: { const: a } } } }', 200],
  ] as const) {
    const { get } = await serve(t, withResponses(responses))
    t.match(await get('/thing'), { status, body: 'a' })
  }
})

t.test('without an example, the response is made from the schema, and is valid', async (t) => {
  for (const [schema, body] of [
    ['{ type: integer, format: int64, minimum: 9007199254740993 }', 9007199254740992],
    ['{ type: integer, format: int64, exclusiveMaximum: -9007199254740993 }', -9007199254740994],
    ['{ type: string, format: byte }', 'c2FtcGxl'],
    ['{ type: string, format: duration }', 'P1D'],
    ['{ type: string, format: date }', '2019-08-24'],
    ['{ type: string, x-extensible-enum: [big, small] }', 'big'],
    ['{ type: array, items: { type: integer }, minItems: 2, maxItems: 2 }', [0, 0]],
    ['{ oneOf: [{ type: "null" }, { type: string }] }', null],
  ] as const) {
    const { get } = await serve(t, withSchema(schema))
    t.strictSame(await get('/thing').then((response) => response.body), body, schema)
  }
})

t.test('where no value can be made, the error says what to do', async (t) => {
  const { get } = await serve(t, withSchema('{ type: string, pattern: "^[A-Z]$" }'))
  const message =
    '"getThing" has no handler, and its response 200 has no example, and none can be made from its schema; add one'
  t.match(await get('/thing'), { status: 500, body: { message } })
})

t.test('a security scheme of another document accepts any credential that is not malformed', async (t) => {
  const schemes = ['ApiKey: { type: apiKey, in: header, name: X-Key }', 'Person: { type: http, scheme: basic }']
  const source = withSchema(
    '{ const: a }',
    `security: [{ ApiKey: [read] }, { Person: [] }]\ncomponents:\n  securitySchemes:\n    ${schemes.join('\n    ')}`,
  )
  const { get, lines } = await serve(t, source)
  t.match(lines.join(''), 'security schemes without a function, which accept any credential: ApiKey, Person\n')
  t.match(await get('/thing'), { status: 401, body: { code: 'missing_key' } })
  t.match(await get('/thing', { 'x-key': 'anything' }), { status: 200 })
  t.match(await get('/thing', { authorization: `Basic ${btoa('me:mine')}` }), { status: 200 })
  t.match(await get('/thing', { authorization: 'Basic ?' }), { status: 401 })
})

t.test('a variant of the spec of this service has its handlers and keys, and mocks for the rest', async (t) => {
  const { get, lines } = await serve(t, ours.replace('operationId: getPet', 'operationId: fetchPet'))
  t.match(lines.join(''), 'handlers without an operation, which are left out: getPet\n')
  t.match(lines.join(''), 'operations without a handler, which respond with examples: fetchPet\n')
  t.match(await get('/v1/pets', { authorization: 'Bearer someone-elses-key' }), { status: 401 })
  const authorization = 'Bearer 0123456789abcdef'
  t.match(await get('/v1/pets', { authorization }), { status: 200, body: [] })
  t.match(await get('/v1/pets/7', { authorization }), { status: 200, body: { name: 'Rex' } })
})

t.test('an operation of another document is mocked even if its name is one of this service', async (t) => {
  const { get, lines } = await serve(t, withSchema('{ const: a }').replace('getThing', 'listPets'))
  t.match(lines.join(''), 'this document has no operation of this service, whose handlers and store are left out\n')
  t.match(await get('/thing'), { status: 200, body: 'a' })
})
