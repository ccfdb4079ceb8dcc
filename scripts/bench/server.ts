/** The servers that are measured, and their folder: both end with this process. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKey } from '../../src/auth/keys.ts'
import { findFreePort } from '../../test/helpers/port.ts'
import { waitForEvent } from '../../test/helpers/wait.ts'

/** This checkout. */
export const root = join(import.meta.dirname, '../..')

/** The API key that every service accepts. */
export const key = createKey()

const servers = new Set<ChildProcess>()

/** Makes a temporary folder. It is removed, and the servers are killed, when this process ends, also by a signal. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-bench-'))
  process.once('exit', () => {
    for (const server of servers) server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  return folder
}

/** Fills the store at a URL with animals, by the script of a checkout. */
export function seed(checkout: string, url: string, animals: number): void {
  execFileSync(process.execPath, [join(checkout, 'scripts/seed.ts'), url, String(animals)], { stdio: 'inherit' })
}

/** Starts the service of a checkout as npm start does. In the folder, it does not read the .env file of the checkout. */
export function startService(checkout: string, url: string, folder: string): Promise<Server> {
  const command = [process.execPath, '--disable-sigusr1', join(checkout, 'src/main.ts')]
  return startServer(command, { DATABASE_URL: url, API_KEYS: key, LOG_LEVEL: 'warn' }, folder)
}

export type Server = Awaited<ReturnType<typeof startServer>>

/** Starts a server, and waits for its first response, to a GET of the path. Rejects if it ends instead. */
export async function startServer(
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
  path = '/livez',
) {
  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  const start = performance.now()
  // Without the environment of the user, which would change what is measured.
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const child = spawn(program, args, {
    cwd,
    env: { PATH, ...env, HOST: '127.0.0.1', PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  child.unref()
  servers.add(child)
  const headers = { Authorization: `Bearer ${key}`, Connection: 'close' }
  const sendRequest = () => fetch(origin + path, { headers }).catch(() => undefined)
  let firstResponse = await sendRequest()
  while (firstResponse === undefined) {
    // A signal, such as of the system's OOM killer, leaves no exit code.
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('a server does not start')
    await sleep(2)
    firstResponse = await sendRequest()
  }
  // From the start of the process to its first response.
  const startMs = performance.now() - start
  const pid = Number(child.pid)
  return {
    origin,
    pid,
    firstResponse,
    startMs,
    idleMiB: readUsage(pid).memoryMiB,
    /** Ends it gracefully. */
    stop: async () => {
      const ended = waitForEvent(child, 'exit')
      child.kill('SIGTERM')
      await ended
      servers.delete(child)
    },
  }
}

/** Reads the processor time and the resident set of a process from /proc (proc(5)). */
export function readUsage(pid: number) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field is a name in parentheses; utime and stime, in hundredths of a second, are the 14th and the 15th.
  const [userTime, systemTime] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12)
  const [, kiB] = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return { cpuSeconds: (Number(userTime) + Number(systemTime)) / 100, memoryMiB: Number(kiB) / 1024 }
}
