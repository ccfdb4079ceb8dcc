/**
 * The rate limit, if the operator sets one.
 */
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { createKey, hashKey } from '../../src/auth/keys.ts'
import { undeclaredMethod } from '../helpers/contract.ts'
import { type HttpResponse, sendRaw } from '../helpers/http.ts'
import { startService } from '../helpers/service.ts'
import { readResponses } from './responses.ts'

const rex = { name: 'Rex', categoryId: 1 }

/** What the response says of the limit: how often the key may still be used, and for how many seconds that holds. */
function rateOf({ headers }: HttpResponse): { left: number; seconds: number } | undefined {
  const [, left, seconds] = /^"key";r=(\d+);t=(\d+)$/.exec(headers.ratelimit ?? '') ?? []
  return left === undefined ? undefined : { left: Number(left), seconds: Number(seconds) }
}

t.test('by default there is no rate limit', async (t) => {
  const { call } = await startService(t)
  for (let count = 0; count < 100; count++) {
    const { status, headers } = await call('GET', '/v1/pets')
    if (status !== 200) t.equal(status, 200)
    t.same([headers.ratelimit, headers['ratelimit-policy']], [undefined, undefined])
  }
})

t.test('a rate-limit window of 60 seconds begins with 60 seconds left, however long the service has run', async (t) => {
  const { call } = await startService(t, { rateLimit: { count: 6, seconds: 60 } })
  // 60,000 more than this is rounded up.
  t.intercept(performance, 'now', { value: () => 7000.000123 })
  t.equal(rateOf(await call('GET', '/v1/pets'))?.seconds, 60)
})

t.test('a key that is used too often gets 429, and every response says how often it may still be used', async (t) => {
  const { call, logged } = await startService(t, { rateLimit: { count: 6, seconds: 60 } })
  const responses = [
    await call('GET', '/v1/pets'),
    await call('POST', '/v1/pets', { json: rex }),
    await call('GET', '/v1/pets/1'),
    await call('GET', '/v1/pets/2'),
    await call('GET', '/v1/pets?limit=0'),
    await call('POST', '/v1/pets', { json: {} }),
  ]
  t.same(
    responses.map((response) => [response.status, rateOf(response)?.left]),
    [
      [200, 5],
      [201, 4],
      [200, 3],
      [404, 2],
      [400, 1],
      [400, 0],
    ],
  )
  for (const response of responses) {
    t.equal(response.headers['ratelimit-policy'], '"key";q=6;w=60')
    t.equal(response.headers['retry-after'], undefined)
    const { seconds = 0 } = rateOf(response) ?? {}
    t.ok(seconds >= 1 && seconds <= 60)
  }
  for (const [method, path] of [
    ['GET', '/v1/pets'],
    ['POST', '/v1/pets'],
    ['GET', '/v1/pets/1'],
  ] as const) {
    const refused = await call(method, path)
    const { left, seconds } = rateOf(refused) ?? {}
    t.equal(refused.status, 429)
    t.equal(left, 0)
    t.equal(refused.headers['retry-after'], String(seconds))
    t.equal(refused.headers['ratelimit-policy'], '"key";q=6;w=60')
    t.equal(refused.headers['cache-control'], 'no-store')
    t.same(refused.body, {
      code: 'too_many_requests',
      message: `this key may be used 6 times in 60 seconds; try again in ${seconds} s`,
      status: 429,
    })
  }
  t.same(
    logged().filter(({ level }) => Number(level) > 30),
    [],
  )
})

t.test('each key has its own limit, and requests outside the operations do not count', async (t) => {
  const { call, store } = await startService(t, { rateLimit: { count: 2, seconds: 60 } })
  const other = createKey()
  await store.keys.add('other', hashKey(other))
  for (let count = 0; count < 5; count++) {
    for (const response of [
      await call('GET', '/v1/pets', { key: null }),
      await call('GET', '/v1/pets', { key: `${other}x` }),
      await call(undeclaredMethod, '/v1/pets'),
      await call('GET', '/nothing'),
      await call('GET', '/health'),
    ]) {
      t.not(response.status, 429)
      t.equal(rateOf(response), undefined)
    }
  }
  const statuses = async (key: string) => [
    (await call('GET', '/v1/pets', { key })).status,
    (await call('GET', '/v1/pets', { key })).status,
    (await call('GET', '/v1/pets', { key })).status,
  ]
  t.same(await statuses(other), [200, 200, 429])
  t.equal((await call('GET', '/v1/pets')).status, 200)
  t.same(await statuses(other), [429, 429, 429])
})

t.test('an addition above the rate limit is refused before its body is requested', async (t) => {
  const { origin, key, call, store } = await startService(t, { rateLimit: { count: 1, seconds: 60 } })
  t.equal((await call('GET', '/v1/pets')).status, 200)
  const head = `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
  const received = await sendRaw(origin, `${head}Expect: 100-continue\r\nContent-Length: 29\r\n\r\n`)
  t.same(
    readResponses(received).map(({ status }) => status),
    [429],
  )
  t.same(await store.pets.list({ after: 0n, limit: 1 }), [])
})

t.test('when the window is over, the key may be used again', async (t) => {
  const { call } = await startService(t, { rateLimit: { count: 2, seconds: 1 } })
  for (let round = 0; round < 2; round++) {
    let response = await call('GET', '/v1/pets')
    while (response.status === 200) response = await call('GET', '/v1/pets')
    t.equal(response.status, 429)
    t.equal(response.headers['retry-after'], '1')
    // The client does as it is told; a clock may tick a little earlier than another.
    await setTimeout(1050)
    t.equal((await call('GET', '/v1/pets')).status, 200)
  }
})
