/** The check of responses that an app has for its tests (src/openapi/testing/): what it finds, and what it lets pass. */
import type { AssertionError } from 'node:assert'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import Fastify from 'fastify'
import t from 'tap'
import { loadDocument } from '../../src/openapi/index.ts'
import { createSerializerCompiler } from '../../src/openapi/response/serializer.ts'
import { createSchemaCompiler } from '../../src/openapi/schema/compiler.ts'
import { createResponseCheck, type ResponseCheckOptions } from '../../src/openapi/testing/response-check.ts'
import { createValueCheck } from '../../src/openapi/testing/value-check.ts'
import { readJson } from '../helpers/json.ts'
import { readYaml } from '../helpers/yaml.ts'
import { holds } from './properties.ts'
import { schemaCases } from './random-schemas.ts'
import { createReference } from './reference.ts'

interface Source {
  readonly paths: object
  readonly components: { readonly schemas: object }
}

const json = { 'content-type': 'application/json' }
const { paths, ...others } = readYaml<Source>(join(import.meta.dirname, 'testing.yaml'))
const names = Object.keys(others.components.schemas)
const document = await loadDocument({
  name: 'testing.yaml',
  value: {
    ...others,
    paths: { ...paths, ...Object.fromEntries(names.map((name) => [`/${name}`, { get: describe(name) }])) },
  },
})

function describe(name: string): object {
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } }
  return { operationId: `read${name}`, responses: { 200: { description: name, content } } }
}

/** What an app sends; by default, a good response to `GET /v1/things/1`. */
interface Sent {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'QUERY'
  readonly url?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string
}

const good = { ...json, 'x-count': '1', etag: '"1"' }

/** Returns what `app.inject` returns when the app sends this. */
async function inject({ method = 'GET', url = '/v1/things/1', status = 200, headers = good, body = '{"id":1}' }: Sent) {
  const app = Fastify({ exposeHeadRoutes: false }).addHttpMethod('QUERY', { hasBody: false, overrideExisting: true })
  app.all('*', (_request, reply) =>
    reply
      .code(status)
      .headers(headers)
      .send(body === '' ? undefined : Buffer.from(body)),
  )
  const response = await app.inject({ method, url })
  await app.close()
  return response
}

/** Returns the faults that the message of the check lists. */
async function findViolations(sent: Sent, options: ResponseCheckOptions = {}, checked = document): Promise<string[]> {
  const response = await inject(sent)
  try {
    createResponseCheck(checked, options)(response)
    return []
  } catch (error) {
    return (error as AssertionError).message.split('\n- ').slice(1)
  }
}

t.test('a response that is as the document says is returned', async (t) => {
  const check = createResponseCheck(document)
  const responses: Sent[] = [
    {},
    { headers: { ...good, 'x-rate': '0.5', 'x-new': 'true', 'x-version': '2', date: 'today', vary: 'accept' } },
    { headers: { ...good, 'x-names': ['a', 'b'], 'set-cookie': ['a=1', 'b=2'] } },
    { headers: { ...good, 'content-type': 'application/json; charset=UTF-8; profile=x' } },
    { headers: { ...good, 'content-type': 'application/json; Version=2' }, body: '[]' },
    { headers: { ...good, 'content-type': 'application/JSON; AS="Table"; charset=UTF-8' }, body: '"x"' },
    { headers: { ...good, 'content-type': 'application/json; as=table' } },
    { headers: { ...good, 'content-type': 'application/geo+json' }, body: '"x"' },
    { headers: { ...good, 'content-type': 'application/octet-stream+json' }, body: '[]' },
    { headers: { ...good, 'content-type': 'text/plain' }, body: '12' },
    { headers: { ...good, 'content-type': 'text/html; charset=latin1' }, body: '<p>' },
    { headers: { ...good, 'content-type': 'image/png' }, body: 'bytes' },
    { method: 'QUERY', headers: {}, body: '' },
    { status: 204, headers: {}, body: '' },
    { status: 205, headers: {}, body: '' },
    { status: 304, headers: { etag: '"1"' }, body: '' },
    { status: 404, headers: json, body: '"none"' },
    { status: 500, headers: { 'content-type': 'application/x-anything' }, body: 'x' },
    { url: '/v1/things/new?query', headers: {}, body: '' },
  ]
  for (const sent of responses) {
    const response = await inject(sent)
    t.equal(check(response), response, JSON.stringify(sent))
  }
  const response = await inject({ method: 'HEAD', body: '' })
  t.equal(check(response), response, 'a response to HEAD has no body')
})

