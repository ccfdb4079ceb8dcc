import { join } from 'node:path'
import t from 'tap'
import { hashKey } from '../../src/auth/keys.ts'
import { openStore } from '../../src/stores/open.ts'
import type { Store } from '../../src/stores/store.ts'
import { sharedDatabases, sqlite } from '../helpers/databases.ts'
import { runScript } from '../helpers/process.ts'
import { execute } from '../helpers/sql.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { fill, rex, using } from './catalogue.ts'

const other = 'name an empty store, or one that only this command has changed'

for (const database of sharedDatabases) {
  t.test(`${database.name}: a store that holds something else is refused, and left as it is`, async (t) => {
    const fromUrl = await database.fresh(t)
    await fill(t, fromUrl)
    const refuses = async (what: string, change: (store: Store) => Promise<unknown>, message: string) => {
      const toUrl = await database.fresh(t)
      await using(toUrl, change)
      const content = () =>
        using(toUrl, async ({ pets, keys }) => [await pets.list({ after: 0n, limit: 100 }), await keys.list()])
      const before = await content()
      const { status, stdout, stderr } = await runScript(t, 'move', [fromUrl, toUrl], { coverage: database === sqlite })
      t.strictSame([status, stdout, stderr], [1, '', `${message}; ${other}\n`], what)
      t.same(await content(), before, what)
    }

    const animal = (id: number) => `TO has an animal with the id ${id} that FROM does not have`
    await refuses('another animal', ({ pets }) => pets.add({ ...rex, name: 'Mia' }), animal(1))
    await refuses(
      'the first animals, and another one behind them',
      async ({ pets }) => [await pets.add(rex), await pets.add(rex), await pets.add(rex)],
      animal(3),
    )
    await refuses(
      'another key',
      ({ keys }) => keys.add('shop', hashKey('another')),
      'TO has the API key "shop", which FROM does not have',
    )
    await refuses(
      'a key that has been revoked',
      async ({ keys }) => [await keys.add('shop', hashKey('shop')), await keys.revoke('shop')],
      'TO has been in use: the API key "shop" is revoked there',
    )
  })

  t.test(`${database.name}: a store with more animals than are moved is refused`, async (t) => {
    const [fromUrl, toUrl] = [await database.fresh(t), await database.fresh(t)]
    await using(fromUrl, ({ pets }) => pets.add(rex))
    await using(toUrl, async ({ pets }) => [await pets.add(rex), await pets.add(rex)])
    const outcome = await runScript(t, 'move', [fromUrl, toUrl], { coverage: database === sqlite })
    t.equal(outcome.stderr, `TO has an animal with the id 2 that FROM does not have; ${other}\n`)
    t.strictSame([outcome.status, outcome.stdout], [1, ''])
  })

  t.test(`${database.name}: a store that is newer than the program is refused on either side`, async (t) => {
    const [newer, empty] = [await database.fresh(t), await database.fresh(t)]
    await using(newer, async () => {})
    await execute(newer, database === sqlite ? 'PRAGMA user_version = 99' : 'UPDATE animal_store SET version = 99')
    const message = 'its schema has version 99, and this program supports versions up to 3; use a newer program'
    for (const [args, side] of [
      [[newer, empty], 'FROM'],
      [[empty, newer], 'TO'],
    ] as const) {
      await using(empty, async () => {})
      const { status, stdout, stderr } = await runScript(t, 'move', args)
      t.strictSame([status, stdout], [1, ''])
      t.match(stderr, new RegExp(`^${side}: cannot open the store [^\\n]+: ${message}\\n$`))
    }
  })

  t.test(`${database.name}: no store is made where one was to be moved from`, async (t) => {
    const [nothing, toUrl] = [await database.fresh(t), await database.fresh(t)]
    for (let time = 0; time < 2; time++) {
      t.strictSame(await runScript(t, 'move', [nothing, toUrl], { coverage: time === 0 }), {
        status: 1,
        stdout: '',
        stderr: 'FROM: the store does not exist; name one that does\n',
      })
    }
  })

  t.test(`${database.name}: a store that has not stored everything is detected`, async (t) => {
    const [fromUrl, toUrl] = [await sqlite.fresh(t), await database.fresh(t)]
    await fill(t, fromUrl)
    await using(toUrl, async () => {})
    await execute(toUrl, database === sqlite ? sqliteSpoiler : postgresSpoiler)
    const { status, stdout, stderr } = await runScript(t, 'move', [fromUrl, toUrl], { coverage: database === sqlite })
    t.strictSame([status, stdout], [1, ''])
    t.match(stderr, `TO has an animal with the id 7 that FROM does not have; ${other}\n`)
  })
}

t.test('a SQLite store that something has open is refused on either side', async (t) => {
  const [open, toUrl] = [await sqlite.fresh(t), await sqlite.fresh(t)]
  const store = await openStore(open)
  t.teardown(() => store.close())
  await store.pets.add(rex)
  const message = 'open; stop the service and every script that uses it\n'
  for (const [args, side] of [
    [[open, toUrl], 'FROM'],
    [[toUrl, open], 'TO'],
  ] as const) {
    const { status, stdout, stderr } = await runScript(t, 'move', args)
    t.strictSame([status, stdout], [1, ''])
    t.match(stderr, `${side}: another process has ${open} ${message}`)
    await using(toUrl, async () => {})
  }
})

t.test('a URL of a store that cannot be moved is reported in one line', async (t) => {
  const url = await sqlite.fresh(t)
  await using(url, async () => {})
  for (const [args, message] of [
    [[url, 'sqlite::memory:'], /^TO: a store in memory is gone when its process ends; name a file as sqlite:PATH\n$/],
    [['sqlite::memory:', url], /^FROM: a store in memory /],
    [[url, 'mysql://root:secret@db/animals'], /^TO: a store URL with the scheme mysql: is not supported; [^\n]+\n$/],
    [['mysql://root:secret@db/animals', url], /^FROM: a store URL with the scheme mysql: is not supported; [^\n]+\n$/],
    [
      ['postgres://root:secret@127.0.0.1:1/animals', url],
      /^FROM: cannot open the store postgres:\/\/127\.0\.0\.1:1\/animals: ECONNREFUSED; [^\n]+\n$/,
    ],
  ] as const) {
    const { status, stdout, stderr } = await runScript(t, 'move', args, { coverage: true })
    t.strictSame([status, stdout], [1, ''])
    t.match(stderr, message)
    t.notMatch(stderr, 'secret')
  }
})

t.test('wrong usage is reported with the right usage and the exit status 2', async (t) => {
  const folder = temporaryFolder(t)
  const url = `sqlite:${join(folder, 'animals.db')}`
  for (const [args, stderr] of [
    [[url], 'TO_URL is missing; see npm run move -- --help\n'],
    [[url, url], 'FROM_URL and TO_URL are the same; name two stores\n'],
    [[url, 'sqlite:animals.db'], 'FROM_URL and TO_URL are the same; name two stores\n'],
  ] as const) {
    t.strictSame(await runScript(t, 'move', args, { folder, coverage: true }), { status: 2, stdout: '', stderr })
  }
})

/** A change to what is written, behind the back of who writes it. */
const sqliteSpoiler = `CREATE TRIGGER spoil AFTER INSERT ON pets WHEN new.id = 7
  BEGIN UPDATE pets SET name = upper(name) WHERE id = 7; END`
const postgresSpoiler = `
  CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.name = upper(NEW.name); RETURN NEW; END';
  CREATE TRIGGER spoil BEFORE INSERT ON pets FOR EACH ROW WHEN (NEW.id = 7) EXECUTE FUNCTION spoil()`
