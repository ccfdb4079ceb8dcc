import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { drawChart } from '../../scripts/bench/chart.ts'
import { divideCpus, withCpus } from '../../scripts/bench/cpus.ts'
import limits from '../../scripts/bench/limits.json' with { type: 'json' }
import { checkLimits, type LimitsByDatabase, requireLimits } from '../../scripts/bench/limits.ts'
import { exchange, type Load, load } from '../../scripts/bench/load.ts'
import { toResult } from '../../scripts/bench/measure.ts'
import { parseOptions } from '../../scripts/bench/options.ts'
import { readUsage } from '../../scripts/bench/process-usage.ts'
import { formatHotFunctions } from '../../scripts/bench/profiler.ts'
import { createResponseReader } from '../../scripts/bench/response-reader.ts'
import type { Result, Run } from '../../scripts/bench/results.ts'
import { writeResults } from '../../scripts/bench/results-file.ts'
import { createContext } from '../../scripts/bench/servers.ts'
import { formatRun } from '../../scripts/bench/table.ts'
import { recognize, workloadNames, workloads } from '../../scripts/bench/workloads.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

t.test('the requests of each workload differ, and a floor can tell them apart', async (t) => {
  const context = { key: 'secret', animals: 100_000, etag: '"1"' }
  for (const name of workloadNames) {
    const next = workloads[name].createRequests(context)
    const requests = Array.from({ length: 200 }, next)
    for (const request of requests) {
      const [method, url] = request.split(' ', 2)
      const recognized = recognize(method, url)
      t.ok(name === 'mix' ? ['list', 'fetch', 'add'].includes(recognized) : recognized === name, request)
    }
    const isRandom = ['list', 'listByStatus', 'fetch', 'mix'].includes(name)
    t.equal(new Set(requests).size > 1, isRandom, name)
    t.equal(
      requests.every((request) => request.includes('Bearer secret')),
      name !== 'unauthorized',
      name,
    )
  }
})

t.test('one request in ten of the mix is an addition', async (t) => {
  const next = workloads.mix.createRequests({ key: 'secret', animals: 1000, etag: '' })
  const additions = Array.from({ length: 10_000 }, next).filter((request) => request.startsWith('POST'))
  t.ok(additions.length > 800 && additions.length < 1200, `${additions.length}`)
})

t.test('a response is complete when its body is, however its bytes are cut', async (t) => {
  const text = 'HTTP/1.1 201 Created\r\nContent-Length: 5\r\nX: y\r\n\r\nhello'
  for (let at = 1; at < text.length; at++) {
    const read = createResponseReader()
    t.equal(read(Buffer.from(text.slice(0, at))), undefined)
    t.equal(read(Buffer.from(text.slice(at))), 201)
    t.equal(read(Buffer.from('HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n')), 304)
    t.equal(read(Buffer.from(text)), 201)
  }
})

t.test('a response without Content-Length and a second response are refused', async (t) => {
  const read = (text: string) => createResponseReader()(Buffer.from(text))
  t.throws(
    () => read('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'),
    /without Content-Length: HTTP\/1.1 200 OK$/,
  )
  t.throws(() => read('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab'), /more than one response/)
})

const job = { pid: process.pid, connections: 3, warmUpMs: 5, durationMs: 60, statuses: [200] }
const get = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

t.test('a load counts the requests of its time, and what they cost', async (t) => {
  let served = 0
  const port = await listen(t, (_request, response) => {
    served++
    response.end('hello')
  })
  const result = await load({ ...job, port, next: () => get })
  t.ok(result.requests > 0 && result.requests <= served, `${result.requests} of ${served}`)
  t.ok(result.seconds >= 0.05 && result.seconds < 5, `${result.seconds}`)
  t.ok(result.p50 > 0 && result.p99 >= result.p50)
  t.ok(result.clientBusy > 0 && result.clientBusy <= 1)
  t.match(await exchange(port, get), /^HTTP\/1.1 200 OK\r\n.*\r\n\r\nhello$/s)
})

