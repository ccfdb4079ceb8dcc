/**
 * The process in front of a person.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import t, { type Test } from 'tap'
import { send } from '../helpers/http.ts'
import { environment, mainFile } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

t.test('on a terminal the log is lines to read, and Ctrl-C stops the service', async (t) => {
  const { child, output } = onTerminal(t, [process.execPath, mainFile], { API_KEYS: '0123456789abcdef' })
  const ended = once(child, 'close')
  const [, origin = ''] = await find(output, /Server listening at (http:\S+)/)
  await send(origin, 'GET', '/v1/pets?limit=1', { headers: { authorization: 'Bearer 0123456789abcdef' } })
  await find(output, /: request /)
  child.stdin?.write('\x03')
  t.equal((await ended)[0], 0)
  const lines = output().split(/\r?\n/)
  t.match(lines[0], /^\[\d\d:\d\d:\d\d\.\d+\] INFO: Server listening at http:/)
  t.match(lines[1], /^\[\d\d:\d\d:\d\d\.\d+\] INFO: request .*"path":"\/v1\/pets".*"key":"env-1".*"statusCode":200/)
  t.match(output(), /INFO: stopping .*"signal":"SIGINT"/)
})

/** Runs a command on a terminal of its own, which `script` makes (util-linux; BSD has other options). */
function onTerminal(t: Test, command: readonly string[], env: NodeJS.ProcessEnv) {
  const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  // A shell that stays beside the command would be ended by Ctrl-C, and its status told instead of the command's.
  const args = process.platform === 'linux' ? ['-qec', `exec ${quoted}`, '/dev/null'] : ['-q', '/dev/null', ...command]
  const child: ChildProcess = spawn('script', args, { cwd: temporaryFolder(t), env: environment(env) })
  t.teardown(() => child.kill('SIGKILL'))
  let all = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    all += chunk
  })
  return { child, output: () => stripVTControlCharacters(all) }
}

/** The first match in what is written, as soon as there is one. */
async function find(output: () => string, pattern: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const found = pattern.exec(output())
    if (found !== null) return found
    await setTimeout(10)
  }
}
