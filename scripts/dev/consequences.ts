/**
 * Says what follows from an edit, once it is served or rejected: the routes, the generated types, what no longer fits them, the
 * linter's warnings, and the rating by `npm run spec:diff`. Each is found by a process of its own, beside the service.
 */
import { type ChildProcess, execFile, fork, type StdioOptions } from 'node:child_process'
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
  /** What became of `generated/` since the last edit of the spec; it remains the last good one if the spec is rejected. */
  let types: 'old' | 'written' | 'rejected' = isOwn ? 'old' : 'written'
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
  /** What became of the version with the last edit, which does not serve if the code or the store does not fit the spec. */
  let outcome: 'served' | 'rejected' | undefined
  /** The type checks that wait until it is known whether their `generated/` is that of the spec. */
  let typeChecks: TypeCheck[] = []
  /** The success that waits until the last edit is served or rejected, with a valid spec. */
  let success: string | undefined
  /** The errors in `src/` of the last type check. */
  let errorsInSrc: readonly string[] = []

  /** Writes the types if they are old, and starts the type checker. The linter would slow them down, so it runs after them. */
  function updateTypes(): void {
    if (typeChecker === undefined) {
      typeChecker = runBeside('scripts/dev/types.ts')
      typeChecker.on('message', showTypeCheck)
    }
    if (types !== 'old') {
      showHeldSuccess()
      lint()
      return
    }
    generator?.kill()
    const before = readTypes()
    // A version that is rejected has shown what is wrong with the spec.
    const child = runBeside('scripts/generate.ts', ['openapi.yaml', 'generated'], outcome === 'rejected')
    generator = child
    child.on('exit', (status) => {
      // It is killed by the next edit.
      if (child === generator && child.signalCode === null) noteTypes(status === 0, readTypes() !== before)
    })
  }

  /** Shows what became of `generated/`, and the type checks that have waited for it. */
  function noteTypes(isValid: boolean, isChanged: boolean): void {
    types = isValid ? 'written' : 'rejected'
    if (isValid && editedAt !== undefined) print('cyan', `types: generated/ is ${isChanged ? 'written' : 'as before'}`)
    const waitingChecks = typeChecks
    typeChecks = []
    if (isChanged) {
      // The types that are written are checked next.
      success = undefined
      return
    }
    for (const typeCheck of waitingChecks) showTypeCheck(typeCheck)
    showHeldSuccess()
    lint()
  }

  /** Shows the errors of a type check: those in `src/` first, and their number at the end. */
  function showTypeCheck(typeCheck: TypeCheck): void {
    if (types === 'old') {
      typeChecks.push(typeCheck)
      return
    }
    const { scope, errors } = typeCheck
    if (scope === 'src') {
      errorsInSrc = errors
      const seconds = ((performance.now() - (editedAt ?? startedAt)) / 1000).toFixed(1)
      if (errors.length === 0) showSuccess(`types: no errors in src/, after ${seconds} s`)
      else showErrors(errors.slice(0, MAX_TYPE_LINES))
      lint()
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

  function showSuccess(line: string): void {
    success = line
    showHeldSuccess()
  }

  /** Shows a success, but not while the spec is rejected: the types are those of an earlier one. */
  function showHeldSuccess(): void {
    if (success === undefined || outcome === undefined || types !== 'written') return
    print('green', success)
    success = undefined
  }

  /** Shows what the linter says of the document that serves, once after each edit of it, and then its rating. */
  function lint(): void {
    if (isLinted || outcome !== 'served') return
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

  /** Runs a script of Node that ends with this process, without its output if it is silent. */
  function runBeside(script: string, args: readonly string[] = [], silent = false): ChildProcess {
    const endWithParent = 'data:text/javascript,process.on("disconnect",process.exit);process.channel.unref()'
    const stdio: StdioOptions = ['inherit', 'inherit', silent ? 'ignore' : 'inherit', 'ipc']
    const child = fork(join(root, script), args, { cwd: root, execArgv: ['--import', endWithParent], stdio })
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
      types = 'old'
      generator?.kill()
    },
    /** Must be called when a version is started that has the last edit. */
    noteStart: () => {
      outcome = undefined
    },
    /** Must be called when that version serves, or when it ends because it cannot. */
    noteOutcome: (value: 'served' | 'rejected') => {
      outcome = value
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
