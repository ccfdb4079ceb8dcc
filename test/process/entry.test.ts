/** The entry, which replaces its process by one with the options of Node that the service runs with. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import t from 'tap'
import { commandEnvironment, mainFile, outsideCoverage, startNode, startServiceProcess } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

t.test('the service is the process that was started, with options of its own for Node', async (t) => {
  const { pid, logged, kill, ended } = await startServiceProcess(t, {
    env: { API_KEYS: '0123456789abcdef' },
    nodeArgs: ['--no-deprecation'],
  })
  t.match(logged(), [{ pid, msg: /^Server listening/ }])
  const command = execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
  t.match(command, /^\S+ --min-semi-space-size=2 .*--no-deprecation \S+\/src\/command\.ts$/m)
  kill('SIGTERM')
  t.match(await ended, { status: 0, stderr: '' })
})

t.test('arguments reach the command line, and variables of the environment are not replaced', async (t) => {
  const cache = temporaryFolder(t)
  const outcome = await startNode(t, [mainFile, '--nope', 'a.yaml'], { env: { NODE_COMPILE_CACHE: cache } }).ended
  t.same(outcome, { status: 2, signal: null, stdout: '', stderr: "unknown option '--nope'; see npm start -- --help\n" })
  t.equal(readdirSync(cache).length, 1)
})

t.test('a process with a channel to its parent keeps it', async (t) => {
  const [program, ...args] = outsideCoverage([process.execPath, mainFile])
  const stdio = ['ignore', 'pipe', 'ignore', 'ipc'] as const
  const child = spawn(program, args, { cwd: temporaryFolder(t), env: commandEnvironment(), stdio: [...stdio] })
  t.teardown(() => child.kill('SIGKILL'))
  await once(child.stdout ?? child, 'data')
  t.ok(child.connected)
  child.kill('SIGTERM')
  t.same(await once(child, 'exit'), [0, null])
})
