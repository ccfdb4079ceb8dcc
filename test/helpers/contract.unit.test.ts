/**
 * The contract checker, which must find every deviation of a response from the spec. test/openapi/testing.unit.test.ts has the
 * check for any document.
 */
import t from 'tap'
import { createContract, type Exchange } from './contract.ts'

const contract = createContract(`
openapi: 3.1.0
info: { title: Test, version: 1.0.0 }
servers: [{ url: '{base}', variables: { base: { default: 'https://example.com/v1' } } }]
paths:
  /things/{id}:
    get:
      operationId: getThing
      responses:
        '200':
          description: A thing.
          headers:
            X-Count: { $ref: '#/components/headers/Count' }
          content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } }
        '204': { description: Nothing. }
        '404': { description: None., content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } }
components:
  headers:
    Count: { required: true, schema: { type: integer, minimum: 1 } }
  schemas:
    Thing:
      type: object
      required: [id]
      properties: { id: { type: integer, format: int64 } }
    ErrorCode: { type: string, x-extensible-enum: [not_found] }
    Error:
      type: object
      required: [code, message, status]
      properties: { code: { $ref: '#/components/schemas/ErrorCode' }, message: {}, status: { type: integer } }
`)

const json = ['Content-Type', 'application/json; charset=utf-8']
const good: Exchange = {
  method: 'GET',
  path: '/v1/things/1?query',
  status: 200,
  rawHeaders: [...json, 'x-count', '1', 'Date', 'today'],
  text: '{"id":9223372036854775807}',
}
const notFound = '{"code":"not_found","message":"none","status":404}'

t.test('a response that satisfies the document passes', async (t) => {
  contract.check(good)
  contract.check({ ...good, method: 'HEAD', text: '' })
  contract.check({ ...good, status: 204, rawHeaders: [], text: '' })
  contract.check({ ...good, status: 404, rawHeaders: json, text: notFound })
  contract.check({ ...good, path: '/else', status: 404, rawHeaders: json, text: notFound })
  contract.check({ ...good, path: '/readyz', rawHeaders: [], text: 'well' })
  t.same([...contract.seen], contract.declared)
})

t.test('every deviation from the spec is found', async (t) => {
  for (const [said, deviation] of [
    ['the status 201 is not declared for getThing', { status: 201 }],
    ['the header x-more is not declared', { rawHeaders: [...good.rawHeaders, 'X-More', '1'] }],
    ['the header X-Count is required and missing', { rawHeaders: json }],
    ['the header X-Count must be at least 1', { rawHeaders: [...json, 'X-Count', '0'] }],
    ['the header X-Count must be an integer', { rawHeaders: [...json, 'X-Count', '1.5'] }],
    ['the header X-Count must be an integer', { rawHeaders: [...good.rawHeaders, 'X-Count', '1'] }],
    ['the header date is sent 2 times', { rawHeaders: [...good.rawHeaders, 'Date', 'today'] }],
    ['the media type is text/html', { rawHeaders: ['Content-Type', 'text/html', 'X-Count', '1'] }],
    [
      'the media type is application/json; charset=UTF-8',
      { rawHeaders: ['Content-Type', 'application/json; charset=UTF-8', 'X-Count', '1'] },
    ],
    ['there is no Content-Type', { rawHeaders: ['X-Count', '1'] }],
    ['the body is not JSON', { text: '{"id":' }],
    ['body.id is required', { text: '{}' }],
    ['body.more is not declared', { text: '{"id":1,"more":1}' }],
    ['body.id must be an int64 integer', { text: '{"id":9223372036854775808}' }],
    ['body.id must be an int64 integer', { text: '{"id":"1"}' }],
    ['there is a body in the response to HEAD', { method: 'HEAD' }],
    ['there is a body, and none is declared', { status: 204, rawHeaders: [] }],
    ['the code "other" is not listed', { status: 404, rawHeaders: json, text: notFound.replace('not_found', 'other') }],
    ['the body says that the status is 400', { status: 404, rawHeaders: json, text: notFound.replace('404', '400') }],
    ['there is no such operation, and yet the status is 200', { path: '/v1/else' }],
    ['there is no such operation, and yet the status is 200', { path: '/v1/things/' }],
    ['there is no such operation, and yet the status is 200', { method: 'POST' }],
    [
      'body.more is not declared',
      { path: '/else', status: 404, rawHeaders: json, text: notFound.replace('}', ',"more":1}') },
    ],
    ['there is a body in the response to HEAD', { method: 'HEAD', path: '/else', status: 404, rawHeaders: json }],
    ['body.code is required', { path: '/else', status: 500, rawHeaders: json, text: '{}' }],
    [
      'the media type is text/html',
      { path: '/else', status: 500, rawHeaders: ['Content-Type', 'text/html'], text: '' },
    ],
  ] as const) {
    t.throws(() => contract.check({ ...good, ...deviation }), { message: `- ${said}` }, said)
  }
})
