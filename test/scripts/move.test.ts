/** `npm run move`: between all databases, when it is interrupted, and where it is refused. */
import { randomInt } from 'node:crypto'
import { Client } from 'pg'
import t, { type Test } from 'tap'
import { openBulkStore } from '../../scripts/bulk/open.ts'
import { hashKey } from '../../src/auth/keys.ts'
import type { Store } from '../../src/stores/store.ts'
import { postgres, sharedDatabases, sqlite } from '../helpers/databases.ts'
import { query } from '../helpers/postgres.ts'
import { runScript, startScript } from '../helpers/process.ts'
import { execute } from '../helpers/sql.ts'
import { listAll, openAt, requestFor, rex, using } from '../helpers/stores.ts'
import { waitUntil } from '../helpers/wait.ts'
import { fill, fillKeys } from './catalogue.ts'

const move = (t: Test, ...urls: readonly string[]) => runScript(t, 'move', urls)

for (const from of sharedDatabases) {
  for (const to of sharedDatabases) {
    t.test(`${from.name} to ${to.name}: animals, keys and the last id are moved, then what is new`, async (t) => {
      const [fromUrl, toUrl] = [await from.fresh(t), await to.fresh(t)]
      const animals = await fill(t, fromUrl)
      const apiKeys = await using(fromUrl, ({ keys }) => keys.list())

      const { status, stdout, stderr } = await move(t, fromUrl, toUrl)
      t.equal(status, 0, stderr)
      t.equal(stdout, 'TO has everything that FROM has. Start the service on TO, and no longer on FROM.\n')
      t.match(stderr, 'moving: 6 animals, 3 API keys\nverifying: 6 animals\n')

      await using(toUrl, async (store) => {
        t.same(await listAll(store), animals)
        t.same(await store.keys.list(), apiKeys)
        t.equal(await store.keys.find(hashKey('old shop')), undefined)
        t.equal(await store.keys.add('shop', hashKey('third')), false)
      })
      t.same(await using(fromUrl, listAll), animals)

      // As if it had expired, and been used again.
      await execute(fromUrl, "DELETE FROM idempotency_keys WHERE key = 'one'")
      await using(fromUrl, async ({ pets, keys }) => {
        await pets.addOnce(rex, requestFor('one'))
        await keys.revoke('shop')
        await keys.add('shop', hashKey('newest'))
      })
      const again = await move(t, fromUrl, toUrl)
      t.equal(again.status, 0, again.stderr)
      t.match(again.stderr, /^checking what exists: 6 animals\nmoving: 7 [^\n]+\nverifying: 7 animals\n$/)
      const keys = await using(fromUrl, ({ keys }) => keys.list())
      await using(toUrl, async (store) => {
        t.same(await store.keys.list(), keys)
        t.equal(await store.keys.find(hashKey('shop')), undefined)
        t.same(await store.keys.find(hashKey('newest')), keys[3])
        const { addOnce } = store.pets
        t.match(await addOnce(rex, requestFor('one')), { outcome: 'replayed', pet: { id: 9007199254741001n } })
        t.same(await addOnce(rex, requestFor('two', { scope: 'Ö' })), { outcome: 'replayed', pet: animals[1] })
        t.match(await addOnce(rex, requestFor('expired')), { outcome: 'added', pet: { id: 9007199254741002n } })
      })
    })
  }
}

