/**
 * The metrics of a process, as Prometheus scrapes them.
 */

import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { sharedDatabases } from '../helpers/databases.ts'
import { openRaw, send, sendRaw } from '../helpers/http.ts'
import { findFreePort } from '../helpers/port.ts'
import { runServiceProcess, type ServiceProcess, startCommand, startServiceProcess } from '../helpers/process.ts'
import { findProgram, skipLoudly } from '../helpers/program.ts'
import { lock } from '../helpers/sql.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitUntil } from '../helpers/wait.ts'

const env = { METRICS_PORT: '0', API_KEYS: 'shop=0123456789abcdef,till=fedcba9876543210' }
const shop = { authorization: 'Bearer 0123456789abcdef' }
const till = { authorization: 'Bearer fedcba9876543210' }
const rex = { name: 'Rex', categoryId: 1 }
const sameKey = { 'idempotency-key': '"a-key-for-the-metrics"' }

for (const { name, fresh } of sharedDatabases) {
  t.test(`the metrics of a service on ${name} count what it does`, async (t) => {
    const databaseUrl = await fresh(t)
    const service = await startServiceProcess(t, { env: { ...env, DATABASE_URL: databaseUrl }, coverage: true })
    const { origin } = service
    const scrape = createScrape(service)
    t.match((await scrape()).get('animal_store_idempotent_replays_total'), 0)

    for (const headers of [shop, { ...shop, ...sameKey }, { ...shop, ...sameKey }]) {
      t.equal((await send(origin, 'POST', '/v1/pets', { headers, json: rex })).status, 201)
    }
    t.equal((await send(origin, 'GET', '/v1/pets', { headers: shop })).status, 200)
    for (const headers of [shop, till, till]) {
      t.equal((await send(origin, 'GET', '/v1/pets/1', { headers })).status, 200)
    }
    t.equal((await send(origin, 'GET', '/v1/pets/3', { headers: till })).status, 404)
    t.equal((await send(origin, 'GET', '/v1/pets')).status, 401)
    t.equal((await send(origin, 'GET', '/nothing')).status, 404)
    t.match(await sendRaw(origin, 'NO HTTP\r\n\r\n'), 'HTTP/1.1 400 ')

    // The request is counted when its response is complete, just after the client has it.
    const after = await waitUntil(async () => {
      const samples = await scrape()
      return samples.has('animal_store_request_duration_seconds_count{operation="none",status="404"}')
        ? samples
        : undefined
    })
    const expected = {
      'animal_store_request_duration_seconds_count{operation="createPet",status="201"}': 3,
      'animal_store_request_duration_seconds_bucket{le="+Inf",operation="createPet",status="201"}': 3,
      'animal_store_request_duration_seconds_count{operation="listPets",status="200"}': 1,
      'animal_store_request_duration_seconds_count{operation="listPets",status="401"}': 1,
      'animal_store_request_duration_seconds_count{operation="getPet",status="200"}': 3,
      'animal_store_request_duration_seconds_count{operation="getPet",status="404"}': 1,
      'animal_store_requests_refused_total{code="missing_key"}': 1,
      'animal_store_requests_refused_total{code="not_found"}': 1,
      'animal_store_requests_refused_total{code="invalid_request"}': 1,
      'animal_store_deprecated_requests_total{operation="getPet",key="shop"}': 1,
      'animal_store_deprecated_requests_total{operation="getPet",key="till"}': 3,
      [`animal_store_build_info{version="${packageJson.version}",node="${process.version}"}`]: 1,
      animal_store_requests_in_flight: 0,
      animal_store_idempotent_replays_total: 1,
      animal_store_log_lines_dropped_total: 0,
      'animal_store_store_call_duration_seconds_count{call="add"}': 1,
      'animal_store_store_call_duration_seconds_count{call="addOnce"}': 2,
      'animal_store_store_call_duration_seconds_count{call="find"}': 4,
      'animal_store_store_call_duration_seconds_count{call="list"}': 1,
    }
    for (const [sample, value] of Object.entries(expected)) t.equal(after.get(sample), value, sample)
    t.ok(Number(after.get('animal_store_commit_batch_size_bucket{le="1"}')) >= 2)
    t.ok(Number(after.get('nodejs_heap_size_used_bytes')) > 1e6)
    t.ok(after.has('nodejs_eventloop_lag_p99_seconds'))
    const used = after.get('animal_store_store_connections{state="used"}')
    t.equal(used, name === 'PostgreSQL' ? 0 : undefined)

    // What waits for the lock is in flight, and shares a commit.
    const release = await lock(t, databaseUrl)
    const additions = Array.from({ length: 6 }, () => send(origin, 'POST', '/v1/pets', { headers: shop, json: rex }))
    await waitUntil(async () => (await scrape()).get('animal_store_requests_in_flight') === 6)
    await release()
    t.ok((await Promise.all(additions)).every(({ status }) => status === 201))
    t.match((await scrape()).get('animal_store_requests_in_flight'), 0)

    service.kill('SIGTERM')
    t.equal((await service.ended).status, 0)
  })
}

