/** The embedded store alone: files, folders, locks of other processes. */
import { exec } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import type { HttpError } from 'fastify-openapi-first/shared'
import t, { type Test } from 'tap'
import { isUnavailable } from '../../src/errors.ts'
import { openStore } from '../../src/stores/open.ts'
import { openConnection } from '../../src/stores/sqlite/connection.ts'
import { execute } from '../helpers/sql.ts'
import { listAll, openAt, refuses, rex, using } from '../helpers/stores.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

const newFile = (t: Test) => join(temporaryFolder(t), 'animals.db')

t.test('a commit waits for the disk', async (t) => {
  // A killed process loses nothing either way, and the power of a test cannot be cut.
  using database = openConnection(newFile(t), 0)
  t.same(database.prepare('PRAGMA synchronous').get(), [2n])
})

t.test('missing folders are created, and only the owner of a store can read its files', async (t) => {
  const folder = join(temporaryFolder(t), 'some', 'folders')
  // The path is relative to the working directory.
  await openAt(t, `sqlite:${relative(process.cwd(), join(folder, 'animals.db'))}`)
  const modes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777])
  t.same(Object.fromEntries(modes), { 'animals.db': 0o600, 'animals.db-shm': 0o600, 'animals.db-wal': 0o600 })
})

t.test('stores in memory are independent, and leave no file', async (t) => {
  const [one, other] = [await openAt(t, 'sqlite::memory:'), await openAt(t, 'sqlite::memory:')]
  await one.pets.add(rex)
  t.same(await listAll(other), [])
  t.notOk(existsSync(':memory:'))
})

t.test('what is read in a snapshot is of one state, and what is read after it is not', async (t) => {
  const url = `sqlite:${newFile(t)}`
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

t.test('a file that is no store of this program is refused in one line, and not changed', async (t) => {
  for (const [write, message] of [
    [
      (file: string) => writeFileSync(file, 'no database'.repeat(1000)),
      'it is not a database of the Animal Store; name',
    ],
    [
      (file: string) => execute(`sqlite:${file}`, 'CREATE TABLE users (name TEXT)'),
      'it is a database of something else; name another',
    ],
    [
      (file: string) => execute(`sqlite:${file}`, 'PRAGMA user_version = 1'),
      'it is a database of something else; name another file',
    ],
    [(file: string) => truncateSync(file, 8192), 'it is damaged; restore a backup'],
    [
      (file: string) => execute(`sqlite:${file}`, 'PRAGMA user_version = 1000'),
      'its schema has version 1000, and this program supports versions 3 to',
    ],
  ] as const) {
    const file = newFile(t)
    if (/damaged|schema/.test(message)) await using(`sqlite:${file}`, async () => {})
    await write(file)
    const before = readFileSync(file)
    await refuses(t, `sqlite:${file}`, message)
    t.ok(readFileSync(file).equals(before), message)
  }
})

t.test('a URL of which no file can be made is refused in one line, without a password', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'file'), 'text')
  mkdirSync(join(folder, 'log.db-wal'))
  for (const [url, message] of [
    [`sqlite:${folder}/file/animals.db`, `cannot open the store sqlite:${folder}/file/animals.db: `],
    [`sqlite:${folder}`, 'it is neither a regular file nor a link to one; name another file'],
    [`sqlite:${folder}/log.db`, 'disk I/O error; name a file in a folder'],
    ['sqlite:', 'the store URL names no store; use sqlite:PATH'],
    ['sqlite://host/animals.db', 'the store URL names no store'],
    ['data/animals.db', 'the store URL names no store'],
    ['mysql://me:secret@host/animals', 'the store URL names no store'],
  ] as const) {
    await refuses(t, url, message)
  }
})

t.test('a store whose file or WAL is moved away is read but not written, until it is back', async (t) => {
  const file = newFile(t)
  const store = await openAt(t, `sqlite:${file}`)
  for (const [index, [part, advice]] of [
    [file, 'put it back, or restart the service'],
    [`${file}-wal`, 'restart the service'],
  ].entries()) {
    renameSync(`${part}`, `${part}.away`)
    const message = `${file}, its -wal or its -shm file was replaced, moved or deleted while it was open; ${advice}`
    await t.rejects(store.pets.add(rex), { statusCode: 503, cause: { message } })
    await t.rejects(store.check(), { statusCode: 503, cause: { message } })
    t.equal((await listAll(store)).length, index)
    t.notOk(existsSync(`${part}`))
    renameSync(`${part}.away`, `${part}`)
    await store.check()
    t.match(await store.pets.add(rex), rex)
  }
})

/** The end of the message of a loss: the commands that copy the open files. */
const copyCommands = /a restart loses what only the open files have: .* on Linux by: (cp \S+ COPY-wal && cp \S+ COPY)$/

/** Runs the commands of the message, as an operator does, with this path for `COPY`. */
async function copyOpenFiles({ cause }: HttpError, path: string): Promise<void> {
  const commands = copyCommands.exec(String((cause as Error).message))?.[1] ?? 'false'
  await promisify(exec)(commands.replaceAll('COPY', path))
}

/**
 * What may happen to the file of a store; the animals that were added before are then in `kept`, or lost.
 * test/faults/files.test.ts has more.
 */
