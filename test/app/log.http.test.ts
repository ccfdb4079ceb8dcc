/**
 * The log of requests and failures, the ids of requests, and what a reverse proxy may say of them. test/docs/proxy.test.ts has
 * a real proxy.
 */
import type { IncomingMessage } from 'node:http'
import { HttpError } from 'fastify-openapi-first/shared'
import t from 'tap'
import { createKey } from '../../src/auth/keys.ts'
import { createRequestIdReader, createUrlRewriter } from '../../src/http/proxy.ts'
import { stopClock } from '../helpers/clock.ts'
import { undeclaredMethod } from '../helpers/contract.ts'
import { sqlite } from '../helpers/databases.ts'
import { exchange, send } from '../helpers/http.ts'
import { startService } from '../helpers/service.ts'
import { execute, lock } from '../helpers/sql.ts'

const rex = { name: 'Rex', categoryId: 1 }
const hidden = `hidden${'x'.repeat(20)}`
const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

t.test('every response has the request id of its line in the log', async (t) => {
  const { call, logged, origin } = await startService(t)
  const responses = [
    await call('GET', '/v1/pets'),
    await call('POST', '/v1/pets', { json: rex }),
    await call('GET', '/v1/pets/abc'),
    await call('GET', '/v1/pets', { key: null }),
    await call('GET', '/v1/pets', { headers: { 'x-request-id': 'mine' } }),
    await call(undeclaredMethod, '/v1/pets'),
    await call('GET', '/nothing'),
    await call('GET', '/v1/pets/%zz'),
    await call('GET', '/docs/openapi.yaml'),
  ]
  t.same(
    logged().map(({ msg, reqId, res }) => [msg, reqId, (res as { statusCode: number }).statusCode]),
    responses.map(({ headers, status }) => ['request', headers['x-request-id'], status]),
  )
  t.equal(new Set(responses.map(({ headers }) => headers['x-request-id'])).size, responses.length)
  const [response] = await exchange(origin, 'this is no request\r\n\r\n')
  const reqId = response?.headers['x-request-id']
  const refusal = { level: 30, msg: 'connection refused', status: 400, code: /^HPE_/, remoteAddress: '127.0.0.1' }
  t.match(logged().at(-1), { ...refusal, reqId })
})

t.test('a line names the operation, its key, the client, and each use of a deprecated operation', async (t) => {
  const { call, key, logged } = await startService(t)
  const agent = { 'user-agent': 'curl/8', 'x-forwarded-for': '192.0.2.1' }
  await call('GET', '/v1/pets', { key: null, headers: agent })
  await call('GET', '/nowhere?q=1', { headers: { 'user-agent': `curl ${key}` } })
  await call('GET', '/v1/pets/abc')
  const remoteAddress = '127.0.0.1'
  t.match(logged(), [
    { level: 30, operationId: 'listPets', req: { remoteAddress, userAgent: 'curl/8' }, key: undefined, ms: Number },
    { res: { statusCode: 404 }, req: { method: 'GET', path: '/nowhere', remoteAddress, userAgent: 'curl [redacted]' } },
    { operationId: 'getPet', deprecated: true, key: 'tests', res: { statusCode: 400, code: 'invalid_request' } },
  ])
  t.notOk(logged()[0]?.deprecated)
})

t.test('of a header, a line has what belongs there, up to a length', async (t) => {
  const { call, logged } = await startService(t)
  for (const [given, shown] of [
    [`${traceparent}-of-a-later-version`, traceparent],
    ['not a trace, 00-4bf9', undefined],
  ]) {
    await call('GET', '/v1/pets', { headers: { traceparent: given, 'user-agent': 'a'.repeat(5000) } })
    t.match(logged().at(-1), { req: { userAgent: /^a{256}$/ } })
    t.equal(logged().at(-1)?.traceparent, shown)
  }
})

