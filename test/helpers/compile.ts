/**
 * The compiler on the code of the service, with some of its files edited. It runs in a process of its own, outside
 * coverage, which doubles the time that it takes.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import { commandEnvironment, outsideCoverage } from './process.ts'

let compiler: ChildProcess | undefined

/** Returns what the compiler says of the code with other texts of some files, as `FILE: message`. One call at a time. */
export async function compile(texts: Readonly<Record<string, string>>): Promise<string[]> {
  compiler ??= startCompiler()
  compiler.send(texts)
  const [errors] = await Promise.race([
    once(compiler, 'message'),
    once(compiler, 'exit').then(() => Promise.reject(new Error('the compiler has ended'))),
  ])
  return errors
}

/** Starts the process. It ends with the tests, or when this process is gone. */
function startCompiler(): ChildProcess {
  const [program, ...args] = outsideCoverage([process.execPath, join(import.meta.dirname, 'compiler.ts')])
  const child = spawn(program, args, { env: commandEnvironment(), stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  t.teardown(() => child.disconnect())
  return child
}
