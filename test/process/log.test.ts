/** The log of the process: into a file, into a destination that is full, closed or stuck, and on a terminal. */
import { execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  constants,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import autocannon from 'autocannon'
import t, { type Test } from 'tap'
import { limitFileSize } from '../faults/disks.ts'
import { send } from '../helpers/http.ts'
import { findFreePort } from '../helpers/port.ts'
import {
  commandEnvironment,
  eventsIn,
  mainFile,
  outsideTestRunner,
  startCommand,
  startProgram,
} from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { TIMEOUT_MS, waitForEvent, waitUntil, within } from '../helpers/wait.ts'

const key = '0123456789abcdef'

for (const log of ['/dev/full', 'a closed pipe']) {
  t.test(`with a log into ${log}, requests are served and SIGTERM ends with 0`, async (t) => {
    const service = await start(t, log === '/dev/full' ? log : 'pipe')
    service.stdout?.destroy()
    await sendMany(service.origin, 200)
    t.equal((await send(service.origin, 'GET', '/readyz')).status, 200)
    t.equal(await service.stop(), 0)
  })
}

t.test('a stuck reader of the log stops no request, and reads how many lines were dropped', async (t) => {
  const service = await start(t, 'pipe')
  const output = service.stdout as NonNullable<typeof service.stdout>
  // Nothing is read; the pipe, the buffers of this process and of the service fill.
  await sendMany(service.origin, 1000)
  const before = getMemory(service.pid)
  await sendMany(service.origin, 8000)
  const more = getMemory(service.pid) - before
  // 1 to 13 MiB were measured, and 50 without a bound on the lines that wait.
  t.ok(more < 25 * 1024, `${more} KiB more`)
  let text = ''
  output.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  const dropped = await waitUntil(() => eventsIn(text).find(({ dropped }) => dropped !== undefined))
  t.match(dropped, { level: 40, msg: 'log lines were dropped: they could not be written' })
  const closed = waitForEvent(output, 'close')
  t.equal(await service.stop(), 0)
  await closed
  t.equal(countRequests(text) + countDropped(text), 9000)
})

for (const kind of ['socket', 'pipe']) {
  t.test(`with a stuck reader of the log behind a ${kind}, SIGTERM ends the process with 0`, async (t) => {
    const pipe = join(temporaryFolder(t), 'pipe')
    execFileSync('mkfifo', [pipe])
    const reader = openSync(pipe, constants.O_RDWR)
    t.teardown(() => closeSync(reader))
    const service = await start(t, kind === 'socket' ? 'pipe' : pipe)
    await sendMany(service.origin, 1000)
    t.equal(await service.stop(), 0)
  })
}

t.test('lines that cannot be written to a file are written later, or counted', async (t) => {
  const log = join(temporaryFolder(t), 'log')
  const service = await start(t, log)
  await waitUntil(() => readFileSync(log, 'utf8').includes('"path":"/docs/openapi.json"'))
  const used = statSync(log).size
  // As on a full disk, no further byte of a file can be written.
  await limitFileSize(service.pid, used)
  await sendMany(service.origin, 2000)
  t.equal(statSync(log).size, used)
  await limitFileSize(service.pid, 'unlimited')
  await waitUntil(() => readFileSync(log, 'utf8').includes('"dropped"'))
  t.equal(await service.stop(), 0)
  const text = readFileSync(log, 'utf8')
  t.equal(countRequests(text) + countDropped(text), 2000)
})

t.test('a line is in the file soon, and all are at the end, also after a truncation', async (t) => {
  const log = join(temporaryFolder(t), 'log')
  const service = await start(t, log)
  await sendMany(service.origin, 1)
  await waitUntil(() => countRequests(readFileSync(log, 'utf8')) === 1)
  truncateSync(log)
  await sendMany(service.origin, 100)
  t.equal(await service.stop(), 0)
  t.equal(countRequests(readFileSync(log, 'utf8')), 100)
  t.notMatch(readFileSync(log, 'utf8'), '\0')
})

t.test('an exception ends the process, and the lines that wait for a write are written if they can be', async (t) => {
  const folder = temporaryFolder(t)
  const bomb = join(folder, 'bomb.mjs')
  writeFileSync(bomb, "process.on('SIGUSR2', () => { throw new Error('bomb') })")
  for (const log of [join(folder, 'log'), '/dev/full']) {
    const service = await start(t, log, ['--import', bomb])
    await sendMany(service.origin, 100)
    process.kill(service.pid, 'SIGUSR2')
    t.equal(await service.waitForEnd(), 1, log)
    if (log !== '/dev/full') t.equal(countRequests(readFileSync(log, 'utf8')), 100)
  }
})

t.test('a line that is logged just before an exit reaches the standard output', async (t) => {
  const { waitForEnd } = startProgram(
    t,
    `import { openLog } from 'SRC/logger.ts'
     openLog(1, { level: 'info' }).info('last words')
     process.exit(3)`,
  )
  t.match(await waitForEnd(), { status: 3, stdout: /^\{"level":30,.*"msg":"last words"\}\n$/, stderr: /^$/ })
})

t.test('the log on a terminal is readable and has the addresses, and Ctrl-C stops the service', async (t) => {
  const command = onTerminal([process.execPath, mainFile])
  const { folder, output, write, waitForEnd } = startCommand(t, command, { env: { API_KEYS: key } })
  const text = () => stripVTControlCharacters(output())
  const [, origin = ''] = await waitUntil(() => /Server listening at (http:\S+)/.exec(text()))
  await send(origin, 'GET', '/v1/pets?limit=1', { headers: { authorization: `Bearer ${key}` } })
  await waitUntil(() => text().includes(': request '))
  write('\x03')
  t.equal((await waitForEnd()).status, 0)
  const lines = text().split(/\r?\n/)
  t.match(lines[0], /^INFO: Server listening at http:/)
  for (const [index, said] of [
    `API: ${origin}/v1`,
    `documentation: ${origin}/docs`,
    `store: sqlite:${realpathSync(folder)}/data/animal-store.db`,
    'keys: npm run keys -- create NAME',
  ].entries()) {
    t.match(lines[index + 1], `INFO: ${said}`)
  }
  t.match(lines[5], /^INFO: request GET \/v1\/pets 200 [\d.]+ ms listPets env-1/)
  t.match(text(), /INFO: stopping .*"signal":"SIGINT"/)
})

/** Returns the command that runs another one on a terminal of its own, by `script` (util-linux; BSD has other options). */
function onTerminal(command: readonly string[]): string[] {
  const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  // A shell that stays beside the command would be ended by Ctrl-C, and its status returned instead of the command's.
  if (process.platform === 'linux') return ['script', '-qec', `exec ${quoted}`, '/dev/null']
  return ['script', '-q', '/dev/null', ...command]
}

/** Starts the service with its log in a file or a device, or in a pipe that is not read. */
async function start(t: Test, log: string, flags: readonly string[] = []) {
  const port = await findFreePort()
  const output = log === 'pipe' ? 'pipe' : openSync(log, 'a')
  const [program, ...args] = outsideTestRunner([process.execPath, ...flags, mainFile])
  const child = spawn(program, args, {
    cwd: temporaryFolder(t),
    env: { ...commandEnvironment(), PORT: String(port), API_KEYS: `tests=${key}` },
    stdio: ['ignore', output, 'ignore'],
  })
  if (typeof output === 'number') closeSync(output)
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const waitForEnd = () => within('end of the service', ended)
  t.teardown(async () => {
    child.kill('SIGKILL')
    await waitForEnd()
  })
  const origin = `http://127.0.0.1:${port}`
  await waitUntil(() => send(origin, 'GET', '/docs/openapi.json').catch(() => undefined))
  return {
    origin,
    pid: child.pid as number,
    stdout: child.stdout,
    waitForEnd,
    stop: () => {
      child.kill('SIGTERM')
      return waitForEnd()
    },
  }
}

/** Sends requests, each with a line of 2 KB in the log. Resolves when all have a response. */
async function sendMany(origin: string, amount: number): Promise<void> {
  const url = `${origin}/v1/pets/${'x'.repeat(2000)}`
  const headers = { authorization: `Bearer ${key}` }
  const result = await autocannon({
    url,
    headers,
    connections: Math.min(amount, 10),
    amount,
    timeout: TIMEOUT_MS / 1000,
  })
  if (result['4xx'] !== amount) throw new Error(`${result['4xx']} of ${amount} requests have a response`)
}

/** The lines of the requests that `sendMany` sends. */
function countRequests(log: string): number {
  return eventsIn(log).filter(({ operationId }) => operationId === 'getPet').length
}

function countDropped(log: string): number {
  return eventsIn(log).reduce((sum, { dropped = 0 }) => sum + Number(dropped), 0)
}

/** The resident memory of a process, in KiB. */
function getMemory(pid: number): number {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib)
}
