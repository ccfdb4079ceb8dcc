/**
 * The process on a terminal.
 */
import { stripVTControlCharacters } from 'node:util'
import t from 'tap'
import { send } from '../helpers/http.ts'
import { mainFile, startCommand } from '../helpers/process.ts'
import { waitUntil } from '../helpers/wait.ts'

t.test('the log on a terminal is readable and has the addresses, and Ctrl-C stops the service', async (t) => {
  const command = onTerminal([process.execPath, mainFile])
  const { output, write, ended } = startCommand(t, command, {
    env: { API_KEYS: '0123456789abcdef' },
    coverage: true,
  })
  const text = () => stripVTControlCharacters(output())
  const [, origin = ''] = await waitUntil(() => /Server listening at (http:\S+)/.exec(text()))
  await send(origin, 'GET', '/v1/pets?limit=1', { headers: { authorization: 'Bearer 0123456789abcdef' } })
  await waitUntil(() => text().includes(': request '))
  write('\x03')
  t.equal((await ended).status, 0)
  const lines = text().split(/\r?\n/)
  t.match(lines[0], /^\[\d\d:\d\d:\d\d\.\d+\] INFO: Server listening at http:/)
  for (const [index, said] of [
    `API: ${origin}/v1`,
    `documentation: ${origin}/docs`,
    'store: sqlite:data/animal-store.db',
    'keys: npm run keys -- create NAME',
  ].entries()) {
    t.match(lines[index + 1], `INFO: ${said}`)
  }
  t.match(lines[5], /^\[\d\d:\d\d:\d\d\.\d+\] INFO: request .*"path":"\/v1\/pets".*"key":"env-1".*"statusCode":200/)
  t.match(text(), /INFO: stopping .*"signal":"SIGINT"/)
})

/** Returns the command that runs another one on a terminal of its own, by `script` (util-linux; BSD has other options). */
function onTerminal(command: readonly string[]): string[] {
  const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  // A shell that stays beside the command would be ended by Ctrl-C, and its status returned instead of the command's.
  if (process.platform === 'linux') return ['script', '-qec', `exec ${quoted}`, '/dev/null']
  return ['script', '-q', '/dev/null', ...command]
}
