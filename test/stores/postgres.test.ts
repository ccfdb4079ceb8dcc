/**
 * The PostgreSQL store alone: a server that may be unavailable, and other instances that write meanwhile.
 */
import { createHash } from 'node:crypto'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import t, { type Test } from 'tap'
import { isUnavailable, StartupError } from '../../src/errors.ts'
import { openStore } from '../../src/stores/open.ts'
import { connect as connectStore } from '../../src/stores/postgres/pool.ts'
import { listPagesByStatus, listPets, listPetsByStatus } from '../../src/stores/postgres/statements.ts'
import type { IdempotentRequest, NewPet, Store } from '../../src/stores/store.ts'
import { freshDatabase, freshSchema, query } from '../helpers/postgres.ts'
import { startPostgres } from '../helpers/postgres-server.ts'
import { startProgram } from '../helpers/process.ts'
import { waitUntil } from '../helpers/wait.ts'

const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' }
const slow: NewPet = { ...rex, name: 'slow' }
const retry: IdempotentRequest = { scope: 'shop', key: 'e3b0c442', fingerprint: hash('rex'), ttlMs: 60_000 }

// Waits until they have ended.
const endOthers = `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                   WHERE datname = current_database() AND pid <> pg_backend_pid()`

t.test('an animal cannot be seen before one with a smaller id', async (t) => {
  const { url, waiting, release } = await withSlowAdditions(t)
  const [one, other] = [await openAt(t, url), await openAt(t, url)]
  const first = one.pets.add(slow)
  await waiting(1)
  const second = other.pets.add(rex)
  await Promise.race([second, waiting(2)])
  t.same(await other.pets.list({ after: 0n, limit: 10 }), [])
  await release()
  const added = [await first, await second]
  t.same(await other.pets.list({ after: 0n, limit: 10 }), added)
})

t.test('reads that arrive together share a few statements, and each gets its own animals', async (t) => {
  const store = await openAt(t, await freshSchema(t))
  const pets = await Promise.all(
    Array.from({ length: 70 }, (_, index) =>
      store.pets.add({ ...rex, name: `Rex ${index}`, status: index % 7 === 0 ? 'sold' : 'available' }),
    ),
  )
  const found = Promise.all([...pets, ...pets, { id: 0n }].map(({ id }) => store.pets.find(id)))
  const lists = Promise.all(
    pets.flatMap(({ id }) => [
      store.pets.list({ after: id, limit: 3, status: 'available' }),
      store.pets.list({ after: id, limit: 2, status: 'sold' }),
      store.pets.list({ after: id, limit: 2 }),
    ]),
  )
  await setImmediate()
  // 141 by id and three times 70 pages, 16 in a statement.
  const { used = 0, awaited = 0 } = store.getConnections?.() ?? {}
  t.equal(used + awaited, 9 + 5 + 5 + 5)

  t.same(await found, [...pets, ...pets, undefined])
  const after = (id: bigint, status?: string) =>
    pets.filter((pet) => pet.id > id && (status === undefined || pet.status === status))
  t.same(
    await lists,
    pets.flatMap(({ id }) => [
      after(id, 'available').slice(0, 3),
      after(id, 'sold').slice(0, 2),
      after(id).slice(0, 2),
    ]),
  )
})

t.test('the server plans a page once, whatever its place, and by index while there are few animals', async (t) => {
  const pool = await connectStore(await freshSchema(t), 5000)
  t.teardown(pool.close)
  for (const after of [0n, 1n, 2n ** 62n]) await pool.query(listPets, after, 20)
  const count = 'SELECT generic_plans::int, custom_plans::int FROM pg_prepared_statements WHERE name = $1'
  t.same(await pool.query({ text: count }, 'list-pets'), [[3, 0]])
  const plan = await pool.query<[string]>({ text: 'EXPLAIN EXECUTE "list-pets" (0, 20)' })
  t.match(plan.join('\n'), 'Index Scan using pets_pkey')
})

