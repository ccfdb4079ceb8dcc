/**
 * An instance of the service: a process of its own, on a store and in surroundings that are made to fail.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { eventsIn, mainFile } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

/** The key that every instance takes. */
export const apiKey = '0123456789abcdef'

export interface InstanceOptions {
  readonly databaseUrl: string
  readonly env?: NodeJS.ProcessEnv
  /** A command that becomes the one behind its own arguments, by exec and in the same process. */
  readonly under?: readonly string[]
}

export interface Instance {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  readonly pid: number
  /** The events in its log so far. */
  logged(): Record<string, unknown>[]
  kill(signal: NodeJS.Signals): void
  /** How it ended, once it has. */
  readonly ended: Promise<End>
}

export interface End {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly stderr: string
}

/** Starts an instance and waits until it listens. It ends with the test, and with this process, however that ends. */
export async function startInstance(t: Test, options: InstanceOptions): Promise<Instance> {
  const { child, ended } = spawnInstance(t, options)
  let output = ''
  const listening = new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      output += chunk
      const [, origin] = /Server listening at (http:[^"]+)/.exec(output.slice(0, 10_000)) ?? []
      if (origin !== undefined) resolve(origin)
    })
  })
  const origin = await Promise.race([listening, ended])
  if (typeof origin !== 'string') throw new Error(`it ended with ${origin.status ?? origin.signal}: ${origin.stderr}`)
  return {
    origin,
    pid: child.pid as number,
    logged: () => eventsIn(output),
    kill: (signal) => void child.kill(signal),
    ended,
  }
}

/** Runs an instance that is to end by itself. */
export async function runInstance(t: Test, options: InstanceOptions): Promise<End> {
  const { child, ended } = spawnInstance(t, options)
  child.stdout.resume()
  return ended
}

function spawnInstance(t: Test, { databaseUrl, env = {}, under = [] }: InstanceOptions) {
  // What tests are run with is loaded into every process they start, and handles signals of its own.
  const script = 'unset NODE_OPTIONS; exec "$@"'
  const child = spawn('sh', ['-c', script, 'sh', ...under, process.execPath, mainFile], {
    cwd: temporaryFolder(t),
    env: { PATH: process.env.PATH, PORT: '0', API_KEYS: `tests=${apiKey}`, DATABASE_URL: databaseUrl, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const guard = guardOver(child.pid as number)
  const ended = Promise.all([text(child.stderr), once(child, 'close') as Promise<[End['status'], End['signal']]>]).then(
    ([stderr, [status, signal]]): End => ({ status, signal, stderr }),
  )
  void ended.then(() => guard.kill())
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, ended }
}

/** Kills a process when this one has gone, which closes the pipe between the two. */
function guardOver(pid: number) {
  return spawn('sh', ['-c', 'read -r _; kill -KILL "$1"', 'guard', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Out of reach of a signal that ends all that belongs to a terminal.
    detached: true,
  })
}
