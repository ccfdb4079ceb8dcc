/** Measures what a request costs over HTTP; see `help` below. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { createKey } from '../src/auth/keys.ts'
import { findFreePort } from '../test/helpers/port.ts'
import { readArguments, runCommand, UsageError } from './lib/command.ts'

const root = join(import.meta.dirname, '..')

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
a machine that becomes slower meanwhile does so for both.

The ratio is the processor time of the floor for a request, divided by the same of the service. It is read from /proc,
and stays exact where requests/s do not: autocannon itself takes longer for a request than either server.

Options:
  --check             exit status 1 if a ratio to the floor is below its limit:
                      ${workloads.map((workload) => `${workload} ${limits[workload]}`).join(', ')}
  --json              prints the results as JSON
  --animals COUNT     the number of animals in the store (default: 100000)
  --connections COUNT the number of connections, each with one request at a time (default: 64)
  --rounds COUNT      how often each is measured; the median counts (default: 5)
  --seconds SECONDS   for how long (default: 2)
  -h, --help          prints this

Example:
  npm run bench -- --rounds 3 --check

Exit status: 0 done, 1 not possible or below a limit, 2 wrong usage.`

const running = new Set<ChildProcess>()

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

await runCommand(async (args) => {
  const options = { check: flag, json: flag, animals: text, connections: text, rounds: text, seconds: text }
  const { values } = readArguments(args, { command: 'npm run bench', help, names: [], options })
  const run = await measure({
    animals: readNumber('--animals', values.animals ?? '100000', /^[1-9]\d{0,8}$/),
    connections: readNumber('--connections', values.connections ?? '64', /^[1-9]\d{0,3}$/),
    rounds: readNumber('--rounds', values.rounds ?? '5', /^[1-9]\d{0,3}$/),
    seconds: readNumber('--seconds', values.seconds ?? '2', /^(?=.*[1-9])\d{1,4}(\.\d+)?$/),
  }).finally(endProcesses)
  console.log(values.json ? JSON.stringify(run, undefined, 2) : formatRun(run))
  if (values.check) check(run)
})

function readNumber(option: string, value: string, pattern: RegExp): number {
  if (pattern.test(value)) return Number(value)
  throw new UsageError(`${option}: ${JSON.stringify(value)} is not a number above 0 that makes sense here`)
}

type Options = Readonly<Record<'animals' | 'connections' | 'rounds' | 'seconds', number>>

interface Load {
  readonly requestsPerSecond: number
  /** The processor time of the server for a request, in microseconds. */
  readonly cpuMicros: number
}

interface Result {
  readonly service: Load
  readonly floor: Load
  /** The processor time of the floor for a request, divided by the same of the service. */
  readonly ratio: number
}

type Run = Awaited<ReturnType<typeof measure>>

