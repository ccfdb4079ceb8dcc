/** `npm run move`: between all databases, when it is interrupted, and where it is refused. */
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import t, { type Test } from 'tap'
import { openBulkStore } from '../../scripts/bulk/open.ts'
import { hashKey } from '../../src/auth/keys.ts'
import type { Store } from '../../src/stores/store.ts'
import { postgres, sharedDatabases, sqlite } from '../helpers/databases.ts'
import { query } from '../helpers/postgres.ts'
import { type Outcome, runScript, startScript } from '../helpers/process.ts'
import { execute } from '../helpers/sql.ts'
import { listAll, openAt, requestFor, rex, using } from '../helpers/stores.ts'
import { fill, fillKeys } from './catalogue.ts'

const move = (t: Test, ...urls: readonly string[]) => runScript(t, 'move', urls)

for (const from of sharedDatabases) {
  for (const to of sharedDatabases) {
    t.test(`${from.name} to ${to.name}: animals, keys and the last id are moved`, async (t) => {
      const [fromUrl, toUrl] = [await from.fresh(t), await to.fresh(t)]
      const animals = await fill(t, fromUrl)
      const apiKeys = await using(fromUrl, ({ keys }) => keys.list())

      const { status, stdout, stderr } = await move(t, fromUrl, toUrl)
      t.equal(status, 0, stderr)
      t.equal(stdout, 'TO has everything that FROM has. Start the service on TO, and no longer on FROM.\n')
      t.equal(stderr, 'moved: 6 animals, 3 API keys\n')

      await using(toUrl, async (store) => {
        t.same(await listAll(store), animals)
        t.same(await store.keys.list(), apiKeys)
        t.equal(await store.keys.find(hashKey('old shop')), undefined)
        t.equal(await store.keys.add('shop', hashKey('third')), false)
        t.equal(await store.keys.add('new', hashKey('new')), true)
        const { addOnce } = store.pets
        const replayed = { outcome: 'replayed', pet: animals[1] }
        t.same(await addOnce(rex, requestFor('two', { scope: 'Ö' })), replayed)
        t.match(await addOnce(rex, requestFor('expired')), { outcome: 'added', pet: { id: 9007199254741001n } })
      })
      t.same(await using(fromUrl, listAll), animals)
    })
  }
}

for (const database of sharedDatabases) {
  t.test(`${database.name}: what is moved is read in pages`, async (t) => {
    const url = await database.fresh(t)
    await fill(t, url)
    await using bulk = await openBulkStore(url)
    for (const table of ['pets', 'keys', 'idempotency_keys'] as const) {
      const [first, ...rest] = await bulk.read(table)
      t.same(await bulk.read(table, first), rest)
      t.ok(rest.length >= 1)
    }
  })

  t.test(
    `${database.name}: a move that is killed at any moment leaves a store that is empty or complete`,
    async (t) => {
      const [fromUrl, toUrl] = [await sqlite.fresh(t), await database.fresh(t)]
      await seed(t, fromUrl)
      let outcome: Outcome | undefined
      for (let delay = 100; !outcome || outcome.status === null; delay += randomInt(1, delay)) {
        const { kill, waitForEnd } = startScript(t, 'move', [fromUrl, toUrl])
        const timer = setTimeout(() => kill('SIGKILL'), delay)
        outcome = await waitForEnd()
        clearTimeout(timer)
      }
      // The one before may have been killed after its commit.
      if (outcome.status !== 0) t.equal(outcome.stderr, 'TO is not empty; name an empty store\n')
      await using(toUrl, async (store) => {
        t.equal((await listAll(store)).length, 25_000)
        t.equal((await store.keys.list()).length, 3)
        t.equal((await store.pets.add(rex)).id, 25_001n)
      })
    },
  )

  t.test(`${database.name}: a store that has assigned an id, and has no animal, is empty`, async (t) => {
    const [fromUrl, toUrl] = [await sqlite.fresh(t), await database.fresh(t)]
    const animals = await fill(t, fromUrl)
    await using(toUrl, ({ pets }) => pets.add(rex))
    await execute(toUrl, 'DELETE FROM pets')
    t.equal((await move(t, fromUrl, toUrl)).status, 0)
    t.same(await using(toUrl, listAll), animals)
  })

  t.test(`${database.name}: a store that holds something else is refused, and left as it is`, async (t) => {
    const fromUrl = await database.fresh(t)
    await fill(t, fromUrl)
    for (const change of [
      ({ pets }: Store) => pets.add(rex),
      ({ keys }: Store) => keys.add('shop', hashKey('another')),
      ({ pets }: Store, url: string) =>
        pets.addOnce(rex, requestFor('a key whose animal is gone')).then(() => execute(url, 'DELETE FROM pets')),
    ]) {
      const toUrl = await database.fresh(t)
      await using<unknown>(toUrl, (store) => change(store, toUrl))
      const content = () => using(toUrl, async (store) => [await listAll(store), await store.keys.list()])
      const before = await content()
      const stderr = 'TO is not empty; name an empty store\n'
      t.strictSame(await move(t, fromUrl, toUrl), { status: 1, stdout: '', stderr })
      t.same(await content(), before)
    }
  })

  t.test(`${database.name}: a store that changes what is written is detected, and left empty`, async (t) => {
    const [fromUrl, toUrl] = [await sqlite.fresh(t), await database.fresh(t)]
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
    const stderr = 'TO does not store pets as they are in FROM; look for triggers and rules in TO\n'
    t.strictSame(await move(t, fromUrl, toUrl), { status: 1, stdout: '', stderr })
    t.same(await using(toUrl, listAll), [])
  })

  t.test(`${database.name}: an empty store, or one newer than the program, is not moved`, async (t) => {
    const [newer, empty, nothing] = [await database.fresh(t), await database.fresh(t), await database.fresh(t)]
    for (const url of [newer, empty]) await using(url, async () => {})
    await execute(newer, database === sqlite ? 'PRAGMA user_version = 99' : 'UPDATE animal_store SET version = 99')
    const version = 'its schema has version 99, and this program supports versions 3 to \\d+; use a newer program'
    for (const [from, to, message] of [
      [newer, empty, `^FROM: cannot open the store[^\\n]*: ${version}\\n$`],
      [empty, newer, `^TO: cannot open the store[^\\n]*: ${version}\\n$`],
      [empty, nothing, '^FROM is empty; name the store that has the catalogue\\n$'],
    ] as const) {
      const { status, stdout, stderr } = await move(t, from, to)
      t.strictSame([status, stdout], [1, ''])
      t.match(stderr, new RegExp(message))
    }
  })
}

