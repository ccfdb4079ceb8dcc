/** Measures what a request costs over HTTP; see `help` below. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { createKey } from '../src/auth/keys.ts'
import { readArguments, runCommand, UsageError } from '../src/command.ts'
import { findFreePort } from '../test/helpers/port.ts'

const root = join(import.meta.dirname, '..')

/** The number of connections, each with one request at a time. */
const CONNECTIONS = 64

/** The smallest ratio of each workload that `--check` accepts. They hold on any machine, but not for any version of Node. */
const limits = { list: 0.5, fetch: 0.35, add: 0.2 } as const

type Workload = keyof typeof limits

const workloads = Object.keys(limits) as Workload[]

/** The least that a server on Node can do. */
const floorProgram = `
  const bodies = JSON.parse(process.env.BODIES)
  const server = require('node:http').createServer((request, response) => {
    const workload = request.method === 'POST' ? 'add' : request.url === '/v1/pets' ? 'list' : 'fetch'
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(bodies[workload]) }
    response.writeHead(workload === 'add' ? 201 : 200, headers).end(bodies[workload])
  })
  server.listen(process.env.PORT, process.env.HOST)`

const help = `usage: npm run bench -- [OPTION]...

Measures what a request costs over HTTP, with autocannon: to list the same page again and again, to fetch random
animals, to add animals. The service runs as npm start runs it, on a SQLite file of its own, with the log at warn.
Beside it runs a floor: a bare node:http server that sends the same bodies as constants. The two take turns, so that
a machine that becomes slower meanwhile does so for both. Each gets its requests on ${CONNECTIONS} connections.

The ratio is the processor time of the floor for a request, divided by the same of the service. It is read from /proc,
and stays exact where requests/s do not: autocannon itself takes longer for a request than either server.

Options:
  --check             exit status 1 if a ratio to the floor is below its limit:
                      ${workloads.map((workload) => `${workload} ${limits[workload]}`).join(', ')}
  --animals COUNT     the number of animals in the store (default: 100000)
  --rounds COUNT      how often each is measured; the median counts (default: 5)
  --seconds SECONDS   for how long (default: 2)
  -h, --help          prints this

Example:
  npm run bench -- --rounds 3 --check

Exit status: 0 done, 1 not possible or below a limit, 2 wrong usage.`

const servers: ChildProcess[] = []

await runCommand(async (args) => {
  const { values } = readArguments(args, {
    command: 'npm run bench',
    help,
    names: [],
    options: {
      check: { type: 'boolean' },
      animals: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
    },
  })
  const missed = await measure({
    animals: readCount('--animals', values.animals),
    rounds: readCount('--rounds', values.rounds),
    seconds: readCount('--seconds', values.seconds),
  })
  if (values.check && missed.length > 0) throw new Error(missed.join('\n'))
})

function readCount(option: string, value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  throw new UsageError(`${option}: ${JSON.stringify(value)} is not possible; use an integer from 1 to 999999999`)
}

type Options = Readonly<Record<'animals' | 'rounds' | 'seconds', number>>

