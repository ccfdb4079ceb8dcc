/**
 * What every command says of itself.
 */
import { readdirSync } from 'node:fs'
import t from 'tap'
import { runScript } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

for (const name of ['backup', 'generate', 'move', 'scale', 'seed']) {
  t.test(
    `${name} prints its arguments, options and an example when it is asked for help, and does nothing`,
    async (t) => {
      const folder = temporaryFolder(t)
      const { status, stdout, stderr } = await runScript(t, name, ['--help', 'a', 'b'], { folder, coverage: true })
      t.strictSame([status, stderr], [0, ''])
      t.match(stdout, `usage: npm run ${name} -- `.replace('generate --', 'generate [--'))
      for (const part of ['\nArguments:\n', '\nOptions:\n', ' --help ', '\nExample:\n', '\nExit status: 0 ']) {
        t.match(stdout, part)
      }
      for (const line of stdout.split('\n')) t.ok(line.length <= 120, line)

      const wrong = await runScript(t, name, ['a', '--what', 'b'], { folder })
      const seeHelp = `see npm run ${name} -- --help`
      t.strictSame(wrong, { status: 2, stdout: '', stderr: `unknown option '--what'; ${seeHelp}\n` })
      t.strictSame(readdirSync(folder), [])
    },
  )
}