t.test('every kind of fault is found', async (t) => {
  const responses: [fault: string | RegExp, sent: Sent][] = [
    ['the document has no such operation below /v1/', { url: '/things/1' }],
    ['the document has no such operation below /v1/', { url: '/v1/things/1/more' }],
    ['the document has no such operation below /v1/', { method: 'POST' }],
    ['the document has no such operation below /v1/', { method: 'QUERY', url: '/v1/things/new' }],
    ['the status 201 is not declared for getThings', { url: '/v1/things/new', status: 201 }],
    ['the header x-more is not declared', { headers: { ...good, 'x-more': '1' } }],
    ['the header x-count is not declared', { status: 304, headers: { etag: '"1"', 'x-count': '1' }, body: '' }],
    ['the header X-Count is required and missing', { headers: { ...json, etag: '"1"' } }],
    ['the header X-Count must be at least 1', { headers: { ...good, 'x-count': '0' } }],
    ['the header X-Count must be an integer', { headers: { ...good, 'x-count': '1.0' } }],
    ['the header X-Count must be an integer', { headers: { ...good, 'x-count': ['1', '1'] } }],
    ['the header X-Rate must be a number', { headers: { ...good, 'x-rate': '.5' } }],
    ['the header X-Rate must be at most 1', { headers: { ...good, 'x-rate': '1e1' } }],
    ['the header X-New must be a boolean', { headers: { ...good, 'x-new': 'yes' } }],
    ['the header X-Version must be 2', { headers: { ...good, 'x-version': '3' } }],
    ['the header X-Names must match ^[a-z]+(, [a-z]+)*$', { headers: { ...good, 'x-names': ['a', 'B'] } }],
    ['the header Set-Cookie must have at most 3 characters', { headers: { ...good, 'set-cookie': ['a', 'abcd'] } }],
    [
      /^the media type is application\/xml; declared: application\/json, /,
      { headers: { ...good, 'content-type': 'application/xml' } },
    ],
    [
      /^there is no Content-Type; declared: application\/json, /,
      { headers: { 'x-count': '1', etag: '"1"' }, method: 'HEAD', body: '' },
    ],
    ['the charset is not utf-8', { headers: { ...good, 'content-type': 'application/json; charset=latin1' } }],
    ['body must be an array', { headers: { ...good, 'content-type': 'application/json; version=2' } }],
    ['body must be a string', { headers: { ...good, 'content-type': 'application/geo+json' }, body: '1' }],
    ['body must be at least 1', { headers: { ...good, 'content-type': 'text/plain' }, body: '0' }],
    [/^the body is not JSON: /, { body: '{"id":' }],
    [/^the body is not JSON: /, { body: '' }],
    ['body.id is required', { body: '{}' }],
    ['body.id must be an int64 integer', { body: '{"id":"1"}' }],
    ['body.more is not declared', { body: '{"id":1,"more":1}' }],
    ['there is a body, and none is declared', { method: 'QUERY', headers: {} }],
    ['body must be a string', { status: 404, headers: json, body: '1' }],
  ]
  for (const [fault, sent] of responses) {
    t.match(await findViolations(sent), [fault], String(fault))
  }
})

t.test('a body where HTTP has none is found', async (t) => {
  const check = createResponseCheck(document)
  const response = { statusCode: 200, headers: good, body: '{"id":1}' }
  for (const [status, method, fault] of [
    [200, 'HEAD', 'there is a body in the response to HEAD'],
    [204, 'GET', 'there is a body, and none is declared'],
    [205, 'GET', 'there is a body, and none is declared'],
    [304, 'GET', 'there is a body, and none is declared'],
  ] as const) {
    const checkThis = () => check({ ...response, statusCode: status }, { method, url: '/v1/things/1' })
    t.throws(checkThis, { message: fault }, `${method} ${status}`)
  }
})

t.test('the message lists everything that is wrong, and the first ten of many faults', async (t) => {
  const check = createResponseCheck(document)
  const response = await inject({ headers: { ...json, 'x-more': '1', etag: '"1"' }, body: '{"more":1}' })
  t.throws(() => check(response), {
    code: 'ERR_ASSERTION',
    actual: '{"more":1}',
    message: `GET /v1/things/1, 200, is not as the document says:
- the header x-more is not declared
- the header X-Count is required and missing
- body.id is required
- body.more is not declared`,
  })
  const faults = await findViolations({
    url: '/v1/Numbers',
    headers: json,
    body: JSON.stringify('abcdefghijklmnopqrstuvwxy'.split('')),
  })
  t.same([faults.length, faults[9], faults[10]], [11, 'body[9] must be an integer', 'and more'])
})

