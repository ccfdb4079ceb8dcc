/**
 * The log of a store that fails.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { startService } from '../helpers/service.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitUntil } from '../helpers/wait.ts'

t.test(
  'an outage of the store is logged when it begins, and when it is over with the number of failures',
  async (t) => {
    const file = join(temporaryFolder(t), 'animals.db')
    const { call, logged } = await startService(t, { databaseUrl: `sqlite:${file}`, timeout: 20 })
    using other = new DatabaseSync(file)
    const events = () => logged().filter(({ level }) => Number(level) >= 40)
    for (const outage of [1, 2]) {
      other.exec('BEGIN IMMEDIATE')
      for (let request = 0; request < 3; request++) {
        t.equal((await call('POST', '/v1/pets', { json: { name: 'Rex', categoryId: 1 } })).status, 503)
      }
      other.exec('ROLLBACK')
      await waitUntil(() => events().length === 2 * outage)
    }
    const begin = {
      level: 50,
      msg: 'the store is unavailable',
      reqId: String,
      err: { message: /locked/, stack: String },
    }
    const end = { level: 40, msg: 'no request has failed because of the store for 5 seconds', failures: 3 }
    t.match(events(), [begin, end, begin, end])
  },
)