const changes: readonly {
  readonly name: string
  readonly make: (file: string, backup: string) => void
  readonly kept?: string
  readonly isLoss?: boolean
}[] = [
  { name: 'deleted', make: (file) => rmSync(file), isLoss: true },
  {
    name: 'deleted with all files beside it',
    make: (file) => {
      for (const end of ['', '-wal', '-shm']) rmSync(file + end)
    },
    isLoss: true,
  },
  {
    name: 'deleted, but has another link',
    make: (file) => {
      linkSync(file, `${file}.old`)
      rmSync(file)
    },
    kept: 'animals.db.old',
  },
  {
    name: 'moved away, with another one in its place',
    make: (file, backup) => {
      renameSync(file, `${file}.old`)
      copyFileSync(backup, file)
    },
    kept: 'animals.db.old',
  },
  { name: 'replaced by a backup', make: (file, backup) => renameSync(backup, file), isLoss: true },
  {
    name: 'kept, and its WAL replaced by an empty one',
    make: (file) => {
      rmSync(`${file}-wal`)
      writeFileSync(`${file}-wal`, '')
    },
    kept: 'animals.db',
  },
  {
    name: 'kept, and its WAL replaced by another one',
    make: (file) => {
      rmSync(`${file}-wal`)
      writeFileSync(`${file}-wal`, 'no log')
    },
    isLoss: true,
  },
  {
    name: 'moved away, and the index of its WAL deleted',
    make: (file) => {
      renameSync(file, `${file}.old`)
      rmSync(`${file}-shm`)
    },
    isLoss: true,
  },
  { name: 'kept, and the index of its WAL deleted', make: (file) => rmSync(`${file}-shm`), kept: 'animals.db' },
]

for (const { name, make, kept, isLoss = false } of changes) {
  t.test(`a store whose file is ${name} acknowledges no addition, and its data stay complete`, async (t) => {
    const file = newFile(t)
    await using(`sqlite:${file}`, ({ pets }) => pets.add(rex))
    copyFileSync(file, `${file}.backup`)
    const { pets, close } = await openStore(`sqlite:${file}`)
    t.teardown(() => close().catch(() => {}))
    await pets.add(rex)
    make(file, `${file}.backup`)
    const error = (await pets.add(rex).catch((reason: unknown) => reason)) as HttpError
    t.match(error, { statusCode: 503, cause: { message: isLoss ? copyCommands : /restart the service$/ } })
    const copies = temporaryFolder(t)
    if (isLoss) {
      await copyOpenFiles(error, join(copies, 'copy.db'))
      await using(`sqlite:${join(copies, 'copy.db')}`, async (store) => t.match(await listAll(store), [rex, rex]))
    }
    await (isLoss ? t.rejects(close(), { code: 'DATA_AT_RISK' }) : t.resolves(close()))
    // Copies, because this process still has the files open.
    cpSync(dirname(file), copies, { recursive: true })
    for (const copy of ['animals.db', 'animals.db.old'].map((name) => join(copies, name)).filter(existsSync)) {
      t.same(await execute(`sqlite:${copy}`, 'PRAGMA integrity_check'), [{ integrity_check: 'ok' }])
    }
    if (kept !== undefined)
      await using(`sqlite:${join(copies, kept)}`, async (store) => t.match(await listAll(store), [rex, rex]))
  })
}

t.test('a WAL that cannot be copied when it is deleted is copied as soon as it can be', async (t) => {
  const file = newFile(t)
  const { pets, check, close } = await openAt(t, `sqlite:${file}`)
  await pets.add(rex)
  const other = new DatabaseSync(file)
  other.exec('BEGIN IMMEDIATE')
  rmSync(`${file}-wal`)
  await t.rejects(pets.add(rex), { statusCode: 503, cause: { message: copyCommands } })
  other.close()
  await t.rejects(check(), { statusCode: 503, cause: { message: /; restart the service$/ } })
  await close()
})

t.test('a store that another process keeps locked is waited for, and not for ever', async (t) => {
  const file = newFile(t)
  using other = new DatabaseSync(file)
  // SQLite does not wait for this lock by itself while the file is new.
  other.exec('BEGIN IMMEDIATE')
  await refuses(t, `sqlite:${file}`, 'another process has locked it')
  const opening = openAt(t, `sqlite:${file}`)
  other.exec('COMMIT')
  await t.resolves(opening)
  other.exec('BEGIN IMMEDIATE')
  await refuses(t, `sqlite:${file}`, 'another process has locked it')
})

t.test('a value that SQLite cannot take is an error of its own call, not an outage', async (t) => {
  for (const url of [`sqlite:${newFile(t)}`, 'sqlite::memory:']) {
    const { pets } = await openAt(t, url)
    const wrong = ['Rex'] as never
    for (const call of [
      () => pets.find(wrong),
      () => pets.list({ after: 0n, limit: 1, status: wrong }),
      () => pets.add({ ...rex, name: wrong }),
      // A function cannot be sent to the thread that writes.
      () => pets.add({ ...rex, name: (() => {}) as never }),
    ]) {
      const error = await call().catch((error: unknown) => error)
      t.ok(error instanceof Error && !isUnavailable(error))
    }
    t.match(await pets.add(rex), rex)
  }
})

t.test('a permanent error is not taken for a transient one', async (t) => {
  const file = newFile(t)
  const { pets } = await openAt(t, `sqlite:${file}`)
  await execute(`sqlite:${file}`, 'DROP TABLE pets')
  await t.rejects(pets.add(rex), { message: 'no such table: pets' })
  await t.rejects(pets.find(1n), { message: 'no such table: pets' })
})
