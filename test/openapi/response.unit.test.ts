/**
 * Responses: how bodies are written, what of a handler's response is sent, from which operations one is cached.
 */
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { FastifyReply } from 'fastify'
import t, { type Test } from 'tap'
import type { Schema } from '../../src/openapi/document/model.ts'
import { compileTextValidator } from '../../src/openapi/response/complete-validation.ts'
import { getDeprecationHeaders, isPastSunset } from '../../src/openapi/response/deprecation.ts'
import { createSerializerCompiler } from '../../src/openapi/response/serializer.ts'
import { createWriterCompiler } from '../../src/openapi/response/value-writers.ts'
import { createSchemaCompiler } from '../../src/openapi/schema/compiler.ts'
import { keepDigits } from '../../src/openapi/shared/json.ts'
import { readJson, writeJson } from '../helpers/json.ts'
import { readYaml } from '../helpers/yaml.ts'
import { createLayer, idle, type LayerOptions, startLayer } from './layer.ts'
import { holds, json } from './properties.ts'

interface Row {
  readonly schema: Schema
  readonly body: unknown
}

const { schemas, ...cases } = readYaml<{
  readonly schemas: Readonly<Record<string, Schema>>
  readonly written: readonly (Row & { readonly text: string })[]
  readonly mistyped: readonly (Row & { readonly message: string })[]
  readonly invalid: readonly (Row & { readonly message: string })[]
}>(join(import.meta.dirname, 'response-cases.yaml'))
const root = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } }
const compile = createSchemaCompiler(root)
/** The schemas of this file have parts in common, unlike those of a document. */
const compileSerializer = (schema: Schema) => createSerializerCompiler(compile.views)(schema)

t.test('a body is written as the schema says', async (t) => {
  for (const { schema, body, text } of cases.written) t.equal(compileSerializer(schema)(body), text)
  const deep = `${'['.repeat(100)}9223372036854775807${']'.repeat(100)}`
  t.equal(
    compileSerializer({ anyOf: [{ type: 'array' }] })(readJson(deep)),
    deep,
    'nested deeper than a request may be',
  )
})

t.test('an object is written by its properties, whatever JSON.stringify writes of it', async (t) => {
  const schema: Schema = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'string' } } }
  class Pet {
    b = 'x'
    get a() {
      return 1
    }
    toJSON() {
      return { secret: true }
    }
  }
  for (const body of [new Pet(), Object.defineProperty({ b: 'x' }, 'a', { value: 1 }), { a: 1, b: 'x', toJSON() {} }]) {
    t.equal(compileSerializer(schema)(body), '{"a":1,"b":"x"}')
    t.equal(compileSerializer({ type: 'array', items: schema })([body]), '[{"a":1,"b":"x"}]')
  }
})

/** Schemas of objects, most of whose members the schema describes by itself. */
const memberSchemas = fc.constantFrom<Schema | boolean>(
  { type: 'integer' },
  { type: 'number' },
  { type: ['string', 'null'] },
  { type: 'string', writeOnly: true },
  { type: 'array', items: { type: 'integer' } },
  { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'string', writeOnly: true } } },
  {},
  false,
)
const names = fc.constantFrom('a', 'a', 'b', 'b', 'c', 'constructor')
const objectSchemas = fc.record(
  {
    type: fc.constant('object'),
    properties: fc.dictionary(names, memberSchemas, { noNullPrototype: true }),
    required: fc.uniqueArray(names),
    additionalProperties: memberSchemas,
    patternProperties: fc.record({ '^a': memberSchemas }),
  },
  { requiredKeys: ['type', 'properties'] },
) as fc.Arbitrary<Schema>
const members = fc.constantFrom<unknown>(
  1,
  1.5,
  2 ** 53,
  5n,
  'x',
  null,
  undefined,
  [1],
  ['x'],
  { a: 1 },
  { a: 1, b: 'x' },
)
const objects = fc.dictionary(names, members, { noNullPrototype: true })

/** Returns the text, or undefined for an error. */
function attempt(write: () => string): string | undefined {
  try {
    return write()
  } catch {
    return undefined
  }
}

function toValue(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text)
}

t.test('a value is written without a copy only if its copy is equal', async (t) => {
  const { views } = createSchemaCompiler(root)
  let writtenCount = 0
  await holds(
    t,
    fc.tuple(objectSchemas, fc.array(objects, { minLength: 10, maxLength: 10 })),
    ([schema, values]) => {
      const serialize = createSerializerCompiler(views)(schema)
      const copy = createWriterCompiler(views, keepDigits)(schema, '')
      for (const value of values) {
        const text = attempt(() => serialize(value))
        const copiedText = attempt(() => JSON.stringify(copy(value)))
        if (text !== undefined) writtenCount++
        if (!isDeepStrictEqual(toValue(text), toValue(copiedText))) throw new Error(`${text} in place of ${copiedText}`)
      }
      return true
    },
    3000,
  )
  t.ok(writtenCount > 500, `${writtenCount} are written`)
})