for (const database of sharedDatabases) {
  t.test(`${database.name}: what is moved is read in pages`, async (t) => {
    const url = await database.fresh(t)
    await fill(t, url)
    const bulk = await openBulkStore(url, 'read')
    t.teardown(bulk.close)
    for (const table of ['pets', 'idempotency_keys'] as const) {
      const all = await bulk.read(table)
      const [first] = await bulk.read(table, { limit: 1 })
      const rest = await bulk.read(table, { after: first, limit: all.length })
      t.same([first, ...rest], all)
      t.ok(all.length >= 2)
    }
  })

  t.test(`${database.name}: a move that is killed at any moment continues when it is run again`, async (t) => {
    const [fromUrl, toUrl] = [await sqlite.fresh(t), await database.fresh(t)]
    await seed(t, fromUrl)
    let status: number | null = null
    for (let delay = 100; status === null; delay += randomInt(1, delay)) {
      const { kill, ended } = startScript(t, 'move', [fromUrl, toUrl])
      const timer = setTimeout(() => kill('SIGKILL'), delay)
      const outcome = await ended
      clearTimeout(timer)
      status = outcome.status
    }
    t.equal(status, 0)
    await using(toUrl, async (store) => {
      t.equal((await listAll(store)).length, 25_000)
      t.equal((await store.keys.list()).length, 3)
      t.equal((await store.pets.add(rex)).id, 25_001n)
    })
  })

  t.test(`${database.name}: a store that holds something else is refused, and left as it is`, async (t) => {
    const fromUrl = await database.fresh(t)
    await fill(t, fromUrl)
    const animal = (id: number) => `TO has an animal with the id ${id} that FROM does not have`
    for (const [change, message] of [
      [({ pets }: Store) => pets.add({ ...rex, name: 'Mia' }), animal(1)],
      [async ({ pets }: Store) => [await pets.add(rex), await pets.add(rex), await pets.add(rex)], animal(3)],
      [
        ({ keys }: Store) => keys.add('shop', hashKey('another')),
        'TO has the API key "shop", which FROM does not have',
      ],
      [
        async ({ keys }: Store) => [await keys.add('shop', hashKey('shop')), await keys.revoke('shop')],
        'TO has been in use: the API key "shop" is revoked there',
      ],
    ] as const) {
      const toUrl = await database.fresh(t)
      await using<unknown>(toUrl, change)
      const content = () => using(toUrl, async (store) => [await listAll(store), await store.keys.list()])
      const before = await content()
      const stderr = `${message}; name an empty store, or one that only this command has changed\n`
      const moved = await move(t, fromUrl, toUrl)
      t.strictSame([moved.status, moved.stdout], [1, ''])
      t.ok(moved.stderr.endsWith(stderr), moved.stderr)
      t.same(await content(), before, message)
    }
  })

  t.test(`${database.name}: a store that has not stored everything, or has more, is detected`, async (t) => {
    const [fromUrl, toUrl, largerUrl] = [await sqlite.fresh(t), await database.fresh(t), await database.fresh(t)]
    await using(fromUrl, async ({ pets }) => [await pets.add(rex), await pets.add(rex)])
    await using(toUrl, async () => {})
    // A change to what is written, behind the back of who writes it.
    const spoiler = {
      SQLite: `CREATE TRIGGER spoil AFTER INSERT ON pets WHEN new.id = 2
        BEGIN UPDATE pets SET name = upper(name) WHERE id = 2; END`,
      PostgreSQL: `
        CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.name = upper(NEW.name); RETURN NEW; END';
        CREATE TRIGGER spoil BEFORE INSERT ON pets FOR EACH ROW WHEN (NEW.id = 2) EXECUTE FUNCTION spoil()`,
    }
    await execute(toUrl, database === sqlite ? spoiler.SQLite : spoiler.PostgreSQL)
    await using(largerUrl, async ({ pets }) => [await pets.add(rex), await pets.add(rex), await pets.add(rex)])
    for (const [url, id] of [
      [toUrl, 2],
      [largerUrl, 3],
    ] as const) {
      const { status, stdout, stderr } = await move(t, fromUrl, url)
      t.strictSame([status, stdout], [1, ''])
      t.match(stderr, `TO has an animal with the id ${id} that FROM does not have; name an empty store`)
    }
  })

  t.test(`${database.name}: a missing store, or one newer than the program, is refused; none is made`, async (t) => {
    const [newer, empty, nothing] = [await database.fresh(t), await database.fresh(t), await database.fresh(t)]
    for (const url of [newer, empty]) await using(url, async () => {})
    await execute(newer, database === sqlite ? 'PRAGMA user_version = 99' : 'UPDATE animal_store SET version = 99')
    const version = 'its schema has version 99, and this program supports versions 3 to \\d+; use a newer program'
    const missing = 'FROM: the store does not exist; name one that does'
    for (const [from, to, message] of [
      [newer, empty, `^FROM: cannot open the store [^\\n]+: ${version}\\n$`],
      [empty, newer, `^TO: cannot open the store [^\\n]+: ${version}\\n$`],
      [nothing, empty, `^${missing}\\n$`],
      [nothing, empty, `^${missing}\\n$`],
    ] as const) {
      const { status, stdout, stderr } = await move(t, from, to)
      t.strictSame([status, stdout], [1, ''])
      t.match(stderr, new RegExp(message))
    }
  })
}

