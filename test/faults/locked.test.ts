/**
 * Another process has the store locked while clients use the service.
 */
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { sharedDatabases } from '../helpers/databases.ts'
import { send } from '../helpers/http.ts'
import { lock } from '../helpers/sql.ts'
import { startInstance } from './instance.ts'
import { createTraffic, timeout } from './traffic.ts'
import { passes, respondsInTime } from './verdict.ts'

t.jobs = 2

for (const { name, fresh } of sharedDatabases) {
  t.test(`a ${name} store that is locked is read, and additions get 503`, async (t) => {
    const databaseUrl = await fresh(t)
    const { origin } = await startInstance(t, { databaseUrl })
    const traffic = createTraffic(t)
    // Nothing holds up those who only read: they would do so ten thousand times while the others wait.
    const readers = async () => setTimeout(5, origin)
    const stops = [traffic.run(t, () => origin), traffic.run(t, readers, { clients: 2, adding: 0 })]
    await traffic.until(() => traffic.withStatus(201).length >= 50)

    const release = await lock(t, databaseUrl)
    const locked = performance.now()
    await traffic.until(() => traffic.withStatus(503, locked).length >= 8)
    t.ok(traffic.withStatus(503).every(({ operationId }) => operationId === 'createPet'))
    t.same(traffic.withStatus(201, locked), [])
    t.match((await send(origin, 'GET', '/readyz?verbose')).body, {
      message: 'the service is not ready: running ok, read ok, write failed',
    })
    t.equal((await send(origin, 'GET', '/livez')).status, 200)
    t.comment(`${traffic.withStatus(200, locked).length} reads while it is locked`)

    await release()
    const released = performance.now()
    await traffic.until(() => traffic.withStatus(201, released).length >= 50)
    await Promise.all(stops.map((stop) => stop()))
    await passes(t, traffic, origin)
    respondsInTime(t, traffic, timeout)
  })
}
