/**
 * The OpenAPI layer knows nothing of animals: here it serves a library, described by foreign.yaml, over real sockets.
 */
import { readFileSync } from 'node:fs'
import type { OutgoingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Caller } from '../../src/openapi/index.ts'
import type { Handlers, Urls } from './generated/server.d.ts'
import { type ListeningLayer, startLayer } from './layer.ts'

const source = readFileSync(join(import.meta.dirname, 'foreign.yaml'), 'utf8')
const librarian = { authorization: `Basic ${btoa('Ada:secret')}` }
const place = '/api/v3/rooms/attic/shelves/7/books/9780000000000'
const maxInt64 = 2n ** 63n - 1n

/** What a handler received. */
interface Seen {
  readonly path?: object
  readonly query?: object
  readonly header?: object
  readonly body?: unknown
  readonly caller: Caller | undefined
  readonly idempotencyTtlSeconds?: number | undefined
}

interface Library extends ListeningLayer {
  readonly seen: Seen[]
  readonly urls: Urls
  /** The body that a handler received last, which is an object. */
  lastBody(): Record<string, unknown>
}

let shared: Promise<Library> | undefined

/** Returns the library that most tests use one after the other, as if it had just been started. */
async function useLibrary(): Promise<Library> {
  shared ??= startLibrary(t)
  const library = await shared
  library.seen.length = 0
  return library
}

