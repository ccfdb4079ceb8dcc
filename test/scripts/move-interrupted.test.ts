import { randomInt } from 'node:crypto'
import { Client } from 'pg'
import t, { type Test } from 'tap'
import { openBulkStore } from '../../scripts/bulk/open.ts'
import { postgres, sharedDatabases, sqlite } from '../helpers/databases.ts'
import { query } from '../helpers/postgres.ts'
import { runScript, startScript } from '../helpers/process.ts'
import { waitUntil } from '../helpers/wait.ts'
import { fillKeys, rex, using } from './catalogue.ts'

for (const database of sharedDatabases) {
  t.test(`${database.name}: a move that is killed at any moment continues when it is run again`, async (t) => {
    const [fromUrl, toUrl] = [await sqlite.fresh(t), await database.fresh(t)]
    await runScript(t, 'seed', [fromUrl, '25000'])
    await fillKeys(fromUrl)
    let status: number | null = null
    let kills = -1
    for (let delay = 100; status === null; delay += randomInt(1, Math.ceil(delay / 2))) {
      const { kill, ended } = startScript(t, 'move', [fromUrl, toUrl])
      const timer = setTimeout(() => kill('SIGKILL'), delay)
      const outcome = await ended
      clearTimeout(timer)
      status = outcome.status
      kills++
      if (status !== null) t.match(outcome.stdout, /^animals +25000 +25000$/m, outcome.stderr)
    }
    t.equal(status, 0)
    t.comment(`killed ${kills} times`)
    await using(toUrl, async ({ pets, keys }) => {
      t.equal((await pets.list({ after: 0n, limit: 50_000 })).length, 25_000)
      t.equal((await keys.list()).length, 3)
      t.equal((await pets.add(rex)).id, 25_001n)
    })
  })
}

t.test('a move that is killed leaves the moved animals, without API keys, and no id is assigned twice', async (t) => {
  const { fromUrl, toUrl, halfway, goOn } = await stoppedHalfway(t)
  const { kill, ended } = startScript(t, 'move', [fromUrl, toUrl])
  await halfway()
  kill('SIGKILL')
  await ended
  await goOn()
  await using(toUrl, async ({ pets, keys }) => {
    t.equal((await pets.list({ after: 0n, limit: 50_000 })).length, 10_000)
    t.same(await keys.list(), [])
  })
  const bulk = await openBulkStore(toUrl, 'read')
  t.equal(await bulk.lastId().finally(bulk.close), 25_000n)

  const { status, stdout, stderr } = await runScript(t, 'move', [fromUrl, toUrl])
  t.equal(status, 0, stderr)
  t.match(stderr, /^checking what exists: 10,000 of 10,000\n/)
  t.match(stdout, /^animals +25000 +25000$/m)
})

t.test('a lost connection is reported in one line, and a repeated move continues', async (t) => {
  const { fromUrl, toUrl, halfway, goOn } = await stoppedHalfway(t)
  const { ended } = startScript(t, 'move', [fromUrl, toUrl], { coverage: true })
  await query(toUrl, 'SELECT pg_terminate_backend($1)', [await halfway()])
  const { status, stderr } = await ended
  t.equal(status, 1)
  t.match(stderr, /\na store became unavailable \([^\n]+\); run the command again: it continues where it stopped\n$/)
  await goOn()
  t.equal((await runScript(t, 'move', [fromUrl, toUrl])).status, 0)
})

/** Stores between which a move stops in its second batch, until it is told to go on. */
async function stoppedHalfway(t: Test) {
  const [fromUrl, toUrl] = [await sqlite.fresh(t), await postgres.fresh(t)]
  await runScript(t, 'seed', [fromUrl, '25000'])
  await fillKeys(fromUrl)
  await using(toUrl, async () => {})
  const lock = randomInt(2 ** 31)
  await query(
    toUrl,
    `CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql
       AS 'BEGIN PERFORM pg_advisory_xact_lock(${lock}); RETURN NEW; END';
     CREATE TRIGGER stop BEFORE INSERT ON pets FOR EACH ROW WHEN (NEW.id = 15000) EXECUTE FUNCTION stop()`,
  )
  const holder = new Client(toUrl)
  t.teardown(() => holder.end())
  await holder.connect()
  await holder.query('SELECT pg_advisory_lock($1)', [lock])
  return {
    fromUrl,
    toUrl,
    /** Resolves with the process of the server that waits, when it does. */
    halfway: async () => {
      const waiting = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted`
      return waitUntil(async () => (await query(toUrl, waiting, [lock]))[0]?.pid)
    },
    goOn: async () => {
      await holder.query('SELECT pg_advisory_unlock($1)', [lock])
      await query(toUrl, 'DROP TRIGGER stop ON pets')
    },
  }
}
