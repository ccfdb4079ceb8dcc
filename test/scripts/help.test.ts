/**
 * The help of every command.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { runScript, startNode } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

for (const name of ['backup', 'bench', 'dev', 'generate', 'keys', 'move', 'seed', 'spec-diff']) {
  const command = `npm run ${name.replace('-', ':')}`
  t.test(
    `${name} prints its arguments, options and an example when it is asked for help, and does nothing`,
    async (t) => {
      const folder = temporaryFolder(t)
      for (const args of [['--help', 'a', 'b'], ['-h']]) {
        const { status, stdout, stderr } = await runScript(t, name, args, { folder })
        t.strictSame([status, stderr], [0, ''])
        t.ok(stdout.startsWith(`usage: ${command} `), stdout)
        const parts = ['\nOptions:\n', '  -h, --help ', '\nExample:\n', command, '\nExit status: 0 ']
        if (name !== 'bench') parts.push('\nArguments:\n')
        for (const part of parts) t.match(stdout, part)
        for (const line of stdout.split('\n')) t.ok(line.length <= 120, line)
      }

      const wrong = await runScript(t, name, ['a', '--what', 'b'], { folder })
      t.strictSame(wrong, { status: 2, stdout: '', stderr: `unknown option '--what'; see ${command} -- --help\n` })
      t.strictSame(readdirSync(folder), [])
    },
  )
}

t.test('npm test says what its three forms run, and runs nothing', async (t) => {
  const run = async (...args: string[]) => {
    const { status, stdout, stderr } = await startNode(t, [join(import.meta.dirname, '../run.ts'), ...args]).ended
    return { status, stdout, stderr }
  }
  for (const args of [['--help'], ['unit', '-h']]) {
    const { status, stdout, stderr } = await run(...args)
    t.strictSame([status, stderr], [0, ''])
    const parts = ['usage: npm test', 'npm run test:unit', '\nOptions:\n', '\nExample:\n', '\nExit status: 0 ']
    for (const part of parts) t.match(stdout, part)
    for (const line of stdout.split('\n')) t.ok(line.length <= 120, line)
  }
  for (const [args, what] of [
    [['unit', '--what'], "unknown option '--what'"],
    [['http', 'a'], 'there are too many arguments'],
    [['faults'], 'there is no tier of this name'],
  ] as const) {
    t.strictSame(await run(...args), { status: 2, stdout: '', stderr: `${what}; see npm test -- --help\n` })
  }
})