/** Measures and prints; returns a line for each ratio that is below its limit. */
async function measure(options: Options): Promise<string[]> {
  const { animals, rounds, seconds } = options
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-bench-'))
  process.once('exit', () => {
    for (const server of servers) server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

  const url = `sqlite:${join(folder, 'animals.db')}`
  execFileSync(process.execPath, [join(root, 'scripts/seed.ts'), url, String(animals)], { stdio: 'inherit' })
  const key = createKey()
  // In this folder, the service does not read the .env file of the checkout.
  const env = { DATABASE_URL: url, API_KEYS: key, LOG_LEVEL: 'warn' }
  const service = await startServer([process.execPath, '--disable-sigusr1', join(root, 'src/main.ts')], env, folder)
  const bodies = Object.fromEntries(
    await Promise.all(workloads.map(async (workload) => [workload, await sendOne(service, workload, key)])),
  )
  const program = [process.execPath, '--eval', floorProgram]
  const floor = await startServer(program, { BODIES: JSON.stringify(bodies) }, folder)

  console.log(`Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model.trim()}`)
  console.log(`${animals} animals, medians of ${rounds} rounds of ${seconds} s\n`)
  printLine('', 'requests/s', 'CPU µs', 'of the floor', 'ratio')
  const missed: string[] = []
  for (const workload of workloads) {
    const measured: Round[] = []
    // The first round is a warm-up, and is not counted.
    for (let round = 0; round <= rounds; round++) {
      const { cpuMicros: floorMicros } = await sendLoad(floor, workload, key, options)
      const { cpuMicros, requestsPerSecond } = await sendLoad(service, workload, key, options)
      if (round > 0) measured.push({ requestsPerSecond, cpuMicros, floorMicros, ratio: floorMicros / cpuMicros })
    }
    const format = (name: keyof Round, digits: number) => getMedian(measured, name).toFixed(digits)
    const ratio = format('ratio', 3)
    printLine(workload, format('requestsPerSecond', 0), format('cpuMicros', 2), format('floorMicros', 2), ratio)
    const limit = limits[workload]
    if (!(Number(ratio) >= limit)) missed.push(`${workload}: the ratio ${ratio} is below ${limit}`)
  }
  console.log()
  printLine('', 'start ms', 'MiB idle', 'MiB after')
  for (const [name, { pid, startMs, idleMiB }] of Object.entries({ service, floor })) {
    printLine(name, ...[startMs, idleMiB, readUsage(pid).memoryMiB].map((value) => value.toFixed(0)))
  }
  return missed
}

/** Times are the processor time of a server for a request, in microseconds. */
type Round = Readonly<Record<'requestsPerSecond' | 'cpuMicros' | 'floorMicros' | 'ratio', number>>

function getMedian(rounds: readonly Round[], name: keyof Round): number {
  const values = rounds.map((round) => round[name]).sort((first, second) => first - second)
  return values[Math.floor(values.length / 2)] as number
}

function printLine(title: string, ...cells: readonly string[]): void {
  console.log(title.padEnd(10) + cells.map((cell) => cell.padStart(14)).join(''))
}

/** Makes a request of a workload; `fetch` asks for a random animal. */
function createRequest(workload: Workload, key: string, animals: number) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const path = '/v1/pets'
  if (workload === 'list') return { method: 'GET', path, headers } as const
  if (workload === 'add') {
    return { method: 'POST', path, headers, body: JSON.stringify({ name: 'Rex', categoryId: 1 }) } as const
  }
  return { method: 'GET', path: `${path}/${1 + Math.floor(Math.random() * animals)}`, headers } as const
}

/** Sends a request of a workload; returns the body of the response. */
async function sendOne({ origin }: Server, workload: Workload, key: string): Promise<string> {
  const { path, ...request } = createRequest(workload, key, 1)
  const response = await fetch(origin + path, request)
  if (response.ok) return response.text()
  throw new Error(`${workload}: the service responds with ${response.status}`)
}

/** Sends requests on all connections, each when the response to the one before is there. */
async function sendLoad(server: Server, workload: Workload, key: string, { animals, seconds }: Options) {
  const cpuSeconds = readUsage(server.pid).cpuSeconds
  const start = performance.now()
  const {
    '2xx': succeeded,
    non2xx,
    errors,
  } = await autocannon({
    url: server.origin,
    connections: CONNECTIONS,
    duration: seconds,
    sampleInt: 50,
    setupClient: (client) =>
      client.setRequests(Array.from({ length: 100 }, () => createRequest(workload, key, animals))),
  })
  if (non2xx + errors > 0) throw new Error(`${workload}: ${non2xx + errors} of ${succeeded + non2xx} requests failed`)
  return {
    requestsPerSecond: succeeded / ((performance.now() - start) / 1000),
    cpuMicros: ((readUsage(server.pid).cpuSeconds - cpuSeconds) / succeeded) * 1e6,
  }
}

type Server = Awaited<ReturnType<typeof startServer>>

/** Starts a server that ends with this process, and waits for its first response. Rejects if it ends instead. */
async function startServer([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv, cwd: string) {
  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  const start = performance.now()
  // Without the environment of the user, which would change what is measured.
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const child = spawn(program, args, {
    cwd,
    env: { PATH, ...env, HOST: '127.0.0.1', PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  child.unref()
  servers.push(child)
  while (!(await fetch(`${origin}/livez`, { headers: { Connection: 'close' } }).catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error('a server does not start')
    await sleep(2)
  }
  // From the start of the process to its first response.
  const startMs = performance.now() - start
  const pid = Number(child.pid)
  return { origin, pid, startMs, idleMiB: readUsage(pid).memoryMiB }
}

/** Reads the processor time and the resident set of a process from /proc (proc(5)). */
function readUsage(pid: number) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field is a name in parentheses; utime and stime, in hundredths of a second, are the 14th and the 15th.
  const [userTime, systemTime] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12)
  const [, kiB] = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return { cpuSeconds: (Number(userTime) + Number(systemTime)) / 100, memoryMiB: Number(kiB) / 1024 }
}