async function startLibrary(t: Test): Promise<Library> {
  const seen: Seen[] = []
  /** Makes a handler that notes its request, and returns a response to it. */
  const note = <Request extends Seen, Response>(respond: (request: Request) => Response) => {
    return async (request: Request): Promise<Response> => {
      const { path, query, header, ...others } = request
      seen.push({ path: { ...path }, query: { ...query }, header: { ...header }, ...others })
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
  const layer = await startLayer(t, { source, handlers, security: { Librarian: identify } })
  const urls = layer.app.openapi.urls as unknown as Urls
  return { ...layer, seen, urls, lastBody: () => seen.at(-1)?.body as Record<string, unknown> }
}

/** RFC 7617 */
async function identify(credential: string): Promise<Caller | undefined> {
  const [name = '', password] = credential.split(':')
  return password === 'secret' ? { id: name, name } : undefined
}

t.test('each of several path parameters has its type', async (t) => {
  const { call, seen } = await useLibrary()
  const path = { room: 'attic', shelf: 7, isbn: '9780000000000' }
  t.match(await call('GET', place, { headers: librarian }), { status: 200, text: JSON.stringify(path) })
  t.strictSame(seen[0]?.path, path)
})

t.test('everything that is wrong with several path parameters is named at once', async (t) => {
  const { call, seen } = await useLibrary()
  for (const [path, error] of [
    ['hall/shelves/7/books/9780000000000', 'path.room must be one of attic, cellar'],
    ['attic/shelves/0/books/9780000000000', 'path.shelf must be at least 1'],
    ['attic/shelves/2147483648/books/9780000000000', 'path.shelf must be an int32'],
    ['attic/shelves/7.0/books/9780000000000', 'path.shelf must be an integer'],
    [
      'a%2Fb/shelves/x/books/9',
      'path.room must be one of attic, cellar; path.shelf must be an integer; path.isbn must match ^[0-9]{13}$',
    ],
  ] as const) {
    const { status, body } = await call('GET', `/api/v3/rooms/${path}`, { headers: librarian })
    t.strictSame({ status, body }, { status: 400, body: { error } })
  }
  t.strictSame(seen, [])
})

t.test('a parameter of an operation takes the place of the one of its path', async (t) => {
  const { call, seen } = await useLibrary()
  const path = '/api/v3/rooms/attic/shelves/left/books/9780000000000'
  t.equal((await call('DELETE', path, { headers: librarian })).status, 204)
  t.equal((await call('GET', path, { headers: librarian })).status, 400)
  t.equal((await call('DELETE', place, { headers: librarian })).status, 400)
  t.strictSame(
    seen.map((request) => request.path),
    [{ room: 'attic', shelf: 'left', isbn: '9780000000000' }],
  )
})

t.test('each header parameter has its type, in any case of its name, with its default', async (t) => {
  const { call, seen } = await useLibrary()
  const send = (headers: OutgoingHttpHeaders) =>
    call('POST', '/api/v3/books', { headers: { ...librarian, ...headers }, json: { title: 'Emma' } })
  const response = await send({ 'x-TRACE': '9007199254740993', 'x-draft': 'false' })
  t.match(response, { status: 201, headers: { 'x-number': '9007199254740993', 'x-draft': 'false' } })
  t.strictSame(seen[0]?.header, { 'X-Trace': 9007199254740993n, 'X-Draft': false })
  t.match(await send({ 'x-trace': '-1' }), { status: 201, headers: { 'x-number': '-1', 'x-draft': 'true' } })
  t.match(await send({}), { status: 400, body: { error: 'header.X-Trace is required' } })
  t.match(await send({ 'x-trace': '1, 2', 'x-draft': 'no' }), {
    status: 400,
    body: { error: 'header.X-Trace must be an int64 integer; header.X-Draft must be a boolean' },
  })
  const trace = { 'x-trace': 'abc' }
  t.match(await call('GET', '/api/v3/books', { headers: trace }), { status: 200, headers: trace })
  t.match(await call('GET', '/api/v3/books', { headers: { 'x-trace': 'much too long' } }), {
    status: 400,
    body: { error: 'header.X-Trace must have at most 8 characters' },
  })
  t.match(await send({ 'x-trace': ['1', '2'] }), {
    status: 400,
    body: { error: 'header.X-Trace is given more than once' },
  })
})

t.test('a handler receives the lifetime of idempotency keys if the document declares them', async (t) => {
  const { call, seen } = await useLibrary()
  await call('POST', '/api/v3/things', { json: null, headers: { 'idempotency-key': 'a' } })
  await call('POST', '/api/v3/mottos', { json: 'Read!' })
  t.strictSame(
    seen.map(({ header, idempotencyTtlSeconds }) => ({ header, idempotencyTtlSeconds })),
    [
      { header: { 'Idempotency-Key': 'a' }, idempotencyTtlSeconds: 90 },
      { header: {}, idempotencyTtlSeconds: undefined },
    ],
  )
})

t.test('queries have lists, numbers and booleans', async (t) => {
  const { call, seen } = await useLibrary()
  const defaults = { lent: false, order: 'title', year: [1984, 2001] }
  for (const [query, want] of [
    ['', defaults],
    ['?author=Ada&author=Grace+Hopper', { ...defaults, author: ['Ada', 'Grace Hopper'] }],
    ['?author=Zo%C3%AB', { ...defaults, author: ['Zoë'] }],
    ['?year=-5', { ...defaults, year: [-5] }],
    ['?year=2147483647&lent=true&year=1', { ...defaults, year: [2147483647, 1], lent: true }],
    ['?id=1&id=9223372036854775807', { ...defaults, id: [1n, maxInt64] }],
    ['?max-price=19.99&order=year', { ...defaults, 'max-price': 19.99, order: 'year' }],
    ['?max-price=1e2', { ...defaults, 'max-price': 100 }],
    ['?since=2026-01-02T03:04:05Z', { ...defaults, since: '2026-01-02T03:04:05Z' }],
    ['?&&lent=false&', defaults],
  ] as const) {
    t.equal((await call('GET', `/api/v3/books${query}`)).status, 200)
    t.strictSame(seen.at(-1)?.query, want)
  }
})

t.test('everything that is wrong with a query is named at once', async (t) => {
  const { call, seen } = await useLibrary()
  for (const [query, error] of [
    ['author=Ada&author=ada', 'query.author[1] must match its description: A name, with a capital letter'],
    ['author=A&author=B&author=C&author=D', 'query.author must have at most 3 items'],
    [
      'author=',
      'query.author[0] must have at least 1 character; query.author[0] must match its description: A name, with a capital letter',
    ],
    ['year=1&year=1', 'query.year must not have the same item twice'],
    ['year=1,2', 'query.year[0] must be an integer'],
    ['id=9223372036854775808', 'query.id[0] must be an int64 integer'],
    ['max-price=0', 'query.max-price must be more than 0'],
    ['max-price=0.001', 'query.max-price must be a multiple of 0.01'],
    ['max-price=1e999', 'query.max-price must be a number'],
    ['max-price=.5', 'query.max-price must be a number'],
    ['lent=1', 'query.lent must be a boolean'],
    ['lent=true&lent=true', 'query.lent is given more than once'],
    ['since=yesterday', 'query.since must be a date-time'],
    ['order=', 'query.order must be one of title, year'],
    ['%2=1', 'query has a malformed percent-encoding'],
    ['%ff=1', 'query has a malformed percent-encoding'],
    [
      'authors=Ada',
      'query.authors is not allowed (did you mean "author"?); allowed are author, year, id, max-price, lent, order, since',
    ],
  ] as const) {
    const { status, body } = await call('GET', `/api/v3/books?${query}`)
    t.strictSame({ status, body }, { status: 400, body: { error } })
  }
  t.strictSame(seen, [])
})

t.test('an operation needs the credentials of the document, unless it says so', async (t) => {
  const { call, seen } = await useLibrary()
  t.equal((await call('GET', '/api/v3/books', { headers: librarian })).status, 200)
  t.match(await call('GET', place), { status: 401, headers: { 'www-authenticate': 'Basic realm="Library"' } })
  t.equal((await call('GET', place, { headers: librarian })).status, 200)
  t.strictSame(
    seen.map(({ caller }) => caller),
    [undefined, { id: 'Ada', name: 'Ada' }],
  )
})

t.test('a request without valid credentials is refused before its body is read', async (t) => {
  const { call, seen } = await useLibrary()
  const headers = { 'content-type': 'application/json' }
  t.equal((await call('PUT', '/api/v3/catalogue', { headers, body: '{"title"' })).status, 401)
  t.equal((await call('PUT', '/api/v3/catalogue', { headers: { ...headers, ...librarian }, body: '{' })).status, 400)
  t.strictSame(seen, [])
})

t.test('a response without content has no body', async (t) => {
  const { call } = await useLibrary()
  const gone = await call('DELETE', place.replace('/7/', '/77/'), { headers: librarian })
  t.match(gone, { status: 204, text: '', headers: { 'content-type': undefined } })
  const none = await call('DELETE', place.replace('/7/', '/none/'), { headers: librarian })
  t.match(none, { status: 404, text: '', headers: { 'content-type': undefined, 'content-length': '0' } })
})

t.test('nested and recursive bodies are returned as they were sent', async (t) => {
  const { call, seen } = await useLibrary()
  const leaf = { title: 'Z', number: maxInt64 }
  const catalogue = {
    title: 'All',
    number: null,
    sections: [{ title: 'A', number: 1, sections: [leaf], byLetter: { z: leaf } }],
    parent: { title: 'Everything', number: -(2n ** 63n), parent: null },
  }
  const response = await call('PUT', '/api/v3/catalogue', { headers: librarian, json: catalogue })
  t.equal(response.status, 200)
  t.strictSame(response.body, catalogue)
  t.match(seen[0]?.body, {
    sections: [{ number: 1n, sections: [leaf], byLetter: { z: leaf } }],
    parent: { parent: null },
  })
})

t.test('everything that is wrong in a nested body is named with its place', async (t) => {
  const { call } = await useLibrary()
  const json = {
    title: 'All',
    sections: [{ title: 1 }, { title: 'A', byLetter: { 'a b': { titel: 'x' } } }, null],
    number: '1',
  }
  const { status, body } = await call('PUT', '/api/v3/catalogue', { headers: librarian, json })
  t.equal(status, 400)
  t.strictSame((body as { error: string }).error.split('; '), [
    'body.number must be an int64 integer or null',
    'body.sections[0].title must be a string',
    'body.sections[1].byLetter["a b"].title is required',
    'body.sections[1].byLetter["a b"].titel is not allowed (did you mean "title"?)',
    'allowed are title, number, sections, parent, byLetter',
    'body.sections[2] must be an object',
  ])
})

t.test('a default fills in what is left out, at any depth and behind references, anew for each request', async (t) => {
  const { call, lastBody, seen } = await useLibrary()
  const headers = { ...librarian, 'x-trace': '1' }
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
    t.equal((await call('POST', '/api/v3/books', { headers, json: { title: 'Emma', ...given } })).status, 201)
    t.strictSame(lastBody(), { title: 'Emma', ...filled })
    ;(lastBody().tags as string[]).push('changed')
  }
  for (let time = 0; time < 2; time++) {
    await call('GET', '/api/v3/books')
    const { year } = (seen.at(-1)?.query ?? {}) as { year: number[] }
    t.strictSame(year, [1984, 2001])
    year.push(1)
  }
})

t.test('members that may be null are null, and integers beyond 2^53 keep their digits beside them', async (t) => {
  const { call, seen } = await useLibrary()
  const path = '/api/v3/readers/-9223372036854775807'
  const put = (json: object) => call('PUT', path, { headers: librarian, json })
  for (const card of [null, maxInt64, 5]) {
    t.strictSame((await put({ name: 'Ada', card })).body, { name: 'Ada', card })
  }
  t.strictSame(
    seen.map(({ body }) => (body as { card: unknown }).card),
    [null, maxInt64, 5n],
  )
  t.strictSame(seen[0]?.path, { number: -9223372036854775807n })
  t.match(await put({ name: null, card: undefined }), {
    status: 400,
    body: { error: 'body.card is required; body.name must be a string' },
  })
  for (const number of ['-9223372036854775808', '9223372036854775807']) {
    t.equal((await call('PUT', `/api/v3/readers/${number}`, { headers: librarian, json: {} })).status, 400)
  }
})

t.test('an object may be free or a map; an open one accepts more than it declares, and sends no more', async (t) => {
  const { call, lastBody } = await useLibrary()
  const reader = {
    name: 'Ada',
    card: 1,
    fees: { may: maxInt64, june: 0 },
    preferences: { colours: ['red', null, 1.5], deep: { number: 2n ** 80n } },
  }
  const nickname = ['Countess', { of: 'Lovelace' }]
  const { status, body } = await call('PUT', '/api/v3/readers/1', {
    headers: librarian,
    json: { ...reader, nickname },
  })
  t.equal(status, 200)
  t.strictSame(body, reader)
  t.strictSame(lastBody().nickname, nickname)
  t.strictSame(lastBody().fees, { may: maxInt64, june: 0n })
})

t.test('an int64 within alternatives is a bigint', async (t) => {
  const { call, seen, lastBody } = await useLibrary()
  const move = async (json: object) => (await call('PATCH', place, { headers: librarian, json })).body
  for (const how of ['push', 'lift']) {
    t.strictSame(await move({ how, steps: 2 }), { how, steps: 2 })
    t.strictSame(seen.at(-1)?.body, { how, steps: 2n })
  }
  t.match(await move({ how: 'throw' }), { error: /body must match exactly one of its alternatives$/ })
  for (const [contact, received] of [
    ['ada@example.com', 'ada@example.com'],
    [7, 7n],
    [maxInt64, maxInt64],
  ]) {
    await call('PUT', '/api/v3/readers/1', { headers: librarian, json: { name: 'Ada', card: 1, contact } })
    t.equal(lastBody().contact, received)
  }
})

t.test('a body may be left out where it is not required', async (t) => {
  const { call, seen } = await useLibrary()
  const json = { ...librarian, 'content-type': 'application/json' }
  t.match(await call('PUT', place, { headers: librarian }), { status: 200, text: 'null' })
  t.match(await call('PUT', place, { headers: json, body: '' }), { status: 200, text: 'null' })
  t.match(await call('PUT', place, { headers: librarian, json: {} }), { status: 200, text: '"upright"' })
  t.match(await call('PUT', place, { headers: librarian, json: null }), { status: 400 })
  t.strictSame(
    seen.map(({ body }) => body),
    [undefined, undefined, { upright: true }],
  )
})

t.test('any JSON may be the whole body, and is returned as it was sent', async (t) => {
  const { call, seen } = await useLibrary()
  const post = (path: string, body: string) =>
    call('POST', `/api/v3/${path}`, { headers: { 'content-type': 'application/json' }, body })
  for (const body of ['null', 'true', '0', '-1.5', '""', '[]', '{}', '[null,{"a":[9007199254740993]}]', '1e-7']) {
    t.match(await post('things', body), { status: 200, text: body })
  }
  const payload = '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}'
  t.match(await post('things', payload), { status: 200, text: payload })
  t.notOk('admin' in {})
  for (const body of ['"Read!"', '"\\"quoted\\""', '"😀"', '"{}"']) {
    t.match(await post('mottos', body), { status: 200, text: body })
    t.equal(seen.at(-1)?.body, JSON.parse(body))
  }
  for (const [body, error] of [
    ['""', 'body must have at least 1 character'],
    ['null', 'body must be a string'],
    ['', 'body is required'],
  ] as const) {
    t.match(await post('mottos', body), { status: 400, body: { error } })
  }
  const error = 'addMotto returned the status 201, which is not declared'
  t.match(await post('mottos', '"undeclared"'), { status: 500, body: { error } })
})

t.test('a number beyond 2^53 is the nearest one, and decimals are validated to the last', async (t) => {
  const { call, lastBody } = await useLibrary()
  const headers = { ...librarian, 'x-trace': '1', 'content-type': 'application/json' }
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

t.test('a value must satisfy all combined schemas', async (t) => {
  const { call } = await useLibrary()
  const headers = { ...librarian, 'x-trace': '1' }
  const response = await call('POST', '/api/v3/books', { headers, json: { title: 'Emma', printed: '1815-12-23' } })
  t.match(response.headers, { location: '/api/v3/rooms/attic/shelves/7/books/978%2F0' })
  const edition = { number: Number.MAX_SAFE_INTEGER, cover: 'soft' }
  // Without the members that no part of the combined schema declares.
  t.strictSame(response.body, { id: maxInt64, added: '2026-01-02T03:04:05Z', title: 'Emma', edition })
})

t.test('headers that have one value alone are sent without a handler, where it has succeeded', async (t) => {
  const { call } = await useLibrary()
  const one = { 'cache-control': 'max-age=3600', vary: 'Accept' }
  t.match(await call('GET', '/api/v3/books'), { status: 200, headers: one })
  t.match(await call('GET', '/api/v3/books?lent=1'), { status: 400, headers: { vary: undefined } })
})

t.test('a deprecated operation says so, with and without a sunset and a successor', async (t) => {
  const { call } = await useLibrary()
  const deprecation = '@1740787200'
  const link = '</read-me#Books-removeBook>; rel="deprecation"; type="text/html"'
  const removed = await call('DELETE', place, { headers: librarian })
  t.match(removed.headers, { deprecation, sunset: undefined, link })
  const saved = await call('PUT', '/api/v3/catalogue', { headers: librarian, json: { title: 'All' } })
  const sunset = 'Mon, 01 Sep 2025 00:00:00 GMT'
  const links = `${link.replace('remove', 'save').replace('Book>', 'Catalogue>')}, </api/v3/books>; rel="successor-version"`
  t.match(saved, { status: 200, headers: { deprecation, sunset, link: links } })
  const { headers } = await call('GET', '/api/v3/books')
  t.match(headers, { deprecation: undefined, sunset: undefined, link: undefined })
})

t.test('other methods of a path get 405, also those that no document can have', async (t) => {
  const { call } = await useLibrary()
  for (const [method, path, allow] of [
    ['OPTIONS', '/api/v3/books', 'GET, HEAD, POST'],
    ['TRACE', place, 'DELETE, GET, HEAD, PATCH, PUT'],
    ['HEAD', '/api/v3/catalogue', 'PUT'],
    ['QUERY', '/api/v3/mottos', 'POST'],
  ] as const) {
    t.match(await call(method, path), { status: 405, headers: { allow } }, `${method} ${path}`)
  }
})

t.test('paths outside the document get 404', async (t) => {
  const { call } = await useLibrary()
  for (const path of ['/', '/books', '/api/v3', '/api/v3/', '/api/v3/books/', '/api/v3//books', '/api/V3/books']) {
    t.equal((await call('GET', path)).status, 404, path)
  }
  for (const path of [place.replace('attic', ''), place.replace('9780000000000', '')]) {
    t.equal((await call('GET', path, { headers: librarian })).status, 404, path)
    t.equal((await call('POST', path, { headers: librarian })).status, 404, path)
  }
  t.equal((await call('GET', '/api/v3/book%73')).status, 200)
})

t.test('undeclared bodies and parameters are refused', async (t) => {
  const { call, seen } = await useLibrary()
  const error = 'body is not allowed; the operation has none'
  const remove = (headers: object, body = '') =>
    call('DELETE', place.replace('/7/', '/77/'), { headers: { ...librarian, ...headers }, body })
  t.match(await call('GET', place, { headers: { ...librarian, 'content-length': '2' }, json: {} }), {
    status: 400,
    body: { error },
  })
  for (const framing of [{ 'content-length': '1' }, { 'transfer-encoding': 'chunked' }]) {
    t.match(await remove(framing, 'x'), { status: 400, body: { error } })
  }
  t.equal(seen.length, 0)
  for (const type of [{}, { 'content-type': 'application/json' }, { 'content-type': 'text/plain' }]) {
    for (const length of [{}, { 'content-length': '0' }, { 'content-length': '00' }]) {
      t.match(await remove({ ...type, ...length }), { status: 204 }, 'no body, of any type')
    }
  }
  t.match(await call('POST', '/api/v3/mottos?loud=true', { json: 'Read!' }), {
    status: 400,
    body: { error: 'query.loud is not allowed; none is allowed' },
  })
})

t.test('a body is JSON in UTF-8, as large as the document allows', async (t) => {
  const { call } = await useLibrary()
  const path = '/api/v3/readers/1'
  const body = '{"name":"Ada","card":1}'
  for (const [status, type, more = {}] of [
    [200, 'application/json'],
    [200, 'Application/JSON; Charset="UTF-8"'],
    [415, 'application/json; charset=utf-16'],
    [415, 'text/plain'],
    [415, 'application/xml'],
    [415, 'application/jsonp'],
    [415, 'application/json', { 'content-encoding': 'gzip' }],
  ] as const) {
    const headers = { ...librarian, 'content-type': type, ...more }
    t.equal((await call('PUT', path, { headers, body })).status, status, type)
  }
  const two = { ...librarian, 'Content-Type': ['application/json', 'application/json'] }
  t.equal((await call('PUT', path, { headers: two, body })).status, 415)
  const headers = { ...librarian, 'content-type': 'application/json' }
  t.equal((await call('PUT', path, { headers, body: body.padEnd(4096) })).status, 200)
  t.equal((await call('PUT', path, { headers, body: body.padEnd(4097) })).status, 413)
})

t.test('addresses of operations are complete, encoded and typed', async (t) => {
  const { urls } = await useLibrary()
  t.equal(urls.findBooks(), '/api/v3/books')
  t.equal(
    urls.findBooks({
      query: { author: ['Ada', 'Zoë & Co'], lent: true, order: undefined, id: [maxInt64], year: [] },
    }),
    '/api/v3/books?author=Ada&author=Zo%C3%AB%20%26%20Co&lent=true&id=9223372036854775807',
  )
  t.equal(
    urls.locateBook({ path: { room: 'attic', shelf: 1, isbn: '?#/ä{room}' } }),
    '/api/v3/rooms/attic/shelves/1/books/%3F%23%2F%C3%A4%7Broom%7D',
  )
  t.equal(urls.saveReader({ path: { number: -5n } }), '/api/v3/readers/-5')
})
