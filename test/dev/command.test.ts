/**
 * The command itself.
 */

import { once } from 'node:events'
import { createServer } from 'node:net'
import t from 'tap'
import { runScript } from '../helpers/process.ts'

t.test('a second file is wrong usage', async (t) => {
  const outcome = await runScript(t, 'dev', ['openapi.yaml', 'other.yaml'])
  const stderr = 'there are too many arguments; see npm run dev -- --help\n'
  t.strictSame(outcome, { status: 2, stdout: '', stderr })
})

t.test('npm run dev ends with a message if the port is in use or the configuration is wrong', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const taken = await runScript(t, 'dev', [], { env: { PORT: String(port) } })
  t.match(taken, { status: 1, stderr: /EADDRINUSE.*; choose another HOST or PORT\n/ })
  t.match(await runScript(t, 'dev', [], { env: { PORT: 'http' } }), {
    status: 1,
    stderr: /^PORT: "http" is not a port/m,
  })
})
