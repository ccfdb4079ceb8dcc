/** The PostgreSQL store alone: a server that may be unavailable, and other instances that write meanwhile. */
import { randomBytes } from 'node:crypto'
import { setImmediate, setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { hashKey } from '../../src/auth/keys.ts'
import { isUnavailable } from '../../src/errors.ts'
import { checkStore } from '../../src/stores/open.ts'
import { connect as connectStore } from '../../src/stores/postgres/connection.ts'
import * as statements from '../../src/stores/postgres/statements.ts'
import { rights } from '../../src/stores/postgres/tables.ts'
import { parseServers } from '../../src/stores/postgres/url.ts'
import { connect, freshDatabase, freshSchema, query } from '../helpers/postgres.ts'
import { createVersion3, listAll, openAt, refuses, requestFor, rex, using } from '../helpers/stores.ts'
import { waitUntil } from '../helpers/wait.ts'

const slow = { ...rex, name: 'slow' }
const retry = requestFor('key')

// Waits until they have ended.
const endOthers = `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                   WHERE datname = current_database() AND pid <> pg_backend_pid()`

/** Finds the sessions that wait for an advisory lock. */
const locked = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database =
                (SELECT oid FROM pg_database WHERE datname = current_database())`

t.test('an animal cannot be seen before one with a smaller id', async (t) => {
  const { url, waiting, release } = await withSlowAdditions(t)
  const [one, other] = [await openAt(t, url), await openAt(t, url)]
  const first = one.pets.add(slow)
  await waiting(1)
  const second = other.pets.add(rex)
  await Promise.race([second, waiting(2)])
  t.same(await listAll(other), [])
  await release()
  const added = [await first, await second]
  t.same(await listAll(other), added)
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
  // 141 by id, 140 pages of a status, and 70 of all animals, 16 in a statement.
  const { used = 0, awaited = 0 } = store.getConnections?.() ?? {}
  t.equal(used + awaited, 9 + 9 + 5)

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

t.test('lookups of wrong keys occupy one connection, however many are asked for at once', async (t) => {
  const { keys, getConnections } = await openAt(t, await freshSchema(t))
  await keys.add('shop', hashKey('shop'))
  const finding = []
  for (let count = 0; count < 100; count++) {
    finding.push(keys.find(hashKey(`wrong-${count}`)))
    const { used = 0, awaited = 0 } = getConnections?.() ?? {}
    t.ok(used + awaited <= 1)
    // Those of one iteration would share a connection in any case.
    await setImmediate()
  }
  t.match(await keys.find(hashKey('shop')), { name: 'shop' })
  t.same(new Set(await Promise.all(finding)), new Set([undefined]))
})

t.test('the server plans a page once, whatever its place, and by index however large the table is', async (t) => {
  const url = await freshSchema(t)
  const pool = await connectStore(url)
  t.teardown(pool.close)
  const explain = async (call: string) => (await pool.query({ text: `EXPLAIN EXECUTE ${call}` })).join('\n')
  for (const after of [0n, 1n, 2n ** 62n]) await pool.query(statements.listPets, after, 20)
  const count = 'SELECT generic_plans::int, custom_plans::int FROM pg_prepared_statements WHERE name = $1'
  t.same(await pool.query({ text: count }, 'list-pets'), [[3, 0]])
  t.match(await explain('"list-pets" (0, 20)'), 'Index Scan using pets_pkey')

  await query(
    url,
    `INSERT INTO pets (name, category_id, status)
     SELECT repeat('Rex', 30), 1, CASE WHEN md5(place::text) < '8' THEN 'available' ELSE 'sold' END
     FROM generate_series(1, 50000) AS place;
     ANALYZE pets`,
  )
  // As if the table were larger than the memory of the server.
  await pool.query({ text: "SELECT set_config('effective_cache_size', '8kB', false)" })
  await pool.query(statements.listPetsByStatus, 0n, 20, 'sold')
  await pool.query(statements.listPagesByStatus, [0n, 1n], [20, 20], ['sold', 'sold'])
  for (const call of [
    '"list-pets-by-status" (0, 20, \'sold\')',
    "\"list-pages-by-status\" ('{0,1}', '{20,20}', '{sold,sold}')",
  ]) {
    t.match(await explain(call), 'Index Scan using pets_by_status', call)
  }
})

t.test('a request that another instance is working on gets the same animal', async (t) => {
  const { url, waiting, release } = await withSlowAdditions(t)
  const [one, other] = [await openAt(t, url), await openAt(t, url)]
  const first = one.pets.addOnce(slow, retry)
  await waiting(1)
  const second = other.pets.addOnce(slow, retry)
  await waiting(2)
  await release()
  const { outcome, ...result } = await first
  t.equal(outcome, 'added')
  t.match(await second, { ...result, outcome: 'replayed' })
  t.equal((await listAll(other)).length, 1)
})

t.test('an idempotency key that another instance has just stored does not delay the rest of its batch', async (t) => {
  const { url, waiting, release } = await withSlowAdditions(t)
  const [one, other] = [await openAt(t, url), await openAt(t, url)]
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
  t.match(replay, { ...result, outcome: 'replayed' })
  t.match(added, [rex, rex, rex, rex])
  t.equal(await additions(), 3)
  t.equal((await listAll(one)).length, 5)
})

t.test('an idempotency key that the database never stores gets 503', async (t) => {
  const url = await freshSchema(t)
  const store = await openAt(t, url)
  await query(
    url,
    `CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
     CREATE TRIGGER forget BEFORE INSERT ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION forget()`,
  )
  await t.rejects(store.pets.addOnce(rex, retry), { code: 'service_unavailable' })
  t.same(await listAll(store), [])
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

t.test('a URL of which no store can be opened is refused in one line, without a password', async (t) => {
  const missing = new URL(await freshSchema(t))
  missing.password = 'secret'
  missing.pathname = 'nowhere'
  const unknownUser = new URL(await freshSchema(t))
  unknownUser.username = 'nobody'
  for (const [url, message] of [
    [
      missing.href,
      /^cannot open the store: the database nowhere at .+:\d+: database "nowhere" does not exist; check the URL/,
    ],
    [
      unknownUser.href,
      /^cannot open the store: the database \w+ at .+:\d+: role "nobody" does not exist; check the URL/,
    ],
    ['postgres://127.0.0.1:1/x', 'cannot open the store: ECONNREFUSED; check the URL'],
    ['postgresql:///animals?host=/nowhere', 'cannot open the store: ENOENT'],
    ['postgres://me:secret@host:port/animals', 'cannot open the store: '],
    ['postgres://me:12/secret@127.0.0.1:1/animals', 'cannot open the store: '],
    ['postgres://127.0.0.1:x', 'cannot open the store: '],
    // Misspelt; of pg, but incompatible with this program; demands of libpq that pg does not see to.
    ...['sslmod=verify-full', 'SSLMODE=require', 'binary=1', 'query_timeout=1', 'replication=1'].map(refusedParameter),
    ...['channel_binding=require', 'require_auth=none', 'sslcrl=x', 'gssencmode=require'].map(refusedParameter),
    // Of libpq, without an effect in pg.
    ...['connect_timeout=9', 'channel_binding=prefer', 'keepalives=1'].map(refusedParameter),
    ['postgres://a/animals?sslmode=', 'the parameter sslmode of the store URL has no value; correct or remove it'],
    ['postgres://me:1?secret@a/animals?sslmode=disable', 'a parameter of the store URL is not supported'],
    ['postgres://a/animals#?sslmode=verify-full', 'the store URL has a "#"; write %23'],
    [
      'postgres://me:secret@a,b/animals?sslmode=verfy-full',
      'the parameter sslmode of the store URL must be one of: disable, allow, prefer,',
    ],
    [
      'postgres://me:secret@a,b/animals?ssl=false',
      'the parameter ssl of the store URL must be one of: 0, 1, true, no-verify',
    ],
    [
      'postgres://me:secret@a,b/animals?target_session_attrs=standby',
      'the store URL must be one of: any, primary, read-write',
    ],
    [
      'postgres://me:secret@a,b/animals?sslmode=require&sslmode=disable',
      'the store URL has the parameter sslmode twice; remove one of them',
    ],
    [
      'postgres://me:secret@a,b/animals?ssl=true&sslmode=disable',
      'the store URL has the parameters ssl and sslmode; remove ssl',
    ],
  ] as const) {
    await refuses(t, url, message)
  }
})

t.test('a user who may not create the tables, or lacks a right to them, is refused, by a check too', async (t) => {
  const { url, role, roleUrl } = await withRole(t)
  const isRefused = async (message: string) => {
    await refuses(t, roleUrl, message)
    await t.rejects(checkStore(roleUrl), { name: 'StartupError', message })
  }
  await isRefused('cannot open the store: its user may create no tables; grant CREATE on the schema')
  await using(url, async () => {})
  await isRefused(
    'cannot open the store: its user lacks rights; GRANT SELECT ON TABLE animal_store, SELECT ON TABLE pets, ',
  )
  for (const [right, object] of rights) await query(url, `GRANT ${right} ON ${object} TO ${role}`)
  for (const [right, object] of rights) {
    await query(url, `REVOKE ${right} ON ${object} FROM ${role}`)
    await isRefused(`cannot open the store: its user lacks rights; GRANT ${right} ON ${object}`)
    await query(url, `GRANT ${right} ON ${object} TO ${role}`)
  }
})

t.test('a user who has the rights that a start asks for, and no others, can run every statement', async (t) => {
  const { url, role, roleUrl } = await withRole(t)
  await using(url, async () => {})
  for (const [right, object] of rights) await query(url, `GRANT ${right} ON ${object} TO ${role}`)
  await checkStore(roleUrl)
  const client = await connect(t, roleUrl)
  for (const sql of Object.values(statements)) {
    if (typeof sql !== 'object') continue
    const parameters = Array.from(new Set(sql.text.match(/\$\d+/g)), () => 'NULL')
    await client.query(`PREPARE "${sql.name}" AS ${sql.text}`)
    // Checks the rights, and runs nothing.
    await t.resolves(client.query(`EXPLAIN EXECUTE "${sql.name}" ${parameters.length > 0 ? `(${parameters})` : ''}`))
  }
  // The right to a sequence is checked only when an id is assigned.
  await using(roleUrl, async (store) => t.match(await store.pets.addOnce(rex, retry), { outcome: 'added' }))
})

t.test('a user who does not own the tables cannot upgrade them', async (t) => {
  const { url, role, roleUrl } = await withRole(t)
  await createVersion3(url)
  await query(url, `GRANT CREATE ON SCHEMA public TO ${role}`)
  for (const [right, object] of rights) await query(url, `GRANT ${right} ON ${object} TO ${role}`)
  await refuses(t, roleUrl, 'its user may not upgrade the tables; start once as the user who owns them')
})

t.test('a mistake in a statement or its values is an error of its own call, not an outage', async (t) => {
  for (const attributes of ['any', 'read-write']) {
    const pool = await connectStore(`${await freshSchema(t)}&target_session_attrs=${attributes}`)
    t.teardown(pool.close)
    const parameter = 'SELECT $1::text'
    for (const [text, ...values] of [
      [parameter],
      [parameter, { toPostgres: () => Buffer.alloc(-1) }],
      ["SELECT currval('pet_ids')"],
      ['SELECT colour FROM pets'],
    ] as const) {
      const error = await pool.query({ name: 'mistake', text }, ...values).catch((error: unknown) => error)
      t.ok(error instanceof Error && !isUnavailable(error), text)
    }
    await pool.query({ name: 'one', text: 'SELECT 1' })
    await t.rejects(pool.query({ name: 'one', text: 'SELECT 2' }), { message: 'Prepared statements must be unique' })
    t.same(await pool.query({ text: 'SELECT 1' }), [[1]])
  }
})

t.test('several servers are used in their order, and only if they accept writes', (t) => {
  const rest = '/animals?sslmode=require&target_session_attrs=read-write'
  for (const [url, servers, needsPrimary] of [
    ['postgres://me:p%40ss,word@a:5433/animals', undefined, false],
    ['postgres:///animals?host=/tmp', undefined, false],
    ['postgres://a/animals?target_session_attrs=any', undefined, false],
    ['postgres://a/animals?application_name=x&target_session_attrs=primary', undefined, true],
    [
      `postgres://me:pass@a:5433,[::1]:5434,c${rest}`,
      ['a:5433', '[::1]:5434', 'c'].map((host) => `postgres://me:pass@${host}${rest}`),
      true,
    ],
    ['postgres://a,b/animals', ['postgres://a/animals', 'postgres://b/animals'], true],
  ] as const) {
    t.match(parseServers(url), { servers: servers ?? [url], needsPrimary }, url)
  }
  t.end()
})

