/**
 * The primary of a PostgreSQL cluster is killed under load, and its synchronous standby takes over.
 */
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { send } from '../helpers/http.ts'
import { query } from '../helpers/postgres.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres-server.ts'
import { waitUntil } from '../helpers/wait.ts'
import { startInstance } from './instance.ts'
import { createTraffic, timeout } from './traffic.ts'
import { passes, respondsInTime } from './verdict.ts'

t.test('two failovers under load lose and double no animal, and additions wait for them', async (t) => {
  let primary = await startPostgres()
  t.teardown(() => primary.remove())
  let standby = await startPostgres({ primary })
  t.teardown(() => standby.remove())
  await waitForStandby(primary)
  const databaseUrl = urlOf(primary, standby)
  const origins = await Promise.all([1, 2].map(async () => (await startInstance(t, { databaseUrl })).origin))
  const [origin = ''] = origins
  const traffic = createTraffic(t)
  const { withStatus, outcomes } = traffic
  let turn = 0
  const stop = traffic.run(t, () => String(origins[turn++ % origins.length]))

  for (const round of [1, 2]) {
    const begun = performance.now()
    await waitUntil(() => withStatus(201, begun).length >= 100)

    await primary.stop('SIGKILL')
    const killed = performance.now()
    // As long as those who watch a primary take to notice.
    await setTimeout(1000)
    const promoted = performance.now()
    await query(standby.url('postgres'), 'SELECT pg_promote()')
    await waitUntil(() => withStatus(201, killed).length >= 100 && withStatus(200, killed).length >= 50)
    const recovered = Math.min(...withStatus(201, killed).map(({ sent, ms }) => sent + ms))
    t.comment(`round ${round}: animals are added ${Math.round(recovered - promoted)} ms after the promotion begins`)
    t.same(withStatus(503, killed), [], 'what is sent after the failure waits for the promotion')
    const slowest = Math.max(...outcomes.filter(({ sent }) => sent >= killed).map(({ ms }) => ms))
    t.comment(`the slowest request took ${Math.round(slowest)} ms`)

    await primary.follow(standby)
    ;[primary, standby] = [standby, primary]
    await waitForStandby(primary)
    // A walk through the pages, while animals are added.
    await traffic.audit(origin)
    t.same(traffic.violations, [])
  }
  await stop()
  const { unknown } = await passes(t, traffic, String(origins[1]))
  t.comment(`${withStatus(503).length} requests were under way when a primary was killed; ${unknown} of them did add`)
  respondsInTime(t, traffic, timeout)
})

t.test('a service starts on the server that accepts writes, and responds with 503 while there is none', async (t) => {
  const primary = await startPostgres()
  t.teardown(() => primary.remove())
  const standby = await startPostgres({ primary })
  t.teardown(() => standby.remove())
  // The standby comes first.
  const { origin } = await startInstance(t, { databaseUrl: urlOf(standby, primary) })
  const traffic = createTraffic(t)
  const stop = traffic.run(t, () => origin)
  await traffic.until(() => traffic.withStatus(201).length >= 50)
  await primary.stop()
  const stopped = performance.now()
  await traffic.until(() => traffic.withStatus(503, stopped).length >= 10)
  t.equal((await send(origin, 'GET', '/health')).status, 503)
  await primary.start()
  const started = performance.now()
  await traffic.until(() => traffic.withStatus(201, started).length >= 50)
  await stop()
  await passes(t, traffic, origin)
  respondsInTime(t, traffic, timeout)
})

/** Has commits on a primary wait for its standby from now on, once that has caught up. */
async function waitForStandby(primary: PostgresServer): Promise<void> {
  const url = primary.url('postgres')
  await query(url, `ALTER SYSTEM SET synchronous_standby_names = '*'`)
  await query(url, 'SELECT pg_reload_conf()')
  await waitUntil(async () => {
    const rows = await query(url, `SELECT FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'`)
    return rows.length > 0
  })
  // Commits wait from the moment at which the checkpointer has read the setting, which it does before a checkpoint.
  await query(url, 'CHECKPOINT')
}

function urlOf(...servers: readonly PostgresServer[]): string {
  const hosts = servers.map(({ folder }) => encodeURIComponent(folder)).join(',')
  return `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`
}
