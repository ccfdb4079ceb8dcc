/** Disks that are full, and files that cannot be written, by the means that Linux has for it. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { findProgram } from '../helpers/program.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitForEvent, within } from '../helpers/wait.ts'

const run = promisify(execFile)

/** A place for a store where a process can be kept from writing, and allowed to again. */
export interface Disk {
  /** The file of the store, as that process sees it. */
  readonly file: string
  /** What the process is to be run under. */
  readonly under: readonly string[]
  deny(pid: number): unknown
  /** The process may have gone. */
  allow(pid?: number): unknown
}

/**
 * A disk of its own, in memory, that can be filled. It is mounted where only what runs under it sees it, and is gone
 * when nothing does. Undefined where the system does not let us have one.
 */
export async function mountDisk(t: Test): Promise<Disk | undefined> {
  const folder = temporaryFolder(t)
  const script = 'mount -t tmpfs -o size=8m disk "$1" && echo mounted && read -r _'
  const args = ['--user', '--map-root-user', '--mount', 'sh', '-c', script, 'holder', folder]
  const holder = spawn('unshare', args, { stdio: ['pipe', 'pipe', 'ignore'] })
  const over = new Promise<false>((resolve) => {
    holder.on('error', () => resolve(false)).on('exit', () => resolve(false))
  })
  t.teardown(() => {
    holder.stdin.end()
    return within('end of unshare', over)
  })
  const mounted = Promise.race([once(holder.stdout, 'data'), over])
  if ((await within('mounted disk', mounted)) === false) return undefined
  const ballast = join(`/proc/${holder.pid}/root`, folder, 'ballast')
  return {
    file: join(folder, 'animals.db'),
    under: ['nsenter', '--preserve-credentials', '--user', '--mount', '--target', String(holder.pid), '--'],
    deny: () => fill(ballast),
    allow: () => rmSync(ballast, { force: true }),
  }
}

/** The disk of the machine, on which no file of the process may become larger than the files of the store are. */
export function limitDisk(t: Test): Disk {
  const file = join(temporaryFolder(t), 'animals.db')
  return {
    file,
    under: [],
    deny: (pid) => limitFileSize(pid, Math.max(...filesOf(file).map((name) => statSync(name).size))),
    allow: (pid) => pid !== undefined && limitFileSize(pid, 'unlimited'),
  }
}

/** Sets the number of bytes that a file of a process may grow to. */
export function limitFileSize(pid: number, size: number | 'unlimited'): Promise<unknown> {
  // The soft limit alone: that one may be raised again.
  return run('prlimit', ['--pid', String(pid), `--fsize=${size}:`])
}

/** The disk that there is, on files that their owner has no longer the permission to write. */
export function forbiddenDisk(t: Test): Disk {
  const file = join(temporaryFolder(t), 'animals.db')
  const permit = (write: number) => {
    for (const each of filesOf(file)) chmodSync(each, 0o444 | write)
    chmodSync(dirname(file), 0o555 | write)
  }
  t.teardown(() => permit(0o200))
  return {
    file,
    // What root may do, it may do by its capabilities, whatever the permissions are.
    under: process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [],
    deny: () => permit(0),
    allow: () => permit(0o200),
  }
}

/** Makes each write of a process wait for its disk, until what is returned is called; undefined without strace. */
export async function stickDisk(t: Test, pid: number): Promise<(() => Promise<unknown>) | undefined> {
  const strace = findProgram('strace')
  if (strace === undefined) return undefined
  // It delays each of these calls by an hour; when it ends, so does the delay.
  const calls = 'fsync,fdatasync'
  const tracer = spawn(strace, ['-f', '-p', `${pid}`, '-e', `inject=${calls}:delay_enter=3600000000`, '-e', calls], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(tracer, 'exit')
  const release = () => {
    tracer.kill('SIGKILL')
    return within('end of strace', ended)
  }
  t.teardown(release)
  await waitForEvent(tracer.stderr, 'data')
  tracer.stderr.resume()
  return release
}

/** Writes to a file until the disk is full. */
function fill(file: string): void {
  for (const size of [1 << 16, 1 << 12, 1]) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
}

/** The file of a store, and those that SQLite keeps beside it. */
function filesOf(file: string): string[] {
  const folder = dirname(file)
  return readdirSync(folder).map((name) => join(folder, name))
}
