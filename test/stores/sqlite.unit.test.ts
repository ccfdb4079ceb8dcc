/**
 * The embedded store alone: files, folders, locks of other processes.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { StartupError } from '../../src/errors.ts'
import { openStore } from '../../src/stores/open.ts'
import { reconnect } from '../../src/stores/sqlite/connection.ts'
import { createCommit } from '../../src/stores/sqlite/writes.ts'
import type { NewPet, Store } from '../../src/stores/store.ts'

const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' }

t.test('missing folders are created, and a path is relative to the working directory', async (t) => {
  const file = join(t.testdir(), 'some', 'folders', 'animals.db')
  await openAt(t, `sqlite:${relative(process.cwd(), file)}`)
  t.ok(existsSync(file))
})

t.test('stores in memory are independent, and leave no file', async (t) => {
  const one = await openAt(t, 'sqlite::memory:')
  const other = await openAt(t, 'sqlite::memory:')
  const { id } = await one.pets.add(rex)
  t.equal(await other.pets.find(id), undefined)
  t.notOk(existsSync(':memory:'))
})

t.test('what is read in a snapshot is of one state, and what is read after it is not', async (t) => {
  const url = `sqlite:${join(t.testdir(), 'animals.db')}`
  const { pets, snapshot, close } = await openAt(t, url)
  const other = await openAt(t, url)
  snapshot?.begin()
  const before = pets.revision()
  const { id } = await other.pets.add(rex)
  t.equal(pets.revision(), before)
  t.equal(await pets.find(id), undefined)
  snapshot?.end()
  t.not(pets.revision(), before)
  t.match(await pets.find(id), rex)
  await close()
  snapshot?.begin()
  snapshot?.end()
})

t.test('a path at which no file can be created is named in one line', async (t) => {
  const file = join(t.testdir({ file: 'text' }), 'file')
  await refuses(t, `sqlite:${file}/animals.db`, `cannot open the store sqlite:${file}/animals.db: `)
  await refuses(t, 'sqlite:/proc/animals/animals.db', 'name a file in a folder that can be written')
  await refuses(t, `sqlite:${t.testdirName}`, 'name a file in a folder that can be written')
})

t.test('a file that is not a database is not changed', async (t) => {
  const file = join(t.testdir(), 'animals.db')
  writeFileSync(file, 'no database'.repeat(1000))
  await refuses(t, `sqlite:${file}`, 'it is not a database of the Animal Store; name another file')
})

t.test('a damaged store is refused as damaged', async (t) => {
  const file = join(t.testdir(), 'animals.db')
  await (await openStore(`sqlite:${file}`)).close()
  truncateSync(file, 8192)
  await refuses(t, `sqlite:${file}`, 'it is damaged; restore a backup')
})

t.test('only the owner of a store can read its files', async (t) => {
  const folder = t.testdir()
  await openAt(t, `sqlite:${join(folder, 'animals.db')}`)
  const modes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777])
  t.same(Object.fromEntries(modes), { 'animals.db': 0o600, 'animals.db-shm': 0o600, 'animals.db-wal': 0o600 })
})

t.test('the database of another program is not changed', async (t) => {
  const file = join(t.testdir(), 'animals.db')
  using database = new DatabaseSync(file)
  database.exec('CREATE TABLE users (name TEXT)')
  await refuses(t, `sqlite:${file}`, 'it is a database of something else; name another file')
  database.exec('DROP TABLE users; PRAGMA user_version = 1')
  await refuses(t, `sqlite:${file}`, 'it is a database of something else; name another file')
})

t.test('a store whose file is moved away is read but not written, until the file is back', async (t) => {
  const file = join(t.testdir(), 'animals.db')
  const { pets, check } = await openAt(t, `sqlite:${file}`)
  const message = `${file}, its -wal or its -shm file was replaced, moved or deleted while it was open; put it back, or restart the service`
  for (const round of [1, 2]) {
    renameSync(file, `${file}.away`)
    await t.rejects(pets.add(rex), { statusCode: 503, cause: { message } })
    await t.rejects(check(), { statusCode: 503, cause: { message } })
    t.notOk(existsSync(file))
    renameSync(`${file}.away`, file)
    await check()
    t.match(await pets.add(rex), rex)
    t.equal((await pets.list({ after: 0n, limit: 10 })).length, round)
  }
})

t.test('a log that is moved away, put back and deleted leaves every animal in the file', async (t) => {
  const file = join(t.testdir(), 'animals.db')
  const { pets, close } = await openAt(t, `sqlite:${file}`)
  const unavailable = { statusCode: 503, cause: { message: /; restart the service$/ } }
  await pets.add(rex)
  renameSync(`${file}-wal`, `${file}.away`)
  await t.rejects(pets.add(rex), unavailable)
  renameSync(`${file}.away`, `${file}-wal`)
  await pets.add(rex)
  rmSync(`${file}-wal`)
  await t.rejects(pets.add(rex), unavailable)
  await close()
  using database = new DatabaseSync(file)
  t.same({ ...database.prepare('SELECT count(*) AS count FROM pets').get() }, { count: 2 })
})

t.test(
  'a log that cannot be copied when it is deleted is lost by a restart, and copied as soon as it can be',
  async (t) => {
    const file = join(t.testdir(), 'animals.db')
    const { pets, check, close } = await openAt(t, `sqlite:${file}`, { timeoutMs: 20 })
    await pets.add(rex)
    const other = new DatabaseSync(file)
    other.exec('BEGIN IMMEDIATE')
    rmSync(`${file}-wal`)
    const loss = /a restart loses what only the open log has/
    await t.rejects(pets.add(rex), { statusCode: 503, cause: { message: loss } })
    other.close()
    await t.rejects(check(), { statusCode: 503, cause: { message: /; restart the service$/ } })
    await close()
  },
)

t.test('a store that is newer than the program is refused', async (t) => {
  const file = join(t.testdir(), 'animals.db')
  await (await openStore(`sqlite:${file}`)).close()
  using database = new DatabaseSync(file)
  database.exec('PRAGMA user_version = 1000')
  await refuses(t, `sqlite:${file}`, 'its schema has version 1000, and this program supports versions up to')
})

t.test('a URL that names no file, or no kind of store, is refused without showing a password', async (t) => {
  await refuses(t, 'sqlite:', 'the URL names no file; use sqlite:PATH')
  await refuses(t, 'sqlite://host/animals.db', 'the URL names no file; use sqlite:PATH')
  await refuses(t, 'data/animals.db', 'a store URL without a scheme is not supported; use sqlite:PATH')
  const message = await refuses(
    t,
    'mysql://me:secret@host/animals',
    'a store URL with the scheme mysql: is not supported',
  )
  t.notMatch(message, 'secret')
})

t.test('a store that another process keeps locked cannot be opened', async (t) => {
  const file = join(t.testdir(), 'animals.db')
  using other = new DatabaseSync(file)
  other.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE')
  await refuses(t, `sqlite:${file}`, 'another process has locked it', { timeoutMs: 20 })
})

t.test('while another process has locked it a store is read but not written, and returns by itself', async (t) => {
  const file = join(t.testdir(), 'animals.db')
  const store = await openAt(t, `sqlite:${file}`, { timeoutMs: 20 })
  const { id } = await store.pets.add(rex)
  using other = new DatabaseSync(file)
  other.exec('BEGIN IMMEDIATE')
  await t.rejects(store.pets.add(rex), { code: 'service_unavailable' })
  await t.rejects(store.keys.add('ops', keyHash('ops')), { code: 'service_unavailable' })
  t.equal((await store.pets.find(id))?.name, 'Rex')
  await t.resolves(store.check())
  await t.rejects(store.checkWrite(), { code: 'service_unavailable' })
  other.exec('COMMIT')
  await store.pets.add(rex)
  t.equal((await store.pets.list({ after: 0n, limit: 10 })).length, 2)
})

t.test('reads go on while a write waits', async (t) => {
  const file = join(t.testdir(), 'animals.db')
  const store = await openAt(t, `sqlite:${file}`)
  const { id } = await store.pets.add(rex)
  using other = new DatabaseSync(file)
  other.exec('BEGIN IMMEDIATE')
  const adding = store.pets.add({ ...rex, name: 'Mia' })
  await setTimeout(20)
  t.equal((await store.pets.find(id))?.name, 'Rex')
  t.equal((await store.pets.list({ after: 0n, limit: 10 })).length, 1)
  other.exec('COMMIT')
  t.match(await adding, { name: 'Mia' })
})

t.test('a lock that SQLite does not wait for, on a file that is new, is waited for', async (t) => {
  const file = join(t.testdir(), 'animals.db')
  using other = new DatabaseSync(file)
  other.exec('BEGIN IMMEDIATE')
  await refuses(t, `sqlite:${file}`, 'another process has locked it', { timeoutMs: 20 })
  const opening = openAt(t, `sqlite:${file}`)
  other.exec('COMMIT')
  await t.resolves(opening)
})

t.test('a permanent error is not taken for a transient one', async (t) => {
  const file = join(t.testdir(), 'animals.db')
  const store = await openAt(t, `sqlite:${file}`)
  using other = new DatabaseSync(file)
  other.exec('DROP TABLE pets')
  await t.rejects(store.pets.add(rex), { message: 'no such table: pets' })
  await t.rejects(store.pets.find(1n), { message: 'no such table: pets' })
})

t.test('expired idempotency keys are deleted when animals are added', async (t) => {
  const file = join(t.testdir(), 'animals.db')
  const { pets } = await openAt(t, `sqlite:${file}`)
  const retry = { scope: 'shop', fingerprint: hash('Rex'), ttlMs: 1 }
  for (let index = 0; index < 10; index++) await pets.addOnce(rex, { ...retry, key: `key ${index}` })
  await setTimeout(10)
  for (let index = 0; index < 5; index++) await pets.add(rex)
  using database = new DatabaseSync(file)
  t.equal(database.prepare('SELECT count(*) AS kept FROM idempotency_keys').get()?.kept, 0)
})

/** The store at a URL, closed after the test. */
async function openAt(t: Test, url: string, options?: { readonly timeoutMs: number }): Promise<Store> {
  const store = await openStore(url, options)
  t.teardown(() => store.close())
  return store
}