t.test('a load lasts until there is a response to measure', async (t) => {
  const port = await listen(t, async (_request, response) => {
    await sleep(60)
    response.end('hello')
  })
  const { requests, seconds } = await load({ ...job, port, durationMs: 10, next: () => get })
  t.ok(requests >= 1 && seconds >= 0.02, `${requests} in ${seconds} s`)
})

t.test('a load ends with the first response of another status', async (t) => {
  const port = await listen(t, (_request, response) => Object.assign(response, { statusCode: 503 }).end('busy'))
  await t.rejects(load({ ...job, port, next: () => get }), { message: 'the server responded with 503 instead of 200' })
})

t.test('a load ends with the first connection that the server closes', async (t) => {
  const server = createSocketServer((socket) => socket.on('error', () => {}).once('data', () => socket.end()))
  t.teardown(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await t.rejects(load({ ...job, port, next: () => get }), { message: 'the server closed a connection' })
})

t.test('a service without an ETag cannot be measured', async (t) => {
  const port = await listen(t, (_request, response) => response.end('hello'))
  await t.rejects(createContext({ port }, { key: 'secret', animals: 1 }), /^the service sends no ETag: HTTP.1.1 200/)
})

t.test('the usage of a process is its CPU time and its memory', async (t) => {
  t.equal(readUsage(2 ** 30), undefined)
  const usage = readUsage(process.pid)
  // Only Linux has it.
  if (usage === undefined) return
  t.ok(usage.cpuSeconds > 0.01 && usage.cpuSeconds < 1000, `${usage.cpuSeconds}`)
  t.ok(usage.memoryMiB > 20 && usage.memoryMiB < 10_000, `${usage.memoryMiB}`)
})

t.test('the server has one CPU and the client the others, where there are several', async (t) => {
  const file = join(temporaryFolder(t), 'status')
  const divide = (list: string) => {
    writeFileSync(file, list)
    return divideCpus(file, file)
  }
  t.same(divide('Name: node\nCpus_allowed_list:\t0-1\n'), { server: '0', client: '1' })
  t.same(divide('Cpus_allowed_list: 2-4,8,10-11\n'), { server: '2', client: '3,4,8,10,11' })
  const none = { server: undefined, client: undefined }
  t.same(divide('Cpus_allowed_list: 3\n'), none)
  t.same(divide(''), none)
  t.same(divideCpus('/no such program', file), none)
  t.same(withCpus(undefined, ['node', 'x']), ['node', 'x'])
  t.same(withCpus('2,3', ['node', 'x']), ['/usr/bin/taskset', '--cpu-list', '2,3', 'node', 'x'])
})

t.test('a result has the medians of the rounds, and ratios within each round', async (t) => {
  const service = [createLoad(100), createLoad(300), createLoad(200)]
  const nodeConstant = [createLoad(200), createLoad(500), createLoad(400)]
  const result = toResult(
    service,
    new Map([
      ['service', service],
      ['nodeConstant', nodeConstant],
    ]),
  )
  t.match(result, { requestsPerSecond: 100, p50: 2, p99: 6, tail: { value: 3, noise: 0 }, isClientLimited: false })
  t.equal(result.ratios.service, undefined)
  t.equal(result.ratios.nodeConstant?.value, 0.5)
  t.ok(Math.abs((result.ratios.nodeConstant?.noise ?? 0) - 0.05) < 1e-9)
  t.equal(result.cpuMicros, 5000)
})

t.test('the client is the limit if it has no time left and the server has', async (t) => {
  const isLimited = (change: Partial<Load>) => toResult([{ ...createLoad(100), ...change }], new Map()).isClientLimited
  t.equal(isLimited({ clientBusy: 0.99 }), true)
  t.equal(isLimited({ clientBusy: 0.9 }), false)
  t.equal(isLimited({ clientBusy: 0.99, cpuSeconds: 1.99 }), false)
  // Where the CPU time of the server is unknown, the client may be.
  t.equal(isLimited({ clientBusy: 0.99, cpuSeconds: undefined }), true)
  t.equal(toResult([{ ...createLoad(100), cpuSeconds: undefined }], new Map()).cpuMicros, undefined)
})

t.test('a limit is missed if the noise of the run does not explain it', async (t) => {
  const results = { fetch: { service: createResult(0.5, 0.02, { value: 3, noise: 0.1 }) } }
  t.same(checkLimits(results, { fetch: { nodeConstant: 0.5, tail: 3 } }), [])
  t.same(checkLimits(results, { fetch: { nodeConstant: 0.515, tail: 2.95 } }), [])
  t.same(checkLimits(results, { fetch: { nodeConstant: 0.53, tail: 2.8 } }), [
    'fetch, random ids: requests/s against node:http, constant is 0.500 ± 0.020, and the limit is at least 0.53',
    'fetch, random ids: p99 / p50 is 3.000 ± 0.100, and the limit is at most 2.8',
  ])
  t.throws(() => requireLimits(results, { fetch: { tail: 2 } }), /^limits of .* are missed:\nfetch, random ids: p99/)
  t.doesNotThrow(() => requireLimits(results, { fetch: { tail: 4 } }))
  t.same(checkLimits(results, { fetch: { nodeStatements: 0.9 }, list: { nodeConstant: 0.9 } }), [], 'not measured')
})

t.test('the limits in the repository name workloads and servers', async (t) => {
  const all: LimitsByDatabase = limits
  for (const each of Object.values(all)) {
    for (const [name, measures] of Object.entries(each)) {
      t.ok(
        workloadNames.some((one) => one === name),
        name,
      )
      const known = ['tail', 'nodeConstant', 'nodeStatements', 'fastifyConstant']
      t.same(
        Object.keys(measures).filter((measure) => !known.includes(measure)),
        [],
      )
    }
  }
})

t.test('the table has a line for each server and workload, and says where the client was the limit', async (t) => {
  const table = formatRun(createRun())
  t.match(table, /^fetch, random ids +requests\/s +of node:http/m)
  t.match(table, /^ {2}this service, log at warn +12345 +0\.500 ± 0\.010 +42\.0 +1\.50 +3\.00 +70 %$/m)
  t.match(table, /^ {2}node:http, constant +12345 +0\.500 ± 0\.010 +1\.50 +3\.00 +99 % !$/m)
  t.match(table, /^ {2}this service, log at warn +60 +90 +200$/m)
  t.match(table, /^ {2}node:http, constant +20$/m)
  t.match(table, /^! The client was the limit/m)
  t.notMatch(table, /list, random pages/)
  t.notMatch(formatRun({ ...createRun(), results: {} }), /The client was the limit/)
})

t.test('the chart has a bar for each server that was measured, on each database', async (t) => {
  const sqlite = drawChart({ sqlite: createRun() })
  t.match(sqlite, /^<svg xmlns.*<\/svg>\n$/s)
  t.equal(sqlite.match(/<rect class="service" /g)?.length, 2, 'one in the legend')
  t.match(sqlite, /fetch, random ids/)
  t.notMatch(sqlite, /list, random pages|PostgreSQL|NaN|undefined/)
  const both = drawChart({ sqlite: createRun(), postgres: createRun() })
  t.match(both, /SQLite, 100,000 animals.*PostgreSQL, 100,000 animals/s)
})

t.test('a run is written beside that on the other database', async (t) => {
  const folder = temporaryFolder(t)
  writeResults(folder, 'sqlite', createRun())
  writeResults(folder, 'postgres', { ...createRun(), seconds: 1 / 3 })
  const { sqlite, postgres } = JSON.parse(readFileSync(join(folder, 'bench.json'), 'utf8'))
  t.same([sqlite.seconds, postgres.seconds], [2, 0.3333])
  t.match(readFileSync(join(folder, 'images/bench.svg'), 'utf8'), /PostgreSQL, 100,000 animals/)
  writeFileSync(join(folder, 'bench.json'), '{')
  t.throws(() => writeResults(folder, 'sqlite', createRun()), /bench.json is not what an earlier run wrote; remove it/)
})

t.test('the chart in the documentation is of the runs in the file beside it', async (t) => {
  const docs = join(import.meta.dirname, '../../docs')
  const runs = JSON.parse(readFileSync(join(docs, 'bench.json'), 'utf8'))
  t.equal(readFileSync(join(docs, 'images/bench.svg'), 'utf8'), drawChart(runs))
})

t.test('the functions that take the most time come first, without the time in which nothing runs', async (t) => {
  const node = (id: number, functionName: string, url = '', lineNumber = -1) => ({
    id,
    callFrame: { functionName, url, lineNumber },
  })
  const profile = {
    nodes: [node(1, '(idle)'), node(2, 'send', 'file:///a/src/http/send.ts', 9), node(3, ''), node(4, 'writev')],
    samples: [1, 2, 3, 2, 1],
    timeDeltas: [500, 100, 30, 100, 500],
  }
  t.equal(formatHotFunctions(profile, 10, 2), '   20.00 µs  send http/send.ts:10\n    3.00 µs  (anonymous)')
})

t.test('without arguments, all workloads are measured on SQLite, and the results are written', async (t) => {
  const all = { database: 'sqlite', names: workloadNames, animals: 100_000, rounds: 5, seconds: 2, output: 'docs' }
  t.match(parseOptions([]), { ...all, connections: 64, profile: false, check: false })
  t.match(parseOptions(['--postgres', '--check']), { database: 'postgres', check: true, output: 'docs' })
})

t.test('quick or partial results are written only with --output', async (t) => {
  t.match(parseOptions(['--quick']), { rounds: 3, seconds: 0.2, output: undefined })
  t.match(parseOptions(['--only', 'fetch,add']), { names: ['fetch', 'add'], output: undefined })
  t.match(parseOptions(['--quick', '--output', 'there', '--rounds', '1']), { rounds: 1, output: 'there' })
  t.equal(parseOptions(['--profile']).output, 'data/profiles')
})

t.test('wrong arguments are refused with the right ones', async (t) => {
  t.throws(() => parseOptions(['--fast']), { name: 'UsageError' })
  t.throws(() => parseOptions(['--fast']), { message: "unknown option '--fast'; see npm run bench -- --help" })
  t.throws(() => parseOptions(['--only', 'fetch,lost']), /^"lost" is not a workload; use some of list, /)
  for (const [name, value] of [
    ['rounds', '0'],
    ['seconds', '0.0'],
    ['seconds', '-1'],
    ['animals', '1e3'],
    ['connections', 'x'],
  ]) {
    t.throws(() => parseOptions([`--${name}=${value}`]), new RegExp(`--${name} "${value}" is not a number`))
  }
})

async function listen(t: Test, handler: RequestListener): Promise<number> {
  const server = createServer(handler)
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function createLoad(requests: number): Load {
  return { requests, seconds: 2, cpuSeconds: requests / 200, p50: 2, p99: 6, clientBusy: 0.5 }
}

function createResult(value: number, noise: number, tail = { value: 2, noise: 0.1 }): Result {
  return {
    ...{ requestsPerSecond: 12_345, cpuMicros: 42, p50: 1.5, p99: 3, ratios: { nodeConstant: { value, noise } }, tail },
    ...{ clientBusy: 0.7, isClientLimited: false },
  }
}

function createRun(): Run {
  const service = createResult(0.5, 0.01)
  const nodeConstant = { ...service, cpuMicros: undefined, clientBusy: 0.99, isClientLimited: true }
  return {
    ...{ date: '2026-11-21T00:00:00.000Z', node: 'v26.10.0', cpu: 'CPU', cpus: 2, animals: 100_000, connections: 64 },
    ...{
      rounds: 5,
      seconds: 2,
      results: { fetch: { service, nodeConstant, nodeStatements: { ...service, ratios: {} } } },
    },
    servers: { service: { startMs: 200, idleMiB: 60, loadedMiB: 90 }, nodeConstant: { startMs: 20 } },
  }
}
