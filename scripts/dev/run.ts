/**
 * The loop of development: watches the spec and the code, and keeps the service, the types, the terminal and the
 * documentation page up to date.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { styleText } from 'node:util'
import { onStopSignal } from '../../src/signals.ts'
import type { FromGenerator, ToGenerator } from './messages.ts'
import { formatProblems, type Problem, parseProblems } from './problems.ts'
import { createSupervisor } from './supervisor.ts'
import { checkTypes, type TypeCheck } from './types.ts'
import { watchFiles } from './watch.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The code that the types depend on, besides the spec. */
const GENERATORS = [join(root, 'src/openapi'), join(root, 'scripts/generate')]

/** The process that finds a problem. */
type Source = 'service' | 'generator' | 'compiler'

/** Serves a spec until a signal ends it. Rejects if that is not possible for a reason that no edit can correct. */
export async function runDev(spec: string): Promise<void> {
  const file = resolve(spec)
  const isColored = process.stdout.isTTY
  const problems: Record<Source, readonly Problem[]> = { service: [], generator: [], compiler: [] }
  let shown = ''
  let change = { what: 'started', since: performance.now() }
  let listened: string | undefined
  let generator: ChildProcess | undefined
  let typeCheck: TypeCheck | undefined
  const end = Promise.withResolvers<void>()

  const supervisor = createSupervisor({
    file,
    onListening: (address) => {
      print('green', `${change.what}: served after ${Math.round(performance.now() - change.since)} ms`)
      // With PORT=0, it changes when no version listens for a moment.
      if (address !== listened) console.log(`the API listens at ${address}, its documentation is ${address}/docs`)
      listened = address
      show('service', [])
      startTypeCheck()
    },
    onFailure: (message, isSetup) => {
      if (isSetup) {
        end.reject(new Error(message))
        return
      }
      show('service', parseProblems(message))
      startTypeCheck()
    },
    onCrash: (reason) => print('red', reason),
  })

  /** Shows what is wrong, on the terminal and on the page, if that has changed. */
  function show(source: Source, found: readonly Problem[]): void {
    problems[source] = found
    const all = Object.values(problems).flat()
    const text = formatProblems(all, false)
    if (text === shown) return
    const isNew = all.some((each) => !shown.includes(formatProblems([each], false)))
    shown = text
    if (all.length === 0) {
      print('green', 'no problems any more')
    } else {
      const served = listened === undefined ? 'nothing is served yet' : 'the last good version is served'
      const count = `${all.length} problem${all.length === 1 ? '' : 's'}${isNew ? '' : ' left'}`
      print('red', problems.service.length === 0 ? count : `${count}; ${served}`)
      // The terminal already shows the other problems.
      if (isNew) console.log(formatProblems(all, isColored))
    }
    supervisor.show(text)
  }

  function print(color: 'green' | 'red', text: string): void {
    const time = new Date().toTimeString().slice(0, 8)
    console.log(isColored ? `${time} ${styleText(color, text)}` : `${time} ${text}`)
  }

  /** Starts the compiler, after the service, for which people wait. The code has the types of its own spec only. */
  function startTypeCheck(): void {
    if (dirname(file) === resolve(root)) typeCheck ??= checkTypes(root, (found) => show('compiler', found))
  }

  function generate(): void {
    if (generator?.connected !== true) {
      const module = new URL('./generator.ts', import.meta.url)
      generator = fork(module, { cwd: dirname(file), stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
      generator.on('message', ({ message }: FromGenerator) => show('generator', parseProblems(message)))
    }
    const request: ToGenerator = { file: basename(file), folder: 'generated' }
    generator.send(request, () => {})
  }

  function update(changed: readonly string[], since: number): void {
    const names = changed.slice(0, 3).map((name) => relative(process.cwd(), name))
    change = { what: `${names.join(', ')}${changed.length > 3 ? ' …' : ''} changed`, since }
    supervisor.update(changed.some((name) => name.endsWith('.ts')))
    const isGenerator = changed.some((name) => GENERATORS.some((folder) => name.startsWith(folder)))
    // The process has ended if the code could not be loaded.
    if (isGenerator && generator?.connected === true) generator.disconnect()
    if (isGenerator || changed.includes(file)) generate()
  }

  const watcher = watchFiles({
    folders: [join(root, 'src'), join(root, 'scripts/generate')],
    files: [file, resolve('.env')],
    onChange: update,
  })
  supervisor.update(true)
  generate()
  onStopSignal(() => end.resolve())
  try {
    await end.promise
  } finally {
    watcher.close()
    generator?.kill()
    typeCheck?.end()
    await supervisor.stop()
  }
}
