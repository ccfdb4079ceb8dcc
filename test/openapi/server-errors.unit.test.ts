/** What clients and the log are told of mistakes of the app, with Fastify's own error handler. */
import Fastify from 'fastify'
import t from 'tap'
import { openapi } from '../../src/openapi/index.ts'
import { load } from './layer.ts'

const words = `openapi: 3.1.0
info: { title: Words, version: 1.0.0 }
paths:
  /words:
    get:
      operationId: getWord
      security: [{ Key: [read] }]
      responses:
        "200":
          description: A word.
          headers: { X-Name: { schema: { type: string } }, X-Always: { schema: { const: a } } }
          content:
            application/json:
              schema: { required: [id], properties: { id: { type: integer }, any: {}, name: { type: string, maxLength: 3 } } }
            text/plain: {}
        "2XX": { description: Another success. }
components: { securitySchemes: { Key: { type: apiKey, in: header, name: X-Key } } }
`
const ada = { id: '1', name: 'Ada', scopes: ['read'] }
const id = 1

for (const [what, response, logged, caller = ada] of [
  ['no response', undefined, 'the handler of getWord returned undefined'],
  ['an undeclared status', { status: 404 }, 'getWord returned the status 404, which is not declared'],
  ['a text as status', { status: '200' }, "the status '200', which is no integer from 200 to 599"],
  ['an interim status', { status: 101 }, 'the status 101, which is no integer from 200 to 599'],
  ['a Promise for an object', { body: { id, any: Promise.resolve() } }, 'body.any must be .*, but is of type Promise'],
  ['a Map for an object', { body: new Map([['id', 1]]) }, 'body must be of type .*, but is of type Map'],
  ['a date for an object', { body: { id, any: [new Date(0)] } }, 'body.any.0. must be .*, but is of type Date'],
  ['a missing member', { body: {} }, 'body.id is required and missing'],
  ['a member of another type', { body: { id: 'x' } }, 'body.id must be of type integer'],
  ['a text that is too long', { body: { id, name: 'long' } }, 'body.name must have at most 3 characters'],
  ['a body that contains itself', { body: { id, any: cyclic() } }, 'the value contains itself, is nested too deep'],
  ['headers that are no object', { body: { id }, headers: null }, 'returned headers of type null; return an object'],
  ['an undeclared header', { body: { id }, headers: { 'X-No': 'x' } }, 'the header x-no is not declared'],
  [
    'another value of a constant header',
    { body: { id }, headers: { 'X-Always': 'b' } },
    'the header x-always is always a',
  ],
  [
    'a header with a line break',
    { body: { id }, headers: { 'X-Name': 'a\nb' } },
    'Invalid character in header content',
  ],
  ['an undeclared media type', { body: 'x', contentType: 'text/html' }, 'its content type text/html is not one of'],
  ['a number for a text', { body: 1, contentType: 'text/plain' }, 'body must be a text, bytes or a stream'],
  ['an observable for a text', { body: { pipe() {} }, contentType: 'text/plain' }, 'a stream, but is of type Object'],
  ['an observable for JSON', { body: { id, pipe() {} } }, 'must be a JSON value, but is of type Object'],
  ['bytes for JSON', { body: Buffer.from('x') }, 'must be a JSON value, but is of type Buffer'],
  ['a Blob for JSON', { body: new Blob(['x']) }, 'but is of type Blob'],
  [
    'a Blob within JSON',
    { body: { id, any: new File(['x'], 'x') } },
    'body.any must be of type any of JSON, but is of type File',
  ],
  [
    'bytes within JSON',
    { body: { id, any: { b: Buffer.from('x') } } },
    'must be of type any of JSON, but is of type Buffer',
  ],
  ['an error for JSON', { body: new Error('the cause') }, 'the cause'],
  ['a caller that is no object', {}, 'the function of the security scheme .*Key.* returned a boolean', true],
  ['scopes that are no list', {}, 'returned scopes of the type string', { ...ada, scopes: 'read' }],
] as const) {
  t.test(`of ${what}, Fastify tells the client nothing, and the log has the details`, async (t) => {
    const lines: string[] = []
    const app = Fastify({ logger: { level: 'error', stream: { write: (line: string) => void lines.push(line) } } })
    t.teardown(() => app.close())
    await app.register(openapi, {
      document: await load(t, words),
      handlers: {
        getWord: async () => response && { status: 200, contentType: 'application/json', ...(response as object) },
      } as never,
      security: { Key: () => caller as never },
      validateResponses: true,
    })
    const { body, statusCode } = await app.inject({ url: '/words', headers: { 'x-key': 'any' } })
    const error = 'Internal Server Error'
    t.strictSame([statusCode, JSON.parse(body)], [500, { statusCode: 500, error, message: error }])
    t.equal(lines.length, 1)
    t.match(lines[0], new RegExp(logged))
  })
}

