/**
 * Runs the commands and programs that README.md and docs/*.md show, against a service of their own, and compares what they
 * print with what the page says.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import t, { type Test } from 'tap'
import { freshDatabase } from '../helpers/postgres.ts'
import { commandEnvironment, outsideCoverage } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { type Block, getFile, LANGUAGES, pages, readBlocks, root } from './pages.ts'

/** The settings of the programs of a page, which are compiled together. */
const PROGRAMS = 'programs.json'

/** What a busy machine sheds is a matter of its own. */
const env = { ...commandEnvironment(), MAX_EVENT_LOOP_DELAY: '0' }

for (const page of pages) {
  const blocks = readBlocks(page)
  if (!blocks.some(isRun)) continue
  t.test(`the commands in ${page} print what it says`, async (t) => {
    const checkout = createCheckout(t)
    const service = await startService(t, checkout)
    const shell = startShell(t, checkout)
    const replace = createReplacer(t)
    let output: string | undefined
    for (const block of blocks) {
      const { code, language, mark, place } = block
      const text = await replace(code, service.origin())
      if (language === 'console' && output !== undefined) t.match(output.trim(), toPattern(text), place)
      output = undefined
      if (!isRun(block)) continue
      if (mark === 'tools' && !(await hasPostgresTools(t))) {
        t.pass(place, { skip: 'pg_dump is not installed, or is older than the server' })
        continue
      }
      if (language === 'python' && !hasPython()) {
        // With CI set, everything has to be tested.
        t.ok(!process.env.CI, place, { skip: !process.env.CI && 'python3 is not installed' })
        continue
      }
      if (mark === 'stopped') await service.stop()
      const result = await shell.run(language === 'sh' ? text : saveProgram(checkout, text))
      if (mark === 'stopped') await service.start()
      if (!t.equal(result.status, 0, place)) return void t.comment(result.stdout + result.stderr)
      output = result.stdout
    }
    if (existsSync(join(checkout, PROGRAMS))) {
      const [program, ...args] = outsideCoverage([process.execPath, 'node_modules/typescript/bin/tsc', '-p', PROGRAMS])
      const { status, stdout } = spawnSync(program, args, { cwd: checkout, env, encoding: 'utf8' })
      t.equal(status, 0, `the programs in ${page} compile: ${stdout}`)
    }
  })
}

function isRun({ language, mark }: Block): boolean {
  return LANGUAGES[language] === 'run' && mark !== 'skip'
}

/** A pattern for a whole output, in which `…` stands for any text. */
function toPattern(text: string): RegExp {
  const parts = text.trim().split('…')
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('[\\s\\S]*')}$`)
}

/** Copies what the commands work on, because they may change it. */
function createCheckout(t: Test): string {
  const folder = temporaryFolder(t)
  for (const name of ['package.json', 'tsconfig.json', 'openapi.yaml', 'src', 'scripts', 'generated', 'docs']) {
    cpSync(join(root, name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Starts the service on a free port and on its default store. */
async function startService(t: Test, cwd: string) {
  let origin = ''
  let stop = async () => {}

  async function start(): Promise<void> {
    const [program, ...args] = outsideCoverage([process.execPath, 'src/main.ts'])
    const child = spawn(program, args, { cwd, env })
    const ended = once(child, 'close')
    stop = async () => {
      child.kill('SIGTERM')
      await ended
    }
    let text = ''
    const add = (chunk: Buffer) => {
      text += chunk
    }
    child.stdout.on('data', add)
    child.stderr.on('data', add)
    for (origin = ''; origin === ''; origin = /Server listening at (http:[^"]+)/.exec(text)?.[1] ?? '') {
      await Promise.race([once(child.stdout, 'data'), ended])
      if (child.exitCode !== null) throw new Error(`the service does not start: ${text}`)
    }
  }

  t.teardown(() => stop())
  await start()
  return { start, stop: () => stop(), origin: () => origin }
}

interface Result {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** Starts a shell that ends at the first command that fails. Its variables last from one block to the next. */
function startShell(t: Test, cwd: string) {
  const [program, ...args] = outsideCoverage(['sh', '-eu'])
  const shell = spawn(program, args, { cwd, env })
  const ended = once(shell, 'close')
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    shell[name].setEncoding('utf8').on('data', (chunk) => {
      output[name] += chunk
    })
  }
  t.teardown(async () => {
    shell.stdin.end()
    await ended
  })

  async function run(code: string): Promise<Result> {
    writeFileSync(join(cwd, 'block.sh'), code)
    Object.assign(output, { stdout: '', stderr: '' })
    shell.stdin.write(`. ./block.sh </dev/null; printf '\\0'\n`)
    while (!output.stdout.endsWith('\0')) {
      await Promise.race([once(shell.stdout, 'data'), ended])
      if (shell.exitCode !== null) return { ...output, status: shell.exitCode }
    }
    return { ...output, stdout: output.stdout.slice(0, -1), status: 0 }
  }

  return { run }
}

/** Saves a program as the file that its first line names; returns the command that runs it. TypeScript is compiled later. */
function saveProgram(checkout: string, code: string): string {
  const file = getFile(code) ?? ''
  mkdirSync(dirname(join(checkout, file)), { recursive: true })
  writeFileSync(join(checkout, file), code)
  if (file.endsWith('.py')) return `python3 -u ${file} 2>&1`
  const settings = { extends: './tsconfig.json', include: [join(dirname(file), '*.ts')] }
  writeFileSync(join(checkout, PROGRAMS), JSON.stringify(settings))
  return `node_modules/.bin/node ${file} 2>&1`
}

/** Makes the function that replaces the addresses of a page by those of the test, and 10 million animals by 2,000. */
function createReplacer(t: Test): (code: string, origin: string) => Promise<string> {
  const databases = new Map<string, string>()
  return async (code, origin) => {
    for (const [url] of code.matchAll(/postgres:\/\/USER:PASSWORD@HOST\/\w+/g)) {
      if (!databases.has(url)) databases.set(url, await freshDatabase(t))
    }
    const replaced = code.replaceAll('http://127.0.0.1:3000', origin).replaceAll('10000000', '2000')
    return [...databases].reduce((text, [url, fresh]) => text.replaceAll(url, `'${fresh}'`), replaced)
  }
}

/** True if Python is installed. */
function hasPython(): boolean {
  return spawnSync('python3', ['--version']).status === 0
}

/** True if PostgreSQL's own tools are installed and can copy the databases of the server. */
async function hasPostgresTools(t: Test): Promise<boolean> {
  const { stdout } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' })
  const client = new Client(await freshDatabase(t))
  await client.connect()
  try {
    const { rows } = await client.query('SHOW server_version_num')
    return Number(/\d+/.exec(stdout)?.[0]) >= Math.floor(rows[0].server_version_num / 10_000)
  } finally {
    await client.end()
  }
}
