/**
 * The scripts as they are run by hand.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'

export interface Outcome {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunningScript {
  readonly child: ChildProcess
  /** How it ended, once it has. */
  readonly ended: Promise<Outcome>
}

/** Starts a script of scripts/; it is stopped after the test. */
export function startScript(
  t: Test,
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): RunningScript {
  const child = spawn(process.execPath, [join(import.meta.dirname, `../../scripts/${name}.ts`), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = outcomeOf(child)
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, ended }
}

/** Runs a script until it ends. */
export function runScript(t: Test, name: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Outcome> {
  return startScript(t, name, args, env).ended
}

async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { status, stdout, stderr }
}
