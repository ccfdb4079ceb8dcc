/**
 * Serves an OpenAPI document while it and the code are edited; see `help` below.
 *
 * Each change of the document or the code starts a version of the service, in a process of its own. It takes over when it
 * listens; until then, and if it cannot, the last one goes on. They share the listening socket, so no connection is refused.
 */
import { type ChildProcess, execFile, type ForkOptions, fork } from 'node:child_process'
import cluster, { type Worker } from 'node:cluster'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setPriority, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { styleText } from 'node:util'
import { watch } from 'chokidar'
import { readArguments, runCommand } from '../src/command.ts'
import { onStopSignal } from '../src/shutdown.ts'
import { formatWarnings } from './dev/problems.ts'

const help = `usage: npm run dev -- [FILE]

Serves an OpenAPI document while it and the code are edited. Every change that is valid is served at once; after one
that is not, the last version goes on, and the problems are shown. Any supported document is served without code: an
operation without a handler responds with an example of the document, or else with a value made from its schema;
"Prefer: code=404" chooses a status.
The environment or a .env file configures it, as npm start; see .env.example.

Arguments:
  FILE         the document (default: openapi.yaml of this folder, whose types are written and checked, too)

Options:
  -h, --help   prints this

Example:
  PORT=3001 npm run dev -- my-api.yaml

Exit status: 0 stopped, 2 wrong usage.`

const root = join(import.meta.dirname, '..')

/** The folder of compiled code, which all versions share: most of their code is the same. */
const CACHE = join(root, 'node_modules/.cache/compile')

const COMPILER = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const LINTER = join(root, 'node_modules/@redocly/cli/bin/cli.js')

/** The code that the types follow from, besides the document. */
const GENERATOR = /[\\/](src[\\/]openapi|scripts[\\/]generate)[\\/]/

/** A change is complete when nothing has happened for so long, in milliseconds. */
const QUIET_MS = 40

/** A version that ends sooner than this is not started again until something changes, in milliseconds. */
const STABLE_MS = 1000

await runCommand(async (args) => {
  const { texts } = readArguments(args, { command: 'npm run dev', help, names: ['[FILE]'] })
  await runDev(texts[0] ?? join(root, 'openapi.yaml'))
})

