/**
 * Runs the commands and programs that README.md, docs/*.md and the pages of the OpenAPI layer show, in a copy of the checkout
 * with a service of its own, and compares what they print with what the page says. By the language of a block:
 *
 * - `sh` is run. All blocks of a page share one shell, which stops at the first command that fails.
 * - `ts` and `python` are saved as the file that their first line names, and run. Each `ts` block is a file of docs/examples/.
 * - `console` is the output of the block before, with errors; `…` stands for any text.
 * - `text`, `yaml`, `json`, `ini` and `mermaid` are left alone. They must have no commands.
 *
 * A comment above a block says what else is done: `<!-- not run: REASON -->`, `<!-- run with the service stopped -->`, or
 * `<!-- run if pg_dump is not older than the server -->`. The addresses `http://127.0.0.1:3000` and
 * `postgres://USER:PASSWORD@HOST/NAME` are replaced, and 10000000 by 2000.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { linkPackages } from '../../scripts/link-packages.ts'
import { connectClient, freshDatabase } from '../helpers/postgres.ts'
import { startCommand, startServiceProcess } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitUntil } from '../helpers/wait.ts'
import { type Block, getFile, LANGUAGES, packagePages, pages, readBlocks, root } from './pages.ts'

/** The pages of the layer need no service, and share a checkout, whose code is compiled once. */
let layerCheckout: string | undefined

for (const page of pages) {
  const blocks = readBlocks(page)
  if (!blocks.some(isRun)) continue
  t.test(`the commands in ${page} print what it says`, async (t) => {
    const isOfLayer = packagePages.includes(page)
    layerCheckout ??= createCheckout()
    const folder = isOfLayer ? layerCheckout : createCheckout()
    let service = isOfLayer ? undefined : await startServiceProcess(t, { folder })
    const run = startShell(t, folder)
    const replace = createReplacer(t)
    let output: string | undefined
    for (const block of blocks) {
      const { code, language, mark, place } = block
      const text = await replace(code, service?.origin ?? '')
      if (language === 'console' && output !== undefined) t.match(output.trim(), toPattern(text), place)
      output = undefined
      if (!isRun(block)) continue
      if (mark === 'tools' && !(await hasPostgresTools(t))) {
        t.pass(place, { skip: 'pg_dump is not installed, or is older than the server' })
        continue
      }
      if (language === 'python' && spawnSync('python3', ['--version']).status !== 0) {
        // With CI set, everything has to be tested.
        t.ok(!process.env.CI, place, { skip: !process.env.CI && 'python3 is not installed' })
        continue
      }
      if (mark === 'stopped') {
        service?.kill('SIGTERM')
        await service?.waitForEnd()
      }
      const result = await run(language === 'sh' ? text : saveProgram(folder, text))
      if (mark === 'stopped') service = await startServiceProcess(t, { folder })
      if (!t.equal(result.status, 0, place)) return void t.comment(result.stdout + result.stderr)
      output = result.stdout
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

/** Copies what the commands work on, because they may change it. The copy is gone after all tests. */
function createCheckout(): string {
  const folder = temporaryFolder(t)
  for (const name of ['package.json', 'tsconfig.json', 'openapi.yaml', 'src', 'scripts', 'generated', 'docs']) {
    cpSync(join(root, name), join(folder, name), { recursive: true })
  }
  linkPackages(folder)
  return folder
}

/**
 * Starts a shell that ends at the first command that fails; returns the function that runs a block of commands in it. Its
 * variables last from one block to the next.
 */
function startShell(t: Test, folder: string) {
  const shell = startCommand(t, ['sh', '-eu'], { folder })
  return async (code: string) => {
    const before = [shell.output().length, shell.errors().length] as const
    writeFileSync(join(folder, 'block.sh'), code)
    shell.write(`. ./block.sh </dev/null; printf '\\0'\n`)
    await waitUntil(() => shell.outcome() !== undefined || shell.output().slice(before[0]).endsWith('\0'))
    const stdout = shell.output().slice(before[0]).replace('\0', '')
    const outcome = shell.outcome()
    return { status: outcome === undefined ? 0 : outcome.status, stdout, stderr: shell.errors().slice(before[1]) }
  }
}

/** Saves a program as the file that its first line names; returns the command that runs it. */
function saveProgram(checkout: string, code: string): string {
  const file = getFile(code) ?? ''
  mkdirSync(dirname(join(checkout, file)), { recursive: true })
  writeFileSync(join(checkout, file), code)
  return `${file.endsWith('.py') ? 'python3 -u' : 'node_modules/.bin/node'} ${file} 2>&1`
}

/** Makes the function that replaces the addresses of a page by addresses of the test, and 10 million animals by 2,000. */
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

/** True if PostgreSQL's own tools are installed and can copy the databases of the server. */
async function hasPostgresTools(t: Test): Promise<boolean> {
  const { stdout } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' })
  const client = await connectClient(await freshDatabase(t))
  try {
    const { rows } = await client.query('SHOW server_version_num')
    return Number(/\d+/.exec(stdout)?.[0]) >= Math.floor(rows[0].server_version_num / 10_000)
  } finally {
    await client.end()
  }
}
