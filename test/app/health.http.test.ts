/**
 * The health checks for load balancers, supervisors and operators.
 */
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { databases, sharedDatabases } from '../helpers/databases.ts'
import { type ServiceOptions, startService } from '../helpers/service.ts'
import { execute, lock } from '../helpers/sql.ts'
import { waitUntil } from '../helpers/wait.ts'

const paths = ['/livez', '/readyz', '/health']
/** Longer than a result is used again. */
const second = 1050

for (const database of databases) {
  const start = async (t: Test, options: ServiceOptions = {}) =>
    startService(t, { databaseUrl: await database.fresh(t), ...options })

  t.test(`health on ${database.name}`, async (t) => {
    t.test('needs no key, and is not stored', async (t) => {
      const { call } = await start(t)
      for (const path of paths) {
        const { status, headers, body } = await call('GET', path, { key: null })
        t.equal(status, 200, path)
        t.same(body, { status: 'ok' })
        t.equal(headers['cache-control'], 'no-store')
        t.equal((await call('HEAD', path, { key: null })).status, 200)
      }
      t.same((await call('GET', '/readyz?verbose', { key: null })).body, {
        status: 'ok',
        checks: { running: 'ok', read: 'ok', write: 'ok' },
      })
    })

    t.test('a store that cannot be read makes the service unready, and /livez still responds', async (t) => {
      const { call, store } = await start(t)
      await store.close()
      for (const path of ['/readyz', '/health']) {
        const { status, headers, body } = await call('GET', path, { key: null })
        t.equal(status, 503)
        t.equal(headers['retry-after'], '1')
        t.equal(headers['cache-control'], 'no-store')
        t.match(body, { code: 'service_unavailable' })
      }
      const { status, headers, body } = await call('GET', '/health?verbose=1', { key: null })
      t.equal(status, 503)
      t.equal(headers['retry-after'], '1')
      t.same(body, {
        code: 'service_unavailable',
        message: 'the service is not ready: running ok, read failed, write failed',
        status: 503,
      })
      t.equal((await call('GET', '/livez')).status, 200)
    })

    t.test('a service that is about to stop is not ready, whatever the store is', async (t) => {
      const { call, shutdown, logged } = await start(t)
      shutdown.begin()
      const { status, body } = await call('GET', '/readyz')
      t.equal(status, 503)
      t.match(body, { code: 'service_unavailable', message: 'the service is about to stop' })
      t.match((await call('GET', '/readyz?verbose')).body, { message: /: running failed, read ok, write ok$/ })
      t.equal((await call('GET', '/livez')).status, 200)
      t.same(
        logged().filter(({ level }) => Number(level) > 30),
        [],
        'which is no failure',
      )
    })

    t.test('a result is used for a second', async (t) => {
      const { call, store } = await start(t)
      t.equal((await call('GET', '/readyz')).status, 200)
      await store.close()
      t.equal((await call('GET', '/health')).status, 200)
      await setTimeout(second)
      t.equal((await call('GET', '/readyz')).status, 503)
    })
  })
}

for (const database of sharedDatabases) {
  t.test(`a ${database.name} store whose tables are damaged makes the service unready`, async (t) => {
    const databaseUrl = await database.fresh(t)
    const { call, logged } = await startService(t, { databaseUrl })
    await execute(databaseUrl, 'ALTER TABLE pets RENAME TO damaged')
    t.equal((await call('GET', '/readyz')).status, 503)
    t.match((await call('GET', '/readyz?verbose')).body, { status: 503, message: /: running ok, read failed, / })
    const outages = logged().filter(({ level }) => Number(level) > 30)
    t.match(outages, [{ msg: 'the store is unavailable', err: { message: /pets/ } }])
    t.equal(outages.length, 1, 'one cause is logged once')
  })

  t.test(`a ${database.name} store that cannot be written makes the service unready until it can`, async (t) => {
    const databaseUrl = await database.fresh(t)
    const { call } = await startService(t, { databaseUrl, timeout: 1600 })
    const release = await lock(t, databaseUrl)
    const [response, other] = await Promise.all([call('GET', '/readyz?verbose'), call('GET', '/readyz')])
    t.match(response.body, { status: 503, message: /: running ok, read ok, write failed$/ })
    t.equal(other.status, 503)
    await release()
    await waitUntil(async () => (await call('GET', '/readyz')).status === 200)
  })
}

t.test('checks add no animal, and leave no gap in the ids', async (t) => {
  const { call, store } = await startService(t)
  for (let round = 0; round < 2; round++) {
    t.equal((await call('GET', '/readyz')).status, 200)
    await setTimeout(second)
  }
  t.match(await store.pets.add({ name: 'Rex', categoryId: 1n, status: 'available' }), { id: 1n })
})