t.test('a store that something has open or damaged, or a URL of none, is refused in one line', async (t) => {
  const [open, other, lacking] = [await sqlite.fresh(t), await sqlite.fresh(t), await postgres.fresh(t)]
  await openAt(t, open)
  for (const url of [other, lacking]) await using(url, async () => {})
  await query(lacking, 'DROP TABLE idempotency_keys')
  const inUse = `another process has ${open} open; stop the service and every script that uses it\n`
  const scheme = /^(FROM|TO): a store URL with the scheme mysql: is not supported; [^\n]+\n$/
  for (const [from, to, message] of [
    [open, other, `FROM: ${inUse}`],
    [other, open, `TO: ${inUse}`],
    [lacking, other, /^FROM: cannot open the store: .*idempotency_keys[^\n]*\n$/],
    [other, 'sqlite::memory:', /^TO: a store in memory is gone when its process ends; name a file as sqlite:PATH\n$/],
    ['sqlite::memory:', other, /^FROM: a store in memory /],
    [other, 'mysql://root:secret@db/animals', scheme],
    ['mysql://root:secret@db/animals', other, scheme],
    [
      'postgres://root:secret@127.0.0.1:1/animals',
      other,
      /^FROM: cannot open the store postgres:\/\/127\.0\.0\.1:1\/animals: ECONNREFUSED; [^\n]+\n$/,
    ],
  ] as const) {
    const { status, stdout, stderr } = await move(t, from, to)
    t.strictSame([status, stdout], [1, ''])
    t.match(stderr, message)
    t.notMatch(stderr, 'secret')
  }
})

t.test('a move that ends halfway leaves animals without API keys, assigns no id twice, and can go on', async (t) => {
  const { fromUrl, toUrl, stop, halfway, goOn } = await stopHalfway(t)
  const first = startScript(t, 'move', [fromUrl, toUrl])
  await halfway()
  first.kill('SIGKILL')
  await first.ended
  await goOn()
  await stop()
  await using(toUrl, async (store) => {
    t.equal((await listAll(store)).length, 10_000)
    t.same(await store.keys.list(), [])
  })
  const bulk = await openBulkStore(toUrl, 'read')
  t.equal(await bulk.lastId().finally(bulk.close), 25_000n)

  const second = startScript(t, 'move', [fromUrl, toUrl])
  await query(toUrl, 'SELECT pg_terminate_backend($1)', [await halfway()])
  const { status, stderr } = await second.ended
  t.equal(status, 1)
  t.match(stderr, /\na store became unavailable \([^\n]+\); run the command again: it continues where it stopped\n$/)
  await goOn()
  const last = await move(t, fromUrl, toUrl)
  t.equal(last.status, 0, last.stderr)
  t.match(last.stderr, /^checking what exists: 10000 animals\n/)
  t.equal((await using(toUrl, listAll)).length, 25_000)
})

t.test('a PostgreSQL store that is being moved can be read, and written afterwards', async (t) => {
  const url = await postgres.fresh(t)
  const service = await openAt(t, url, { timeoutMs: 4000 })
  const { id } = await service.pets.add(rex)
  const bulk = await openBulkStore(url, 'read')
  t.teardown(bulk.close)
  t.match(await service.pets.find(id), rex)
  await t.rejects(service.pets.add(rex), { code: 'service_unavailable' })
  await t.rejects(service.keys.add('shop', hashKey('shop')), { code: 'service_unavailable' })
  await bulk.close()
  t.match(await service.pets.add(rex), rex)
})

async function seed(t: Test, url: string): Promise<void> {
  await runScript(t, 'seed', [url, '25000'])
  await fillKeys(url)
}

/** Makes two stores between which a move stops in its second batch, until it is told to go on. */
async function stopHalfway(t: Test) {
  const [fromUrl, toUrl] = [await sqlite.fresh(t), await postgres.fresh(t)]
  await seed(t, fromUrl)
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
  const stop = () => holder.query('SELECT pg_advisory_lock($1)', [lock])
  await stop()
  return {
    fromUrl,
    toUrl,
    stop,
    /** Resolves with the process of the server that waits, when it does. */
    halfway: async () => {
      const waiting = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted`
      return waitUntil(async () => (await query(toUrl, waiting, [lock]))[0]?.pid)
    },
    goOn: () => holder.query('SELECT pg_advisory_unlock($1)', [lock]),
  }
}
