/** Documents as `npm run dev` serves them: the responses of operations without a handler, and what it refuses. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { formatFailure } from '../../scripts/dev/problems.ts'
import { build } from '../../scripts/dev/serve.ts'
import { DocumentError } from '../../src/errors.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

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
  for (const source of [examples, examples.replace('      operationId: getThing\n', '')]) {
    const { get, lines } = await serve(t, source)
    const { status, body, headers } = await get('/thing')
    t.strictSame([status, body], [201, [1]])
    t.match(headers, { location: '/things/1', count: '2', size: '3', kind: 'thing' })
    t.notOk('link' in headers)
    t.match(lines.join(''), 'operations without a handler, which respond with examples: getThing\n')
  }
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

t.test('a text is made from its pattern, within its length, and is the same each time', async (t) => {
  const schema = '{ type: string, pattern: "^[A-Z]{2}-[0-9]+$", minLength: 12, maxLength: 30 }'
  const { get } = await serve(
    t,
    withSchema(
      '{ type: array, minItems: 1, items: { $ref: "#/components/schemas/Code" } }',
      `components: { schemas: { Code: ${schema} } }`,
    ),
  )
  const { body } = await get('/thing')
  t.match(body[0], /^(?=.{12,30}$)[A-Z]{2}-[0-9]+$/)
  t.same((await get('/thing')).body, body)
})

const unknown = '{ type: string, pattern: "^(?=a)[ab]+$" }'

t.test('what may be missing and cannot be made is left out', async (t) => {
  const inner = `{ type: object, required: [code], properties: { code: ${unknown} } }`
  const properties = `{ id: { type: integer }, code: ${unknown}, inner: ${inner}, list: { type: array, items: ${unknown} } }`
  const { get } = await serve(t, withSchema(`{ type: object, required: [id], properties: ${properties} }`))
  t.match(await get('/thing'), { status: 200, body: { id: 0, list: [] } })
  t.same(Object.keys((await get('/thing')).body), ['id', 'list'])
})

t.test('where no value can be made, the error names the member and says what to do', async (t) => {
  const object = (name: string, schema: string) =>
    `{ type: object, required: [${name}], properties: { ${name}: ${schema} } }`
  const response = '"getThing" has no handler, and its response 200'
  for (const [schema, place] of [
    [unknown, 'body'],
    [object('outer', object('code', unknown)), 'body.outer.code'],
  ] as const) {
    const { get } = await serve(t, withSchema(schema))
    const message = `${response} has no valid example, and none can be made from its schema: ${place} must match ^(?=a)[ab]+$; add one`
    t.strictSame(
      [await get('/thing')].map(({ status, body }) => [status, body.message]),
      [[500, message]],
    )
  }
})

t.test('a security scheme of another document accepts any credential that is not malformed', async (t) => {
  const schemes = ['ApiKey: { type: apiKey, in: header, name: X-Key }', 'Person: { type: http, scheme: basic }']
  const source = withSchema(
    '{ const: a }',
    `security: [{ ApiKey: [read] }, { Person: [] }]\ncomponents:\n  securitySchemes:\n    ${schemes.join('\n    ')}`,
  )
  const { get, lines } = await serve(t, source)
  t.match(lines.join(''), 'security schemes without a function, which accept any credential: ApiKey, Person\n')
  const message = 'this operation needs an API key or a password: send it as the header X-Key or Basic credentials'
  t.match(await get('/thing'), { status: 401, body: { code: 'missing_key', message } })
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

t.test('every kind of mistake in a document is named at its place', async (t) => {
  const source = withSchema('{ type: string }')
  for (const [from, to, problem] of [
    ['openapi: 3.1.0', '\xE9', /^1:1: the file cannot be read /],
    ['title: Things', 'title: *name', /^1:1: invalid YAML: Unresolved alias/],
    ['version: 1.0.0', 'version: 1', /^2:24: this must be of type string/],
    ['info:', 'tag: []\ninfo:', /^2:1: "tag" is not supported in OpenAPI Object \(did you mean "tags"\?\); /],
    ['type: string', 'type: text', /^8:\d+: "text" is not supported/],
    ['type: string', 'type: string, default: 1', /^8:\d+: the default is not valid against its schema/],
    ['/thing:', '/livez:', /^4:3: the service itself uses "\/livez"; /],
    ['paths:', 'servers: [{ url: /docs }]\npaths:', /^5:3: the service itself uses "\/docs"; /],
  ] as const) {
    const served = serve(t, Buffer.from(source.replace(from, to), 'latin1'))
    const error: Error = await served.then(
      () => t.fail(`${to} is served`),
      (error) => error,
    )
    t.equal(error.name, 'DocumentError')
    t.match(error.message.replace(/^.*api\.yaml:/gm, ''), problem)
  }
})

t.test('a problem is shown without the line of a file that is gone', async (t) => {
  const message = 'gone.yaml:1:1: it is wrong'
  t.equal(formatFailure(new DocumentError(message)), message)
})

/** Builds the service for the text of a document; rejects as `build`. */
async function serve(t: Test, source: string | Uint8Array) {
  const file = join(temporaryFolder(t), 'api.yaml')
  writeFileSync(file, source)
  const lines: string[] = []
  const environment = { API_KEYS: 'tests=0123456789abcdef', DATABASE_URL: 'sqlite::memory:' }
  const { app } = await build(file, environment, { write: (line) => void lines.push(line) })
  t.teardown(() => app.close())
  return {
    lines,
    get: async (url: string, headers: Readonly<Record<string, string>> = {}) => {
      const response = await app.inject({ url, headers })
      return { status: response.statusCode, headers: response.headers, body: response.json() }
    },
  }
}
