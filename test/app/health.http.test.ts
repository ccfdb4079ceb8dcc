/** The health checks for load balancers, supervisors and operators. */
import t from 'tap'
import { HEALTH_PATHS } from '../../src/http/health.ts'
import { stopClock } from '../helpers/clock.ts'
import { sharedDatabases } from '../helpers/databases.ts'
import { startService } from '../helpers/service.ts'
import { execute, lock } from '../helpers/sql.ts'
import { waitUntil } from '../helpers/wait.ts'

for (const database of sharedDatabases) {
  t.test(database.name, async (t) => {
    t.test('a store that can be used makes the service ready, and one that is closed unready', async (t) => {
      const { call, store } = await startService(t, { databaseUrl: await database.fresh(t) })
      for (const path of HEALTH_PATHS) {
        const { status, headers, body } = await call('GET', path, { key: null })
        t.match([status, headers['cache-control']], [200, 'no-store'], path)
        t.same(body, { status: 'ok' })
        t.equal((await call('HEAD', path, { key: null })).status, 200)
      }
      const elapse = stopClock(t)
      elapse(1000)
      await call('GET', '/readyz')
      await store.close()
      elapse(999)
      t.equal((await call('GET', '/readyz')).status, 200, 'a result is used for a second')
      elapse(1)
      const headers = { 'retry-after': '1', 'cache-control': 'no-store' }
      const body = { code: 'service_unavailable', message: /try again shortly$/ }
      t.match(await call('GET', '/readyz', { key: null }), { status: 503, headers, body })
      t.equal((await call('GET', '/livez')).status, 200)
    })

    t.test('a store whose tables are damaged makes the service unready', async (t) => {
      const databaseUrl = await database.fresh(t)
      const { call, logged } = await startService(t, { databaseUrl })
      stopClock(t)
      await execute(databaseUrl, 'ALTER TABLE pets RENAME TO damaged')
      for (const path of ['/readyz', '/readyz', '/readyz/read']) t.equal((await call('GET', path)).status, 503, path)
      const outages = logged().filter(({ level }) => Number(level) > 30)
      t.match(outages, [{ msg: 'the store is unavailable', err: { message: /pets/ } }])
      t.equal(outages.length, 1, 'not for each request')
    })

    t.test('a store that cannot be written makes the service unready until it can', async (t) => {
      const databaseUrl = await database.fresh(t)
      const { call } = await startService(t, { databaseUrl })
      const release = await lock(t, databaseUrl)
      const responses = await Promise.all([call('GET', '/readyz'), call('GET', '/readyz')])
      t.match(responses, [{ status: 503 }, { status: 503 }])
      t.equal((await call('GET', '/readyz/read')).status, 200, 'although it can be read')
      await release()
      await waitUntil(async () => (await call('GET', '/readyz')).status === 200)
    })
  })
}

t.test('a service that is about to stop is not ready, whatever the store is, and logs no failure', async (t) => {
  const { call, shutdown, logged } = await startService(t)
  shutdown.hasBegun = true
  const body = { code: 'service_unavailable', message: 'the service is about to stop' }
  for (const path of ['/readyz', '/readyz/read']) t.match(await call('GET', path), { status: 503, body }, path)
  t.equal((await call('GET', '/livez')).status, 200)
  t.notOk(logged().some(({ level }) => Number(level) > 30))
})

t.test('checks add no animal, and leave no gap in the ids', async (t) => {
  const { call, store } = await startService(t)
  const elapse = stopClock(t)
  for (let round = 0; round < 2; round++) {
    t.equal((await call('GET', '/readyz')).status, 200)
    elapse(1000)
  }
  t.match(await store.pets.add({ name: 'Rex', categoryId: 1n, status: 'available' }), { id: 1n })
})
