/** What HTTP says of all responses, and requests that reach no operation. */
import { METHODS } from 'node:http'
import t from 'tap'
import { undeclaredMethod } from '../helpers/contract.ts'
import { sharedDatabases } from '../helpers/databases.ts'
import { type HttpResponse, openRaw } from '../helpers/http.ts'
import { startService } from '../helpers/service.ts'
import { beginAdding } from '../helpers/slow-addition.ts'
import { lock } from '../helpers/sql.ts'
import { waitUntil } from '../helpers/wait.ts'

const rex = { name: 'Rex', categoryId: 1 }

t.test('the response to HEAD is that to GET, without a body', async (t) => {
  const { call } = await startService(t)
  await call('POST', '/v1/pets', { json: rex })
  const fixed = ({ 'x-request-id': _id, date: _date, ...headers }: HttpResponse['headers']) => headers
  for (const path of ['/v1/pets', '/v1/pets/1', '/v1/pets/0', '/v1/pets?limit=0', '/nothing']) {
    const [get, head] = [await call('GET', path), await call('HEAD', path)]
    t.same([head.status, head.text, fixed(head.headers)], [get.status, '', fixed(get.headers)], path)
  }
  t.equal((await call('HEAD', '/v1/pets', { key: null })).status, 401)
})

t.test('a method that no operation of a path has gets 405 with Allow', async (t) => {
  const { call, contract } = await startService(t)
  for (const [path, allow] of [
    ['/v1/pets', contract.allow('/v1/pets')],
    ['/v1/pets?limit=0', contract.allow('/v1/pets')],
    ['/v1/pets/abc', contract.allow('/v1/pets/1')],
  ] as const) {
    for (const method of METHODS) {
      if (method === 'CONNECT' || allow.split(', ').includes(method)) continue
      // Without a key, too: that the path has no such method is no secret, and no key would help.
      const { status, headers, body } = await call(method, path, { key: null })
      t.same([status, headers.allow], [405, allow], `${method} ${path}`)
      t.match(body, { code: 'method_not_allowed', message: allow, status })
    }
  }
  // Before the body, which is of no operation.
  const text = { headers: { 'content-type': 'text/plain' }, body: 'no JSON' }
  t.equal((await call(undeclaredMethod, '/v1/pets/1', text)).status, 405)
})

t.test('responses are JSON whatever Accept says, and do not name the software', async (t) => {
  const { call } = await startService(t)
  for (const path of ['/v1/pets', '/v1/pets/0', '/nothing', '/readyz', '/docs/']) {
    const { headers } = await call('GET', path, { headers: { accept: 'application/xml' } })
    if (!path.startsWith('/docs')) t.equal(headers['content-type'], 'application/json; charset=utf-8')
    t.match(headers, { 'x-content-type-options': 'nosniff', server: undefined, 'x-powered-by': undefined })
  }
})

t.test('a content coding is refused with those that are accepted', async (t) => {
  const { call } = await startService(t)
  const body = JSON.stringify(rex)
  const addWith = (headers: Record<string, string>) => call('POST', '/v1/pets', { body, headers })
  const json = { 'content-type': 'application/json' }
  // RFC 9110, section 12.5.3.
  const refused = { status: 415, headers: { 'accept-encoding': 'identity' } }
  t.match(await addWith({ ...json, 'content-encoding': 'gzip' }), refused)
  t.match(await addWith({ 'content-type': 'text/plain' }), { status: 415, headers: { 'accept-encoding': undefined } })
  t.equal((await addWith({ ...json, 'content-encoding': 'Identity' })).status, 201, 'RFC 9110, section 8.4.1')
})

t.test('each response of a deprecated operation has its deprecation, sunset and replacement', async (t) => {
  const { call } = await startService(t)
  await call('POST', '/v1/pets', { json: rex })
  for (const [status, response] of [
    [200, await call('GET', '/v1/pets/1')],
    [200, await call('HEAD', '/v1/pets/1')],
    [400, await call('GET', '/v1/pets/abc')],
    [401, await call('GET', '/v1/pets/1', { key: null })],
    [401, await call('GET', '/v1/pets/abc', { key: 'wrong' })],
    [404, await call('GET', '/v1/pets/0')],
  ] as const) {
    t.equal(response.status, status)
    t.match(response.headers, {
      deprecation: '@1795132800', // 2026-11-20T00:00:00Z
      sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
      link: '</docs#/Animals/getPet>; rel="deprecation"; type="text/html", </v1/pets>; rel="successor-version"',
    })
  }
  for (const path of ['/v1/pets', '/v1/pets/1/']) {
    t.match((await call('GET', path)).headers, { deprecation: undefined, sunset: undefined, link: undefined }, path)
  }
})

t.test('requests that never end keep the service from stopping for no longer than they may take', async (t) => {
  const { origin, key, logged, stop } = await startService(t, { requestTimeout: 1000 })
  const body = await beginAdding(t, origin, `Bearer ${key}`)
  const head = openRaw(origin)
  head.write(`GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\nGET /v1/pets HTTP/1.1\r\nHo`)
  await head.until('[]')
  const startedAt = performance.now()
  await stop()
  t.ok(performance.now() - startedAt < 60_000, 'before the time-out of an idle connection')
  t.equal(await body.waitForEnd(), 'HTTP/1.1 100 Continue\r\n\r\n')
  t.match(await head.waitForEnd(), /^HTTP\/1\.1 200 OK\r\n.*\[\]$/s)
  t.notOk(logged().some(({ level }) => Number(level) > 30))
})

for (const database of sharedDatabases) {
  t.test(`a request is handled and logged although its client is gone: ${database.name}`, async (t) => {
    const databaseUrl = await database.fresh(t)
    const { origin, key, logged, store } = await startService(t, { databaseUrl })
    const release = await lock(t, databaseUrl)
    const { finish, abort } = await beginAdding(t, origin, `Bearer ${key}`)
    finish()
    await abort()
    await release()
    const line = await waitUntil(() => logged().find(({ operationId }) => operationId === 'createPet'))
    t.match(line, { level: 30, msg: 'request', key: 'tests', res: { statusCode: 201 } })
    t.match(await store.pets.list({ after: 0n, limit: 2 }), [{ name: 'Rex' }])
  })
}
