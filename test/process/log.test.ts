/**
 * A log whose destination is full, closed or stuck: the service continues, and later says how many lines it dropped.
 */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { send, sendPipelined } from '../helpers/http.ts'
import { findFreePort } from '../helpers/port.ts'
import { commandEnvironment, eventsIn, mainFile, outsideCoverage } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitUntil } from '../helpers/wait.ts'

const key = '0123456789abcdef'

t.test('with a log on a full device, requests are served and SIGTERM ends the process with 0', async (t) => {
  const service = await start(t, '/dev/full')
  await sendMany(service.origin, 200)
  t.equal((await send(service.origin, 'GET', '/health')).status, 200)
  t.equal(await service.stop(), 0)
})

t.test('with a log into a closed pipe, requests are served and SIGTERM ends the process with 0', async (t) => {
  const service = await start(t, 'pipe')
  service.stdout?.destroy()
  await sendMany(service.origin, 200)
  t.equal((await send(service.origin, 'GET', '/health')).status, 200)
  t.equal(await service.stop(), 0)
})

t.test('a stuck reader of the log stops no request, and the log says how many lines were dropped', async (t) => {
  const service = await start(t, 'pipe')
  const output = service.stdout as NonNullable<typeof service.stdout>
  // Nothing is read; the pipe, the buffers of this process and of the service fill.
  const sent = await sendMany(service.origin, 10_000)
  let text = ''
  output.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  const dropped = await waitUntil(() => eventsIn(text).find(({ dropped }) => dropped !== undefined))
  t.match(dropped, { level: 40, msg: 'log lines were dropped: they could not be written' })
  const closed = once(output, 'close')
  t.equal(await service.stop(), 0)
  await closed
  const requests = countRequests(text)
  const losses = countDropped(text)
  t.ok(losses > 0)
  t.equal(requests + losses, sent)
})

for (const kind of ['socket', 'pipe']) {
  t.test(`with a stuck reader of the log behind a ${kind}, SIGTERM ends the process with 0`, async (t) => {
    const pipe = join(temporaryFolder(t), 'pipe')
    execFileSync('mkfifo', [pipe])
    const reader = openSync(pipe, constants.O_RDWR)
    t.teardown(() => closeSync(reader))
    const service = await start(t, kind === 'socket' ? 'pipe' : pipe)
    await sendMany(service.origin, 5000)
    t.equal(await service.stop(), 0)
  })
}

t.test('lines that cannot be written to a file are written later, or counted', async (t) => {
  const folder = temporaryFolder(t)
  const log = join(folder, 'log')
  const service = await start(t, log)
  await waitUntil(() => readFileSync(log, 'utf8').includes('"path":"/health"'))
  const used = statSync(log).size
  // As on a full disk, no further byte of a file can be written.
  await limitFileSize(service.pid, used)
  await sendMany(service.origin, 10_000)
  t.equal(statSync(log).size, used)
  await limitFileSize(service.pid, 'unlimited')
  await waitUntil(() => readFileSync(log, 'utf8').includes('"dropped"'))
  t.equal(await service.stop(), 0)
  const text = readFileSync(log, 'utf8')
  const requests = countRequests(text)
  t.equal(requests + countDropped(text), 10_000)
})

t.test('a log that is truncated in place goes on at its new end', async (t) => {
  const log = join(temporaryFolder(t), 'log')
  const service = await start(t, log)
  await sendMany(service.origin, 10)
  await waitUntil(() => countRequests(readFileSync(log, 'utf8')) === 10)
  truncateSync(log)
  await sendMany(service.origin, 10)
  t.equal(await service.stop(), 0)
  t.equal(countRequests(readFileSync(log, 'utf8')), 10)
  t.notMatch(readFileSync(log, 'utf8'), '\0')
})

t.test('the lines of all requests are written when the process ends by a signal', async (t) => {
  const log = join(temporaryFolder(t), 'log')
  const service = await start(t, log)
  await sendMany(service.origin, 500)
  t.equal(await service.stop(), 0)
  t.equal(countRequests(readFileSync(log, 'utf8')), 500)
})

