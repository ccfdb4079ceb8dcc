/**
 * The disk of an embedded store is full, its files cannot be written, or they are replaced, while clients use the service.
 */
import { exec } from 'node:child_process'
import { copyFileSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { sqlite } from '../helpers/databases.ts'
import { send } from '../helpers/http.ts'
import type { Animal } from '../helpers/pages.ts'
import { runScript, runServiceProcess } from '../helpers/process.ts'
import { skipLoudly } from '../helpers/program.ts'
import { execute } from '../helpers/sql.ts'
import { waitUntil } from '../helpers/wait.ts'
import { type Disk, forbiddenDisk, limitDisk, mountDisk, stickDisk } from './disks.ts'
import { apiKey, createTraffic, startInstance } from './traffic.ts'

t.jobs = 2

t.test('a store on a full disk is read, and additions get 503', async (t) => {
  const disk = await mountDisk(t)
  if (disk === undefined) t.comment('the system lets us mount no disk: only the limit on the size of files is proved')
  else await withholds(t, disk)
})

t.test('a store whose files may not grow is read, and additions get 503', async (t) => {
  await withholds(t, limitDisk(t))
})

t.test('a store whose files may not be written is read, and additions get 503', async (t) => {
  const disk = forbiddenDisk(t)
  // Before anything has been written: who has a file open may go on writing.
  await withholds(t, disk, 0)
  disk.deny(0)
  const { file, under } = disk
  t.match(await runServiceProcess(t, { under, env: { DATABASE_URL: `sqlite:${file}` } }), {
    status: 1,
    stderr:
      /^cannot open the store sqlite:.+: EACCES; let the user of this process write the file and its folder, or name another file\n$/,
  })
})

t.test('while the disk does not respond, a store is read, additions get 503, and a stop ends', async (t) => {
  const databaseUrl = await sqlite.fresh(t)
  const { origin, pid, kill, waitForEnd } = await startInstance(t, databaseUrl)
  const traffic = createTraffic(t)
  const { withStatus, until } = traffic
  const stop = traffic.run(() => origin)
  await until(() => withStatus(201).length >= 20)
  let release = await stickDisk(t, pid)
  if (release === undefined) {
    await stop()
    return skipLoudly('a disk that does not respond', 'strace is not installed')
  }
  const stuck = performance.now()
  await until(() => withStatus(503, stuck).length >= 10 && withStatus(200, stuck).length >= 10)
  t.ok(
    withStatus(503).every(({ operationId }) => operationId === 'createPet'),
    'reads go on',
  )
  await release()
  const released = performance.now()
  await until(() => withStatus(201, released).length >= 20)

  release = await stickDisk(t, pid)
  const again = performance.now()
  await until(() => withStatus(503, again).length >= 1)
  kill('SIGTERM')
  // A killed process ends completely only when the tracer lets go of it.
  await waitUntil(() => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '))
  await release?.()
  t.match(await waitForEnd(), { signal: 'SIGKILL', stderr: '' })
  await stop()
  await traffic.passes((await startInstance(t, databaseUrl)).origin)
})

/** Passes when nothing is lost or doubled on a disk that can be written, but for a while, from so many additions on. */
async function withholds(t: Test, { file, under, deny, allow }: Disk, before = 20): Promise<void> {
  const databaseUrl = `sqlite:${file}`
  const { origin, pid, kill, waitForEnd } = await startInstance(t, databaseUrl, { under })
  if (before === 0) await deny(pid)
  const traffic = createTraffic(t)
  const { withStatus, until } = traffic
  const stop = traffic.run(() => origin)
  await until(() => withStatus(201).length >= before)

  if (before > 0) await deny(pid)
  const denied = performance.now()
  await until(() => withStatus(503, denied).length >= 10 && withStatus(200, denied).length >= 10)
  t.ok(
    withStatus(503).every(({ operationId }) => operationId === 'createPet'),
    'reads go on',
  )
  t.equal((await send(origin, 'GET', '/readyz')).status, 503)
  await allow(pid)
  const allowed = performance.now()
  await until(() => withStatus(201, allowed).length >= 20)
  if (before > 0) await deny(pid)
  const again = performance.now()
  await until(() => withStatus(before > 0 ? 503 : 200, again).length >= 10)
  await stop()
  traffic.respondsInTime()
  kill('SIGKILL')
  await waitForEnd()
  await allow()
  await traffic.passes((await startInstance(t, databaseUrl, { under })).origin)
}

// What else may happen to the files is in test/stores/sqlite.unit.test.ts.
const changes = [
  {
    name: 'overwritten by a backup, and its WAL deleted',
    make: (file: string, backup: string) => {
      rmSync(`${file}-wal`)
      rmSync(`${file}-shm`)
      copyFileSync(backup, file)
    },
    isLoss: true,
  },
  { name: 'kept, and its WAL deleted', make: (file: string) => rmSync(`${file}-wal`), isLoss: false },
  { name: 'deleted', make: (file: string) => rmSync(file), isLoss: true, isCopyWhole: true },
  {
    name: 'replaced by a backup',
    make: (file: string, backup: string) => renameSync(backup, file),
    isLoss: true,
    isCopyWhole: true,
  },
]

for (const { name, make, isLoss, isCopyWhole = false } of changes) {
  t.test(`a store whose file is ${name} acknowledges no addition, and its data stay complete`, async (t) => {
    const databaseUrl = await sqlite.fresh(t)
    const file = fileOf(databaseUrl)
    const { origin, logged, kill, waitForEnd } = await startInstance(t, databaseUrl)
    const traffic = createTraffic(t)
    const { withStatus, until } = traffic
    const stop = traffic.run(() => origin)
    await until(() => withStatus(201).length >= 20)
    const backup = `${file}.backup`
    await runScript(t, 'backup', [backup], { env: { DATABASE_URL: databaseUrl } })
    const saved = withStatus(201).length
    await until(() => withStatus(201).length >= saved + 20)

    make(file, backup)
    const changed = performance.now()
    await until(() => withStatus(503, changed).length >= 10)
    t.equal((await send(origin, 'GET', '/readyz')).status, 503)
    await stop()
    t.same(withStatus(201, changed), [])
    traffic.respondsInTime()
    const events = logged().filter(({ level }) => Number(level) >= 40)
    t.match(events, [{ msg: 'the store is unavailable', err: { message: /was replaced, moved or deleted while/ } }])
    t.equal(/a restart loses what only the open files have/.test(JSON.stringify(events)), isLoss)
    if (isCopyWhole) {
      // As an operator does who reads the log.
      const commands = /on Linux by: ([^"]+COPY)"/.exec(JSON.stringify(events))?.[1] ?? 'false'
      await promisify(exec)(commands.replaceAll('COPY', `${file}.copy`))
    }

    kill('SIGTERM')
    t.match(await waitForEnd(), { status: isLoss ? 1 : 0, stderr: '' })
    if (isCopyWhole) await traffic.passes((await startInstance(t, `${databaseUrl}.copy`)).origin)
    t.same(await execute(databaseUrl, 'PRAGMA integrity_check'), [{ integrity_check: 'ok' }])
    if (!isLoss) await traffic.passes((await startInstance(t, databaseUrl)).origin)
  })
}

t.test('a WAL that is deleted while nobody adds is complete after the next start', async (t) => {
  const databaseUrl = await sqlite.fresh(t)
  const first = await startInstance(t, databaseUrl)
  await add(t, first.origin, [1, 2, 3])
  first.kill('SIGKILL')
  await first.waitForEnd()
  const second = await startInstance(t, databaseUrl)
  rmSync(`${fileOf(databaseUrl)}-wal`)
  second.kill('SIGTERM')
  t.match(await second.waitForEnd(), { status: 0, stderr: '' })
  const third = await startInstance(t, databaseUrl)
  await add(t, third.origin, [4])
})

for (const part of ['WAL', 'index of the WAL']) {
  t.test(`a process that starts after the ${part} is deleted keeps what it adds`, async (t) => {
    const databaseUrl = await sqlite.fresh(t)
    const first = await startInstance(t, databaseUrl)
    await add(t, first.origin, [1, 2, 3])
    rmSync(`${fileOf(databaseUrl)}-${part === 'WAL' ? 'wal' : 'shm'}`)
    // The WAL is copied into the file when it is missed.
    if (part === 'WAL') t.equal((await addOne(first.origin)).status, 503)
    const second = await startInstance(t, databaseUrl)
    await add(t, second.origin, [4, 5, 6])
    t.equal((await addOne(first.origin)).status, 503)
    if (part !== 'WAL') {
      second.kill('SIGKILL')
      await second.waitForEnd()
    }
    first.kill('SIGTERM')
    t.match(await first.waitForEnd(), { status: 0, stderr: '' })
    const last = part === 'WAL' ? second : await startInstance(t, databaseUrl)
    await add(t, last.origin, [7])
  })
}

/** Adds animals, one after the other, which must get these ids. */
async function add(t: Test, origin: string, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    const { status, body } = await addOne(origin)
    t.same([status, (body as Animal).id], [201, id])
  }
}

function addOne(origin: string) {
  const headers = { authorization: `Bearer ${apiKey}` }
  return send(origin, 'POST', '/v1/pets', { headers, json: { name: 'Rex', categoryId: 1 } })
}

function fileOf(databaseUrl: string): string {
  return databaseUrl.slice('sqlite:'.length)
}