t.test('a file that does not exist is not created to be moved', async (t) => {
  const [missing, to] = [await sqlite.fresh(t), await sqlite.fresh(t)]
  const file = missing.replace('sqlite:', '')
  const stderr = `FROM: the store ${missing} does not exist; name one that does\n`
  t.match(await move(t, missing, to), { status: 1, stdout: '', stderr })
  t.equal(existsSync(file), false)
})

t.test('a store that something has open or damaged, or a URL of none, is refused in one line', async (t) => {
  const [open, other, lacking] = [await sqlite.fresh(t), await sqlite.fresh(t), await postgres.fresh(t)]
  await openAt(t, open)
  for (const url of [other, lacking]) await using(url, async () => {})
  await query(lacking, 'DROP TABLE idempotency_keys')
  const inUse = `another process has ${open} open; stop the service and every script that uses it\n`
  const scheme = /^(FROM|TO): the store URL names no store; [^\n]+\n$/
  for (const [from, to, message] of [
    [open, other, `FROM: ${inUse}`],
    [other, open, `TO: ${inUse}`],
    [lacking, other, /^FROM: .*idempotency_keys[^\n]*\n$/],
    [other, 'sqlite::memory:', /^TO: a store in memory is gone when its process ends; name a file as sqlite:PATH\n$/],
    ['sqlite::memory:', other, /^FROM: a store in memory /],
    [other, 'mysql://root:secret@db/animals', scheme],
    ['mysql://root:secret@db/animals', other, scheme],
    ['postgres://root:secret@127.0.0.1:1/animals', other, /^FROM: cannot open the store: ECONNREFUSED; [^\n]+\n$/],
  ] as const) {
    const { status, stdout, stderr } = await move(t, from, to)
    t.strictSame([status, stdout], [1, ''])
    t.match(stderr, message)
    t.notMatch(stderr, 'secret')
  }
})

t.test('a PostgreSQL store that is being moved can be read, and written afterwards', async (t) => {
  const url = await postgres.fresh(t)
  const service = await openAt(t, url)
  const { id } = await service.pets.add(rex)
  const bulk = await openBulkStore(url)
  t.match(await service.pets.find(id), rex)
  await t.rejects(service.pets.add(rex), { code: 'service_unavailable' })
  await t.rejects(service.keys.add('shop', hashKey('shop')), { code: 'service_unavailable' })
  await bulk[Symbol.asyncDispose]()
  t.match(await service.pets.add(rex), rex)
})

async function seed(t: Test, url: string): Promise<void> {
  await runScript(t, 'seed', [url, '25000'])
  await fillKeys(url)
}
