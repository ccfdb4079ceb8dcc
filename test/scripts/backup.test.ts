/** `npm run backup`. */
import { copyFileSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import type { Pet } from '../../src/stores/store.ts'
import { runScript, startCommand } from '../helpers/process.ts'
import { findProgram, skipLoudly } from '../helpers/program.ts'
import { listAll, openAt, rex, using } from '../helpers/stores.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { fill } from './catalogue.ts'

/** A folder for a store and its copy. */
function newFolder(t: Test) {
  const folder = temporaryFolder(t)
  const [file, copy] = [join(folder, 'animals.db'), join(folder, 'copy.db')]
  const url = `sqlite:${file}`
  const backUp = (to = copy, env = { DATABASE_URL: url }) => runScript(t, 'backup', [to], { env })
  return { folder, file, url, copy, backUp }
}

t.test('the copy is a complete store in one file, which takes the place of the store', async (t) => {
  const { folder, file, url, copy, backUp } = newFolder(t)
  const animals = await fill(t, url)
  const keys = await using(url, (store) => store.keys.list())
  // What a backup that was killed has left.
  for (const suffix of ['', '-journal', '-wal', '-shm']) writeFileSync(`${copy}.part${suffix}`, 'half')
  t.strictSame(await backUp(), { status: 0, stdout: `${copy} is a complete copy of the store.\n`, stderr: '' })
  t.same(readdirSync(folder).sort(), ['animals.db', 'animals.db.last-backup', 'copy.db'])
  t.equal(readFileSync(`${file}.last-backup`, 'utf8'), `${copy}\n`)
  t.equal(statSync(copy).mode & 0o777, 0o600, 'for its owner alone')

  await using(url, ({ pets }) => pets.add(rex))
  copyFileSync(copy, file)
  await using(url, async (store) => {
    t.same(await listAll(store), animals)
    t.same(await store.keys.list(), keys)
    t.equal((await store.pets.add(rex)).id, 9007199254741001n)
  })
})

t.test('the copy of a store that is being written is the store at one moment', async (t) => {
  const { url, copy, backUp } = newFolder(t)
  // Large enough to be copied in several steps.
  await runScript(t, 'seed', [url, '100000'])
  const { pets } = await openAt(t, url)
  const added: Pet[] = []
  let isOver = false
  const writing = (async () => {
    while (!isOver) added.push(...(await Promise.all(Array.from({ length: 20 }, () => pets.add(rex)))))
  })()
  const { status, stderr } = await backUp().finally(() => {
    isOver = true
  })
  await writing
  t.equal(status, 0, stderr)
  const copied = (await using(`sqlite:${copy}`, listAll)).slice(100_000)
  t.same(copied, added.slice(0, copied.length))
  t.ok(added.length > 0)
})

t.test('no file is overwritten, and an impossible backup is reported in one line', async (t) => {
  const { folder, url, copy, backUp } = newFolder(t)
  await using(url, async () => {})
  writeFileSync(copy, 'precious')
  const [link, fifo] = [join(folder, 'link.db'), join(folder, 'fifo.db')]
  symlinkSync('unmounted/copy.db', link)
  await startCommand(t, ['mkfifo', fifo]).waitForEnd()
  const file = join(folder, 'no/copy.db')
  for (const [store, to, message] of [
    [url, copy, `${copy} exists; name a new file`],
    [url, link, `${link} exists; name a new file`],
    [
      `sqlite:${fifo}`,
      `${copy}.2`,
      `cannot open the store sqlite:${fifo}: it is neither a regular file nor a link to one; name another file`,
    ],
    [url, file, `the folder ${folder}/no does not exist; make it, or name another file`],
    [`sqlite:${folder}/no.db`, `${copy}.2`, `the store sqlite:${folder}/no.db does not exist; name one that does`],
    [
      'postgres://root:secret@db/animals',
      `${copy}.2`,
      'DATABASE_URL names a PostgreSQL store; back it up with pg_dump (see docs/operations.md)',
    ],
  ] as const) {
    t.strictSame(await backUp(to, { DATABASE_URL: store }), { status: 1, stdout: '', stderr: `${message}\n` })
  }
  t.equal(readFileSync(copy, 'utf8'), 'precious')
  t.same(readdirSync(folder).sort(), ['animals.db', 'copy.db', 'fifo.db', 'link.db'])
})

t.test('the copy, and then its name, are on disk before the command ends', async (t) => {
  const strace = findProgram('strace')
  if (strace === undefined) return skipLoudly('calls of the system', 'strace is not installed')
  const { folder, url, copy } = newFolder(t)
  await using(url, ({ pets }) => pets.add(rex))
  const calls = join(folder, 'calls')
  const under = [strace, '-f', '-y', '-e', 'trace=fsync,fdatasync,rename', '-o', calls]
  t.match(await runScript(t, 'backup', [copy], { under, env: { DATABASE_URL: url } }), { status: 0 })
  const [before = '', after] = readFileSync(calls, 'utf8').split(/rename\(.*/)
  t.match(before, new RegExp(`sync\\(\\d+<${copy}.part>\\)`))
  t.match(after, new RegExp(`sync\\(\\d+<${folder}>\\)`))
})

t.test('a damaged copy is deleted', async (t) => {
  const { folder, file, url, backUp } = newFolder(t)
  await using(url, ({ pets }) => pets.add(rex))
  using database = new DatabaseSync(file, { defensive: false })
  database.exec(`
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, '(status, id)', '(name, id)') WHERE name = 'pets_by_status'`)
  database.close()
  const stderr = /^the copy is damaged \([^\n]+\); the store itself may be, too\n$/
  t.match(await backUp(), { status: 1, stdout: '', stderr })
  t.same(readdirSync(folder), ['animals.db'])
})