t.test('values of JSON are validated, every digit of an integer included', async (t) => {
  for (const [name, good, bad] of [
    ['Long', ['9223372036854775807', '-9223372036854775808'], ['9223372036854775808', '1.5', '"1"']],
    ['Short', ['2147483647'], ['2147483648', '9007199254740993']],
    ['Large', ['9007199254740993', '9007199254740994'], ['9007199254740992', '9007199254740995']],
    ['Even', ['9007199254740994', '1e25', '-2'], ['9007199254740993', '1.5']],
    ['Price', ['19.99', '1.1', '0.07', '123456789.01'], ['19.999', '0.001']],
    ['Numbers', ['[9007199254740993,9007199254740992]'], ['[9007199254740993,9007199254740993]', '[1.5]']],
    ['Choice', ['9007199254740993', '"a"', 'null'], ['9007199254740992', '9007199254740994', '"b"', '[]']],
    ['Day', ['"2030-12-05"'], ['"2030-13-05"']],
    ['Rows', ['[[1],[2]]'], ['[[1],[]]']],
    ['Link', ['"http://localhost"'], ['1']],
    ['Code', ['"A-1"'], ['"a-1"']],
    ['Inherited', ['{"valueOf":1}'], ['{}', '{"valueOf":1,"toString":1}']],
    ['Never', ['{}'], ['{"a":1}']],
  ] as const) {
    const find = (body: string) => findViolations({ url: `/v1/${name}`, headers: json, body })
    for (const body of good) t.same(await find(body), [], `${name} has ${body}`)
    for (const body of bad) t.not((await find(body)).length, 0, `${name} does not have ${body}`)
  }
})

t.test('a chain of a thousand components is followed', async (t) => {
  const refer = (index: number) => ({ $ref: `#/components/schemas/S${index}` })
  for (const [name, link] of [
    ['a reference', refer],
    ['allOf', (index: number) => ({ allOf: [refer(index)] })],
    ['a property', (index: number) => ({ type: 'object', properties: { a: refer(index) } })],
  ] as const) {
    const links = Array.from({ length: 1000 }, (_, index) => [`S${index}`, link(index + 1)])
    const schemas = { ...Object.fromEntries(links), S1000: { type: 'integer' } }
    const root = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } }
    const errors = createValueCheck(root, {}).findViolations(refer(0), name === 'a property' ? { a: 1 } : '', 'body')
    t.same(errors, [name === 'a property' ? 'body.a must be an object' : 'body must be an integer'], name)
  }
})

t.test('members that no schema of their object declares are found, wherever the schemas stand', async (t) => {
  for (const [name, body, ...faults] of [
    ['Tree', '{"parts":[{"parts":[{}]}]}'],
    ['Tree', '{"parts":[{"parts":[{"x~/y":1}]}]}', 'body.parts[0].parts[0]["x~/y"] is not declared'],
    ['Map', '{"a":"b","b":1}'],
    ['Map', '{"b":"c"}', 'body.b must be an integer'],
    ['Free', '{"a":1,"b":2}'],
    ['Requiring', '{"a":1,"b":2}'],
    ['Requiring', '{"b":2,"c":3}', 'body.c is not declared'],
    ['Cousins', '{"at":{"street":"x","code":"y"}}'],
    ['Cousins', '{"at":{"street":"x","city":"y"}}', 'body.at.city is not declared'],
    ['Animal', '{"meow":true}'],
    ['Animal', 'null'],
    ['Animal', '{"meow":true,"bite":true}', 'body.bite is not declared'],
    ['Conditional', '{"kind":"a","a":"x"}'],
    ['Conditional', '{"kind":"b","a":"x"}', 'body.a is not declared'],
    ['Conditional', '{"b":"x"}'],
    ['Strict', '{"id":1,"tags":["a",1]}'],
    ['Strict', '{"id":1,"tags":["a","b"],"more":1}', 'body.more is not allowed', 'body.tags[1] must be an integer'],
  ] as const) {
    t.same((await findViolations({ url: `/v1/${name}`, headers: json, body })).sort(), faults, `${name} ${body}`)
  }
  t.same(await findViolations({ body: '{"id":1,"more":1}' }, { undeclaredMembers: true }), [])
})

t.test('a writeOnly member may be missing, and must not be sent', async (t) => {
  const find = (body: string) => findViolations({ url: '/v1/Account', headers: json, body })
  t.same(await find('{"name":"a"}'), [])
  t.same(await find('{"name":"a","password":"b"}'), ['body.password is writeOnly, and must not be sent'])
  t.same(await find('{}'), ['body.name is required'])
})

