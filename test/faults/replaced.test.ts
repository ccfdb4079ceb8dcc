/**
 * The file of an embedded store, its log or the index of the log is replaced, moved or deleted while clients use the service.
 */
import { copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import { send } from '../helpers/http.ts'
import type { Animal } from '../helpers/pages.ts'
import { runScript } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { apiKey, startInstance } from './instance.ts'
import { createTraffic, timeout } from './traffic.ts'
import { passes, respondsInTime } from './verdict.ts'

interface Change {
  readonly name: string
  make(file: string, backup: string): void
  /** Where the animals are that were acknowledged before, if that can be. */
  readonly kept?: (file: string) => string
  /** True if animals are lost that were acknowledged, although the service has been told to end. */
  readonly isLoss?: boolean
}

const changes: readonly Change[] = [
  { name: 'deleted', make: (file) => rmSync(file) },
  {
    name: 'moved away, with another one in its place',
    make: (file, backup) => {
      renameSync(file, `${file}.old`)
      copyFileSync(backup, file)
    },
    kept: (file) => `${file}.old`,
  },
  { name: 'replaced by a backup', make: (file, backup) => renameSync(backup, file) },
  {
    name: 'overwritten by a backup, and its log deleted',
    make: (file, backup) => {
      rmSync(`${file}-wal`)
      rmSync(`${file}-shm`)
      copyFileSync(backup, file)
    },
    isLoss: true,
  },
  { name: 'kept, and its log deleted', make: (file) => rmSync(`${file}-wal`), kept: (file) => file },
  {
    name: 'kept, and its log replaced by an empty one',
    make: (file) => {
      rmSync(`${file}-wal`)
      writeFileSync(`${file}-wal`, '')
    },
    kept: (file) => file,
  },
  {
    name: 'kept, and its log replaced by another one',
    make: (file) => {
      rmSync(`${file}-wal`)
      writeFileSync(`${file}-wal`, 'no log')
    },
    isLoss: true,
  },
  { name: 'kept, and the index of its log deleted', make: (file) => rmSync(`${file}-shm`), kept: (file) => file },
]

t.jobs = 2

for (const { name, make, kept, isLoss = false } of changes) {
  t.test(`a store whose file is ${name} acknowledges no addition, and its data stay complete`, async (t) => {
    const file = join(temporaryFolder(t), 'animals.db')
    const databaseUrl = `sqlite:${file}`
    const { origin, logged, kill, ended } = await startInstance(t, { databaseUrl })
    const traffic = createTraffic(t)
    const { withStatus } = traffic
    const stop = traffic.run(t, () => origin)
    await traffic.until(() => withStatus(201).length >= 50)
    const backup = `${file}.backup`
    await runScript(t, 'backup', [backup], { env: { DATABASE_URL: databaseUrl } })
    const saved = withStatus(201).length
    await traffic.until(() => withStatus(201).length >= saved + 50)

    make(file, backup)
    const changed = performance.now()
    await traffic.until(() => withStatus(503, changed).length >= 20)
    t.equal((await send(origin, 'GET', '/health')).status, 503)
    await stop()
    t.same(withStatus(201, changed), [])
    respondsInTime(t, traffic, timeout)
    const [refused] = withStatus(503, changed)
    t.comment(`refused ${Math.round((refused?.sent ?? 0) - changed)} ms after the change`)
    const events = logged().filter(({ level }) => Number(level) >= 40)
    t.match(events, [{ msg: 'the store is unavailable', err: { message: /was replaced, moved or deleted while/ } }])
    t.equal(events.length, 1)
    t.equal(/a restart loses what only the open log has/.test(JSON.stringify(events)), isLoss)

    kill('SIGTERM')
    t.match(await ended, { status: isLoss ? 1 : 0, stderr: '' })
    for (const each of [file, kept?.(file) ?? file].filter(existsSync)) t.equal(checkIntegrity(each), 'ok')
    if (kept === undefined) return
    const second = await startInstance(t, { databaseUrl: `sqlite:${kept(file)}` })
    await passes(t, traffic, second.origin)
  })
}

t.test('a log that is deleted while nobody adds is complete after the next start', async (t) => {
  const databaseUrl = `sqlite:${join(temporaryFolder(t), 'animals.db')}`
  const first = await startInstance(t, { databaseUrl })
  await add(t, first.origin, 3)
  first.kill('SIGKILL')
  await first.ended
  const second = await startInstance(t, { databaseUrl })
  rmSync(`${databaseUrl.slice('sqlite:'.length)}-wal`)
  second.kill('SIGTERM')
  t.match(await second.ended, { status: 0, stderr: '' })
  const third = await startInstance(t, { databaseUrl })
  t.same(await add(t, third.origin, 1), [4])
})

t.test('a process that starts after the index of the log is deleted keeps what it adds', async (t) => {
  const databaseUrl = `sqlite:${join(temporaryFolder(t), 'animals.db')}`
  const first = await startInstance(t, { databaseUrl })
  await add(t, first.origin, 20)
  rmSync(`${databaseUrl.slice('sqlite:'.length)}-shm`)
  const second = await startInstance(t, { databaseUrl })
  const added = await add(t, second.origin, 50)
  t.same(
    added,
    Array.from({ length: 50 }, (_, index) => 21 + index),
  )
  t.equal((await addOne(first.origin)).status, 503)
  second.kill('SIGKILL')
  await second.ended
  first.kill('SIGTERM')
  t.match(await first.ended, { status: 0, stderr: '' })
  const third = await startInstance(t, { databaseUrl })
  t.same(await add(t, third.origin, 1), [71])
})

t.test('a process that starts after a deleted log was noticed keeps what it adds', async (t) => {
  const databaseUrl = `sqlite:${join(temporaryFolder(t), 'animals.db')}`
  const first = await startInstance(t, { databaseUrl })
  await add(t, first.origin, 20)
  rmSync(`${databaseUrl.slice('sqlite:'.length)}-wal`)
  t.equal((await addOne(first.origin)).status, 503)
  const second = await startInstance(t, { databaseUrl })
  t.same(await add(t, second.origin, 2), [21, 22])
  t.equal((await addOne(first.origin)).status, 503)
  first.kill('SIGTERM')
  t.match(await first.ended, { status: 0, stderr: '' })
  t.same(await add(t, second.origin, 1), [23])
})

/** Adds animals, one after the other, and returns their ids. */
async function add(t: Test, origin: string, count: number): Promise<unknown[]> {
  const ids: unknown[] = []
  for (let index = 0; index < count; index++) {
    const { status, body } = await addOne(origin)
    t.equal(status, 201)
    ids.push((body as Animal).id)
  }
  return ids
}

function addOne(origin: string) {
  const headers = { authorization: `Bearer ${apiKey}` }
  return send(origin, 'POST', '/v1/pets', { headers, json: { name: 'Rex', categoryId: 1 } })
}

function checkIntegrity(file: string): unknown {
  using database = new DatabaseSync(file)
  return database.prepare('PRAGMA integrity_check').get()?.integrity_check
}
