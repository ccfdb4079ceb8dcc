/** "Adding an endpoint" in docs/contributing-changes.md, followed step by step in a copy of the checkout. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { linkPackages } from '../../scripts/link-packages.ts'
import { freshDatabase } from '../helpers/postgres.ts'
import { startNode } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { readBlocks, root } from './pages.ts'

const folder = temporaryFolder(t)

t.test('the endpoint of the page for contributors compiles, and passes the tests of the page', async (t) => {
  const others = ['node_modules', '.git', '.tap', 'data'].map((name) => join(root, name))
  cpSync(root, folder, { recursive: true, filter: (file) => !others.includes(file) })
  linkPackages(folder)

  const blocks = readBlocks('docs/contributing-changes.md')
  const operation = blocks.find(({ language }) => language === 'yaml')?.code
  insert('openapi.yaml', 'components:', String(operation))
  const parts = blocks.flatMap(({ code }) =>
    code.split(/^(?=\/\/ .+, before: )/m).filter((part) => part.startsWith('// ')),
  )
  t.equal(parts.length, 14)
  for (const part of parts) {
    const [, file = '', line = '', code = ''] = /^\/\/ ([^\n]+), before: ([^\n]+)\n(.*)$/s.exec(part) ?? []
    insert(file, line, code)
  }

  // Other tests do not see the stores and operations, and take two thirds of the time.
  const include = ['src', 'generated', 'scripts', 'test/app', 'test/stores', 'test/helpers']
  writeFileSync(join(folder, 'tsconfig.service.json'), JSON.stringify({ extends: './tsconfig.json', include }))
  const env = { TEST_DATABASE_URL: await freshDatabase(t) }
  for (const args of [
    ['--run', 'generate'],
    ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.service.json'],
    ...['app/contract.http', 'app/pets.http', 'stores/store.unit'].map((name) => [`test/${name}.test.ts`]),
  ]) {
    const { status, stdout, stderr } = await startNode(t, args, { folder, env }).waitForEnd()
    if (!t.equal(status, 0, args.join(' '))) return void t.comment(stdout + stderr)
  }
})

/** Inserts code before the only line of a file that begins with a text, after its indentation. */
function insert(file: string, text: string, code: string): void {
  const lines = readFileSync(join(folder, file), 'utf8').split('\n')
  const found = lines.flatMap((line, index) => (line.trimStart().startsWith(text) ? [index] : []))
  if (found.length !== 1) throw new Error(`${file} has ${found.length} lines that begin with: ${text}`)
  writeFileSync(join(folder, file), lines.toSpliced(Number(found[0]), 0, code.replace(/\n$/, '')).join('\n'))
}