t.test('each item of a stream is validated', async (t) => {
  const find = (type: string, body: string) =>
    findViolations({ url: '/v1/events', headers: { 'content-type': type }, body })
  const events = ': comment\n\nid: 1\ndata: a\ndata:b\n\nretry: 5\r\ndata\r\n\r\ndata: cut'
  t.same(await find('text/event-stream', events), [])
  t.same(await find('text/event-stream', 'data: a\n\nretry: 10\nmore: b\n\n'), [
    'item 1.data is required',
    'item 1.retry must be at most 9',
    'item 1.more is not declared',
  ])
  // Lines of events end only at CR and LF, whereas JavaScript has further line ends.
  t.same(await find('text/event-stream', 'data: a\u2028more: b\u2029more: c\n\n'), [])
  t.same(await find('application/jsonl', '{"id":1}\n{"id":2}\n'), [])
  t.same(await find('application/jsonl', '{"id":1}\n{}'), ['item 1.id is required'])
  t.match(await find('application/jsonl', '{"id":1}\n{'), [/^the body is not JSON: /])
  t.same(await find('application/json-seq', '\x1e{"id":1}\n\x1e{}\n'), ['item 1.id is required'])
})

t.test('a document of OpenAPI 3.0 is read as its version says', async (t) => {
  const schema = { type: 'integer', nullable: true, maximum: 9, exclusiveMaximum: true }
  const content = { 'application/json': { schema } }
  const get = { responses: { 200: { description: 'It.', content } } }
  const value = { openapi: '3.0.3', info: { title: 'It', version: '1' }, paths: { '/it': { get } } }
  const checked = await loadDocument({ name: 'it', value })
  for (const body of ['null', '8']) t.same(await findViolations({ url: '/it', headers: json, body }, {}, checked), [])
  t.same(await findViolations({ url: '/it', headers: json, body: '9' }, {}, checked), ['body must be less than 9'])
})

t.test('options name the base path, formats of the app, and headers that the document leaves out', async (t) => {
  t.same(await findViolations({ url: '/api/things/1' }, { basePath: '/api' }), [])
  const headers = { ...good, 'X-RateLimit-Limit': '1', 'X-Frame-Options': 'DENY' }
  t.same(await findViolations({ headers }, { undeclaredHeaders: ['X-Frame-Options', /^x-ratelimit-/] }), [])
  const frameHeaders = { ...good, 'x-frame-a': '1', 'x-frame-b': '2' }
  t.same(await findViolations({ headers: frameHeaders }, { undeclaredHeaders: [/^x-frame-/g] }), [])
  const formats = { code: (text: string) => text !== 'A-0' }
  const find = (body: string) => findViolations({ url: '/v1/Code', headers: json, body }, { formats })
  t.same([await find('"A-1"'), await find('"A-0"')], [[], ['body must be a code']])
})

t.test('the base path has the forms that it has as an option of the plugin, and is a path', async (t) => {
  for (const basePath of ['/v1', '/v1/']) t.same(await findViolations({}, { basePath }), [], basePath)
  for (const basePath of ['/', '']) t.same(await findViolations({ url: '/things/1' }, { basePath }), [], basePath)
  t.same(await findViolations({}, { basePath: '/' }), ['the document has no such operation below /'])
  for (const basePath of ['v1', '//', '/v1?a=b']) {
    const message = `the option basePath is "${basePath}", which is not a path; write a path such as /v1`
    t.throws(() => createResponseCheck(document, { basePath }), { name: 'TypeError', message })
  }
})

t.test('of the templates that match a path, the one with more text has precedence, as on the server', async (t) => {
  const respond = (type: string, ...names: string[]) => {
    const parameters = names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
    const content = { 'application/json': { schema: { type } } }
    return { parameters, get: { responses: { 200: { description: type, content } } } }
  }
  const paths = {
    '/f/{name}': respond('string', 'name'),
    '/f/{name}.json': respond('integer', 'name'),
    '/f/all': respond('boolean'),
    '/b/{isbn}': respond('string', 'isbn'),
    '/b/{from}-{to}': respond('integer', 'from', 'to'),
  }
  const value = { openapi: '3.1.0', info: { title: 'Files', version: '1' }, paths }
  const files = await loadDocument({ name: 'files', value })
  for (const [url, body] of [
    ['/f/a', '"text"'],
    ['/f/a.json', '1'],
    ['/f/all', 'true'],
    ['/b/1', '"text"'],
    ['/b/1-2', '1'],
  ] as const) {
    t.same(await findViolations({ url, headers: json, body }, {}, files), [], url)
  }
})