/** Opening fails with one line that holds the text; returns the line. */
async function refuses(t: Test, url: string, text: string, options?: { readonly timeoutMs: number }): Promise<string> {
  const error = await openStore(url, options).then(
    (store) => store.close(),
    (error: unknown) => error,
  )
  t.ok(error instanceof StartupError, `${url} is refused`)
  const { message } = error as StartupError
  t.match(message, text)
  t.notMatch(message, '\n')
  return message
}

function hash(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** The hash of an API key, as stores know it. */
function keyHash(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

t.test('a folder in place of the write-ahead log is reported as an error of the disk', async (t) => {
  const folder = t.testdir({ 'animals.db-wal': {} })
  await t.rejects(openStore(`sqlite:${join(folder, 'animals.db')}`), {
    message: /disk I\/O error; name a file in a folder/,
  })
})

t.test('an API key is stored with its scopes and its expiry', async (t) => {
  const store = await openAt(t, `sqlite:${join(t.testdir(), 'animals.db')}`)
  await store.close()
  const database = reconnect(join(t.testdirName, 'animals.db'), 1000)
  t.teardown(() => database.close())
  const commit = createCommit(() => database)
  const options = { scopes: ['a', 'b'], expiresAt: new Date('2100-01-01') }
  t.same(commit([{ name: 'addKey', parameters: ['shop', Buffer.alloc(32), options] }]), [true])
  t.match(database.prepare('SELECT scopes, expires_at FROM keys').all(), [['a b', BigInt(options.expiresAt.getTime())]])
})
