/**
 * The service as an operator runs it: the process itself, with its environment, its output and its signals.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import type { Test } from 'tap'
import { temporaryFolder } from './temporary.ts'

/** The file that starts the service. */
export const mainFile = join(import.meta.dirname, '../../src/main.ts')

export interface ProcessOptions {
  /** Variables besides those that make it listen on a free port of this machine. */
  readonly env?: NodeJS.ProcessEnv
  /** What stands behind the file on the command line. */
  readonly args?: readonly string[]
  /** The working directory; by default an empty one. The default store is in it. */
  readonly folder?: string
}

export interface Outcome {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface ServiceProcess {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  readonly folder: string
  /** What it has written to its standard output so far. */
  output(): string
  /** The events in its log so far. */
  logged(): Record<string, unknown>[]
  kill(signal: NodeJS.Signals): void
  /** How it ended, once it has. */
  readonly ended: Promise<Outcome>
}

/** Starts the process and waits until it listens; it is stopped after the test. Rejects when it ends instead. */
export async function startProcess(t: Test, options: ProcessOptions = {}): Promise<ServiceProcess> {
  const { child, ended, folder } = spawnService(t, options)
  const output = collect(child.stdout as Readable)
  const logged = () => eventsIn(output())
  const listening = async () => {
    for (;;) {
      const [, origin] = /Server listening at (http:[^"]+)/.exec(output()) ?? []
      if (origin !== undefined) return origin
      await once(child.stdout as Readable, 'data')
    }
  }
  const origin = await Promise.race([listening(), ended])
  if (typeof origin !== 'string') throw new Error(`it ended with ${origin.status}: ${origin.stdout}${origin.stderr}`)
  return { origin, folder, output, logged, ended, kill: (signal) => void child.kill(signal) }
}

/** Runs the process until it ends by itself. */
export async function runProcess(t: Test, options: ProcessOptions = {}): Promise<Outcome> {
  return spawnService(t, options).ended
}

/** The process as such; it is stopped after the test. */
export function spawnService(t: Test, { env = {}, args = [], folder = temporaryFolder(t) }: ProcessOptions) {
  const child = spawn(process.execPath, [mainFile, ...args], {
    cwd: folder,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = outcomeOf(child)
  t.teardown(async () => {
    // By a signal that it handles, so that its coverage is kept.
    child.kill('SIGTERM')
    const patience = new AbortController()
    await Promise.race([ended, setTimeout(5000, undefined, { signal: patience.signal })])
    patience.abort()
    child.kill('SIGKILL')
    await ended
  })
  return { child, ended, folder }
}

/** The environment of a service that listens on a free port of this machine, with these variables besides. */
export function environment(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...process.env, ...unset, HOST: '127.0.0.1', PORT: '0', ...variables }
}

/** The events in the lines that are JSON. */
export function eventsIn(output: string): Record<string, unknown>[] {
  return output.split('\n').flatMap((line) => (line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line)] : []))
}

/** What the function gives, as soon as it gives anything. */
export async function eventually<Value>(look: () => Value | Promise<Value>): Promise<NonNullable<Value>> {
  for (;;) {
    const value = await look()
    if (value) return value
    await setTimeout(10)
  }
}

/** Every variable of the configuration, empty, which counts as absent: those of whoever runs the tests must not matter. */
const example = parseEnv(readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8'))
const unset = Object.fromEntries(Object.keys(example).map((name) => [name, '']))

async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const [stdout, stderr, [status, signal]] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ])
  return { status, signal, stdout, stderr }
}

/** What a stream has given so far. */
function collect(stream: Readable): () => string {
  let all = ''
  stream.setEncoding('utf8').on('data', (chunk) => {
    all += chunk
  })
  return () => all
}
