/**
 * The service is killed at random moments while clients use it.
 */
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { sharedDatabases } from '../helpers/databases.ts'
import { createRandom, drawSeed } from '../helpers/random.ts'
import { startInstance } from './instance.ts'
import { createTraffic } from './traffic.ts'
import { passes } from './verdict.ts'

const rounds = 10

t.jobs = 2

for (const { name, fresh } of sharedDatabases) {
  t.test(`on ${name}, kill -9 loses and doubles no animal, and no id is used again`, async (t) => {
    const random = createRandom(drawSeed(t, 'FAULTS_SEED'))
    const databaseUrl = await fresh(t)
    const traffic = createTraffic(t, random)
    let replayed = 0
    for (let round = 1; round <= rounds; round++) {
      const { origin, kill, ended } = await startInstance(t, { databaseUrl })
      replayed += (await traffic.audit(origin)).unacknowledged
      const stop = traffic.run(t, () => origin)
      await setTimeout(random.next() * 500)
      kill('SIGKILL')
      t.equal((await ended).signal, 'SIGKILL')
      await stop()
    }
    const { origin } = await startInstance(t, { databaseUrl })
    replayed += (await traffic.audit(origin)).unacknowledged
    const { unknown } = await passes(t, traffic, origin)
    t.comment(`${rounds} rounds; ${replayed} animals acknowledged by a retry after the crash, and ${unknown} never`)
  })
}
