/** A PostgreSQL store whose server hangs, stops or accepts no more writes, while another one may take over. */
import { setImmediate, setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { hashKey } from '../../src/auth/keys.ts'
import { isUnavailable } from '../../src/errors.ts'
import { TIMEOUT_MS } from '../../src/stores/store.ts'
import { configure, connect, query } from '../helpers/postgres.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres-server.ts'
import { startProgram } from '../helpers/process.ts'
import { listAll, openAt, refuses, requestFor, rex, using } from '../helpers/stores.ts'
import { waitUntil } from '../helpers/wait.ts'

const request = requestFor('key')
const unavailable = { code: 'service_unavailable' }
/** Lists the sessions of a store. */
const sessions = `SELECT pid FROM pg_stat_activity WHERE application_name = 'animal-store' ORDER BY pid`

/** Two servers that know nothing of each other. Each test leaves them running, with the settings of the beginning. */
const servers = await Promise.all([startPostgres(), startPostgres()])
t.teardown(() => Promise.all(servers.map((server) => server.remove())))

t.test('a server that loses acknowledged animals in a crash of its machine is refused', async (t) => {
  const { server } = await start(t)
  await configure(server.url, 'fsync', 'off')
  const message = 'fsync is off, so a crash of its machine would lose acknowledged animals; set it to on'
  await refuses(t, server.url, message)
})

t.test('a store whose server is frozen cannot be opened, but can be closed', async (t) => {
  const { server, store } = await start(t)
  await server.freeze()
  t.teardown(() => server.thaw())
  const message = 'check the URL, and that PostgreSQL can be reached there'
  await refuses(t, server.url, message)
  await t.resolves(store.close())
})

t.test('a process that closes its store ends even while its server is frozen', async (t) => {
  const { server } = await start(t)
  const { output, write, waitForEnd } = startProgram(
    t,
    `import { openStore } from 'SRC/stores/open.ts'
     const store = await openStore('${server.url}')
     await store.check()
     process.stdin.once('data', () => {
       process.stdin.destroy()
       store.close()
     })
     process.stdout.write('open')`,
  )
  await waitUntil(output)
  await server.freeze()
  t.teardown(() => server.thaw())
  write('close')
  t.match(await waitForEnd(), { status: 0, signal: null, stderr: '' })
})

t.test('an addition to a server that accepts no writes for a moment waits until it does', async (t) => {
  const { server, store } = await start(t)
  await configure(server.url, 'default_transaction_read_only', 'on')
  const adding = [store.pets.add(rex), store.keys.add('key', hashKey('key'))]
  await setTimeout(200)
  await configure(server.url, 'default_transaction_read_only', 'off')
  t.match(await Promise.all(adding), [rex, true])
  t.match(store.getConnections?.(), { used: 0, awaited: 0 })
})

t.test('without a server that accepts writes, callers get 503, and the store can be closed', async (t) => {
  const { server, store } = await start(t)
  await server.stop()
  t.teardown(() => server.start())
  const begun = performance.now()
  await t.rejects(store.pets.add(rex), {
    statusCode: 503,
    cause: { message: 'no server accepts writes', cause: { message: /ENOENT|ECONNREFUSED/ } },
  })
  const ms = performance.now() - begun
  t.ok(ms > TIMEOUT_MS / 4 && ms < 10 * TIMEOUT_MS, `after ${Math.round(ms)} ms`)
  t.same(store.getConnections?.(), { used: 0, idle: 0, awaited: 0 })
  await store.close()
  await t.rejects(store.check(), { statusCode: 503, cause: 'the store is closed' })
})

t.test('a request whose connection breaks is served by another one if it has an idempotency key', async (t) => {
  const { server, store } = await start(t)
  for (const { add, what } of [
    { add: () => store.pets.addOnce(rex, request), what: 'added' },
    { add: () => store.pets.add(rex), what: 'unavailable' },
  ]) {
    const lock = await lockPets(t, server, 'SHARE')
    const adding = add().then(
      () => 'added',
      (error) => (isUnavailable(error) ? 'unavailable' : error),
    )
    await lock.endWaiting()
    await lock.release()
    t.equal(await adding, what)
  }
  t.equal((await listAll(store)).length, 1)
})

t.test('a repeated request is not acknowledged before a synchronous standby has its animal', async (t) => {
  const { server, store } = await start(t)
  await requireStandby(server)
  await t.rejects(store.pets.addOnce(rex, request), unavailable)
  // As when the server dies: the animal becomes visible, although nobody else has it.
  await cancelWaits(server)
  await waitUntil(async () => (await listAll(store)).length === 1)
  await t.rejects(store.pets.addOnce(rex, request), unavailable)
  await configure(server.url, 'synchronous_standby_names', '')
  t.match(await store.pets.addOnce(rex, request), { outcome: 'replayed', pet: rex })
  t.equal((await listAll(store)).length, 1)
})

for (const mode of ['any', 'read-write']) {
  t.test(`a commit whose wait for a synchronous standby is cancelled is not acknowledged (${mode})`, async (t) => {
    const { server, store } = await start(t, { mode })
    await requireStandby(server)
    // The first goes alone; the others wait for it, and share a commit.
    const uses: Promise<unknown>[] = [
      ...[rex, rex, rex].map(store.pets.add),
      store.pets.addOnce(rex, request),
      store.keys.add('key', hashKey('key')),
      store.check(),
    ]
    let isOver = false
    const settled = Promise.allSettled(uses).finally(() => {
      isOver = true
    })
    await waitUntil(async () => {
      await cancelWaits(server)
      return isOver
    })
    for (const use of await settled) t.match(use, { status: 'rejected', reason: unavailable })
    await configure(server.url, 'synchronous_standby_names', '')
    t.match(await store.pets.addOnce(rex, request), { outcome: 'replayed', pet: rex })
    t.equal((await listAll(store)).length, 4)
  })
}

t.test('a server whose commit is not confirmed is not taken for lost', async (t) => {
  const { server, store } = await start(t)
  await store.pets.add(rex)
  const before = await query(server.url, sessions)
  await requireStandby(server)
  const adding = t.rejects(store.pets.add(rex), { statusCode: 503, cause: { code: '40003' } })
  await waitUntil(async () => (await cancelWaits(server)).length > 0)
  await adding
  await configure(server.url, 'synchronous_standby_names', '')
  t.match(await store.pets.add(rex), rex)
  t.same(await query(server.url, sessions), before, 'the connection is the same')
})

t.test('a store changes to the other server that accepts writes if no standby confirms a commit', async (t) => {
  const store = await startOnBoth(t)
  for (const confirmed of [1, 2]) {
    await store.pets.add(rex)
    const [server] = await sortByUse()
    await requireStandby(server)
    await t.rejects(store.pets.add(rex), unavailable)
    t.match(await store.pets.add(rex), rex, `move ${confirmed}`)
    await configure(server.url, 'synchronous_standby_names', '')
    await waitUntil(async () => (await countConnections(server)) === 0)
  }
})

t.test('a server that is lost while the store is closed is not replaced by another one', async (t) => {
  const store = await startOnBoth(t)
  const { id } = await store.pets.add(rex)
  const [server] = await sortByUse()
  const lock = await lockPets(t, server, 'ACCESS EXCLUSIVE')
  const finding = t.rejects(store.pets.find(id), unavailable)
  await lock.waitUntilWaiting()
  const closing = store.close()
  await setTimeout(50)
  await lock.endWaiting()
  await lock.release()
  await Promise.all([finding, closing])
  await setTimeout(200)
  t.same(await Promise.all(servers.map(countConnections)), [0, 0])
})

t.test('a wrong statement and an exhausted pool are not taken for a lost server', async (t) => {
  const { server, store } = await start(t)
  const { url } = server
  const impossible = { ...rex, categoryId: 2n ** 63n }
  await t.rejects(store.pets.add(impossible), { code: '22003' })
  await t.rejects(store.pets.addOnce(impossible, request), { code: '22003' })
  const { id } = await store.pets.add(rex)
  const before = await query(url, sessions)
  // Two rounds of reads take all connections of the store, together for longer than one may be waited for.
  await query(url, 'ALTER TABLE pets RENAME TO real_pets')
  await query(url, 'CREATE VIEW pets AS SELECT real_pets.* FROM real_pets, (SELECT pg_sleep(0.8)) AS slept')
  const asked = []
  for (let count = 0; count < 25; count++) {
    asked.push(store.pets.find(id))
    // Those of one iteration would share a connection.
    await setImmediate()
  }
  const reads = await Promise.allSettled(asked)
  t.ok(reads.filter(({ status }) => status === 'fulfilled').length >= 10)
  const failed = reads.filter((read) => read.status === 'rejected')
  t.ok(failed.length > 0 && failed.every(({ reason }) => isUnavailable(reason)))
  const after = new Set((await query(url, sessions)).map(({ pid }) => pid))
  t.ok(
    before.every(({ pid }) => after.has(pid)),
    'the connections are the same',
  )
})

t.test('a server that cancels statements because they take too long is not taken for lost', async (t) => {
  const { server, store } = await start(t)
  const { id } = await store.pets.add(rex)
  const { release } = await lockPets(t, server, 'ACCESS EXCLUSIVE')
  const finding = []
  for (let count = 0; count < 10; count++) {
    finding.push(t.rejects(store.pets.find(id), { statusCode: 503, cause: { code: '57014' } }))
    // Those of one iteration would share a connection.
    await setImmediate()
  }
  await Promise.all(finding)
  t.same(store.getConnections?.(), { used: 0, idle: 10, awaited: 0 })
  await release()
  t.match(await store.pets.find(id), rex)
})

/** Opens an empty store on the first server alone. */
async function start(t: Test, { mode = 'read-write' } = {}) {
  const [server] = servers
  resetAfter(t, [server])
  return { server, store: await openAt(t, `${server.url}&target_session_attrs=${mode}`) }
}

/** Opens a store that may use either server. */
async function startOnBoth(t: Test) {
  resetAfter(t, servers)
  // Opening makes the tables in one of them.
  for (const { url } of servers) await using(url, async () => {})
  const hosts = servers.map(({ folder }) => encodeURIComponent(folder)).join(',')
  return openAt(t, `postgres://postgres@${hosts}/postgres`)
}

/** Resets servers after the test. */
function resetAfter(t: Test, used: readonly PostgresServer[]): void {
  t.teardown(async () => {
    for (const { url } of used) {
      await query(url, 'ALTER SYSTEM RESET ALL')
      await query(url, 'SELECT pg_reload_conf()')
      await query(url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    }
  })
}

/** Returns the servers, with the one first that a store has connections to. */
async function sortByUse(): Promise<readonly [PostgresServer, PostgresServer]> {
  const [one, other] = servers
  const counts = () => Promise.all([countConnections(one), countConnections(other)])
  // The store asks both which of them accepts writes.
  const [first] = await waitUntil(async () => {
    const found = await counts()
    return found.includes(0) && found.some((count) => count > 0) ? found : undefined
  })
  return first > 0 ? [one, other] : [other, one]
}

/** How many connections a store has to the server. */
async function countConnections({ url }: PostgresServer): Promise<number> {
  return (await query(url, sessions)).length
}

/** Locks the table of the animals on a connection of its own: whoever needs it waits, until it is released. */
async function lockPets(t: Test, server: PostgresServer, mode: 'SHARE' | 'ACCESS EXCLUSIVE') {
  const client = await connect(t, server.url)
  await client.query(`BEGIN; LOCK TABLE pets IN ${mode} MODE`)
  const forWaiting = (what: string) => {
    return waitUntil(async () => (await client.query(`SELECT ${what} FROM pg_locks WHERE NOT granted`)).rows.length > 0)
  }
  return {
    waitUntilWaiting: () => forWaiting('pid'),
    /** Waits until a connection waits, and ends it. */
    endWaiting: () => forWaiting('pg_terminate_backend(pid)'),
    release: () => client.query('COMMIT'),
  }
}

/** Makes commits wait for a synchronous standby that there is not. */
async function requireStandby({ url }: PostgresServer): Promise<void> {
  await configure(url, 'synchronous_standby_names', 'absent')
  // A new session has the setting once all processes have been told to read it.
  await waitUntil(async () => {
    const [row] = await query(url, `SELECT current_setting('synchronous_standby_names') AS names`)
    return row?.names === 'absent'
  })
  // Commits wait from the moment at which the checkpointer has read the setting, which it does before a checkpoint.
  await query(url, 'CHECKPOINT')
}

/** Ends the waits of commits for a synchronous standby. */
function cancelWaits({ url }: PostgresServer) {
  return query(url, `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`)
}