t.test('the tables of another program are not changed', async (t) => {
  const foreign = [
    'CREATE TABLE pets (name text)',
    'CREATE VIEW keys AS SELECT 1 AS number',
    `CREATE TYPE pets AS ENUM ('cat', 'dog')`,
  ]
  for (const sql of foreign) {
    const url = await freshSchema(t)
    await query(url, sql)
    const tables = `SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace`
    const before = await query(url, tables)
    await refuses(t, url, ' already exists; check the URL and the permissions of its user')
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

t.test('the settings of the server cannot weaken a commit, and can make it stricter', async (t) => {
  const settings = { off: 'on', local: 'on', remote_write: 'on', on: 'on', remote_apply: 'remote_apply' }
  for (const [setting, used] of Object.entries(settings)) {
    const url = new URL(await freshSchema(t))
    url.searchParams.set('options', `${url.searchParams.get('options')} -c synchronous_commit=${setting}`)
    const pool = await connectStore(url.href)
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
  await Promise.all([
    refuses(t, url(`${host},${host}`, readOnly), text),
    refuses(t, url(host, readOnly, '&target_session_attrs=primary'), text),
  ])
})

t.test('a connection that breaks while the store is opened is reported in one line', async (t) => {
  const url = await freshDatabase(t)
  const client = await connect(t, url)
  // What another instance holds while it makes the tables.
  await client.query('SELECT pg_advisory_lock($1, 1)', [0x414e4d4c])
  const opening = refuses(t, url, 'check the URL')
  await waitUntil(async () => (await client.query(locked)).rows.length > 0)
  await client.query(`SELECT pg_terminate_backend(pid) FROM (${locked}) AS locked`)
  await opening
})

t.test('a store whose database allows no connections for a while is unavailable meanwhile', async (t) => {
  const url = await freshDatabase(t)
  const store = await openAt(t, url)
  const name = new URL(url).pathname.slice(1)
  const client = await connect(t, Object.assign(new URL(url), { pathname: '/postgres' }).href)
  await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
  await t.rejects(store.pets.add(rex), { code: 'service_unavailable' })
  await t.rejects(store.pets.find(1n), { code: 'service_unavailable' })
  await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
  t.match(await store.pets.add(rex), rex)
})

t.test('a store whose server accepts no writes is read, and is written again when the server does', async (t) => {
  const url = await freshDatabase(t)
  const store = await openAt(t, url)
  await store.pets.add(rex)
  // A session keeps the mode that it began with, so this one can go on changing it.
  const client = await connect(t, url)
  const becomes = async (mode: string) => {
    await client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = ${mode}`)
    await client.query(endOthers)
    await waitUntil(() =>
      store.pets.find(1n).then(
        () => true,
        () => false,
      ),
    )
  }
  await becomes('on')
  await t.rejects(store.pets.add(rex), { code: 'service_unavailable' })
  await t.rejects(store.keys.add('ops', hashKey('ops')), { code: 'service_unavailable' })
  t.equal((await listAll(store)).length, 1)
  await becomes('off')
  await store.pets.add(rex)
  t.equal((await listAll(store)).length, 2)
})

/** A URL with a parameter, and the reason why it is refused. */
function refusedParameter(parameter: string) {
  const name = parameter.replace(/=.*/, '')
  const message = `the parameter ${name} of the store URL is not supported; correct or remove it`
  return [`postgres://me:secret@a/animals?${parameter}`, message] as const
}

/** A database, a role that has no rights in it, and the URL of the database for this role. */
async function withRole(t: Test) {
  const url = await freshDatabase(t)
  const role = `role_${randomBytes(8).toString('hex')}`
  await query(url, `CREATE ROLE ${role} LOGIN PASSWORD 'secret'`)
  t.teardown(() => query(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`))
  const { href: roleUrl } = Object.assign(new URL(url), { username: role, password: 'secret' })
  return { url, role, roleUrl }
}

/** A database in which an animal named "slow" is not there before it is released, and who waits can be counted. */
async function withSlowAdditions(t: Test) {
  const url = await freshDatabase(t)
  await using(url, async () => {})
  const client = await connect(t, url)
  await client.query(`
    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN new; END $$;
    CREATE TRIGGER wait BEFORE INSERT ON pets FOR EACH ROW WHEN (new.name = 'slow') EXECUTE FUNCTION wait();
    SELECT pg_advisory_lock(1)`)
  return {
    url,
    waiting: async (count: number) => {
      await waitUntil(async () => (await client.query(locked)).rows.length >= count)
    },
    release: () => client.query('SELECT pg_advisory_unlock(1)'),
  }
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
                AND wait_event = 'ClientRead' AND query LIKE '%FROM idempotency_keys WHERE scope%'`
  await waitUntil(async () => (await query(url, text)).length > 0)
  // What had been sent by then has been read when this iteration of the event loop and the next are over.
  await setImmediate()
  await setImmediate()
}
