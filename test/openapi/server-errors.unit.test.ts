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
  ['a missing member', { body: {} }, 'body.id is required and missing'],
  ['a member of another type', { body: { id: 'x' } }, 'body.id must be of type integer'],
  ['a text that is too long', { body: { id, name: 'long' } }, 'body.name must have at most 3 characters'],
  ['a body that contains itself', { body: { id, any: cyclic() } }, 'it takes too long'],
  ['an undeclared header', { body: { id }, headers: { 'X-No': 'x' } }, 'the header x-no is not declared'],
  [
    'another value of a constant header',
    { body: { id }, headers: { 'X-Always': 'b' } },
    'the header X-Always is always a',
  ],
  [
    'a header with a line break',
    { body: { id }, headers: { 'X-Name': 'a\nb' } },
    'Invalid character in header content',
  ],
  ['an undeclared media type', { body: 'x', contentType: 'text/html' }, 'its content type text/html is not one of'],
  ['a number for a text', { body: 1, contentType: 'text/plain' }, 'body must be a text, bytes or a stream'],
  ['bytes for JSON', { body: Buffer.from('x') }, 'must be a JSON value, but is of type Buffer'],
  ['an error for JSON', { body: new Error('the cause') }, 'the cause'],
  ['a damaged stored response', { written: '{' }, 'JSON at position 1'],
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

function cyclic(): object {
  const value: { itself?: object } = {}
  value.itself = value
  return value
}
