/**
 * The disk of an embedded store is full, or its files cannot be written, while clients use the service.
 */
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { send } from '../helpers/http.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { type Disk, forbiddenDisk, immutableDisk, limitDisk, mountDisk } from './disks.ts'
import { runInstance, startInstance } from './instance.ts'
import { createTraffic, timeout } from './traffic.ts'
import { passes, respondsInTime } from './verdict.ts'

t.jobs = 2

t.test('a store on a full disk is read, and additions get 503', async (t) => {
  const disk = await mountDisk(t)
  if (disk === undefined) t.comment('the system lets us mount no disk: only the limit on the size of files is proved')
  else await withholds(t, disk)
})

t.test('a store whose files may not grow is read, and additions get 503', async (t) => {
  await withholds(t, limitDisk(t))
})

t.test('a store whose files are immutable is read, and additions get 503', async (t) => {
  const disk = await immutableDisk(t)
  if (disk === undefined) t.comment('the system lets us make no file immutable: only the permissions are proved')
  else await withholds(t, disk)
})

t.test('a store whose files may not be written is read, and additions get 503', async (t) => {
  const disk = forbiddenDisk(t)
  const { file, under, deny, allow } = disk
  const databaseUrl = `sqlite:${file}`
  const { origin, pid } = await startInstance(t, { databaseUrl, under })
  // Before anything has been written: who has a file open may go on writing.
  await deny(pid)
  const traffic = createTraffic(t)
  const stop = traffic.run(t, () => origin)
  await traffic.until(() => traffic.withStatus(503).length >= 20 && traffic.withStatus(200).length >= 10)
  t.same(traffic.withStatus(201), [])
  t.match((await send(origin, 'GET', '/readyz?verbose')).body, {
    message: 'the service is not ready: running ok, read ok, write failed',
  })
  t.match(await runInstance(t, { databaseUrl, under }), {
    status: 1,
    stderr: /^cannot open the store sqlite:.+: .+; name a file in a folder that can be written\n$/,
  })
  await allow(pid)
  await traffic.until(() => traffic.withStatus(201).length >= 50)
  await stop()
  await passes(t, traffic, origin)
  respondsInTime(t, traffic, timeout)
})

t.test('a store whose file was moved away is not created again, and additions get 503', async (t) => {
  const file = join(temporaryFolder(t), 'animals.db')
  const { origin } = await startInstance(t, { databaseUrl: `sqlite:${file}` })
  // Before anything has been written: who has a file open may go on writing.
  renameSync(file, `${file}.away`)
  const traffic = createTraffic(t)
  const stop = traffic.run(t, () => origin)
  await traffic.until(() => traffic.withStatus(503).length >= 20 && traffic.withStatus(200).length >= 10)
  t.same(traffic.withStatus(201), [])
  t.notOk(existsSync(file))
  renameSync(`${file}.away`, file)
  await traffic.until(() => traffic.withStatus(201).length >= 50)
  await stop()
  await passes(t, traffic, origin)
  respondsInTime(t, traffic, timeout)
})

async function withholds(t: Test, { file, under, deny, allow }: Disk): Promise<void> {
  const databaseUrl = `sqlite:${file}`
  const { origin, pid, kill, ended } = await startInstance(t, { databaseUrl, under })
  const traffic = createTraffic(t)
  const { withStatus } = traffic
  const stop = traffic.run(t, () => origin)
  await traffic.until(() => withStatus(201).length >= 50)

  await deny(pid)
  const denied = performance.now()
  await traffic.until(() => withStatus(503, denied).length >= 20 && withStatus(200, denied).length >= 20)
  t.ok(
    withStatus(503).every(({ operationId }) => operationId === 'createPet'),
    'reads go on',
  )
  t.match((await send(origin, 'GET', '/readyz?verbose')).body, {
    message: 'the service is not ready: running ok, read ok, write failed',
  })

  await allow(pid)
  const allowed = performance.now()
  await traffic.until(() => withStatus(201, allowed).length >= 50)
  t.comment(`animals are added again ${Math.round((withStatus(201, allowed)[0]?.sent ?? 0) - allowed)} ms after that`)

  await deny(pid)
  const again = performance.now()
  await traffic.until(() => withStatus(503, again).length >= 20)
  await stop()
  respondsInTime(t, traffic, timeout)
  kill('SIGKILL')
  await ended
  await allow()
  const second = await startInstance(t, { databaseUrl, under })
  await passes(t, traffic, second.origin)
}
