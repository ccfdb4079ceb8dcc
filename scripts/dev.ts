/**
 * Serves an OpenAPI document while it and the code are edited; see `help` below.
 *
 * Each change of the document or the code starts a version of the service, in a process of its own. It takes over when it
 * listens; until then, and if it cannot, the last one goes on. They share the listening socket, so no connection is refused.
 */
import cluster, { type Worker } from 'node:cluster'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { styleText } from 'node:util'
import { watch } from 'chokidar'
import { readArguments, runCommand } from '../src/command.ts'
import { onStopSignal } from '../src/shutdown.ts'
import { createConsequences } from './dev/consequences.ts'

const help = `usage: npm run dev -- [FILE]

Serves an OpenAPI document while it and the code are edited. Every change that is valid is served at once; after one
that is not, the last version goes on, and the problems are shown. What follows from a change is said in at most eight
lines: routes, types, what is missing in the code, and the rating by npm run spec:diff. Any supported document is served
without code: an operation without a handler responds with an example of the document, or else with a value made from
its schema; "Prefer: code=404" chooses a status.
The environment or a .env file configures it, as npm start; see .env.example.

Arguments:
  FILE         the document (default: openapi.yaml of this folder, whose types are written and checked, too)

Options:
  --root FOLDER   the folder with all files of the document (default: the folder of FILE)
  -h, --help      prints this

Example:
  PORT=3001 npm run dev -- my-api.yaml

Exit status: 0 stopped, 2 wrong usage.`

const root = join(import.meta.dirname, '..')

/** The folder of compiled code, which all versions share: most of their code is the same. */
const CACHE = join(root, 'node_modules/.cache/compile')

/** A change is complete when nothing has happened for so long, in milliseconds. */
const QUIET_MS = 40

/** A version that ends sooner than this is not started again until something changes, in milliseconds. */
const STABLE_MS = 1000

await runCommand(async (args) => {
  const { texts, values } = readArguments(args, {
    command: 'npm run dev',
    help,
    names: ['[FILE]'],
    options: { root: { type: 'string' } },
  })
  await runDev(texts[0] ?? join(root, 'openapi.yaml'), values.root)
})

/** Serves a document, whose files are in a folder, until a signal ends it. */
async function runDev(spec: string, documentFolder = dirname(spec)): Promise<void> {
  const file = resolve(spec)
  const isOwn = file === join(root, 'openapi.yaml')
  /** The files of the document. */
  const files = new Set([file])
  const changed = new Set<string>()
  const running = new Set<Worker>()
  let current: Worker | undefined
  let next: Worker | undefined
  let timer: NodeJS.Timeout | undefined
  const consequences = createConsequences(file, isOwn, print)
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-dev-'))

  // Each version accepts connections by itself. Otherwise, a connection that this process sends to a version that ends waits for
  // ever. Set before `setupPrimary`, which reads it.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ exec: join(import.meta.dirname, 'dev/version.ts'), args: [file, documentFolder, folder] })

  function start(reason: string): void {
    consequences.noteStart()
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
      print('green', `${reason}: served after ${Math.round(performance.now() - startedAt)} ms`)
      consequences.noteOutcome('served')
    })
    // A path is that of a file that the version is about to read; the routes are sent once it listens.
    worker.on('message', (message: string | readonly string[]) => {
      if (typeof message === 'string') watchFile(message)
      else if (worker === current) consequences.showRoutes(message)
    })
    worker.on('exit', (status, signal) => {
      running.delete(worker)
      if (worker === next) {
        next = undefined
        const consequence = current === undefined ? 'waiting for a change' : 'the last good version goes on'
        print('red', `${reason}: not served; ${consequence}`)
        consequences.noteOutcome('rejected')
      } else if (worker === current) {
        current = undefined
        print('red', `the service ended with ${signal ?? status}`)
        if (next === undefined && performance.now() - startedAt > STABLE_MS) start('restarted')
      }
    })
  }

  /** Watches a file that a version is about to read, even if it does not exist yet. */
  function watchFile(path: string): void {
    files.add(path)
    watcher.add(path)
  }

  function noteChange(path: string): void {
    const name = resolve(path)
    if (!files.has(name) && !/(\.ts|\.env)$/.test(name)) return
    changed.add(relative(process.cwd(), name))
    consequences.noteEdit(name, files.has(name))
    clearTimeout(timer)
    timer = setTimeout(() => {
      const names = [...changed]
      changed.clear()
      start(`${names.slice(0, 3).join(', ')}${names.length > 3 ? ' …' : ''} changed`)
    }, QUIET_MS)
  }

  const folders = ['src', 'scripts/dev'].map((name) => join(root, name))
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
  consequences.stop()
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

function print(color: 'green' | 'red' | 'cyan', text: string): void {
  console.log(`${new Date().toTimeString().slice(0, 8)} ${styleText(color, text)}`)
}
