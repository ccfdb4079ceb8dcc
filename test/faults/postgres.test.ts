/**
 * PostgreSQL fails in several ways while clients use the service.
 */
import t, { type Test } from 'tap'
import { hashKey } from '../../src/auth/keys.ts'
import { openStore } from '../../src/stores/open.ts'
import { send } from '../helpers/http.ts'
import { freshDatabase, query } from '../helpers/postgres.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres-server.ts'
import type { ServiceProcess } from '../helpers/process.ts'
import { waitUntil } from '../helpers/wait.ts'
import { apiKey, startInstance } from './instance.ts'
import { createTraffic, type Outcome, timeout } from './traffic.ts'
import { passes, respondsInTime } from './verdict.ts'

interface Fault {
  readonly name: string
  begin(server: PostgresServer): Promise<void>
  end(server: PostgresServer): Promise<void>
}

const faults: readonly Fault[] = [
  { name: 'stopped', begin: (server) => server.stop(), end: (server) => server.start() },
  { name: 'killed', begin: (server) => server.stop('SIGKILL'), end: (server) => server.start() },
  { name: 'frozen', begin: (server) => server.freeze(), end: (server) => server.thaw() },
]

t.jobs = 2

for (const { name, begin, end } of faults) {
  t.test(`clients get 503 while PostgreSQL is ${name}, and are served when it is back`, async (t) => {
    const server = await startPostgres()
    t.teardown(() => server.remove())
    const { origin } = await start(t, server.url('postgres'))
    const traffic = createTraffic(t)
    const { withStatus } = traffic
    const stop = traffic.run(t, () => origin)
    await traffic.until(() => withStatus(201).length >= 100)

    await begin(server)
    const begun = performance.now()
    await traffic.until(() => withStatus(503, begun).length >= 20 && isEveryOperation(withStatus(503, begun)))
    const asked = performance.now()
    t.match(await send(origin, 'GET', '/health'), {
      status: 503,
      headers: { 'retry-after': '1' },
      body: { code: 'service_unavailable', status: 503 },
    })
    t.ok(performance.now() - asked < timeout, 'and so does /health, in time')
    t.same([...withStatus(200, begun), ...withStatus(201, begun)], [])

    await end(server)
    const ended = performance.now()
    await traffic.until(() => withStatus(201, ended).length >= 100 && withStatus(200, ended).length >= 50)
    const [first] = withStatus(201, ended)
    t.comment(`animals are added again ${Math.round((first?.sent ?? 0) - ended)} ms after it is back`)
    await waitUntil(async () => (await send(origin, 'GET', '/health')).status === 200)
    await stop()
    await passes(t, traffic, origin)
    respondsInTime(t, traffic, timeout)
  })
}

t.test('the service opens new connections whenever PostgreSQL ends them', async (t) => {
  const databaseUrl = await freshDatabase(t)
  const { origin } = await start(t, databaseUrl)
  const traffic = createTraffic(t)
  const { withStatus } = traffic
  const stop = traffic.run(t, () => origin)
  let ended = 0
  for (let round = 1; round <= 20; round++) {
    const begun = performance.now()
    await traffic.until(() => withStatus(201, begun).length >= 10 && withStatus(200, begun).length >= 5)
    const rows = await query(
      databaseUrl,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    )
    ended += rows.length
  }
  const over = performance.now()
  await traffic.until(() => withStatus(201, over).length >= 50)
  t.equal((await send(origin, 'GET', '/health')).status, 200)
  await stop()
  t.comment(`${ended} connections ended`)
  t.ok(withStatus(503).length > 0, 'some of them were in use')
  await passes(t, traffic, origin)
  respondsInTime(t, traffic, timeout)
})

t.test('no animal is lost when synchronous_commit is turned off on the server and the server is killed', async (t) => {
  const server = await startPostgres()
  t.teardown(() => server.remove())
  const { origin } = await start(t, server.url('postgres'))
  await query(server.url('postgres'), 'ALTER SYSTEM SET synchronous_commit = off')
  // What is not flushed by commits stays in memory for so long, in milliseconds.
  await query(server.url('postgres'), 'ALTER SYSTEM SET wal_writer_delay = 10000')
  await query(server.url('postgres'), 'SELECT pg_reload_conf()')
  const traffic = createTraffic(t)
  const stop = traffic.run(t, () => origin)
  await traffic.until(() => traffic.withStatus(201).length >= 500)
  await server.stop('SIGKILL')
  await stop()
  await server.start()
  await waitUntil(async () => (await send(origin, 'GET', '/health')).status === 200)
  await passes(t, traffic, origin)
})

/** An instance whose key is in the store, so that it, too, has to be asked for. */
async function start(t: Test, databaseUrl: string): Promise<ServiceProcess> {
  const store = await openStore(databaseUrl)
  await store.keys.add('tests', hashKey(apiKey))
  await store.close()
  return startInstance(t, { databaseUrl, env: { API_KEYS: '' } })
}

function isEveryOperation(outcomes: readonly Outcome[]): boolean {
  return new Set(outcomes.map(({ operationId }) => operationId)).size === 3
}
