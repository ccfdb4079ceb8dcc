/**
 * The processes that a run starts: servers and the client. They end with the bench.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { findFreePort } from '../../test/helpers/port.ts'
import type { Job, JobResult } from './client.ts'
import { withCpus } from './cpus.ts'
import type { Load } from './load.ts'
import { readUsage } from './process-usage.ts'

const root = join(import.meta.dirname, '../..')

/** Every variable of the configuration, empty, which counts as absent: those of the user would change what is measured. */
const unset = Object.fromEntries(
  Object.keys(parseEnv(readFileSync(join(root, '.env.example'), 'utf8'))).map((name) => [name, '']),
)

export interface ServerOptions {
  /** The file of the program, in the checkout. */
  readonly program: string
  readonly env: NodeJS.ProcessEnv
  /** The working directory. */
  readonly folder: string
  /** The file that receives its standard output. */
  readonly log: string
  readonly nodeArgs?: readonly string[]
  readonly cpus: string | undefined
}

export interface ServerProcess {
  readonly port: number
  readonly pid: number
  /** The time from the start to the first response, in milliseconds. */
  readonly startMs: number
  /** The standard error so far. */
  errors(): string
  memoryMiB(): number | undefined
  stop(): Promise<void>
}

/** Starts a server and waits for its first response. Rejects if it ends instead. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const { program, env, folder, log, nodeArgs = [], cpus } = options
  const port = await findFreePort()
  const start = performance.now()
  const child = startNode([...nodeArgs, join(root, program)], cpus, {
    cwd: folder,
    env: { ...process.env, ...unset, HOST: '127.0.0.1', PORT: String(port), ...env },
    stdio: ['ignore', openSync(log, 'a'), 'pipe'],
  })
  const ended = once(child, 'exit')
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  while (!(await responds(port))) {
    if (child.exitCode !== null) throw new Error(`${program} does not start: ${errors.trim()}`)
    await sleep(2)
  }
  const pid = Number(child.pid)
  return {
    port,
    pid,
    startMs: performance.now() - start,
    errors: () => errors,
    memoryMiB: () => readUsage(pid)?.memoryMiB,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

export interface Client {
  run(job: Job): Promise<Load>
  stop(): Promise<void>
}

export function startClient(cpus: string | undefined): Client {
  const child = startNode([join(import.meta.dirname, 'client.ts')], cpus, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = new AbortController()
  child.once('exit', () => ended.abort(new Error('the client has ended')))
  return {
    run: async (job) => {
      child.send(job)
      const [result] = (await once(child, 'message', ended)) as [JobResult]
      if ('error' in result) throw new Error(`${job.workload}: ${result.error}`)
      return result
    },
    stop: async () => {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

const running = new Set<ChildProcess>()

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

function startNode(args: readonly string[], cpus: string | undefined, options: object): ChildProcess {
  const [program = '', ...rest] = withCpus(cpus, [process.execPath, ...args])
  const child = spawn(program, rest, options)
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** True if a server responds, with any status. */
async function responds(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/v1/pets`, { headers: { Connection: 'close' } }).then(
    async (response) => {
      await response.body?.cancel()
      return true
    },
    () => false,
  )
}