t.test('a value of another type than in the schema is not written', async (t) => {
  for (const { schema, body, message } of [
    ...cases.mistyped,
    {
      schema: { type: 'array', items: { type: 'integer' } },
      body: new Array(1),
      message: 'body[0] must be of type integer, but is of type undefined',
    },
  ] as const) {
    t.throws(() => compileSerializer(schema)(body), { message: `invalid response: ${message}` })
  }
})

t.test('any JSON is written as it is, where the schema leaves it open', async (t) => {
  const types = ['null', 'boolean', 'array', 'object', 'string', 'number'] as const
  const open: Schema[] = [{}, { anyOf: [{}] }, { type: types }]
  await holds(t, json(), (body) => open.every((schema) => compileSerializer(schema)(body) === writeJson(body)))
})

t.test('values that the schema does not allow are written, and found by a complete validation', async (t) => {
  const findViolations = (schema: Schema, text: string) => compileTextValidator(schema, 'body', compile)(text)
  for (const { schema, body, message } of cases.invalid) {
    t.match(findViolations(schema, compileSerializer(schema)(body)), [message])
  }
  t.strictSame(findViolations({ type: 'integer', format: 'int64', minimum: 100 }, '100'), [])
})

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
            Expires: { schema: { type: string } }
            Vary: { schema: { type: string } }
            Cache-Control: { schema: { const: no-cache } }
          content:
            application/json:
              schema: { type: object, additionalProperties: false, properties: { name: { type: string, maxLength: 3 } } }
        "204":
          description: No thing.
          headers: { X-Count: { schema: { type: integer, maximum: 9 } } }
          content: { application/json: { schema: { type: object } } }
        "304":
          description: The same thing.
          headers: { Expires: { schema: { type: string } }, X-Count: { schema: { type: integer } } }
        default:
          description: What is wrong.
          content: { application/json: { schema: { properties: { error: { maxLength: 12 } } } } }
  /names:
    get:
      operationId: toString
      parameters: [{ name: Language, in: header, schema: { type: string } }]
      responses:
        "200": { description: All., content: { application/json: { schema: { type: string } } } }
        "304": { description: The same. }
