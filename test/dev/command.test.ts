/**
 * The command itself.
 */

import { once } from 'node:events'
import { createServer } from 'node:net'
import t from 'tap'
import { runScript } from '../helpers/process.ts'

t.test('--help says what the command does', async (t) => {
  for (const option of ['--help', '-h']) {
    const { status, stdout, stderr } = await runScript(t, 'dev', [option], { coverage: true })
    t.strictSame({ status, stderr }, { status: 0, stderr: '' })
    t.match(stdout, /^usage: npm run dev \[-- FILE\]\n/)
  }
})

t.test('an unknown argument is named, and nothing is done', async (t) => {
  for (const args of [['--prot'], ['openapi.yaml', 'other.yaml']]) {
    t.strictSame(await runScript(t, 'dev', args, { coverage: true }), {
      status: 2,
      stdout: '',
      stderr: `unknown argument ${args.at(-1)}; see npm run dev -- --help\n`,
    })
  }
})

t.test('it ends with a message if the port is taken, or the configuration is wrong', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const taken = await runScript(t, 'dev', [], { env: { PORT: String(port) }, coverage: true })
  t.match(taken, { status: 1, stderr: /EADDRINUSE.*; choose another HOST or PORT\n/ })
  t.match(await runScript(t, 'dev', [], { env: { PORT: 'http' } }), {
    status: 1,
    stderr: /^PORT: "http" is not a port/m,
  })
})
