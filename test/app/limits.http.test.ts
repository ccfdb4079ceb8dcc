/** The two limits on requests: overload protection for the process, and the rate limit for each key. */
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { createKey, hashKey } from '../../src/auth/keys.ts'
import { createRateLimiter } from '../../src/http/rate-limit.ts'
import { stopClock } from '../helpers/clock.ts'
import { undeclaredMethod } from '../helpers/contract.ts'
import { collectGarbage } from '../helpers/garbage.ts'
import { connectTo, type HttpResponse, send } from '../helpers/http.ts'
import { startService } from '../helpers/service.ts'
import { beginAdding } from '../helpers/slow-addition.ts'
import { waitUntil } from '../helpers/wait.ts'

const overloaded = { code: 'service_unavailable', message: 'the server is overloaded; try again shortly', status: 503 }
const largeFile = '/docs/static/swagger-ui-bundle.js'
const rex = { name: 'Rex', categoryId: 1 }

t.test('requests beyond those that may be in flight are refused until one of them ends', async (t) => {
  const service = await startService(t, { maxInFlight: 3 })
  const { call, key, logged, origin } = service
  const isServed = async () => (await call('GET', '/v1/pets')).status === 200
  const authorization = `Bearer ${key}`
  const begin = () => beginAdding(t, origin, authorization)
  const [first, ...others] = [await begin(), await begin(), await begin()]
  for (const [method, path] of [
    ['GET', '/v1/pets'],
    ['POST', '/v1/pets'],
    ['GET', '/v1/pets/1'],
    ['GET', '/docs/openapi.yaml'],
    ['GET', '/nothing'],
    [undeclaredMethod, '/v1/pets'],
  ] as const) {
    const { status, headers, body } = await send(origin, method, path, { headers: { authorization } })
    t.equal(status, 503, `${method} ${path}`)
    t.same(body, overloaded)
    t.match(headers, { 'retry-after': '1', 'cache-control': 'no-store' })
  }
  t.equal((await call('GET', '/readyz', { key: null })).status, 200, 'health checks still get a response')

  await first?.abort()
  await waitUntil(isServed)
  const another = await begin()
  t.equal((await call('GET', '/v1/pets')).status, 503)
  for (const { abort } of [...others, another]) await abort()
  await Promise.all([1, 2, 3].map(() => waitUntil(isServed)))
  t.notOk(logged().some(({ level }) => Number(level) > 30))
})

t.test('a key whose bodies never end has nine tenths of the requests in flight, and delays no other key', async (t) => {
  const { call, origin, store } = await startService(t, { maxInFlight: 10 })
  const key = createKey()
  await store.keys.add('slow', hashKey(key), { scopes: ['pets:write'] })
  const slow = await Promise.all(Array.from({ length: 9 }, () => beginAdding(t, origin, `Bearer ${key}`)))
  t.match(await call('POST', '/v1/pets', { json: rex, key }), { status: 503, body: overloaded })
  t.equal((await call('POST', '/v1/pets', { json: rex })).status, 201)
  t.equal((await call('GET', '/v1/pets')).status, 200)
  await slow[0]?.abort()
  await waitUntil(async () => (await call('POST', '/v1/pets', { json: rex, key })).status === 201)
  for (const { abort } of slow) await abort()
})