`

/** Returns the response to `GET /things` if its handler returns another one. */
async function getThing(t: Test, response: object, options: Partial<LayerOptions> = {}) {
  const handlers = { getThing: async () => ({ status: 200, body: {}, ...response }), toString: async () => response }
  const { call } = await startLayer(t, { source, handlers: handlers as never, ...options })
  return call('GET', '/things')
}

t.test('a header or a member that is not declared is not sent', async (t) => {
  const headers = { 'X-Count': 1, 'X-Secret': 'x', 'X-Next': undefined }
  const response = await getThing(t, { body: { name: 'box', secret: 1 }, headers })
  t.match(response, { status: 200, text: '{"name":"box"}', headers: { 'x-count': '1', 'x-secret': undefined } })
})

t.test('a header with a constant value has no other one', async (t) => {
  const constants = source
    .replace('{ const: no-cache }', '{ enum: [no-cache] }')
    .replace('X-Next: { schema: { type: string } }', 'Link: { schema: { const: "</a>" } }')
  for (const [name, value, other] of [
    ['Cache-Control', 'no-cache', 'public'],
    ['Link', '</a>', '</b>'],
  ] as const) {
    const error = `invalid response: the header ${name.toLowerCase()} is always ${value}, and the handler returned another value`
    t.match(await getThing(t, { headers: { [name]: other } }, { source: constants }), { status: 500, body: { error } })
    for (const headers of [{ [name]: value }, { [name]: undefined }, {}]) {
      const response = await getThing(t, { headers }, { source: constants })
      t.match(response, { status: 200, headers: { [name.toLowerCase()]: value } })
    }
  }
})

t.test('a response that fails by a header has no header of the handler, and no ETag', async (t) => {
  const response = await getThing(t, { headers: { 'X-Count': 1, 'X-Next': 'a\nb' } })
  const headers = { 'x-count': undefined, 'x-next': undefined, etag: undefined }
  t.match(response, { status: 500, headers, body: { error: /Invalid character in header content/ } })
})

t.test('a Vary of a handler is added to the one of a hook', async (t) => {
  const handlers = { getThing: async () => ({ status: 200, body: {}, headers: { Vary: 'X-B' } }), toString: idle }
  const app = await createLayer(t, {
    source,
    handlers,
    hooks: { beforeIdentify: [async (_request: unknown, reply: FastifyReply) => void reply.header('Vary', 'X-A')] },
  })
  t.equal((await app.inject('/things')).headers.vary, 'X-A, X-B')
})

t.test('a Vary of a hook that names Accept does not name it twice', async (t) => {
  const app = await createLayer(t, {
    source: source.replace('application/json:\n', 'text/csv: {}\n            application/json:\n'),
    handlers: { getThing: async () => ({ status: 200, contentType: 'text/csv', body: 'a' }), toString: idle },
    hooks: {
      beforeIdentify: [async (_request: unknown, reply: FastifyReply) => void reply.header('Vary', 'X-A, Accept')],
    },
  })
  t.match(await app.inject('/things'), { statusCode: 200, headers: { vary: 'X-A, Accept' } })
})

t.test('of the headers of a response, its 304 has those that it declares, and those that clients store', async (t) => {
  const headers = { Expires: 'Thu, 26 Nov 2026 00:00:00 GMT', Vary: 'X-A', 'X-Count': 1, 'X-Next': 'a' }
  const handlers = { getThing: async () => ({ status: 200, body: {}, headers }), toString: idle }
  const { call } = await startLayer(t, { source, handlers })
  const { headers: sent } = await call('GET', '/things')
  const stored = { expires: headers.Expires, vary: 'X-A', 'cache-control': 'no-cache' }
  t.match(sent, { ...stored, 'x-count': '1', 'x-next': 'a' })
  t.match(await call('GET', '/things', { headers: { 'if-none-match': String(sent.etag) } }), {
    status: 304,
    headers: { ...stored, 'x-count': '1', 'x-next': undefined },
  })
})

t.test('a header of a handler that is no scalar, or headers that are no object, are a 500 that says so', async (t) => {
  for (const [headers, error] of [
    [{ 'X-Next': null }, 'invalid response: the header x-next must be a scalar, but is of type null'],
    [{ 'X-Next': ['a', 'b'] }, 'invalid response: the header x-next must be a scalar, but is of type Array'],
    [new Headers({ 'X-Next': 'a' }), 'the handler of getThing returned headers of type Headers; return an object'],
    [null, 'the handler of getThing returned headers of type null; return an object'],
  ] as const) {
    t.match(await getThing(t, { headers: headers as never }), { status: 500, body: { error } })
  }
})

t.test('the names of the headers that a handler returns ignore case', async (t) => {
  const constants = {
    source: source.replace('X-Next: { schema: { type: string } }', 'Link: { schema: { type: string } }'),
  }
  const headers = { 'x-COUNT': 1, link: '</2>; rel="next"', 'CACHE-CONTROL': 'no-cache' }
  const response = await getThing(t, { headers }, constants)
  t.match(response, { status: 200, headers: { 'x-count': '1', link: headers.link, 'cache-control': 'no-cache' } })
  const otherLink = await getThing(t, { headers: { link: '</3>; rel="next"' } }, constants)
  t.not(otherLink.headers.etag, response.headers.etag)
  const error = 'invalid response: the header cache-control is always no-cache, and the handler returned another value'
  t.match(await getThing(t, { headers: { 'cache-control': 'public' } }), { status: 500, body: { error } })
})

for (const schema of [
  '{ $ref: "#/components/schemas/Text", const: no-cache }',
  '{ $ref: "#/components/schemas/Constant" }',
  '{ allOf: [{ $ref: "#/components/schemas/Text" }, { const: no-cache }] }',
  '{ allOf: [{ enum: [no-cache, no-store] }], enum: [no-cache, private] }',
  '{ const: no-cache, enum: [no-cache, no-store] }',
]) {
  t.test(`a header with the schema ${schema} is constant`, async (t) => {
    const components = 'components: { schemas: { Text: { type: string }, Constant: { const: no-cache } } }\n'
    const constants = { source: source.replace('{ const: no-cache }', schema) + components }
    t.match(await getThing(t, {}, constants), { status: 200, headers: { 'cache-control': 'no-cache' } })
    t.match(await getThing(t, { headers: { 'Cache-Control': 'public' } }, constants), { status: 500 })
  })
}

t.test('a 304 that an operation with another method than GET and HEAD declares is for its handler', async (t) => {
  const post = source.replace('    get:', '    post:')
  const statuses = [200, 304]
  const handlers = { getThing: async () => ({ status: Number(statuses.shift()), body: {} }), toString: idle }
  const { call } = await startLayer(t, { source: post, handlers })
  const headers = { 'if-none-match': '*' }
  t.match(await call('POST', '/things', { headers }), { status: 200, headers: { etag: undefined } })
  t.match(await call('POST', '/things'), { status: 304, text: '' })
})

t.test('a response that the spec does not allow is sent, or a 500 where responses are validated', async (t) => {
  const wrong = { body: { name: 'boxes' }, headers: { 'X-Count': 10 } }
  t.match(await getThing(t, wrong), { status: 200, body: { name: 'boxes' }, headers: { 'x-count': '10' } })
  const required = { source: source.replace('X-Next: {', 'X-Next: { required: true,') }
  const range = { source: source.replace('application/json:', '"*/*":') }
  for (const [response, error, options] of [
    [{ body: { name: 'boxes' } }, 'body.name must have at most 3 characters'],
    [{ ...wrong, headers: {}, contentType: 'application/json' }, 'body.name must have at most 3 characters', range],
    [{ headers: { 'X-Count': 10 } }, 'X-Count must be at most 9'],
    [{ status: 204, body: undefined, headers: { 'X-Count': 10 } }, 'X-Count must be at most 9'],
    [{ headers: { 'x-count': 10 } }, 'X-Count must be at most 9'],
    [{ headers: { 'X-Secret': 'x' } }, 'the header x-secret is not declared'],
    [{ headers: { constructor: 'x' } }, 'the header constructor is not declared'],
    [{}, 'the header X-Next is required and missing', required],
    [{ headers: { 'x-next': undefined } }, 'the header X-Next is required and missing', required],
  ] as const) {
    t.match(await getThing(t, response, { validateResponses: true, ...options }), {
      status: 500,
      body: { error: `invalid response: ${error}` },
    })
  }
  const right = { body: { name: 'box' }, headers: { 'X-Count': 9, 'X-Next': 'a' } }
  t.match(await getThing(t, right, { validateResponses: true, ...required }), {
    status: 200,
    body: { name: 'box' },
    headers: { 'x-count': '9', 'x-next': 'a' },
  })
})

t.test('a handler that returns nothing is named', async (t) => {
  const handlers = { getThing: (async () => undefined) as never, toString: async () => ({ status: 200 }) }
  const error = 'the handler of getThing returned undefined; return { status, headers, body }'
  t.match(await (await startLayer(t, { source, handlers })).call('GET', '/things'), { status: 500, body: { error } })
})

t.test('an error has the body that the host gives it, whatever the operation declares', async (t) => {
  const handlers = {
    getThing: async () => Promise.reject(new Error('more than twelve characters')),
    toString: () => '',
  }
  const options = { source, handlers: handlers as never, validateResponses: true }
  const { call } = await startLayer(t, options)
  t.match(await call('GET', '/things'), { status: 500, body: { error: 'more than twelve characters' } })
  const error = 'query.undeclared is not allowed; none is allowed'
  t.match(await call('GET', '/things?undeclared=1'), { status: 400, body: { error } })
})

t.test('the links of a handler and of the deprecation are one header', async (t) => {
  const deprecated = source
    .replace('getThing', 'getThing\n      deprecated: true\n      x-deprecated-since: 2026-01-01')
    .replace('X-Count:', 'Link: { schema: { type: string } }\n            X-Count:')
  const { headers } = await getThing(t, { headers: { Link: '</2>; rel="next"' } }, { source: deprecated })
  t.match(headers.link, /^<\/2>; rel="next", <\/read-me#.*>; rel="deprecation"/)
})

t.test('the headers of a deprecation have its dates, in any time zone, and the links that there are', async (t) => {
  const { TZ } = process.env
  t.teardown(() => {
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  })
  process.env.TZ = 'Pacific/Auckland'
  const lifecycle = { since: '1970-01-01', sunset: '2030-12-05', replacedBy: undefined }
  const none = { documentation: undefined, successor: undefined }
  t.strictSame(getDeprecationHeaders({ ...lifecycle, sunset: undefined }, none), { Deprecation: '@0' })
  t.strictSame(getDeprecationHeaders(lifecycle, { ...none, successor: '/v1/b' }), {
    Deprecation: '@0',
    Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
    Link: '</v1/b>; rel="successor-version"',
  })
  t.equal(isPastSunset(lifecycle, new Date('2030-12-04T23:59:59.999Z')), false)
  t.equal(isPastSunset(lifecycle, new Date('2030-12-05T00:00:00Z')), true)
  t.equal(isPastSunset({ ...lifecycle, sunset: undefined }, new Date('9999-01-01')), false)
})