t.test('statuses that the document leaves out pass if an option lists them, and count for nothing', async (t) => {
  const sent = { url: '/v1/things/new', status: 403, headers: json, body: '{"code":"insufficient_scope"}' }
  t.same(await findViolations(sent, { undeclaredStatuses: [401, 403] }), [])
  t.same(await findViolations({ ...sent, status: 405 }, { undeclaredStatuses: [401, 403] }), [
    'the status 405 is not declared for getThingsNew',
  ])
  const methodNotAllowed: Sent = { method: 'POST', status: 405, headers: json, body: '{}' }
  t.same(await findViolations(methodNotAllowed, { undeclaredStatuses: [405] }), [], 'no operation has the method')
  const check = createResponseCheck(document, { undeclaredStatuses: [403, 404] })
  check(await inject(sent))
  t.same([...check.seen], [])
  const declared = { status: 404, headers: json, body: '1' }
  t.same(await findViolations(declared, { undeclaredStatuses: [404] }), ['body must be a string'], 'it is declared')
})

t.test('the request of a response of another client is given', async (t) => {
  const check = createResponseCheck(document)
  const headers = new Headers({ 'Content-Type': 'application/json', 'X-Count': '1', ETag: '"1"' })
  const response = { statusCode: 200, headers: Object.fromEntries(headers), body: '{"id":1}' }
  t.equal(check(response, { url: 'http://127.0.0.1:8080/v1/things/1?a=b#c' }), response)
  t.equal(check(response, { method: 'get', url: '/v1/things/1' }), response)
  const untyped = { ...response, headers: { ...response.headers, 'content-type': 'json' } }
  t.throws(() => check(untyped, { url: '/v1/things/1' }), {
    message: 'the media type is json; declared: application/json',
  })
  t.throws(() => check(response), { name: 'TypeError' })
  const { body, ...stream } = response
  t.throws(() => check(stream as typeof response, { url: '/v1/things/1' }), { name: 'TypeError' })
})

t.test('the responses that no test has got are known', async (t) => {
  const check = createResponseCheck(document)
  check(await inject({}))
  check(await inject({ status: 404, headers: json, body: '"none"' }))
  check(await inject({ status: 503, headers: json, body: '1' }))
  t.throws(() => check({ statusCode: 204, headers: {}, body: 'x' }, { url: '/v1/things/1' }))
  t.same([...check.seen], ['getThing 200', 'getThing 4XX', 'getThing default', 'getThing 204'])
  const unseen = [...check.declared].filter((response) => !check.seen.has(response))
  t.same(unseen.slice(0, 4), ['getThing 205', 'getThing 304', 'findThings 200', 'getThingsNew 200'])
})

for (const [title, features] of [
  ['schemas with branches and integers beyond 53 bits', { branches: true, bigints: true }],
  ['schemas with unevaluated members', { branches: true, unevaluated: true }],
  ['schemas with writeOnly', { directions: true }],
] as const) {
  t.test(`${title}: what is valid passes, and what the layer leaves out is found`, async (t) => {
    const counts = { valid: 0, invalid: 0, reduced: 0 }
    await holds(
      t,
      schemaCases(features),
      ({ schemas, values }) => {
        const root = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } }
        const schema = { $ref: '#/components/schemas/Root' }
        const reference = createReference(schemas)
        const serialize = createSerializerCompiler(createSchemaCompiler(root).views)(schema)
        const closed = createValueCheck(root, {})
        const open = createValueCheck(root, { undeclaredMembers: true })
        return values.every((value) => {
          const isValid = reference.isValid(value, 'response')
          counts[isValid ? 'valid' : 'invalid']++
          const errors = open.findViolations(schema, value, 'body')
          if (!isValid) return errors.length > 0
          if (errors.length > 0) return errors.some((error) => error.includes('writeOnly'))
          const sent = readJson(serialize(value))
          if (!reference.isValid(sent, 'response')) return true
          const isReduced = !isDeepStrictEqual(sent, value)
          if (isReduced) counts.reduced++
          return (
            closed.findViolations(schema, sent, 'body').length === 0 &&
            closed.findViolations(schema, value, 'body').length > 0 === isReduced
          )
        })
      },
      30,
    )
    t.ok(counts.valid > 50 && counts.invalid > 50 && counts.reduced > 0, JSON.stringify(counts))
  })
}