/** Serves a document until a signal ends it. */
async function runDev(spec: string): Promise<void> {
  const file = resolve(spec)
  const isOwn = file === join(root, 'openapi.yaml')
  const changed = new Set<string>()
  const running = new Set<Worker>()
  let current: Worker | undefined
  let next: Worker | undefined
  let timer: NodeJS.Timeout | undefined
  let areTypesOld = isOwn
  let generator: ChildProcess | undefined
  let compiler: ChildProcess | undefined
  let linter: ChildProcess | undefined
  let linted = ''
  /** True if the version with the last change serves. */
  let isServed = false
  /** The line in which the compiler reported success while that was not so. */
  let success: string | undefined
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-dev-'))

  // Each version accepts connections by itself. Otherwise, a connection that this process sends to a version that ends waits for
  // ever. Set before `setupPrimary`, which reads it.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ exec: join(import.meta.dirname, 'dev/version.ts'), args: [file, folder] })

  function start(reason: string): void {
    isServed = false
    next?.process.kill('SIGKILL')
    const startedAt = performance.now()
    const worker = cluster.fork({ NODE_COMPILE_CACHE: CACHE, ...process.env })
    running.add(worker)
    next = worker
    worker.on('listening', () => {
      if (worker !== next) return
      if (current !== undefined) finish(current)
      current = worker
      next = undefined
      isServed = true
      print('green', `${reason}: served after ${Math.round(performance.now() - startedAt)} ms`)
      if (success !== undefined) showCompiled(success)
      if (isOwn) updateTypes()
      showWarnings()
    })
    worker.on('exit', (status, signal) => {
      running.delete(worker)
      if (worker === next) {
        next = undefined
        const consequence = current === undefined ? 'waiting for a change' : 'the last good version goes on'
        print('red', `${reason}: not served; ${consequence}`)
      } else if (worker === current) {
        current = undefined
        print('red', `the service ended with ${signal ?? status}`)
        if (next === undefined && performance.now() - startedAt > STABLE_MS) start('restarted')
      }
    })
  }

  function noteChange(path: string): void {
    const name = resolve(path)
    if (name !== file && !/(\.ts|\.env)$/.test(name)) return
    changed.add(relative(process.cwd(), name))
    if (isOwn && (name === file || GENERATOR.test(name))) {
      areTypesOld = true
      generator?.kill()
    }
    clearTimeout(timer)
    timer = setTimeout(() => {
      const names = [...changed]
      changed.clear()
      start(`${names.slice(0, 3).join(', ')}${names.length > 3 ? ' …' : ''} changed`)
    }, QUIET_MS)
  }

  /** Writes the types and starts the compiler; called after the document is served, because people wait for that. */
  function updateTypes(): void {
    if (areTypesOld) {
      areTypesOld = false
      generator = runBeside(join(root, 'scripts/generate.ts'), ['openapi.yaml', 'generated'])
    }
    if (compiler !== undefined) return
    // Through the pipe, the compiler does not see the terminal.
    const pretty = process.stdout.isTTY ? ['--pretty'] : []
    compiler = runBeside(COMPILER, ['--watch', '--preserveWatchOutput', ...pretty], { silent: true })
    compiler.stderr?.pipe(process.stderr)
    if (compiler.stdout !== null) createInterface({ input: compiler.stdout }).on('line', showCompiled)
  }

  /** Shows a line of the compiler. While the last change is not served, "Found 0 errors" would be false, so it waits. */
  function showCompiled(line: string): void {
    const isSuccess = line.includes('Found 0 errors')
    if (isServed || !isSuccess) console.log(line)
    // What follows a success is an empty line, or the next compilation.
    if (line !== '') success = isSuccess && !isServed ? line : undefined
  }

  /** Shows what the linter says of the document, once for each version of it. */
  function showWarnings(): void {
    const version = readFileSync(file, 'utf8')
    if (version === linted) return
    linted = version
    const args = [LINTER, 'lint', '--config', join(root, '.redocly.yaml'), '--format', 'json', file]
    linter?.kill()
    linter = execFile(process.execPath, args, { maxBuffer: 2 ** 26 }, (error, report) => {
      if (!error?.signal && report !== '') console.log(formatWarnings(relative(process.cwd(), file), report))
    })
  }

  const folders = ['src', 'scripts/generate', 'scripts/dev'].map((name) => join(root, name))
  const watcher = watch([file, resolve('.env'), ...folders], { ignoreInitial: true })
  watcher.on('all', (_event, path) => noteChange(path))
  start('started')
  process.on('exit', () => {
    for (const worker of running) worker.process.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  // This process ends when all others have.
  await new Promise(onStopSignal)
  clearTimeout(timer)
  for (const helper of [generator, compiler, linter]) helper?.kill()
  // Set first, so that a version that ends is neither reported nor started again.
  const [last, unfinished] = [current, next]
  current = next = undefined
  unfinished?.process.kill('SIGKILL')
  if (last !== undefined) finish(last)
  await watcher.close()
}

/** Makes a version finish its requests and end. The message may fail, because the version may have ended. */
function finish(worker: Worker): void {
  worker.send('finish', () => {})
}

/** Runs a script of Node at a low priority, because people wait for the service; it ends with this process. */
function runBeside(script: string, args: readonly string[], options: ForkOptions = {}): ChildProcess {
  const endWithParent = 'data:text/javascript,process.on("disconnect",process.exit);process.channel.unref()'
  const child = fork(script, args, { ...options, cwd: root, execArgv: ['--import', endWithParent] })
  if (child.pid !== undefined) setPriority(child.pid, 5)
  return child
}

function print(color: 'green' | 'red', text: string): void {
  console.log(`${new Date().toTimeString().slice(0, 8)} ${styleText(color, text)}`)
}