const things = `openapi: 3.1.0
info: { title: Things, version: 1.0.0 }
paths:
  /things:
    post:
      operationId: addThing
      parameters:
        - { name: deep, in: query, style: deepObject, schema: { $ref: "#/components/schemas/Thing" } }
        - { name: json, in: query, content: { application/json: { schema: { $ref: "#/components/schemas/Thing" } } } }
        - { name: text, in: header, schema: { type: string, format: shouted } }
      requestBody:
        content:
          application/json: { schema: { $ref: "#/components/schemas/Thing" } }
          application/x-www-form-urlencoded: { schema: { $ref: "#/components/schemas/Thing" } }
          multipart/form-data: { schema: { $ref: "#/components/schemas/Thing" } }
      responses: { "204": { description: Added. } }
components:
  schemas:
    Thing: { type: object, properties: { a: true, c: false }, patternProperties: { ^d: false }, additionalProperties: false }
`
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const multipart = { 'content-type': 'multipart/form-data; boundary=x' }
const thingsOptions = {
  formats: {
    shouted(text: string): boolean {
      if (text === 'throw') throw new Error('the password')
      return true
    },
  },
}

t.test('a member that is not allowed beside boolean schemas is a 400 in each part of a request', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const handlers = { addThing: async () => ({ status: 204 }) } as never
  await app.register(openapi, { document: await load(t, things, thingsOptions), handlers })
  const part = (name: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n1\r\n--x--\r\n`
  const toRequests = (name: string) => [
    { payload: { [name]: 1 } },
    { headers: form, payload: `${name}=1` },
    { headers: multipart, payload: part(name) },
    { query: { [`deep[${name}]`]: '1' } },
    { query: { json: `{"${name}":1}` } },
  ]
  for (const [name, status] of Object.entries({ a: 204, b: 400, c: 400, d: 400 })) {
    for (const request of toRequests(name)) {
      const { body, statusCode } = await app.inject({ method: 'POST', url: '/things', ...request })
      t.equal(statusCode, status, `${JSON.stringify(request)} ${body}`)
      if (name === 'b') t.match(body, /allowed are \W*a\W|allowed are \\"a\\"/)
    }
  }
})

t.test('what the layer throws itself is a 500 whose text the client does not get, and the log has it', async (t) => {
  const lines: string[] = []
  const app = Fastify({ logger: { level: 'error', stream: { write: (line: string) => void lines.push(line) } } })
  t.teardown(() => app.close())
  const handlers = { addThing: async () => ({ status: 204 }) } as never
  await app.register(openapi, { document: await load(t, things, thingsOptions), handlers })
  const { body, statusCode } = await app.inject({ method: 'POST', url: '/things', headers: { text: 'throw' } })
  const error = 'Internal Server Error'
  t.strictSame([statusCode, JSON.parse(body)], [500, { statusCode: 500, error, message: error }])
  t.match(lines.join(''), /the password/)
})

function cyclic(): object {
  const value: { itself?: object } = {}
  value.itself = value
  return value
}
