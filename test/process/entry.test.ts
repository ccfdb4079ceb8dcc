/** The entry, which replaces its process by one with the options of Node that the service runs with. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import { commandEnvironment, mainFile, outsideCoverage, startNode, startServiceProcess } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

t.test('the service is the process that was started, with options of its own for Node', async (t) => {
  const { pid, logged, kill, ended } = await startServiceProcess(t, {
    viaEntry: true,
    env: { API_KEYS: '0123456789abcdef' },
    nodeArgs: ['--no-deprecation'],
  })
  t.match(logged(), [{ pid, msg: /^Server listening/ }])
  const command = execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
  t.match(
    command,
    /^\S+ --min-semi-space-size=2 --max-semi-space-size=2 --v8-pool-size=1 --no-deprecation \S+\/src\/command\.ts$/m,
  )
  kill('SIGTERM')
  t.match(await ended, { status: 0, stderr: '' })
})

/** Prints the variables that the entry sets, each time that Node starts. */
const printing = `data:text/javascript,${encodeURIComponent(`
  const { NODE_COMPILE_CACHE, MALLOC_ARENA_MAX, MALLOC_MMAP_THRESHOLD_ } = process.env
  console.log([NODE_COMPILE_CACHE, MALLOC_ARENA_MAX, MALLOC_MMAP_THRESHOLD_].join())`)}`

t.test('arguments reach the command line, and variables that are given are kept', async (t) => {
  const nodeArgs = ['--import', printing]
  const given = { NODE_COMPILE_CACHE: temporaryFolder(t), MALLOC_ARENA_MAX: '4', MALLOC_MMAP_THRESHOLD_: undefined }
  const outcome = await startNode(t, [mainFile, '--nope', 'a.yaml'], { env: given, nodeArgs }).ended
  t.match(outcome, { status: 2, stderr: "unknown option '--nope'; see npm start -- --help\n" })
  const cache = given.NODE_COMPILE_CACHE
  t.strictSame(outcome.stdout.split('\n'), [`${cache},4,`, `${cache},4,16384`, ''])
})

t.test('what is compiled is kept with the packages by default', async (t) => {
  const env = { NODE_COMPILE_CACHE: undefined, MALLOC_ARENA_MAX: undefined, MALLOC_MMAP_THRESHOLD_: undefined }
  const { stdout } = await startNode(t, [mainFile, '--help'], { env, nodeArgs: ['--import', printing] }).ended
  const folder = join(import.meta.dirname, '../../node_modules/.cache/compile')
  t.strictSame(stdout.split('\n').slice(0, 2), [',,', `${folder},1,16384`])
})

t.test('where a process cannot be replaced, the service runs in it', async (t) => {
  const refusing = 'data:text/javascript,process.execve=()=>{throw new Error("no")}'
  const { logged, kill, ended } = await startServiceProcess(t, {
    viaEntry: true,
    env: { API_KEYS: '0123456789abcdef' },
    nodeArgs: ['--import', refusing],
  })
  t.match(logged(), [{ msg: /^Server listening/ }])
  kill('SIGTERM')
  t.match(await ended, { status: 0, stderr: '' })
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