async function measure(options: Options) {
  const { animals, rounds } = options
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-bench-'))
  process.once('exit', () => {
    endProcesses()
    rmSync(folder, { recursive: true, force: true })
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

  const url = `sqlite:${join(folder, 'animals.db')}`
  const seed = startProcess([process.execPath, join(root, 'scripts/seed.ts'), url, String(animals)], {})
  if ((await once(seed, 'exit'))[0] !== 0) throw new Error('the store could not be filled')

  const key = createKey()
  const env = { DATABASE_URL: url, API_KEYS: key, LOG_LEVEL: 'warn' }
  // In this folder, the service does not read the .env file of the checkout.
  const service = await startServer([join(root, 'scripts/start')], env, folder)
  const bodies = Object.fromEntries(
    await Promise.all(workloads.map(async (workload) => [workload, await sendOne(service, workload, key)])),
  )
  const floor = await startServer(
    [process.execPath, '--eval', floorProgram],
    { BODIES: JSON.stringify(bodies) },
    folder,
  )

  const results: [Workload, Result][] = []
  for (const workload of workloads) {
    const loads: Result[] = []
    // The first round only warms up.
    for (let round = 0; round <= rounds; round++) {
      const load = {
        floor: await sendLoad(floor, workload, key, options),
        service: await sendLoad(service, workload, key, options),
      }
      if (round > 0) loads.push({ ...load, ratio: load.floor.cpuMicros / load.service.cpuMicros })
    }
    results.push([workload, summarize(loads)])
  }
  const toFacts = ({ startMs, idleMiB, readUsage }: Server) => ({ startMs, idleMiB, afterMiB: readUsage().memoryMiB })
  return {
    machine: `Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model.trim()}`,
    options,
    results: Object.fromEntries(results) as Record<Workload, Result>,
    processes: { service: toFacts(service), floor: toFacts(floor) },
  }
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
async function sendLoad(server: Server, workload: Workload, key: string, options: Options): Promise<Load> {
  const { animals, connections, seconds } = options
  const cpuSeconds = server.readUsage().cpuSeconds
  const start = performance.now()
  const {
    '2xx': succeeded,
    non2xx,
    errors,
  } = await new Promise<autocannon.Result>((resolve, reject) => {
    const setupClient = (client: autocannon.Client) =>
      client.setRequests(Array.from({ length: 100 }, () => createRequest(workload, key, animals)))
    autocannon({ url: server.origin, connections, duration: seconds, sampleInt: 50, setupClient }, (error, result) =>
      error ? reject(error) : resolve(result),
    )
  })
  if (non2xx + errors > 0) throw new Error(`${workload}: ${non2xx + errors} of ${succeeded + non2xx} requests failed`)
  return {
    requestsPerSecond: succeeded / ((performance.now() - start) / 1000),
    cpuMicros: ((server.readUsage().cpuSeconds - cpuSeconds) / succeeded) * 1e6,
  }
}

type Server = Awaited<ReturnType<typeof startServer>>

/** Starts a server and waits for its first response. Rejects if it ends instead. */
async function startServer(command: readonly string[], env: NodeJS.ProcessEnv, cwd: string) {
  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  const start = performance.now()
  const child = startProcess(command, { ...env, HOST: '127.0.0.1', PORT: String(port) }, cwd)
  while (!(await fetch(`${origin}/livez`, { headers: { Connection: 'close' } }).catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error('a server does not start')
    await sleep(2)
  }
  // From the start of the process to its first response.
  const startMs = performance.now() - start
  const read = () => readUsage(Number(child.pid))
  return { origin, startMs, idleMiB: read().memoryMiB, readUsage: read }
}

/** Starts a process that ends with this one, without the environment of the user, which would change what is measured. */
function startProcess([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv, cwd?: string): ChildProcess {
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const child = spawn(program, args, { cwd, env: { PATH, ...env }, stdio: ['ignore', 'ignore', 'inherit'] })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

function endProcesses(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** Reads the processor time and the resident set of a process from /proc (proc(5)). */
function readUsage(pid: number) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field is a name in parentheses; utime and stime, in hundredths of a second, are the 14th and the 15th.
  const [userTime, systemTime] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12)
  const [, kiB] = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return { cpuSeconds: (Number(userTime) + Number(systemTime)) / 100, memoryMiB: Number(kiB) / 1024 }
}

/** The medians of the rounds. */
function summarize(rounds: readonly Result[]): Result {
  const median = (get: (round: Result) => number) =>
    rounds.map(get).sort((one, other) => one - other)[Math.floor(rounds.length / 2)] as number
  const summarizeLoad = (server: 'service' | 'floor'): Load => ({
    requestsPerSecond: median((round) => round[server].requestsPerSecond),
    cpuMicros: median((round) => round[server].cpuMicros),
  })
  return { service: summarizeLoad('service'), floor: summarizeLoad('floor'), ratio: median(({ ratio }) => ratio) }
}

function formatRun({ machine, options, results, processes }: Run): string {
  const { animals, connections, rounds, seconds } = options
  const line = (title: string, ...cells: string[]) => title.padEnd(10) + cells.map((cell) => cell.padStart(14)).join('')
  return [
    `${machine}; ${animals} animals, ${connections} connections, medians of ${rounds} rounds of ${seconds} s`,
    '',
    line('', 'requests/s', 'CPU µs', 'of the floor', 'ratio'),
    ...Object.entries(results).map(([workload, { service, floor, ratio }]) => {
      const times = [service.cpuMicros, floor.cpuMicros, ratio].map((value) => value.toFixed(2))
      return line(workload, service.requestsPerSecond.toFixed(0), ...times)
    }),
    '',
    line('', 'start ms', 'MiB idle', 'MiB after'),
    ...Object.entries(processes).map(([name, { startMs, idleMiB, afterMiB }]) =>
      line(name, ...[startMs, idleMiB, afterMiB].map((value) => value.toFixed(0))),
    ),
  ].join('\n')
}

/** Throws an error with a line for each ratio that is below its limit. */
function check({ results }: Run): void {
  const missed = workloads
    .filter((workload) => !(results[workload].ratio >= limits[workload]))
    .map((workload) => `${workload}: the ratio ${results[workload].ratio.toFixed(3)} is below ${limits[workload]}`)
  if (missed.length > 0) throw new Error(missed.join('\n'))
}