t.test('values are in the bucket of their bound, and in all above it', async (t) => {
  const service = await startServiceProcess(t, { env })
  const scrape = createScrape(service)
  const { write, until, ended } = openRaw(service.origin)
  write('POST /v1/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n')
  write(`Authorization: ${shop.authorization}\r\nContent-Length: 29\r\nExpect: 100-continue\r\n\r\n`)
  await until('100 Continue\r\n\r\n')
  await new Promise((resolve) => setTimeout(resolve, 300))
  write('{"name":"Rex","categoryId":1}')
  await ended
  const samples = await scrape()
  const bucket = (le: string) =>
    samples.get(`animal_store_request_duration_seconds_bucket{le="${le}",operation="createPet",status="201"}`)
  t.equal(bucket('0.25'), 0)
  t.equal(bucket('30'), 1)
  t.equal(bucket('+Inf'), 1)
  const sum = samples.get('animal_store_request_duration_seconds_sum{operation="createPet",status="201"}')
  t.ok(Number(sum) > 0.25 && Number(sum) < 30)
})

t.test('the port of the metrics has nothing else, and the port of the service has no metrics', async (t) => {
  const service = await startServiceProcess(t, { env, coverage: true })
  const url = metricsUrl(service)
  const { status, headers, text } = await send(url.origin, 'GET', '/metrics')
  t.equal(status, 200)
  t.match(headers['content-type'], 'text/plain; version=0.0.4')
  t.equal((await send(url.origin, 'HEAD', '/metrics')).status, 200)
  t.equal((await send(url.origin, 'GET', '/')).status, 404)
  t.equal((await send(url.origin, 'POST', '/metrics')).status, 404)
  const malformed = { headers: { 'content-type': 'application/json' }, body: '[' }
  t.equal((await send(url.origin, 'POST', '/metrics', malformed)).status, 404)
  t.equal((await send(service.origin, 'GET', '/metrics')).status, 404)

  // What the alerts are made of is there.
  const alerts = readFileSync(join(import.meta.dirname, '../../docs/alerts.yaml'), 'utf8')
  const rules: { expr: string }[] = parse(alerts).groups[0].rules
  const names = rules.flatMap(({ expr }) => expr.match(/\b(animal_store|nodejs|process)_\w+/g) ?? [])
  t.ok(names.length > 10)
  for (const name of names.map((each) => each.replace(/_(bucket|count)$/, ''))) {
    // This store has no connections.
    if (name !== 'animal_store_store_connections') t.match(text, `# TYPE ${name} `)
  }

  const promtool = findProgram('promtool')
  if (promtool === undefined) {
    skipLoudly('the names of metrics', 'THE METRICS ARE NOT CHECKED: there is no promtool; install prometheus')
    return
  }
  const check = startCommand(t, ['sh', '-c', `curl -s ${url} | ${promtool} check metrics`])
  t.match(await check.ended, { status: 0, stdout: '', stderr: '' })
})

t.test('a connection to the port of the metrics may be idle for 5 seconds', async (t) => {
  const { write, until, ended, destroy } = openRaw(metricsUrl(await startServiceProcess(t, { env })).origin)
  write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n')
  await until('\r\n\r\n')
  destroy()
  t.match(await ended, '\r\nKeep-Alive: timeout=5\r\n')
})

t.test('metrics that cannot be collected get 500, and the service continues', async (t) => {
  const folder = temporaryFolder(t)
  const fault = join(folder, 'fault.mjs')
  writeFileSync(fault, "process.getActiveResourcesInfo = () => { throw new Error('not now') }")
  const service = await startServiceProcess(t, { env, nodeArgs: ['--import', fault], coverage: true })
  t.equal((await send(metricsUrl(service).origin, 'GET', '/metrics')).status, 500)
  t.equal((await send(service.origin, 'GET', '/readyz')).status, 200)
})

t.test('without METRICS_PORT there are no metrics', async (t) => {
  const { output } = await startServiceProcess(t)
  t.notMatch(output(), 'Metrics')
})

t.test('a metrics port that is in use is named', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  t.match(await runServiceProcess(t, { env: { ...env, METRICS_PORT: String(port) }, coverage: true }), {
    status: 1,
    stderr: /^listen EADDRINUSE: .+; choose another METRICS_HOST or METRICS_PORT\n$/,
  })
})

t.test('a port for both the metrics and the service is named', async (t) => {
  const port = String(await findFreePort())
  t.match(await runServiceProcess(t, { env: { ...env, METRICS_PORT: port, PORT: port } }), {
    status: 1,
    stderr: /^listen EADDRINUSE: .+; stop the other program or choose another PORT\n$/,
  })
})

t.test('a host may be an IPv6 address', async (t) => {
  const service = await startServiceProcess(t, { env: { ...env, METRICS_HOST: '::1' }, coverage: true })
  t.equal(metricsUrl(service).hostname, '[::1]')
})

function metricsUrl(service: ServiceProcess): URL {
  return new URL(/Metrics at (http:[^"]+)/.exec(service.output())?.[1] ?? '')
}

/** Returns the function that returns the samples of a service, by name and labels. */
function createScrape(service: ServiceProcess): () => Promise<Map<string, number>> {
  const { origin } = metricsUrl(service)
  return async () => {
    const { text } = await send(origin, 'GET', '/metrics')
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    return new Map(
      lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
    )
  }
}
