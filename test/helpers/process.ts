/** Child processes: the service and the scripts as they are run by hand, with their environment, output and signals. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { parseEnv } from 'node:util'
import type { Test } from 'tap'
import { temporaryFolder } from './temporary.ts'
import { COMMAND_TIMEOUT_MS, waitUntil, within } from './wait.ts'

const root = join(import.meta.dirname, '../..')

/** The command line. */
export const mainFile = join(root, 'src/main.ts')

export interface CommandOptions {
  /** Variables of the environment. Those of the configuration are unset by default, and PORT is 0. */
  readonly env?: NodeJS.ProcessEnv
  /** The working directory; by default a new, empty one. The default store is in it. */
  readonly folder?: string
  /** True for a process group of its own; `kill` sends signals to all of it, as terminals and supervisors do. */
  readonly group?: boolean
}

export interface NodeOptions extends CommandOptions {
  /** Arguments for Node itself. */
  readonly nodeArgs?: readonly string[]
  /** A command that becomes Node by exec, with its own arguments; Node and its arguments follow. */
  readonly under?: readonly string[]
}

export interface Outcome {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export type RunningProcess = ReturnType<typeof startCommand>
export type ServiceProcess = Awaited<ReturnType<typeof startServiceProcess>>

export interface ServiceProcessOptions extends NodeOptions {
  /** The arguments of the service. */
  readonly args?: readonly string[]
}

/** Starts the service, and waits until it listens. Rejects if it ends instead. */
export async function startServiceProcess(t: Test, options: ServiceProcessOptions = {}) {
  const service = spawnService(t, options)
  const origin = await waitUntil(() => {
    const outcome = service.outcome()
    if (outcome !== undefined) throw new Error(`the service does not start: ${JSON.stringify(outcome)}`)
    return /Server listening at (http:[^"]+)/.exec(service.output())?.[1]
  })
  // `http://127.0.0.1:PORT`
  return { ...service, origin }
}

/** Runs the service until it ends by itself. */
export function runServiceProcess(t: Test, options: ServiceProcessOptions = {}): Promise<Outcome> {
  return spawnService(t, options).waitForEnd()
}

/** Starts the service, and does not wait. */
export function spawnService(t: Test, options: ServiceProcessOptions = {}): RunningProcess {
  return startNode(t, [mainFile, ...(options.args ?? [])], options)
}

/** Starts `scripts/NAME.ts`. */
export function startScript(t: Test, name: string, args: readonly string[], options?: NodeOptions): RunningProcess {
  return startNode(t, [join(root, `scripts/${name}.ts`), ...args], options)
}

/** Runs `scripts/NAME.ts` until it ends; returns its status and output. */
export async function runScript(t: Test, name: string, args: readonly string[], options?: NodeOptions) {
  const { status, stdout, stderr } = await startScript(t, name, args, options).waitForEnd()
  return { status, stdout, stderr }
}

/** Starts a program: the text of an ECMAScript module, in which `SRC` stands for the URL of the folder src. */
export function startProgram(t: Test, text: string, options: NodeOptions = {}): RunningProcess {
  const program = text.replaceAll('SRC', new URL('../../src', import.meta.url).href)
  return startNode(t, ['--input-type=module', '--eval', program], options)
}

/** Starts Node. */
export function startNode(t: Test, args: readonly string[], options: NodeOptions = {}): RunningProcess {
  const { under = [], nodeArgs = [] } = options
  return startCommand(t, [...under, process.execPath, ...nodeArgs, ...args], options)
}

/** Starts a command. It ends with the test, and with this process, however that ends. */
export function startCommand(t: Test, command: readonly string[], options: CommandOptions = {}) {
  const { env, folder = temporaryFolder(t), group = false } = options
  const [program, ...args] = outsideTestRunner(command)
  const child = spawn(program, args, { cwd: folder, env: { ...commandEnvironment(), ...env }, detached: group })
  // Writing to a process that has ended is no error of the test.
  child.stdin.on('error', () => {})
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
  const target = group ? -Number(child.pid) : Number(child.pid)
  // It kills the command if this process is gone before the command has ended.
  const guardian = startOutlivingShell('read -r _ || kill -s KILL -- "$1"', String(target))
  let outcome: Outcome | undefined
  const ended = once(child, 'close').then(([status, signal]): Outcome => {
    guardian.end('\n')
    outcome = { status, signal, stdout: stdout(), stderr: stderr() }
    return outcome
  })
  const waitForEnd = () =>
    within(() => `end of ${command.join(' ')}, only: ${stdout()}${stderr()}`, ended, COMMAND_TIMEOUT_MS)
  const kill = (signal: NodeJS.Signals) => {
    try {
      if (outcome === undefined) process.kill(target, signal)
    } catch {
      // It has ended a moment ago.
    }
  }
  t.teardown(async () => {
    kill('SIGKILL')
    await waitForEnd()
  })
  return {
    pid: Number(child.pid),
    folder,
    /** The standard output so far, the standard error, and the log events in the standard output. */
    output: stdout,
    errors: stderr,
    logged: () => eventsIn(stdout()),
    /** Writes to the standard input. */
    write: (text: string) => void child.stdin.write(text),
    kill,
    /** Resolves when the process has ended. */
    waitForEnd,
    /** How it has ended; undefined while it runs. */
    outcome: () => outcome,
  }
}

/** Returns the events in the lines that are JSON objects. The last line, which may not be complete, does not count. */
export function eventsIn(output: string): Record<string, unknown>[] {
  const lines = output.split('\n').slice(0, -1)
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
}

/** Every variable of the configuration, absent: the environment of the tests must not matter. */
const example = parseEnv(readFileSync(join(root, '.env.example'), 'utf8'))
const unset = Object.fromEntries(Object.keys(example).map((name) => [name, undefined]))

/**
 * The environment of a command: the configuration is unset, the port is any free one, and compiled code is kept from one
 * process to the next, which makes starting twice as fast.
 */
export function commandEnvironment(): NodeJS.ProcessEnv {
  const NODE_COMPILE_CACHE = join(root, '.tap/compile-cache')
  return { ...process.env, ...unset, HOST: '127.0.0.1', PORT: '0', NODE_COMPILE_CACHE }
}

/**
 * Returns the command with which another one runs as it does without a test runner: that adds NODE_OPTIONS to the
 * environment of every process, whose modules handle signals and take time to load.
 */
export function outsideTestRunner(command: readonly string[]): [string, ...string[]] {
  return ['env', '-u', 'NODE_OPTIONS', ...command]
}

/** Reads a stream; what it returns gives the text so far. */
function collect(stream: Readable): () => string {
  let all = ''
  stream.setEncoding('utf8').on('data', (chunk) => {
    all += chunk
  })
  return () => all
}

/**
 * Starts a shell that clears away what this process would leave behind, however that ends: its standard input, which is
 * returned, closes when this process is gone. This process does not wait for it.
 */
export function startOutlivingShell(script: string, ...args: readonly string[]): Writable {
  // Detached, so that a signal from the terminal does not reach it.
  const stdio = ['pipe', 'ignore', 'ignore'] as const
  const child = spawn('sh', ['-c', script, 'sh', ...args], { stdio: [...stdio], detached: true })
  child.unref()
  // A shell that has ended already has nothing to clear away.
  child.stdin.on('error', () => {})
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref()
  return child.stdin
}

/** The ids of the processes that a process has started. */
export function getChildren(pid: number): number[] {
  const list =
    process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      : execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
  return (list.match(/\d+/g) ?? []).map(Number)
}