t.test('the lines that wait for a write are written when the process ends by an exception', async (t) => {
  const folder = temporaryFolder(t)
  const log = join(folder, 'log')
  const bomb = join(folder, 'bomb.mjs')
  writeFileSync(bomb, "process.on('SIGUSR2', () => { throw new Error('bomb') })")
  const service = await start(t, log, ['--import', bomb])
  // Fewer bytes than begin a write: one that has begun may end with the process, and what is behind it is lost.
  await sendMany(service.origin, 10)
  process.kill(service.pid, 'SIGUSR2')
  t.equal(await service.ended, 1)
  t.equal(countRequests(readFileSync(log, 'utf8')), 10)
})

t.test('an exception ends the process although the log is on a full device', async (t) => {
  const bomb = join(temporaryFolder(t), 'bomb.mjs')
  writeFileSync(bomb, "process.on('SIGUSR2', () => { throw new Error('bomb') })")
  const service = await start(t, '/dev/full', ['--import', bomb])
  await sendMany(service.origin, 10)
  process.kill(service.pid, 'SIGUSR2')
  t.equal(await service.ended, 1)
})

t.test('a line is written within a second of its request', async (t) => {
  const log = join(temporaryFolder(t), 'log')
  const service = await start(t, log)
  await sendMany(service.origin, 1)
  const sentAt = performance.now()
  await waitUntil(() => countRequests(readFileSync(log, 'utf8')) === 1)
  t.ok(performance.now() - sentAt < 1000)
})

t.test('a stuck log does not grow the memory of the service', async (t) => {
  const service = await start(t, 'pipe')
  await sendMany(service.origin, 5000)
  const before = getMemory(service.pid)
  await sendMany(service.origin, 40_000)
  const more = getMemory(service.pid) - before
  // 1 to 13 MiB were measured, and 50 without a bound on the lines that wait.
  t.ok(more < 25 * 1024, `${more} KiB more`)
})

/** Starts the service with its log in a file or a device, or in a pipe that is not read. */
async function start(t: Test, log: string, flags: readonly string[] = []) {
  const port = await findFreePort()
  const output = log === 'pipe' ? 'pipe' : openSync(log, 'a')
  const [program, ...args] = outsideCoverage([process.execPath, ...flags, mainFile])
  const child = spawn(program, args, {
    cwd: temporaryFolder(t),
    env: { ...commandEnvironment(), PORT: String(port), API_KEYS: `tests=${key}` },
    stdio: ['ignore', output, 'ignore'],
  })
  if (typeof output === 'number') closeSync(output)
  const ended = once(child, 'exit').then(([status]) => status as number | null)
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const origin = `http://127.0.0.1:${port}`
  await waitUntil(() => send(origin, 'GET', '/health').catch(() => undefined))
  return {
    origin,
    pid: child.pid as number,
    stdout: child.stdout,
    ended,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** Sends requests over one connection, and returns their number when all have a response. */
async function sendMany(origin: string, count: number): Promise<number> {
  const head = `GET /v1/pets/1?padding=${'x'.repeat(100)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`
  const statuses = await sendPipelined(origin, head, count)
  if (statuses.get(400) !== count) throw new Error(`the statuses are ${JSON.stringify([...statuses])}`)
  return count
}

/** The lines of the requests that `sendMany` sends. */
function countRequests(log: string): number {
  return eventsIn(log).filter(({ operationId }) => operationId === 'getPet').length
}

function countDropped(log: string): number {
  return eventsIn(log).reduce((sum, { dropped = 0 }) => sum + Number(dropped), 0)
}

async function limitFileSize(pid: number, size: number | 'unlimited'): Promise<void> {
  await promisify(execFile)('prlimit', ['--pid', String(pid), `--fsize=${size}:`])
}

/** The resident memory of a process, in KiB. */
function getMemory(pid: number): number {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib)
}
