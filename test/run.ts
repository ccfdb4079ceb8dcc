/**
 * Runs the tests; see `help` below.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { readArguments, runCommand, UsageError } from '../scripts/lib/command.ts'
import getCoveredFiles from './coverage-map.ts'
import { startPostgres } from './helpers/postgres-server.ts'

const root = join(import.meta.dirname, '..')
const tap = join(root, 'node_modules/.bin/tap')

const help = `usage: npm test
       npm run test:unit
       npm run test:http
       node test/run.ts [TIER]

Runs lint, the check of the types, and all tests on every database.

Arguments:
  TIER         unit or http: only the tests NAME.unit.test.ts or NAME.http.test.ts, on SQLite

Options:
  -h, --help   prints this

Example:
  npm run test:unit

Exit status: 0 everything passed, 1 something did not, 2 wrong usage.`

const hint = `
One file:  npx tap FILE
One test:  npx tap FILE --grep='NAME OF THE TEST' [--grep='NAME OF A TEST WITHIN IT']`

/** The number of processes that files of tests share: all that measure coverage, all that do not, or those of a tier. */
const GROUPS = { covered: 8, uncovered: 2, tier: 8 }

const running = new Set<ChildProcess>()
let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => end(signal))
}

await runCommand(async (args) => {
  const { texts } = readArguments(args, { command: 'npm test', help, names: ['[TIER]'] })
  const [tier] = texts
  if (![undefined, 'unit', 'http'].includes(tier)) {
    throw new UsageError('there is no tier of this name; see npm test -- --help')
  }
  const passed = await (tier === undefined ? runAll() : runTier(tier))
  process.exitCode = passed && !interrupted ? 0 : 1
})

/**
 * Runs the checks, and all tests on every database, at the same time. Resolves with false if any fails; a check that fails
 * ends the tests.
 */
async function runAll(): Promise<boolean> {
  const { TEST_DATABASE_URL } = process.env
  const server = TEST_DATABASE_URL ? undefined : await startPostgres()
  try {
    const checks = Promise.all([check('lint'), check('types')])
    const isBuilt = await buildTap()
    stripTypes()
    const url = TEST_DATABASE_URL ?? server?.url('postgres')
    const env = { TEST_DATABASES: '', TEST_DATABASE_URL: url }
    const args = [preload('loading.js')]
    const tests = isBuilt && !interrupted && runTests(groupAllTests(), args, env)
    const isRight = !(await checks).includes(false)
    if (!isRight) end('SIGTERM')
    return (await tests) && isRight
  } finally {
    await server?.remove()
  }
}

/** Runs the tests of a tier, on SQLite alone. Resolves with false if any fails. */
async function runTier(tier: string): Promise<boolean> {
  await buildTap()
  const files = groupTests(globSync(`test/**/*.${tier}.test.ts`, { cwd: root }), 'tier')
  const compileCache = join(root, '.tap/compile-cache')
  const env = { TEST_DATABASES: 'sqlite', TEST_DATABASE_URL: '', NODE_COMPILE_CACHE: compileCache }
  const passed = await runTests(files, [preload('no-processes.ts')], env)
  console.log(hint)
  return passed
}

/** Runs files of tests, and prints what failed once more at the end. Resolves with false if any fails. */
async function runTests(files: string[], args: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  // Several files at once, even on few cores: many tests wait for something most of the time.
  const jobs = `--jobs=${Math.min(8, Math.max(4, availableParallelism()))}`
  const passed = await run([tap, jobs, ...args, ...files], env)
  if (!passed && !interrupted) await run([tap, 'replay', '--disable-coverage', '--reporter=terse', ...files])
  return passed
}

/** Groups all files of tests: those that measure coverage, and the others. */
function groupAllTests(): string[] {
  const files = globSync('test/**/*.test.ts', { cwd: root })
  const isCovered = (file: string) => getCoveredFiles(file) !== null
  const uncovered = files.filter((file) => !isCovered(file))
  return [...groupTests(uncovered, 'uncovered'), ...groupTests(files.filter(isCovered), 'covered')]
}

/**
 * Puts files of tests into groups; returns the files to run. Those of a group share a process, because a process takes longer
 * to load the code than most of them take to run: each of the files that are written here imports several. Those that use
 * a browser share it, in the first group of their kind. A file that sets options of the test at the root, which they also
 * share, has a process of its own; so has one that says so.
 */
function groupTests(all: readonly string[], kind: keyof typeof GROUPS): string[] {
  const files = all.toSorted()
  const has = (file: string, text: RegExp) => text.test(readFileSync(join(root, file), 'utf8'))
  const shared = files.filter((file) => !has(file, /^(?:t\.(?:jobs|setTimeout)\b|\/\/ In a process of its own: )/m))
  const groupOf = (file: string, index: number) => (has(file, /\bopenBrowser\(/) ? 0 : index % GROUPS[kind])
  mkdirSync(join(root, '.tap/groups'), { recursive: true })
  const groups = Array.from({ length: GROUPS[kind] }, (_, group) => {
    const file = `.tap/groups/${kind}-${group + 1}.test.ts`
    const imports = shared
      .filter((each, index) => groupOf(each, index) === group)
      .map((each) => `import '../../${each}'`)
    writeFileSync(join(root, file), ["import t from 'tap'", ...imports, 't.setTimeout(600_000)\n'].join('\n'))
    return file
  })
  return [...files.filter((file) => !shared.includes(file)), ...groups]
}

/** Returns the argument with which each process of the tests loads a helper before anything else. */
function preload(helper: string): string {
  return `--node-arg=--import=${import.meta.resolve(`./helpers/${helper}`)}`
}

/** Builds tap with the plugins that .taprc names, unless this installation of it has been built with them. */
async function buildTap(): Promise<boolean> {
  const config = readFileSync(join(root, '.taprc'), 'utf8')
  const stamp = join(root, 'node_modules/.tap-built-with')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === config) return true
  const built = await run([tap, 'build'])
  if (built) writeFileSync(stamp, config)
  return built
}

/** Writes all code without its types, for helpers/loading.js. */
function stripTypes(): void {
  const folder = join(root, '.tap/stripped')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const file of globSync('{docs,generated,scripts,src,test}/**/*.ts', { cwd: root })) {
    const text = readFileSync(join(root, file), 'utf8')
    writeFileSync(join(folder, hash('sha1', text)), stripTypeScriptTypes(text))
  }
}

/** Ends what is running. */
function end(signal: NodeJS.Signals): void {
  interrupted = true
  for (const child of running) child.kill(signal)
}

/** Runs a script of package.json. Prints its output when it has ended, so that several can run at the same time. */
async function check(script: string): Promise<boolean> {
  const start = performance.now()
  const child = startNode(['--run', script], {}, 'pipe')
  const outputs = [child.stdout, child.stderr].map((stream) => (stream === null ? '' : text(stream)))
  const [passed, ...output] = await Promise.all([hasPassed(child), ...outputs])
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`# ${script}: ${passed ? 'passed' : 'FAILED'} in ${seconds} s\n${output.join('').trim()}\n`)
  return passed
}

/** Runs Node. Resolves with false if it fails. */
async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<boolean> {
  return hasPassed(startNode(args, env, 'inherit'))
}

function startNode(args: readonly string[], env: NodeJS.ProcessEnv, output: 'inherit' | 'pipe'): ChildProcess {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['inherit', output, output],
  })
  running.add(child)
  return child
}

async function hasPassed(child: ChildProcess): Promise<boolean> {
  const [status] = await once(child, 'close')
  running.delete(child)
  return status === 0
}