t.test('the line of a request has everything that is known about it, and nothing else', async (t) => {
  const { call, key, logged } = await startService(t)
  const { headers } = await call('GET', '/v1/pets', { key, headers: { 'user-agent': 'curl/8' } })
  const [{ time, pid, hostname, ms, ...rest } = {}] = logged()
  t.match({ time, pid, hostname, ms }, { time: Number, pid: process.pid, hostname: String, ms: Number })
  t.strictSame(rest, {
    level: 30,
    reqId: headers['x-request-id'],
    req: { method: 'GET', path: '/v1/pets', remoteAddress: '127.0.0.1', userAgent: 'curl/8' },
    operationId: 'listPets',
    key: 'tests',
    res: { statusCode: 200 },
    msg: 'request',
  })
})

t.test('the path of a request target is in the log, without keys and credentials', async (t) => {
  const { logged, origin } = await startService(t)
  const other = createKey()
  for (const [target, path] of [
    ['/v1/pets?limit=1#x', '/v1/pets'],
    ['/v1/pets#x?y', '/v1/pets'],
    [`/v1/pets/${other}/x?key=${other}`, '/v1/pets/[redacted]/x'],
    [`/v1/pets/${Buffer.from(other).toString('hex').replaceAll(/../g, '%$&')}/x`, '/v1/pets/[redacted]/x'],
    ['http://u:secret@host/v1/pets', 'http://[redacted]@host/v1/pets'],
  ] as const) {
    await exchange(origin, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    t.match(logged().at(-1), { req: { method: 'GET', path } })
  }
})

t.test('the log has no key, query, body or other header, whatever happens to a request', async (t) => {
  const databaseUrl = await sqlite.fresh(t)
  const { call, key, logged, origin } = await startService(t, { databaseUrl })
  const headers = { 'x-hidden': hidden }
  const json = { name: hidden, categoryId: 1 }
  const query = `?key=${key}&q=${hidden}`
  const type = { 'content-type': 'application/json' }
  const statuses = [
    await call('POST', '/v1/pets', { headers, json }),
    await call('POST', `/v1/pets${query}`, { headers, json }),
    await call('GET', `/v1/pets${query}`, { headers }),
    await call('POST', '/v1/pets', { headers: { ...headers, ...type }, body: `{${hidden}` }),
    await call('GET', `/nowhere${query}`, { headers }),
    await call('GET', `/v1/pets/${key}`, { headers }),
    await call('GET', `/%zz${query}`, { headers }),
  ].map(({ status }) => status)
  t.same(statuses, [201, 400, 400, 400, 404, 400, 400])
  // The error of Node's parser contains the bytes of the request.
  await exchange(origin, `POST /v1/pets${query} HTTP/1.1\r\nAuthorization: Bearer ${key}\r\n${hidden}\r\n\r\n`)
  t.match(logged().at(-1), { msg: 'connection refused' })
  await execute(databaseUrl, 'DROP TABLE pets')
  t.equal((await call('POST', '/v1/pets', { headers, json })).status, 500)
  const text = JSON.stringify(logged()).toLowerCase()
  for (const word of [key, hidden, 'bearer', 'authorization', 'x-hidden']) {
    t.notOk(text.includes(word.toLowerCase()), `${word} is not logged`)
  }
})

t.test('a failure of the service is logged, and the response does not describe it', async (t) => {
  const databaseUrl = await sqlite.fresh(t)
  const { call, logged, store, getInFlight } = await startService(t, { databaseUrl })
  await execute(databaseUrl, 'DROP TABLE pets')
  const { status, headers, body } = await call('GET', '/v1/pets')
  t.equal(status, 500)
  const message = 'the service failed to respond; the failure is logged'
  t.same(body, { code: 'internal_error', message, status: 500 })
  const failures = () => logged().filter(({ msg }) => msg === 'request failed')
  const err = { type: 'Error', message: /pets/, stack: String }
  t.match(failures(), [{ level: 50, reqId: headers['x-request-id'], err }])

  // What throws when JavaScript looks at it.
  const { proxy: opaque, revoke } = Proxy.revocable({}, {})
  revoke()
  const values = [undefined, null, 'secret', 0, Symbol('secret'), Object.freeze({ a: 1 }), Object.create(null), opaque]
  for (const value of values) {
    Object.assign(store.pets, { find: () => Promise.reject(value) })
    t.match(await call('GET', '/v1/pets/1'), { status: 500, body: { code: 'internal_error', message } })
  }
  t.equal(failures().length, 1 + values.length)
  t.equal(getInFlight(), 0)
})

t.test('the log says what is wrong with a response that the spec does not allow, its client does not', async (t) => {
  const { call, logged, store } = await startService(t)
  Object.assign(store.pets, { find: async () => ({ id: 1n, name: 7 }) })
  const body = { code: 'internal_error', message: /failed to respond/ }
  t.match(await call('GET', '/v1/pets/1'), { status: 500, body })
  const cause = { message: 'invalid response: body.name must be of type string, but is of type number' }
  t.match(logged()[0], { level: 50, msg: 'request failed', err: { type: 'ServerError', cause } })
})

t.test('additions to a locked file get 503, reads go on, and the log has the cause every 5 seconds', async (t) => {
  const databaseUrl = await sqlite.fresh(t)
  const { call, logged } = await startService(t, { databaseUrl })
  const elapse = stopClock(t)
  const events = () => logged().filter(({ level }) => Number(level) >= 40)
  const body = { code: 'service_unavailable', message: /try again shortly/ }
  const unavailable = { status: 503, headers: { 'retry-after': '1' }, body }
  const release = await lock(t, databaseUrl)
  for (let count = 0; count < 2; count++) t.match(await call('POST', '/v1/pets', { json: rex }), unavailable)
  t.equal((await call('GET', '/v1/pets')).text, '[]')
  await release()
  t.equal((await call('POST', '/v1/pets', { json: rex })).status, 201)
  elapse(5000)
  await lock(t, databaseUrl)
  t.match(await call('POST', '/v1/pets', { json: rex }), unavailable)
  const err = { message: /locked/, stack: String }
  const event = { level: 50, msg: 'the store is unavailable', reqId: String, err }
  t.match(events(), [event, event])
  t.equal(events().length, 2)
})

t.test('the log says what is unavailable, if it is not the store', async (t) => {
  const databaseUrl = await sqlite.fresh(t)
  const { call, logged, origin } = await startService(t, {
    databaseUrl,
    extend: (app, options) => {
      app.get('/upload', () => {
        const cause = new Error('ENOSPC')
        throw new HttpError(503, 'upload_unavailable', 'files cannot be stored at the moment', { cause })
      })
      return options
    },
  })
  for (let count = 0; count < 2; count++) t.match(await send(origin, 'GET', '/upload'), { status: 503 })
  await lock(t, databaseUrl)
  t.match(await call('POST', '/v1/pets', { json: rex }), { status: 503 })
  const outages = logged().filter(({ level }) => Number(level) >= 40)
  t.match(outages, [
    { msg: 'files cannot be stored at the moment', err: { message: 'ENOSPC' } },
    { msg: 'the store is unavailable', err: { message: /locked/ } },
  ])
  t.equal(outages.length, 2)
})

t.test('a health check has no line in the log, unless it fails', async (t) => {
  const { call, logged, shutdown } = await startService(t)
  for (const path of ['/livez', '/readyz', '/readyz?now']) t.equal((await call('GET', path)).status, 200)
  shutdown.hasBegun = true
  t.equal((await call('GET', '/readyz')).status, 503)
  const lines = logged().filter(({ level }) => Number(level) >= 30)
  t.match(lines, [{ req: { path: '/readyz' }, res: { statusCode: 503 } }])
  t.equal(lines.length, 1)
})

t.test('the request id of a trusted proxy is in the response, in the log and in the log of errors', async (t) => {
  const databaseUrl = await sqlite.fresh(t)
  const { call, logged } = await startService(t, { databaseUrl, trustProxy: ['127.0.0.1'] })
  const headers = { 'x-request-id': 'from-the-proxy', traceparent }
  await execute(databaseUrl, 'DROP TABLE pets')
  for (const path of ['/v1/pets/1', '/v1/pets/abc', '/nothing', '/v1/pets/%zz', '/docs/openapi.yaml']) {
    t.equal((await call('GET', path, { headers })).headers['x-request-id'], 'from-the-proxy', path)
  }
  const lines = logged()
  for (const line of lines) t.match(line, { reqId: 'from-the-proxy' })
  t.match(lines.at(-1), { traceparent })
  t.same(
    lines.map(({ msg }) => msg),
    ['request failed', ...Array(5).fill('request')],
  )
})

t.test('an id is taken over from a trusted address or network, if it has the form of one', async (t) => {
  const isKept = (proxies: readonly string[], remoteAddress: string | undefined, id?: string) => {
    const request = { headers: { 'x-request-id': id }, socket: { remoteAddress } } as unknown as IncomingMessage
    const given = createRequestIdReader(proxies)(request)
    if (given !== id) t.match(given, /^[0-9a-f-]{36}$/)
    return given === id
  }
  const proxies = ['127.0.0.1', '10.0.0.0/8', 'fd00::/8', '::1']
  for (const address of ['127.0.0.1', '10.1.2.3', '::ffff:10.1.2.3', 'fd12::1', '::1']) {
    t.ok(isKept(proxies, address, 'id'), address)
  }
  for (const address of ['127.0.0.2', '11.0.0.1', '::ffff:11.0.0.1', 'fe80::1', undefined]) {
    t.notOk(isKept(proxies, address, 'id'), String(address))
  }
  t.ok(isKept(['192.0.0.0/255.0.0.0'], '192.0.2.1', 'id'))
  t.notOk(isKept([], '127.0.0.1', 'id'))
  for (const id of ['a', 'x'.repeat(128), 'Root=1-67891233-abc', 'a:b/c+d.e_f']) t.ok(isKept(proxies, '::1', id), id)
  for (const id of [undefined, '', 'x'.repeat(129), 'one, two', 'a b', '"', '<script>', 'é']) {
    t.notOk(isKept(proxies, '::1', id), String(id))
  }
})

t.test('the address in the log is that of X-Forwarded-For only if a trusted proxy has sent it', async (t) => {
  const { call, logged } = await startService(t, { trustProxy: ['127.0.0.1', '10.0.0.0/8'] })
  for (const [forwarded, remoteAddress] of [
    ['2001:db8::1', '2001:db8::1'],
    ['198.51.100.7, 192.0.2.1, 10.1.2.3', '192.0.2.1'],
    ['', '127.0.0.1'],
  ] as const) {
    await call('GET', '/v1/pets', { headers: { 'x-forwarded-for': forwarded } })
    t.match(logged().at(-1), { req: { remoteAddress } }, forwarded)
  }
})

t.test('behind a public URL, references have its path, and requests may have it or not', async (t) => {
  const { call } = await startService(t, { publicUrl: 'https://shop.example/animals', base: '/animals/v1' })
  const added = await call('POST', '/animals/v1/pets', { json: rex })
  t.equal(added.headers.location, '/animals/v1/pets/1')
  t.equal((await call('GET', '/v1/pets/1')).status, 200)
  t.equal((await call('GET', '/animals')).headers.location, '/animals/docs')
  const publicUrl = 'https://shop.example/v'
  const similar = await startService(t, { publicUrl })
  t.equal((await similar.call('GET', '/v1/pets')).status, 200, 'a part of a name is no path')
})

t.test('the path of the public URL is taken off, once, where it is a whole part of the path', async (t) => {
  const rewrite = createUrlRewriter('/the.shop/animals')
  for (const [url, expected] of [
    ['/the.shop/animals/v1/pets?limit=1', '/v1/pets?limit=1'],
    ['/the.shop/animals', '/'],
    ['/the.shop/animals/', '/'],
    ['/the.shop/animals?x', '/?x'],
    ['/', '/'],
    ['*', '*'],
    ['/the.shop/animals2/v1', '/the.shop/animals2/v1'],
    ['/theXshop/animals/v1', '/theXshop/animals/v1'],
    ['/v1/the.shop/animals', '/v1/the.shop/animals'],
    ['/the.shop/animals/the.shop/animals', '/the.shop/animals'],
    ['http://shop.example/the.shop/animals/v1/pets', 'http://shop.example/v1/pets'],
    ['http://shop.example/v1/pets', 'http://shop.example/v1/pets'],
  ] as const) {
    t.equal(rewrite({ url } as IncomingMessage), expected, url)
  }
})
