/**
 * The OpenAPI layer knows nothing of animals: here it serves a library, described by foreign.yaml, over real sockets.
 */
import { readFileSync } from 'node:fs'
import type { OutgoingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import type { Caller } from '../../src/openapi/index.ts'
import type { Call } from '../helpers/http.ts'
import { readYaml } from '../helpers/yaml.ts'
import type { Handlers, Urls } from './generated/server.d.ts'
import { startLayer } from './layer.ts'
import { expectListed, type ListedRequest, noteInput, type Received } from './requests.ts'

const source = readFileSync(join(import.meta.dirname, 'foreign.yaml'), 'utf8')
const place = '/api/v3/rooms/attic/shelves/7/books/9780000000000'
const maxInt64 = 2n ** 63n - 1n
const received: Received = []

/** Makes a handler that notes its request, and returns a response to it. */
function note<Request extends object, Response>(respond: (request: Request) => Response) {
  return async (request: Request): Promise<Response> => {
    noteInput(received, request)
    return respond(request)
  }
}

const handlers: Handlers<Caller> = {
  findBooks: note(({ header, query }) => {
    const trace = header['X-Trace']
    return { status: 200, body: query, headers: trace === undefined ? {} : { 'X-Trace': trace } }
  }),
  addBook: note(({ body, header, urls }) => {
    const Location = urls.locateBook({ path: { room: 'attic', shelf: 7, isbn: '978/0' } })
    const headers = { Location, 'X-Number': header['X-Trace'], 'X-Draft': header['X-Draft'] }
    return { status: 201, body: { id: maxInt64, added: '2026-01-02T03:04:05Z', ...body }, headers }
  }),
  locateBook: note(({ path }) => ({ status: 200, body: path })),
  placeBook: note(({ body }) => ({ status: 200, body: body?.upright ? 'upright' : null })),
  moveBook: note(({ body }) => ({ status: 200, body })),
  removeBook: note(({ path }) => (path.shelf === 'none' ? { status: 404 } : { status: 204 })),
  saveReader: note(({ body }) => ({ status: 200, body })),
  saveCatalogue: note(({ body }) => ({ status: 200, body })),
  addMotto: note(({ body }) => (body === 'undeclared' ? ({ status: 201 } as never) : { status: 200, body })),
  keepThing: note(({ body }) => ({ status: 200, body })),
}

/** RFC 7617 */
async function identify(credential: string): Promise<Caller | undefined> {
  const [name = '', password] = credential.split(':')
  return password === 'secret' ? { id: name, name } : undefined
}

const library = await startLayer(t, { source, handlers, security: { Librarian: identify } })

/** Sends a request with the credentials of a librarian, unless it is anonymous. */
function call(method: string, path: string, { anonymous, headers, ...others }: Call & { anonymous?: boolean } = {}) {
  const credentials = anonymous ? {} : { authorization: `Basic ${btoa('Ada:secret')}` }
  return library.call(method, path, { ...others, headers: { ...credentials, ...headers } })
}

/** The body that a handler received last, which is an object. */
const lastBody = () => received.at(-1)?.body as Record<string, unknown>

const listed = readYaml<{ name: string; requests: ListedRequest[] }[]>(
  join(import.meta.dirname, 'foreign-requests.yaml'),
)
for (const { name, requests } of listed) t.test(name, (t) => expectListed(t, { call }, received, requests))

t.test('a default fills in what is left out, at any depth and behind references, anew for each request', async (t) => {
  const edition = { number: BigInt(Number.MAX_SAFE_INTEGER), cover: 'soft' }
  for (const [given, filled] of [
    [{}, { order: 'title', edition, tags: [] }],
    [{}, { order: 'title', edition, tags: [] }],
    [
      { order: 'year', edition: { cover: 'hard' }, tags: ['novel'] },
      { order: 'year', edition: { ...edition, cover: 'hard' }, tags: ['novel'] },
    ],
    [{ edition: { number: 2 } }, { order: 'title', edition: { number: 2n, cover: 'soft' }, tags: [] }],
  ]) {
    const json = { title: 'Emma', ...given }
    t.equal((await call('POST', '/api/v3/books', { headers: { 'x-trace': '1' }, json })).status, 201)
    t.strictSame(lastBody(), { title: 'Emma', ...filled })
    ;(lastBody().tags as string[]).push('changed')
  }
  for (let time = 0; time < 2; time++) {
    await call('GET', '/api/v3/books')
    const { year } = (received.at(-1)?.query ?? {}) as { year: number[] }
    t.strictSame(year, [1984, 2001])
    year.push(1)
  }
})

t.test('any JSON may be the whole body, and is returned as it was sent', async (t) => {
  const payload = '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}'
  const texts = ['null', 'true', '0', '-1.5', '""', '[]', '{}', '[null,{"a":[9007199254740993]}]', '1e-7', payload]
  for (const body of texts) {
    const headers = { 'content-type': 'application/json' }
    t.match(await call('POST', '/api/v3/things', { headers, body }), { status: 200, text: body })
  }
  t.notOk('admin' in {})
})

t.test('a number beyond 2^53 is the nearest one, and decimals are validated to the last', async (t) => {
  const headers = { 'x-trace': '1', 'content-type': 'application/json' }
  const add = (member: string) => call('POST', '/api/v3/books', { headers, body: `{"title":"Emma",${member}}` })
  for (const price of ['19.99', '0.07', '123456789.01', '90071992547409931', '1e22', '1e-2']) {
    t.equal((await add(`"price":${price}`)).status, 201, price)
    t.equal(lastBody().price, Number(price))
  }
  t.equal((await add('"pages":2e3')).status, 201)
  t.equal(lastBody().pages, 2000)
  const error = 'body.price must be a multiple of 0.01; body.pages must be an int32'
  t.strictSame((await add('"price":0.001,"pages":2147483648')).body, { error })
})

t.test('paths outside the document get 404', async (t) => {
  for (const path of ['/', '/books', '/api/v3', '/api/v3/', '/api/v3/books/', '/api/v3//books', '/api/V3/books']) {
    t.equal((await call('GET', path)).status, 404, path)
  }
  for (const path of [place.replace('attic', ''), place.replace('9780000000000', '')]) {
    t.equal((await call('GET', path)).status, 404, path)
    t.equal((await call('POST', path)).status, 404, path)
  }
  t.equal((await call('GET', '/api/v3/book%73')).status, 200)
})

t.test('a request without a body may have any media type', async (t) => {
  for (const type of [{}, { 'content-type': 'application/json' }, { 'content-type': 'text/plain' }]) {
    for (const length of [{}, { 'content-length': '0' }, { 'content-length': '00' }]) {
      t.equal((await call('DELETE', place.replace('/7/', '/77/'), { headers: { ...type, ...length } })).status, 204)
    }
  }
})

t.test('a body is JSON in UTF-8, as large as the document allows', async (t) => {
  const body = '{"name":"Ada","card":1}'
  const json = { 'content-type': 'application/json' }
  for (const [status, headers, text = body] of [
    [200, json],
    [200, { 'content-type': 'Application/JSON; Charset="UTF-8"' }],
    [415, { 'content-type': 'application/json; charset=utf-16' }],
    [415, { 'content-type': 'text/plain' }],
    [415, { 'content-type': 'application/xml' }],
    [415, { 'content-type': 'application/jsonp' }],
    [415, { ...json, 'content-encoding': 'gzip' }],
    [415, { 'Content-Type': ['application/json', 'application/json'] }],
    [200, json, body.padEnd(4096)],
    [413, json, body.padEnd(4097)],
  ] satisfies [number, OutgoingHttpHeaders, string?][]) {
    const response = await call('PUT', '/api/v3/readers/1', { headers, body: text })
    t.equal(response.status, status, JSON.stringify(headers))
  }
})

t.test('addresses of operations are complete, encoded and typed', async (t) => {
  const urls = library.app.openapi.urls as unknown as Urls
  t.equal(urls.findBooks(), '/api/v3/books')
  t.equal(
    urls.findBooks({
      query: { author: ['Ada', 'Zoë & Co'], lent: true, order: undefined, id: [maxInt64] },
    }),
    '/api/v3/books?author=Ada&author=Zo%C3%AB%20%26%20Co&lent=true&id=9223372036854775807',
  )
  t.equal(
    urls.locateBook({ path: { room: 'attic', shelf: 1, isbn: '?#/ä{room}' } }),
    '/api/v3/rooms/attic/shelves/1/books/%3F%23%2F%C3%A4%7Broom%7D',
  )
  t.equal(urls.saveReader({ path: { number: -5n } }), '/api/v3/readers/-5')
})
