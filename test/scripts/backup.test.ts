import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import { openStore } from '../../src/stores/open.ts'
import type { Pet } from '../../src/stores/store.ts'
import { runScript } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { fill, rex, using } from './catalogue.ts'

/** A folder with a store and a little of everything in it. */
async function filledFolder(t: Test) {
  const folder = temporaryFolder(t)
  const file = join(folder, 'animals.db')
  return {
    folder,
    file,
    url: `sqlite:${file}`,
    copy: join(folder, 'copy.db'),
    animals: await fill(t, `sqlite:${file}`),
  }
}

function backUp(t: Test, url: string, args: readonly string[], coverage = false) {
  return runScript(t, 'backup', args, { env: { DATABASE_URL: url }, coverage })
}

t.test('the copy is a complete store in one file', async (t) => {
  const { folder, url, copy, animals } = await filledFolder(t)
  const { status, stdout, stderr } = await backUp(t, url, [copy], true)
  t.strictSame([status, stdout, stderr], [0, `${copy} is a complete copy of the store.\n`, ''])
  t.same(readdirSync(folder).sort(), ['animals.db', 'copy.db'])
  t.equal(statSync(copy).mode & 0o777, 0o600, 'for its owner alone')

  const keys = await using(url, (store) => store.keys.list())
  await using(`sqlite:${copy}`, async (store) => {
    t.same(await store.pets.list({ after: 0n, limit: 100 }), animals)
    t.same(await store.keys.list(), keys)
    t.equal((await store.pets.add(rex)).id, 9007199254741001n)
  })
})

t.test('the copy takes the place of the store', async (t) => {
  const { file, url, copy, animals } = await filledFolder(t)
  await backUp(t, url, [copy])
  await using(url, ({ pets }) => pets.add(rex))
  copyFileSync(copy, file)
  await using(url, async ({ pets }) => t.same(await pets.list({ after: 0n, limit: 100 }), animals))
})

t.test('the copy of a store that is being written is the store at one moment', async (t) => {
  const folder = temporaryFolder(t)
  const [url, copy] = [`sqlite:${join(folder, 'animals.db')}`, join(folder, 'copy.db')]
  // Large enough to be copied in several steps.
  await runScript(t, 'seed', [url, '100000'])
  const { pets, close } = await openStore(url)
  t.teardown(close)
  const added: Pet[] = []
  let over = false
  const writing = (async () => {
    while (!over) added.push(...(await Promise.all(Array.from({ length: 20 }, () => pets.add(rex)))))
  })()
  const { status, stderr } = await backUp(t, url, [copy], true).finally(() => {
    over = true
  })
  await writing
  t.equal(status, 0, stderr)
  const copied = await using(`sqlite:${copy}`, (store) => store.pets.list({ after: 100_000n, limit: 1_000_000 }))
  t.same(copied, added.slice(0, copied.length))
  t.ok(added.length > 0)
})

t.test('no file is overwritten, and an impossible backup is reported in one line', async (t) => {
  const { folder, url, copy } = await filledFolder(t)
  writeFileSync(copy, 'precious')
  for (const [store, file, message] of [
    [url, copy, `${copy} exists; name a new file`],
    [url, join(folder, 'no/copy.db'), `the folder of ${join(folder, 'no/copy.db')} does not exist; create it first`],
    [`sqlite:${folder}/no.db`, `${copy}.2`, `the store sqlite:${folder}/no.db does not exist; name one that does`],
    [
      'postgres://root:secret@db/animals',
      `${copy}.2`,
      'DATABASE_URL names a PostgreSQL store; back it up with pg_dump (see docs/operations.md)',
    ],
  ] as const) {
    t.strictSame(await backUp(t, store, [file], true), { status: 1, stdout: '', stderr: `${message}\n` })
  }
  t.equal(readFileSync(copy, 'utf8'), 'precious')
  t.same(readdirSync(folder).sort(), ['animals.db', 'copy.db'])
})

t.test('files that a killed backup has left do not prevent the next one', async (t) => {
  const { url, copy, animals } = await filledFolder(t)
  for (const suffix of ['', '-journal', '-wal', '-shm']) writeFileSync(`${copy}.part${suffix}`, 'half')
  t.equal((await backUp(t, url, [copy])).status, 0)
  await using(`sqlite:${copy}`, async ({ pets }) => t.same(await pets.list({ after: 0n, limit: 100 }), animals))
})

t.test('a damaged copy is deleted', async (t) => {
  const { folder, file, url, copy } = await filledFolder(t)
  using database = new DatabaseSync(file, { defensive: false })
  database.exec(`
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, '(status, id)', '(name, id)') WHERE name = 'pets_by_status'`)
  database.close()
  const { status, stdout, stderr } = await backUp(t, url, [copy], true)
  t.strictSame([status, stdout], [1, ''])
  t.match(stderr, /^the copy is damaged \([^\n]+\); the store itself may be, too\n$/)
  t.notOk(existsSync(copy))
  t.same(readdirSync(folder), ['animals.db'])
})

t.test('wrong usage is reported with the right usage and the exit status 2', async (t) => {
  t.strictSame(await backUp(t, 'sqlite:animals.db', [], true), {
    status: 2,
    stdout: '',
    stderr: 'FILE is missing; see npm run backup -- --help\n',
  })
})
