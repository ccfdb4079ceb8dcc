/**
 * The command itself.
 */
import { once } from 'node:events'
import { cpSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { runScript, startCommand, startScript } from '../helpers/process.ts'
import { beginAdding } from '../helpers/slow-addition.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitUntil } from '../helpers/wait.ts'
import { KEY } from './dev.ts'

const root = join(import.meta.dirname, '../..')

t.test('a second file is wrong usage', async (t) => {
  const outcome = await runScript(t, 'dev', ['openapi.yaml', 'other.yaml'])
  const stderr = 'there are too many arguments; see npm run dev -- --help\n'
  t.strictSame(outcome, { status: 2, stdout: '', stderr })
})

t.test('npm run dev waits for a configuration with which it can serve', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const folder = temporaryFolder(t)
  const configure = (text: string) => writeFileSync(join(folder, '.env'), text)
  configure('PORT=http\n')
  const { output, errors } = startScript(t, 'dev', [], { folder, env: { PORT: undefined } })
  await waitUntil(() => output().includes('started: not served; waiting for a change'))
  t.match(errors(), /^PORT: "http" is not a port/)
  configure(`PORT=${port}\n`)
  await waitUntil(() => /EADDRINUSE.*; choose another HOST or PORT\n/.test(errors()))
  configure('PORT=0\n')
  await waitUntil(() => output().includes('.env changed: served after'))
})

t.test('npm run dev waits for a document that can be served', async (t) => {
  const { folder, output, errors, kill, ended } = startScript(t, 'dev', ['api.yaml'])
  await waitUntil(() => output().includes('started: not served; waiting for a change'))
  t.match(errors(), /^api\.yaml:1:1: the file cannot be read \(ENOENT\)/)
  writeFileSync(join(folder, 'api.yaml'), 'openapi: 3.1.0\ninfo: { title: Nothing, version: 1.0.0 }\npaths: {}\n')
  await waitUntil(() => output().includes('api.yaml changed: served after'))
  kill('SIGHUP')
  t.equal((await ended).status, 0)
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  t.test(`${signal} to the group of npm run dev finishes the requests in progress and ends with 0`, async (t) => {
    const spec = join(temporaryFolder(t), 'openapi.yaml')
    cpSync(join(root, 'openapi.yaml'), spec)
    const { output, kill, ended } = startCommand(t, ['npm', 'run', 'dev', '--', spec], {
      folder: root,
      env: { API_KEYS: `tests=${KEY}`, DATABASE_URL: 'sqlite::memory:' },
      group: true,
    })
    const [, origin = ''] = await waitUntil(() => /API: (http:\/\/[^/]+)/.exec(output()))
    const slow = await beginAdding(t, origin, `Bearer ${KEY}`, 'Rex')
    kill(signal)
    // npm passes the signal on meanwhile.
    await setTimeout(100)
    slow.finish()
    t.match(await slow.ended, 'HTTP/1.1 201 Created\r\n')
    t.equal((await ended).status, 0)
  })
}
