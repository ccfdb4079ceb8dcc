/**
 * Another process has the store locked while clients use the service.
 */
import t from 'tap'
import { send } from '../helpers/http.ts'
import { lock } from '../helpers/sql.ts'
import { sharedEngines } from '../stores/engines.ts'
import { startInstance } from './instance.ts'
import { createRandom } from './random.ts'
import { createTraffic, timeout } from './traffic.ts'
import { answersAll, passes } from './verdict.ts'

t.jobs = 2

for (const { name, fresh } of sharedEngines) {
  t.test(`while a ${name} store is locked it is read, and creations are to come again`, async (t) => {
    const databaseUrl = await fresh(t)
    const { origin } = await startInstance(t, { databaseUrl })
    const traffic = createTraffic(createRandom(t))
    const stops = [traffic.run(t, () => origin), traffic.run(t, () => origin, { clients: 2, adding: 0 })]
    await traffic.until(() => traffic.answered(201).length >= 50)

    const release = await lock(t, databaseUrl)
    const locked = performance.now()
    await traffic.until(() => traffic.answered(503, locked).length >= 8)
    t.ok(traffic.answered(503).every(({ operationId }) => operationId === 'createPet'))
    t.same(traffic.answered(201, locked), [])
    t.equal((await send(origin, 'GET', '/health')).status, 200)
    t.comment(`${traffic.answered(200, locked).length} reads while it is locked`)

    await release()
    const released = performance.now()
    await traffic.until(() => traffic.answered(201, released).length >= 50)
    await Promise.all(stops.map((stop) => stop()))
    await passes(t, traffic, origin)
    answersAll(t, traffic, timeout)
  })
}