t.test('pages of a status go by index, also in a table that is larger than the memory of the server', async (t) => {
  const url = await freshSchema(t)
  const pool = await connectStore(url, 5000)
  t.teardown(pool.close)
  await query(
    url,
    `INSERT INTO pets (name, category_id, status)
     SELECT repeat('Rex', 30), 1, CASE WHEN md5(place::text) < '8' THEN 'available' ELSE 'sold' END
     FROM generate_series(1, 50000) AS place;
     ANALYZE pets`,
  )
  await pool.query({ text: "SELECT set_config('effective_cache_size', '8kB', false)" })
  await pool.query(listPetsByStatus, 0n, 20, 'sold')
  await pool.query(listPagesByStatus, [0n, 1n], 20, 'sold')
  for (const call of ['"list-pets-by-status" (0, 20, \'sold\')', "\"list-pages-by-status\" ('{0,1}', 20, 'sold')"]) {
    const plan = await pool.query<[string]>({ text: `EXPLAIN EXECUTE ${call}` })
    t.match(plan.join('\n'), 'Index Scan using pets_by_status', call)
  }
})

t.test('a request that another instance is working on gets the same animal', async (t) => {
  await addsOnce(t, await withSlowAdditions(t))
})

t.test(
  'when the animal of a stored key is gone, one of two instances that are asked at once adds another one',
  async (t) => {
    const database = await withSlowAdditions(t)
    await (await openAt(t, database.url)).pets.addOnce(rex, retry)
    await query(database.url, 'DELETE FROM pets')
    await addsOnce(t, database)
  },
)

t.test('an idempotency key that another instance has just stored does not delay the rest of its batch', async (t) => {
  const { url, waiting, release } = await withSlowAdditions(t)
  const [one, other] = [await openAt(t, url, { timeoutMs: 20_000 }), await openAt(t, url, { timeoutMs: 20_000 })]
  // One of the other instance, and two of this one: what it has in hand, and all that waits meanwhile.
  const additions = await countAdditions(url, { completed: 3 })
  const first = other.pets.addOnce(slow, retry)
  await waiting(1)
  const inHand = one.pets.add(rex)
  await waiting(2)
  const second = one.pets.addOnce(slow, retry)
  await untilLookedUp(url)
  const beside = [1, 2, 3].map(() => one.pets.add(rex))
  await release()
  const [result, replay, ...added] = await Promise.all([first, second, inHand, ...beside])
  t.match(result, { outcome: 'added', pet: slow })
  t.same(replay, { ...result, outcome: 'replayed' })
  t.match(added, [rex, rex, rex, rex])
  t.equal(await additions(), 3)
  t.equal((await one.pets.list({ after: 0n, limit: 10 })).length, 5)
})

t.test('an idempotency key that the database never stores gets 503', async (t) => {
  const url = await freshSchema(t)
  const { pets } = await openAt(t, url)
  await query(
    url,
    `CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
     CREATE TRIGGER forget BEFORE INSERT ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION forget()`,
  )
  await t.rejects(pets.addOnce(rex, retry), { code: 'service_unavailable' })
  t.same(await pets.list({ after: 0n, limit: 10 }), [])
})

t.test('expired idempotency keys are deleted when animals are added', async (t) => {
  const url = await freshSchema(t)
  const { pets } = await openAt(t, url)
  for (let index = 0; index < 10; index++) await pets.addOnce(rex, { ...retry, key: `key ${index}`, ttlMs: 1 })
  await setTimeout(10)
  for (let index = 0; index < 5; index++) await pets.add(rex)
  t.same(await query(url, 'SELECT * FROM idempotency_keys'), [])
})

t.test('an idempotency key that another instance has renewed meanwhile is not deleted', async (t) => {
  const { url, waiting, release } = await withSlowAdditions(t)
  const [one, other] = [await openAt(t, url), await openAt(t, url)]
  await one.pets.addOnce(rex, { ...retry, ttlMs: 1 })
  await setTimeout(10)
  const renewed = one.pets.addOnce(slow, retry)
  await waiting(1)
  const added = other.pets.add(rex)
  await waiting(2)
  await release()
  await Promise.all([renewed, added])
  t.match(await other.pets.addOnce(slow, retry), { outcome: 'replayed' })
})