t.test('a response that only waits for its client is not in flight, and blocks no others', async (t) => {
  const service = await startService(t, { maxInFlight: 20 })
  t.equal((await send(service.origin, 'GET', largeFile)).status, 200)
  const sockets = await Promise.all([1, 2, 3].map(() => connectTo(service.origin)))
  for (const socket of sockets) socket.pause().write(`GET ${largeFile} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(16))
  await waitUntil(() => service.logged().length > 1 && service.getInFlight() === 0)
  t.ok(service.logged().length < 1 + 3 * 16, 'not all responses are sent')
  t.equal((await service.call('GET', '/v1/pets')).status, 200)
  for (const socket of sockets) socket.destroy()
})

t.test('without a limit no request is refused', async (t) => {
  const service = await startService(t, { maxInFlight: 0 })
  const begin = () => beginAdding(t, service.origin, `Bearer ${service.key}`)
  const slow = await Promise.all(Array.from({ length: 5 }, begin))
  const responses = await Promise.all(Array.from({ length: 50 }, () => service.call('GET', '/v1/pets')))
  t.ok(responses.every(({ status }) => status === 200))
  for (const { abort } of slow) await abort()
})

/** Returns what the response says of the quota: how many requests are left, and for how many seconds. */
function getQuota({ headers }: HttpResponse) {
  const [, left, seconds] = /^"key";r=(\d+);t=(\d+)$/.exec(headers.ratelimit ?? '') ?? []
  return left === undefined ? undefined : { left: Number(left), seconds: Number(seconds) }
}

t.test('a key that is used too often gets 429, and every response says how often it may still be used', async (t) => {
  const { call, logged } = await startService(t, { rateLimit: { count: 6, seconds: 60 } })
  for (const [status, left, method, path, json] of [
    [200, 5, 'GET', '/v1/pets'],
    [201, 4, 'POST', '/v1/pets', rex],
    [200, 3, 'GET', '/v1/pets/1'],
    [404, 2, 'GET', '/v1/pets/2'],
    [400, 1, 'GET', '/v1/pets?limit=0'],
    [400, 0, 'POST', '/v1/pets', {}],
    [429, 0, 'GET', '/v1/pets'],
    [429, 0, 'POST', '/v1/pets', rex],
    [429, 0, 'GET', '/v1/pets/1'],
  ] as const) {
    const response = await call(method, path, { json })
    const { seconds = 0 } = getQuota(response) ?? {}
    t.same([response.status, getQuota(response)], [status, { left, seconds }])
    t.ok(seconds >= 1 && seconds <= 60)
    const retryAfter = status === 429 ? String(seconds) : undefined
    t.match(response.headers, { 'ratelimit-policy': '"key";q=6;w=60', 'retry-after': retryAfter })
    if (status !== 429) continue
    const message = `this key may be used 6 times in 60 seconds; try again in ${seconds} s`
    t.same(response.body, { code: 'too_many_requests', message, status: 429 })
  }
  t.notOk(logged().some(({ level }) => Number(level) > 30))
})

t.test('each key has its own limit, and requests outside the operations do not count', async (t) => {
  const [other, namesake, reader] = [createKey(), createKey(), createKey()]
  const { call, store } = await startService(t, {
    rateLimit: { count: 2, seconds: 60 },
    apiKeys: [{ name: 'tests', key: namesake }],
  })
  await store.keys.add('other', hashKey(other))
  await store.keys.add('reader', hashKey(reader), { scopes: ['pets:read'] })
  for (let count = 0; count < 3; count++) {
    for (const response of [
      await call('GET', '/v1/pets', { key: null }),
      await call('GET', '/v1/pets', { key: `${other}x` }),
      await call(undeclaredMethod, '/v1/pets'),
      await call('GET', '/nothing'),
      await call('GET', '/readyz'),
    ]) {
      t.not(response.status, 429)
      t.equal(getQuota(response), undefined)
    }
  }
  const addRepeatedly = async (key?: string) => {
    const statuses = []
    for (let count = 0; count < 3; count++) statuses.push((await call('POST', '/v1/pets', { json: rex, key })).status)
    return statuses
  }
  for (const key of [other, undefined, namesake]) t.same(await addRepeatedly(key), [201, 201, 429])
  t.same(await addRepeatedly(reader), [403, 403, 429], 'a request that lacks a scope counts')
  t.same(await addRepeatedly(other), [429, 429, 429])
})

t.test('a window begins with all its seconds, however long the service has run', async (t) => {
  const { call } = await startService(t, { rateLimit: { count: 6, seconds: 60 } })
  // 60,000 more than this is rounded up.
  t.intercept(performance, 'now', { value: () => 7000.000123 })
  t.equal(getQuota(await call('GET', '/v1/pets'))?.seconds, 60)
})

t.test('a window that is over takes no memory once another key is used', async (t) => {
  const elapse = stopClock(t)
  const limitRate = createRateLimiter({ count: 1, seconds: 1 }) as (...given: object[]) => void
  const use = (id: string) => limitRate({ openapi: { caller: { id } } }, { headers: () => {} }, () => {})
  const measure = async () => {
    await collectGarbage()
    return process.memoryUsage().heapUsed
  }
  // 32 MiB that only its window refers to.
  const before = await measure()
  use('x'.repeat(2 ** 25))
  t.ok((await measure()) - before > 2 ** 24)
  elapse(1000)
  use('y')
  t.ok((await measure()) - before < 2 ** 24)
})

t.test('when the window is over, the key may be used again', async (t) => {
  const { call } = await startService(t, { rateLimit: { count: 2, seconds: 5 } })
  for (let round = 0; round < 2; round++) {
    let response = await call('GET', '/v1/pets')
    while (response.status === 200) response = await call('GET', '/v1/pets')
    t.equal(response.status, 429)
    // The client does as it is told; a clock may tick a little earlier than another.
    await setTimeout(1000 * Number(response.headers['retry-after']) + 50)
    t.equal((await call('GET', '/v1/pets')).status, 200)
  }
})
