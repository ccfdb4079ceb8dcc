/** What the npm scripts of the tests print in a pipe, as in CI: a line for each file, and the failures at the end. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { linkPackages } from '../../scripts/link-packages.ts'
import { startCommand } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

const root = join(import.meta.dirname, '../..')

/** Unset, so that the tests run as in a shell: not as part of the tap that runs this file, and not as if CI were set by hand. */
const OUTER = Object.keys(process.env).filter((name) => /^(_?TAP|CI$|CI_|CONTINUOUS_INTEGRATION$)/.test(name))
const env = Object.fromEntries(OUTER.map((name) => [name, undefined]))

t.test('tests in a pipe print one line for each file, and then the failures with their differences', async (t) => {
  const folder = temporaryFolder(t)
  for (const name of ['package.json', '.taprc']) cpSync(join(root, name), join(folder, name))
  linkPackages(folder)
  mkdirSync(join(folder, 'test'))
  const save = (name: string, text: string) => writeFileSync(join(folder, 'test', name), `import t from 'tap'\n${text}`)
  save('long.unit.test.ts', "t.test('many', async (t) => { for (let count = 0; count < 3000; count++) t.pass() })\n")
  save('wrong.unit.test.ts', "t.test('two are three', async (t) => t.same({ two: 2 }, { two: 3 }))\n")
  const { status, stdout } = await startCommand(t, ['npm', 'run', 'test:unit'], { folder, env }).waitForEnd()
  t.equal(status, 1)
  const [during = '', after = ''] = stdout.split('TEST COMPLETE')
  t.strictSame(during.match(/\S+ {2}test\/\S+/g)?.sort(), [
    'FAIL  test/wrong.unit.test.ts',
    'PASS  test/long.unit.test.ts',
  ])
  t.match(after, /two are three > should be equivalent\n(?:.*\n)+ *- {2}"two": 3,\n *\+ {2}"two": 2,\n/)
  t.match(after, /Asserts: +3000 pass +1 fail +3001 of 3001 complete\n/)
  t.ok(stdout.split('\n').length < 60, stdout)
})