t.test('a missing database is named in one line, without a password', async (t) => {
  const url = new URL(await freshSchema(t))
  url.password = 'secret'
  url.pathname = 'nowhere'
  await refuses(t, url.href, `cannot open ${getPlace(url)}: database "nowhere" does not exist; check the URL`)
  url.host = '127.0.0.1:1'
  url.search = ''
  await refuses(t, url.href, 'cannot open the store postgres://127.0.0.1:1/nowhere: ECONNREFUSED; check the URL')
  await refuses(t, 'postgresql:///animals?host=/nowhere', 'cannot open the store postgresql:///animals: ENOENT')
  for (const malformed of ['me:secret@host:port/animals', 'me:12/secret@127.0.0.1:1/animals', '127.0.0.1:x']) {
    await refuses(t, `postgres://${malformed}`, 'cannot open the store postgres://…: ')
  }
})

t.test('a store that is newer than the program is refused', async (t) => {
  const url = await freshSchema(t)
  await (await openStore(url)).close()
  await query(url, 'UPDATE animal_store SET version = 1000')
  await refuses(t, url, 'its schema has version 1000, and this program supports versions up to')
})

t.test('the tables of another program are not changed', async (t) => {
  const foreign = [
    'CREATE TABLE animal_store (version int)',
    'CREATE TABLE animal_store AS SELECT generate_series(1, 2) AS version',
    `CREATE TABLE animal_store AS SELECT '1' AS version`,
    'CREATE TABLE animal_store AS SELECT -1 AS version',
    'CREATE TABLE animal_store AS SELECT 1 AS number',
    'CREATE TABLE pets (name text)',
    'CREATE VIEW keys AS SELECT 1 AS number',
    `CREATE TYPE pets AS ENUM ('cat', 'dog')`,
  ]
  for (const sql of foreign) {
    const url = await freshSchema(t)
    await query(url, sql)
    const tables = `SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace`
    const before = await query(url, tables)
    await refuses(t, url, 'it is a database of something else; name another database')
    t.same(await query(url, tables), before, sql)
  }
})

t.test('a database in which tables cannot be created is named in one line', async (t) => {
  const url = new URL(await freshSchema(t))
  url.searchParams.set('options', `${url.searchParams.get('options')} -c default_transaction_read_only=on`)
  await refuses(t, url.href, 'in a read-only transaction; check the URL and the permissions of its user')
})

t.test('a database that cannot hold every name is refused', async (t) => {
  const url = await freshDatabase(t, `ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'`)
  await refuses(t, url, 'its encoding is LATIN1; name a database with the encoding UTF8')
})

t.test('a database with fsync off is refused', async (t) => {
  const server = await startPostgres()
  t.teardown(() => server.remove())
  const url = server.url('postgres')
  await query(url, 'ALTER SYSTEM SET fsync = off')
  await query(url, 'SELECT pg_reload_conf()')
  await refuses(t, url, 'fsync is off, so a crash of its machine would lose acknowledged animals; set it to on')
})

t.test('the settings of the server cannot weaken a commit, and can make it stricter', async (t) => {
  const settings = { off: 'on', local: 'on', remote_write: 'on', on: 'on', remote_apply: 'remote_apply' }
  for (const [setting, used] of Object.entries(settings)) {
    const url = new URL(await freshSchema(t))
    url.searchParams.set('options', `${url.searchParams.get('options')} -c synchronous_commit=${setting}`)
    const pool = await connectStore(url.href, 5000)
    t.same(await pool.query({ text: `SELECT current_setting('synchronous_commit')` }), [[used]], setting)
    await pool.close()
  }
})

t.test('a store uses the one of several servers that accepts writes', async (t) => {
  const writable = await freshSchema(t)
  const { searchParams, pathname } = new URL(writable)
  const readOnly = `${searchParams.get('options')} -c default_transaction_read_only=on`
  const host = encodeURIComponent(searchParams.get('host') ?? '')
  const url = (hosts: string, options: string, more = '') =>
    `postgres://postgres@${hosts}${pathname}?${new URLSearchParams({ options })}${more}`
  const options = searchParams.get('options') ?? ''
  for (const hosts of [`%2Fnowhere,${host}`, `${host},%2Fnowhere`]) {
    const store = await openAt(t, url(hosts, options))
    const { id } = await store.pets.add(rex)
    t.match(await store.pets.find(id), rex)
  }
  const one = await openAt(t, url(host, options, '&target_session_attrs=read-write'))
  t.ok(await one.pets.add(rex))
  const text = 'the server accepts no writes; check the URL, and that PostgreSQL can be reached there'
  await refuses(t, url(`${host},${host}`, readOnly), text, { timeoutMs: 1500 })
  await refuses(t, url(host, readOnly, '&target_session_attrs=primary'), text, { timeoutMs: 1500 })
})

