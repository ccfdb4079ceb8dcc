/**
 * The rate limit that the operator sets.
 */
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createKey, hashKey } from '../../src/auth/keys.ts'
import { sharedDatabases } from '../helpers/databases.ts'
import { type ServiceOptions, startService } from '../helpers/service.ts'

for (const database of sharedDatabases) {
  const start = async (t: Test, options: ServiceOptions = {}) =>
    startService(t, { databaseUrl: await database.fresh(t), ...options })

  t.test(database.name, async (t) => {
    t.test('without a rate limit, no response has its headers', async (t) => {
      const { call } = await start(t)
      const { headers } = await call('GET', '/v1/pets')
      t.same([headers.ratelimit, headers['ratelimit-policy']], [undefined, undefined])
    })

    t.test('each response has the remaining quota, and requests above the limit are refused', async (t) => {
      const { call } = await start(t, { rateLimit: { count: 3, seconds: 60 } })
      for (const [remaining, response] of [
        [2, await call('GET', '/v1/pets')],
        [1, await call('GET', '/v1/pets/abc')],
        [0, await call('POST', '/v1/pets', { json: { name: 'Rex', categoryId: 1 } })],
      ] as const) {
        t.not(response.status, 429)
        t.equal(response.headers['ratelimit-policy'], '"key";q=3;w=60')
        t.match(response.headers.ratelimit, new RegExp(`^"key";r=${remaining};t=(\\d+)$`))
      }
      for (const [method, path] of [
        ['GET', '/v1/pets'],
        ['POST', '/v1/pets'],
        ['GET', '/v1/pets/1'],
      ] as const) {
        const { status, headers, body } = await call(method, path)
        t.equal(status, 429)
        t.match(body, {
          code: 'too_many_requests',
          message: /^this key may be used 3 times in 60 seconds; try again in \d+ s$/,
        })
        t.match(headers.ratelimit, /^"key";r=0;t=(\d+)$/)
        t.equal(headers['retry-after'], /t=(\d+)/.exec(headers.ratelimit ?? '')?.[1])
      }
    })

    t.test('keys are counted one by one, and requests without a key not at all', async (t) => {
      const [other, namesake] = [createKey(), createKey()]
      const { call, store } = await start(t, {
        rateLimit: { count: 1, seconds: 60 },
        apiKeys: [{ name: 'tests', key: namesake }],
      })
      await store.keys.add('partner', hashKey(other))
      for (let count = 0; count < 3; count++) {
        const { status, headers } = await call('GET', '/v1/pets', { key: null })
        t.equal(status, 401)
        t.equal(headers.ratelimit, undefined)
        t.equal((await call('GET', '/health', { key: null })).status, 200)
      }
      t.equal((await call('GET', '/v1/pets')).status, 200)
      t.equal((await call('GET', '/v1/pets')).status, 429)
      t.equal((await call('GET', '/v1/pets', { key: other })).status, 200)
      t.equal((await call('GET', '/v1/pets', { key: namesake })).status, 200)
    })

    t.test('a key may be used again when the time is over', async (t) => {
      const { call } = await start(t, { rateLimit: { count: 1, seconds: 1 } })
      await call('GET', '/v1/pets')
      let response = await call('GET', '/v1/pets')
      while (response.status === 429) {
        t.equal(response.headers['retry-after'], '1')
        await setTimeout(100)
        response = await call('GET', '/v1/pets')
      }
      t.equal(response.status, 200)
    })
  })
}
