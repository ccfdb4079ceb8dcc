/**
 * Says what follows from an edit, once it is served: the routes, the linter's warnings, the rating by `npm run spec:diff`, the
 * generated types, and what no longer fits them. Each is found by a process of its own, beside the service.
 */
import { type ChildProcess, execFile, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { formatWarnings } from './problems.ts'
import type { TypeCheck } from './types.ts'

const root = join(import.meta.dirname, '../..')
const LINTER = join(root, 'node_modules/@redocly/cli/bin/cli.js')

/** The code that the types follow from, besides the document. */
const GENERATOR = /[\\/](src[\\/]openapi|scripts[\\/]generate)[\\/]/

/**
 * The most lines about the type check, without its last one. Before them come one about the service, its routes, the rating and
 * the generated types each, so an edit has eight lines at most.
 */
const MAX_TYPE_LINES = 3

/** Prints a line. */
type Print = (color: 'green' | 'red' | 'cyan', text: string) => void

export type Consequences = ReturnType<typeof createConsequences>

/** Says what follows from edits of a document. With `isOwn`, it is the spec, whose types are written and checked. */
export function createConsequences(file: string, isOwn: boolean, print: Print) {
  const processes = new Set<ChildProcess>()
  let areTypesOld = isOwn
  let generator: ChildProcess | undefined
  let typeChecker: ChildProcess | undefined
  /** The linter, or the rating, which begins when that has ended. */
  let specCheck: ChildProcess | undefined
  let isLinted = false
  /** True at first: without an edit, there is nothing to rate. */
  let isRated = true
  let routes: readonly string[] | undefined
  let editedAt: number | undefined
  const startedAt = performance.now()
  /** True if the version with the last edit serves. */
  let isServed = false
  /** The success that the type checker reported while that was not so. */
  let success: string | undefined
  /** The errors in `src/` of the last type check. */
  let errorsInSrc: readonly string[] = []

  /** Writes the types if they are old, and starts the type checker. The linter would slow them down, so it runs after them. */
  function updateTypes(): void {
    if (typeChecker === undefined) {
      typeChecker = runBeside('scripts/dev/types.ts')
      typeChecker.on('message', showTypeCheck)
    }
    if (!areTypesOld) {
      lint()
      return
    }
    areTypesOld = false
    const before = readTypes()
    generator = runBeside('scripts/generate.ts', ['openapi.yaml', 'generated'])
    generator.on('exit', (status, signal) => {
      // It is killed by the next edit.
      if (signal !== null) return
      const isWritten = status === 0 && readTypes() !== before
      if (status === 0 && editedAt !== undefined) {
        print('cyan', `types: generated/ is ${isWritten ? 'written' : 'as before'}`)
      }
      // Types that are written are checked next.
      if (!isWritten) lint()
    })
  }

  /** Shows the errors of a type check: those in `src/` first, and their number at the end. */
  function showTypeCheck({ scope, errors }: TypeCheck): void {
    if (scope === 'src') {
      errorsInSrc = errors
      const seconds = ((performance.now() - (editedAt ?? startedAt)) / 1000).toFixed(1)
      if (errors.length === 0) showSuccess(`types: no errors in src/, after ${seconds} s`)
      else showErrors(errors.slice(0, MAX_TYPE_LINES))
      if (isServed) lint()
      return
    }
    const count = errorsInSrc.length + errors.length
    if (count === 0) {
      showSuccess('types: no errors')
      return
    }
    // Without an error, a line says so.
    const shownCount = Math.min(Math.max(errorsInSrc.length, 1), MAX_TYPE_LINES)
    const summary = `types: ${count} ${count === 1 ? 'error' : 'errors'}; npx tsc shows all`
    showErrors([...errors.slice(0, MAX_TYPE_LINES - shownCount), summary])
  }

  function showErrors(lines: readonly string[]): void {
    success = undefined
    for (const line of lines) print('red', line)
  }

  /** Shows a success, but not before the last edit is served: while that is rejected, "no errors" would be false. */
  function showSuccess(line: string): void {
    success = isServed ? undefined : line
    if (isServed) print('green', line)
  }

  /** Shows what the linter says of the document, once after each edit of it, and then its rating. */
  function lint(): void {
    if (isLinted) return
    isLinted = true
    specCheck?.kill()
    specCheck = run(
      LINTER,
      ['lint', '--config', join(root, '.redocly.yaml'), '--format', 'json', file],
      process.cwd(),
      (_status, report) => {
        const warnings = report === '' ? '' : formatWarnings(report)
        if (warnings !== '') console.log(warnings)
        if (isOwn && !isRated) rateChanges()
        isRated = true
      },
    )
  }

  function rateChanges(): void {
    specCheck = run(join(root, 'scripts/spec-diff.ts'), [], root, (status, stdout, stderr) => {
      // 2: there is nothing to compare with.
      if (status === 2) return
      const [summary = ''] = (status === 0 ? stdout : stderr).trimEnd().split('\n').slice(-1)
      const [bump] = /^\w+(?= )/.exec(status === 0 ? '' : stdout) ?? []
      print('cyan', ['spec:diff', bump, summary.replace(/^\S+:\d+:\d+: /, '')].filter(Boolean).join(': '))
    })
  }

  /** Runs a script of Node in a folder, and passes its status and output on unless it is killed. */
  function run(
    script: string,
    args: readonly string[],
    folder: string,
    receive: (status: number, stdout: string, stderr: string) => void,
  ) {
    const options = { cwd: folder, maxBuffer: 2 ** 26 }
    const child = execFile(process.execPath, [script, ...args], options, (_error, stdout, stderr) => {
      processes.delete(child)
      if (child.signalCode === null) receive(Number(child.exitCode), stdout, stderr)
    })
    // The types are of more interest.
    if (child.pid !== undefined) setPriority(child.pid, 5)
    processes.add(child)
    return child
  }

  /** Runs a script of Node that ends with this process. */
  function runBeside(script: string, args: readonly string[] = []): ChildProcess {
    const endWithParent = 'data:text/javascript,process.on("disconnect",process.exit);process.channel.unref()'
    const child = fork(join(root, script), args, { cwd: root, execArgv: ['--import', endWithParent] })
    processes.add(child)
    child.on('exit', () => processes.delete(child))
    return child
  }

  return {
    /** Must be called for each file that is edited, before it is served; `isOfDocument` is true for a file of the document. */
    noteEdit: (name: string, isOfDocument: boolean) => {
      editedAt = performance.now()
      if (isOfDocument) isLinted = isRated = false
      if (!isOwn || !(isOfDocument || GENERATOR.test(name))) return
      areTypesOld = true
      generator?.kill()
    },
    /** Must be called when a version is started that has the last edit. */
    noteStart: () => {
      isServed = false
    },
    /** Must be called when that version serves. */
    noteServed: () => {
      isServed = true
      if (success !== undefined) showSuccess(success)
      if (isOwn) updateTypes()
      else lint()
    },
    /** Shows how the routes of a version that serves differ from those of the version before. */
    showRoutes: (served: readonly string[]) => {
      const added = served.filter((route) => routes?.includes(route) === false).map((route) => `added ${route}`)
      const removed = routes?.filter((route) => !served.includes(route)).map((route) => `removed ${route}`) ?? []
      routes = served
      if (added.length + removed.length > 0) print('cyan', `routes: ${[...added, ...removed].join(', ')}`)
    },
    /** Ends the processes. */
    stop: () => {
      for (const child of processes) child.kill()
    },
  }
}

function readTypes(): string {
  return ['openapi.d.ts', 'server.d.ts'].map((name) => readText(join(root, 'generated', name))).join()
}

/** Reads a file; returns '' for one that cannot be read. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