t.test('a connection that breaks while the store is opened is reported in one line', async (t) => {
  const url = await freshDatabase(t)
  const client = await connect(t, url)
  // What another instance holds while it makes the tables.
  await client.query('SELECT pg_advisory_lock($1, 1)', [0x414e4d4c])
  const opening = refuses(t, url, 'check the URL')
  const waiting = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database =
                   (SELECT oid FROM pg_database WHERE datname = current_database())`
  await waitUntil(async () => (await client.query(waiting)).rows.length > 0)
  await client.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) AS waiting`)
  await opening
})

t.test('a store opens new connections when its server ends them', async (t) => {
  const url = await freshDatabase(t)
  const store = await openAt(t, url)
  const { id } = await store.pets.add(rex)
  for (let round = 0; round < 3; round++) {
    await query(url, endOthers)
    await returns(store)
    t.equal((await store.pets.find(id))?.name, 'Rex')
  }
})

t.test(
  'a store whose server accepts no writes is read, and is written again when the server accepts writes',
  async (t) => {
    const url = await freshDatabase(t)
    const store = await openAt(t, url)
    await store.pets.add(rex)
    // A session keeps the mode that it began with, so this one can go on changing it.
    const client = await connect(t, url)
    const becomes = async (mode: string) => {
      await client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = ${mode}`)
      await client.query(endOthers)
      await returns(store)
    }
    await becomes('on')
    await t.rejects(store.pets.add(rex), { code: 'service_unavailable' })
    await t.rejects(store.keys.add('ops', keyHash('ops')), { code: 'service_unavailable' })
    t.equal((await store.pets.list({ after: 0n, limit: 10 })).length, 1)
    await becomes('off')
    await store.pets.add(rex)
    t.equal((await store.pets.list({ after: 0n, limit: 10 })).length, 2)
  },
)

t.test('a server that is stopped, killed or frozen makes the store unavailable until it is back', async (t) => {
  const server = await startPostgres()
  t.teardown(() => server.remove())
  const store = await openAt(t, server.url('postgres'), { timeoutMs: 2000 })
  const { id } = await store.pets.add(rex)
  const faults: [end: () => Promise<void>, mend: () => Promise<void>][] = [
    [() => server.stop(), () => server.start()],
    [() => server.stop('SIGKILL'), () => server.start()],
    [() => server.freeze(), () => server.thaw()],
  ]
  for (const [end, mend] of faults) {
    await end()
    await t.rejects(store.check(), { code: 'service_unavailable' })
    await t.rejects(store.pets.find(id), { code: 'service_unavailable' })
    await t.rejects(async () => store.keys.find(keyHash('ops')), { code: 'service_unavailable' })
    await t.rejects(Promise.any([1, 2, 3].map(() => store.pets.add(slow))), {
      errors: [{ code: 'service_unavailable' }],
    })
    await mend()
    await returns(store)
    t.same(await store.pets.find(id), { id, ...rex })
  }
  t.ok((await store.pets.add(rex)).id > id)
})

t.test('a store whose server is frozen cannot be opened, but can be closed', async (t) => {
  const server = await startPostgres()
  t.teardown(() => server.remove())
  const store = await openStore(server.url('postgres'), { timeoutMs: 400 })
  await server.freeze()
  await refuses(t, server.url('postgres'), 'check the URL, and that PostgreSQL can be reached there', {
    timeoutMs: 100,
  })
  await t.resolves(store.close())
})

t.test('a process that closes its store ends even while its server is frozen', async (t) => {
  const server = await startPostgres()
  t.teardown(() => server.remove())
  const { output, write, ended } = startProgram(
    t,
    `import { openStore } from 'SRC/stores/open.ts'
     const store = await openStore('${server.url('postgres')}')
     await store.check()
     process.stdin.once('data', () => {
       process.stdin.destroy()
       store.close()
     })
     process.stdout.write('open')`,
  )
  await waitUntil(output)
  await server.freeze()
  write('close')
  t.match(await ended, { status: 0, signal: null, stderr: '' })
})

/** A database in which an animal named "slow" is not there before it is released, and who waits can be counted. */
async function withSlowAdditions(t: Test) {
  const url = await freshDatabase(t)
  await (await openStore(url)).close()
  const client = await connect(t, url)
  await client.query(`
    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN new; END $$;
    CREATE TRIGGER wait BEFORE INSERT ON pets FOR EACH ROW WHEN (new.name = 'slow') EXECUTE FUNCTION wait();
    SELECT pg_advisory_lock(1)`)
  return {
    url,
    waiting: async (count: number) => {
      const text = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database =
                    (SELECT oid FROM pg_database WHERE datname = current_database())`
      await waitUntil(async () => (await client.query(text)).rows.length >= count)
    },
    release: () => client.query('SELECT pg_advisory_unlock(1)'),
  }
}

