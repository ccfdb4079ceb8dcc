/**
 * The loop of development: watches the spec and the code, and keeps the service, the types, the terminal and the
 * documentation page up to date.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { styleText } from 'node:util'
import type { FromGenerator, ToGenerator } from './messages.ts'
import { formatProblems, type Problem, parseProblems } from './problems.ts'
import { createSupervisor } from './supervisor.ts'
import { checkTypes, type TypeCheck } from './types.ts'
import { watchFiles } from './watch.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The code that the types depend on, besides the spec. */
const GENERATORS = [join(root, 'src/openapi'), join(root, 'scripts/generate')]

/** Runs until a signal ends it. Rejects if the service cannot start for a reason that no edit can mend. */
export async function runDev(spec: string): Promise<void> {
  const file = relative(process.cwd(), spec)
  const isColored = process.stdout.isTTY
  const problems: Record<'service' | 'generated' | 'types', readonly Problem[]> = {
    service: [],
    generated: [],
    types: [],
  }
  let shown = ''
  let changedAt = performance.now()
  let what = 'started'
  let generator: ChildProcess | undefined
  let typeCheck: TypeCheck | undefined
  const setup = Promise.withResolvers<void>()

  const supervisor = createSupervisor({
    file,
    onListening: (address) => {
      const isFirst = typeCheck === undefined
      print('green', `${what}: served after ${Math.round(performance.now() - changedAt)} ms`)
      if (isFirst) console.log(`the API listens at ${address}, its documentation is ${address}/docs`)
      show({ service: [] })
      typeCheck ??= checkTypes(root, (found) => show({ types: found }))
    },
    onFailure: (message, isSetup) => {
      if (isSetup) setup.reject(new Error(message))
      show({ service: parseProblems(message) })
      typeCheck ??= checkTypes(root, (found) => show({ types: found }))
    },
    onCrash: (reason) => print('red', reason),
  })

  /** Shows what is wrong, on the terminal and on the page, if that has changed. */
  function show(changed: Partial<typeof problems>): void {
    Object.assign(problems, changed)
    // What keeps the spec from being served keeps its types from being written, too.
    const all = new Map(
      Object.values(problems)
        .flat()
        .map((problem) => [formatProblems([problem], false), problem]),
    )
    const text = [...all.keys()].join('\n')
    if (text === shown) return
    shown = text
    const found = [...all.values()]
    if (found.length === 0) print('green', 'no problems any more')
    else print('red', `${found.length} ${found.length === 1 ? 'problem' : 'problems'}; the last good version is served`)
    if (found.length > 0) console.log(formatProblems(found, isColored))
    supervisor.show(formatProblems(found, false))
  }

  function print(color: 'green' | 'red', text: string): void {
    const time = new Date().toTimeString().slice(0, 8)
    console.log(isColored ? `${time} ${styleText(color, text)}` : `${time} ${text}`)
  }

  function generate(): void {
    if (generator === undefined) {
      generator = fork(new URL('./generator.ts', import.meta.url), { execArgv: [] })
      generator.on('message', ({ message }: FromGenerator) => show({ generated: parseProblems(message) }))
    }
    const request: ToGenerator = { file, folder: join(dirname(file), 'generated') }
    generator.send(request)
  }

  const watcher = watchFiles({
    folders: [join(root, 'src'), join(root, 'scripts/generate')],
    files: [resolve(file), resolve('.env')],
    onChange: (changed, since) => {
      changedAt = since
      what = `${changed
        .slice(0, 3)
        .map((name) => relative(process.cwd(), name))
        .join(', ')}${changed.length > 3 ? ' …' : ''} changed`
      if (changed.some((name) => GENERATORS.some((folder) => name.startsWith(folder)))) {
        generator?.kill()
        generator = undefined
        generate()
      } else if (changed.includes(resolve(file))) generate()
      supervisor.update(changed.some((name) => name.endsWith('.ts')))
    },
  })
  supervisor.update(true)
  generate()

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // A second signal ends it at once.
      process.once(signal, () => process.exit(1))
      setup.resolve()
    })
  }
  try {
    await setup.promise
  } finally {
    watcher.close()
    generator?.kill()
    typeCheck?.end()
    await supervisor.stop()
  }
}
