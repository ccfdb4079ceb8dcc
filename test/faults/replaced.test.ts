/**
 * The file of an embedded store is replaced, moved or deleted while clients use the service.
 */
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { send } from '../helpers/http.ts'
import { runScript } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { startInstance } from './instance.ts'
import { createTraffic, timeout } from './traffic.ts'
import { passes, respondsInTime } from './verdict.ts'

interface Change {
  readonly name: string
  make(file: string, backup: string): void
  /** Where the animals are that were acknowledged before, if that can be. */
  readonly kept?: (file: string) => string
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
  },
]

t.jobs = 2

for (const { name, make, kept } of changes) {
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

    kill('SIGTERM')
    t.match(await ended, { status: 0, stderr: '' })
    for (const each of [file, kept?.(file) ?? file].filter(existsSync)) t.equal(checkIntegrity(each), 'ok')
    if (kept === undefined) return
    const second = await startInstance(t, { databaseUrl: `sqlite:${kept(file)}` })
    await passes(t, traffic, second.origin)
  })
}

function checkIntegrity(file: string): unknown {
  using database = new DatabaseSync(file)
  return database.prepare('PRAGMA integrity_check').get()?.integrity_check
}