/** Passes when, of two instances that are given one request at once, one adds the animal and the other replays that. */
async function addsOnce(t: Test, { url, waiting, release }: Awaited<ReturnType<typeof withSlowAdditions>>) {
  const [one, other] = [await openAt(t, url), await openAt(t, url)]
  const first = one.pets.addOnce(slow, retry)
  await waiting(1)
  const second = other.pets.addOnce(slow, retry)
  await waiting(2)
  await release()
  const { outcome, ...result } = await first
  t.equal(outcome, 'added')
  t.same(await second, { ...result, outcome: 'replayed' })
  t.equal((await other.pets.list({ after: 0n, limit: 10 })).length, 1)
}

/** Counts the statements that add animals, those that fail included. The server completes as many as `completed`, and no other. */
async function countAdditions(url: string, { completed }: { completed: number }): Promise<() => Promise<number>> {
  await query(
    url,
    `CREATE SEQUENCE additions;
     CREATE FUNCTION count_addition() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN IF nextval('additions') > ${completed} THEN PERFORM pg_sleep(600); END IF; RETURN NULL; END $$;
     CREATE TRIGGER count_addition BEFORE INSERT ON pets FOR EACH STATEMENT EXECUTE FUNCTION count_addition()`,
  )
  return async () => Number((await query(url, 'SELECT last_value FROM additions'))[0]?.last_value)
}

/** Resolves when a store in this process has been told if an idempotency key is stored, and asks for nothing else yet. */
async function untilLookedUp(url: string): Promise<void> {
  // The server waits for the client, so it has sent its response.
  const text = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle'
                AND wait_event = 'ClientRead' AND query LIKE '%FROM idempotency_keys LEFT JOIN%'`
  await waitUntil(async () => (await query(url, text)).length > 0)
  // What had been sent by then has been read when this iteration of the event loop and the next are over.
  await setImmediate()
  await setImmediate()
}

/** The store at a URL, closed after the test. */
async function openAt(t: Test, url: string, options?: { readonly timeoutMs: number }): Promise<Store> {
  const store = await openStore(url, options)
  t.teardown(() => store.close())
  return store
}

async function connect(t: Test, url: string): Promise<Client> {
  const client = new Client(url)
  await client.connect()
  t.teardown(() => client.end())
  return client
}

/** Resolves when the store responds; until then it says that it is unavailable. */
async function returns(store: Store): Promise<void> {
  await waitUntil(async () => {
    const error: unknown = await store.check().catch((error: unknown) => error)
    if (error !== undefined && !isUnavailable(error)) throw error
    return error === undefined
  })
}

/** Opening fails with one line that holds the text, and no password. */
async function refuses(t: Test, url: string, text: string, options?: { readonly timeoutMs: number }): Promise<void> {
  const error = await openStore(url, options).then(
    (store) => store.close(),
    (error: unknown) => error,
  )
  t.ok(error instanceof StartupError, text)
  const { message } = error as StartupError
  t.match(message, text)
  t.notMatch(message, /secret|\n/)
}

function getPlace({ protocol, host, pathname }: URL): string {
  return `the store ${protocol}//${host}${pathname}`
}

function hash(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** The hash of an API key, as stores know it. */
function keyHash(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
