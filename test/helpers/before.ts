/**
 * For `tap --before`: starts the PostgreSQL server that all files of tests share, unless TEST_DATABASE_URL names one. Tap
 * waits for this process to end, so another one keeps the server, until tap itself has ended, however that happens.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isRunning, SHARED_SERVER, startPostgres } from './postgres-server.ts'
import { within } from './wait.ts'

const [tap] = process.argv.slice(2)
if (tap !== undefined) await keep(Number(tap))
else if (!process.env.TEST_DATABASE_URL && process.env.TEST_DATABASES !== 'sqlite') {
  const keeper = fork(import.meta.filename, [String(process.ppid)], {
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [started] = await within('PostgreSQL', Promise.race([once(keeper, 'message'), once(keeper, 'exit')]))
  if (started !== 'started') throw new Error('PostgreSQL does not start')
  keeper.disconnect()
  keeper.unref()
}

/** Keeps a server as long as a process runs. */
async function keep(pid: number): Promise<void> {
  const server = await startPostgres()
  mkdirSync(dirname(SHARED_SERVER), { recursive: true })
  writeFileSync(SHARED_SERVER, `${process.pid} ${server.url}`)
  process.send?.('started')
  while (isRunning(pid)) await setTimeout(200)
  rmSync(SHARED_SERVER, { force: true })
  await server.remove()
}
