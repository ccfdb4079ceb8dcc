/** PostgreSQL fails in several ways while clients use the service. */
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { hashKey } from '../../src/auth/keys.ts'
import { send } from '../helpers/http.ts'
import { configure, freshDatabase, query } from '../helpers/postgres.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres-server.ts'
import { using } from '../helpers/stores.ts'
import { waitUntil } from '../helpers/wait.ts'
import { apiKey, createTraffic, startInstance, timeout } from './traffic.ts'

t.jobs = 2

t.test('clients get 503 while PostgreSQL is stopped, killed or frozen; no animal is lost or doubled', async (t) => {
  const server = await startPostgres()
  t.teardown(() => server.remove())
  const { url } = server
  // The service must have its commits on disk although the server flushes nothing by itself for 10 seconds.
  await configure(url, 'synchronous_commit', 'off')
  await configure(url, 'wal_writer_delay', '10000')
  // The key is in the store, so that it, too, has to be asked for.
  await using(url, ({ keys }) => keys.add('tests', hashKey(apiKey)))
  const { origin } = await startInstance(t, url, { env: { API_KEYS: '' } })
  const traffic = createTraffic(t)
  const { withStatus, until } = traffic
  const stop = traffic.run(() => origin)
  await until(() => withStatus(201).length >= 50)

  for (const [begin, end] of [
    [() => server.stop('SIGKILL'), () => server.start()],
    [() => server.stop(), () => server.start()],
    [() => server.freeze(), () => server.thaw()],
  ] as const) {
    await begin()
    const begun = performance.now()
    await until(() => new Set(withStatus(503, begun).map(({ operationId }) => operationId)).size === 3)
    // What /readyz has found out is used for a second.
    const health = await waitUntil(async () => {
      const response = await send(origin, 'GET', '/readyz')
      return response.status === 503 && response
    })
    t.ok(performance.now() - begun < timeout, 'and so does /readyz, in time')
    t.match(health, { headers: { 'retry-after': '1' }, body: { code: 'service_unavailable', status: 503 } })
    t.same([...withStatus(200, begun), ...withStatus(201, begun)], [])

    await end()
    const ended = performance.now()
    await until(() => withStatus(201, ended).length >= 50 && withStatus(200, ended).length >= 20)
    await waitUntil(async () => (await send(origin, 'GET', '/readyz')).status === 200)
  }
  await stop()
  await traffic.passes(origin)
  traffic.respondsInTime()
})

t.test('the service opens new connections whenever PostgreSQL ends them', async (t) => {
  const databaseUrl = await freshDatabase(t)
  const { origin } = await startInstance(t, databaseUrl)
  const traffic = createTraffic(t)
  const { withStatus, until } = traffic
  const stop = traffic.run(() => origin)
  // Until some of them were in use.
  for (let round = 1; round <= 3 || (round <= 50 && withStatus(503).length === 0); round++) {
    const begun = performance.now()
    await until(() => withStatus(201, begun).length >= 10 && withStatus(200, begun).length >= 5)
    await query(
      databaseUrl,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    )
  }
  const over = performance.now()
  await until(() => withStatus(201, over).length >= 20)
  t.equal((await send(origin, 'GET', '/readyz')).status, 200)
  await stop()
  t.ok(withStatus(503).length > 0)
  await traffic.passes(origin)
  traffic.respondsInTime()
})

t.test('two failovers under load lose and double no animal, and additions wait for them', async (t) => {
  let primary = await startPostgres()
  t.teardown(() => primary.remove())
  let standby = await startPostgres(primary)
  t.teardown(() => standby.remove())
  await waitForStandby(primary)
  // The standby comes first, so that a service starts on a later server that accepts writes.
  const hosts = [standby, primary].map(({ folder }) => encodeURIComponent(folder))
  const databaseUrl = `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`
  const origins = await Promise.all([1, 2].map(async () => (await startInstance(t, databaseUrl)).origin))
  const [origin = '', other = ''] = origins
  const traffic = createTraffic(t)
  const { withStatus, outcomes } = traffic
  let turn = 0
  const stop = traffic.run(() => String(origins[turn++ % origins.length]))

  for (const round of [1, 2]) {
    const begun = performance.now()
    await waitUntil(() => withStatus(201, begun).length >= 50)

    await primary.stop('SIGKILL')
    const killed = performance.now()
    // As long as those who watch a primary take to notice.
    await setTimeout(1000)
    await query(standby.url, 'SELECT pg_promote()')
    await waitUntil(() => withStatus(201, killed).length >= 50 && withStatus(200, killed).length >= 20)
    const impatient = withStatus(503, killed).filter(({ ms }) => ms < 1000)
    t.same(impatient, [], 'what is sent after the failure waits for the promotion, or as long as a request may')
    const slowest = Math.max(...outcomes.filter(({ sent }) => sent >= killed).map(({ ms }) => ms))
    t.comment(`round ${round}: the slowest request took ${Math.round(slowest)} ms`)

    await primary.follow(standby)
    ;[primary, standby] = [standby, primary]
    await waitForStandby(primary)
    // A walk through the pages, while animals are added.
    await traffic.audit(origin)
    t.same(traffic.violations, [])
  }

  await primary.stop()
  const stopped = performance.now()
  await waitUntil(() => withStatus(503, stopped).length >= 10)
  t.equal((await send(origin, 'GET', '/readyz')).status, 503, 'no server accepts writes')
  await primary.start()
  const started = performance.now()
  await waitUntil(() => withStatus(201, started).length >= 20)
  await stop()
  await traffic.passes(other)
  traffic.respondsInTime()
})

/** Has commits on a primary wait for its standby from now on, once that has caught up. */
async function waitForStandby({ url }: PostgresServer): Promise<void> {
  await configure(url, 'synchronous_standby_names', '*')
  await waitUntil(async () => {
    const rows = await query(url, `SELECT FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'`)
    return rows.length > 0
  })
  // Commits wait from the moment at which the checkpointer has read the setting, which it does before a checkpoint.
  await query(url, 'CHECKPOINT')
}
