/** The metrics of a process, as Prometheus scrapes them, and the alerts on them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { parse } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { sharedDatabases, sqlite } from '../helpers/databases.ts'
import { openRaw, send, sendRaw } from '../helpers/http.ts'
import { runScript, type ServiceProcess, startCommand, startServiceProcess } from '../helpers/process.ts'
import { findProgram, skipLoudly } from '../helpers/program.ts'
import { beginAdding } from '../helpers/slow-addition.ts'
import { lock } from '../helpers/sql.ts'
import { waitUntil } from '../helpers/wait.ts'

const alerts = join(import.meta.dirname, '../../docs/alerts.yaml')
const env = { METRICS_PORT: '0', API_KEYS: 'shop=0123456789abcdef,till=fedcba9876543210' }
const shop = { authorization: 'Bearer 0123456789abcdef' }
const till = { authorization: 'Bearer fedcba9876543210' }
const rex = { name: 'Rex', categoryId: 1 }
const sameKey = { 'idempotency-key': '"a-key-for-the-metrics"' }

for (const { name, fresh } of sharedDatabases) {
  t.test(`the metrics of a service on ${name} count what it does`, async (t) => {
    const databaseUrl = await fresh(t)
    const service = await startServiceProcess(t, { env: { ...env, DATABASE_URL: databaseUrl } })
    const { origin } = service
    const scrape = createScrape(service)

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
    const slow = await beginAdding(t, origin, shop.authorization, 'Tom')
    await setTimeout(300)
    slow.finish()

    // A request is counted when its response is complete, just after the client has it.
    const added = 'animal_store_request_duration_seconds_count{operation="createPet",status="201"}'
    const after = await waitUntil(async () => {
      const samples = await scrape()
      return samples.get(added) === 4 ? samples : undefined
    })
    const expected = {
      'animal_store_request_duration_seconds_count{operation="none",status="404"}': 1,
      'animal_store_request_duration_seconds_bucket{le="+Inf",operation="createPet",status="201"}': 4,
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
    }
    for (const [sample, value] of Object.entries(expected)) t.equal(after.get(sample), value, sample)
    // One of them took 0.3 s: durations are in seconds.
    const seconds = Number(after.get('animal_store_request_duration_seconds_sum{operation="createPet",status="201"}'))
    t.ok(seconds > 0.25 && seconds < 100, `${seconds} s`)
    t.ok(
      Number(after.get('animal_store_request_duration_seconds_bucket{le="0.25",operation="createPet",status="201"}')) <
        4,
    )
    t.ok(Number(after.get('animal_store_commit_batch_size_bucket{le="1"}')) >= 2)
    t.ok(Number(after.get('nodejs_heap_size_used_bytes')) > 1e6)
    t.ok(after.has('nodejs_eventloop_lag_p99_seconds'))
    const used = after.get('animal_store_store_connections{state="used"}')
    t.equal(used, name === 'PostgreSQL' ? 0 : undefined)
    t.equal(after.has('animal_store_last_backup_timestamp_seconds'), name !== 'PostgreSQL')

    // What waits for the lock is in flight, and shares a commit.
    const release = await lock(t, databaseUrl)
    const additions = Array.from({ length: 6 }, () => send(origin, 'POST', '/v1/pets', { headers: shop, json: rex }))
    await waitUntil(async () => (await scrape()).get('animal_store_requests_in_flight') === 6)
    await release()
    t.ok((await Promise.all(additions)).every(({ status }) => status === 201))
    t.match((await scrape()).get('animal_store_requests_in_flight'), 0)

    service.kill('SIGTERM')
    t.equal((await service.waitForEnd()).status, 0)
  })
}

t.test('the metrics have the time of the last backup, which is 0 before the first', async (t) => {
  const databaseUrl = await sqlite.fresh(t)
  const service = await startServiceProcess(t, { env: { ...env, DATABASE_URL: databaseUrl } })
  const scrape = createScrape(service)
  const name = 'animal_store_last_backup_timestamp_seconds'
  t.equal((await scrape()).get(name), 0)
  const begun = Date.now() / 1000
  const copy = join(service.folder, 'copy.db')
  t.match(await runScript(t, 'backup', [copy], { env: { DATABASE_URL: databaseUrl } }), { status: 0 })
  const time = Number((await scrape()).get(name))
  // A file system may round times.
  t.ok(time > begun - 2 && time < Date.now() / 1000 + 2, String(time))
})

t.test('the port of the metrics has nothing else, and the port of the service has no metrics', async (t) => {
  const service = await startServiceProcess(t, { env })
  const url = metricsUrl(service)
  t.match(await send(url.origin, 'GET', '/metrics'), {
    status: 200,
    headers: { 'content-type': 'text/plain; version=0.0.4' },
  })
  t.equal((await send(url.origin, 'HEAD', '/metrics')).status, 200)
  t.equal((await send(url.origin, 'GET', '/')).status, 404)
  t.equal((await send(url.origin, 'POST', '/metrics')).status, 404)
  const malformed = { headers: { 'content-type': 'application/json' }, body: '[' }
  t.equal((await send(url.origin, 'POST', '/metrics', malformed)).status, 404)
  t.equal((await send(service.origin, 'GET', '/metrics')).status, 404)

  // What the alerts are made of is there; only the store of PostgreSQL has connections.
  const { text } = await send(url.origin, 'GET', '/metrics')
  const rules: { expr: string }[] = parse(readFileSync(alerts, 'utf8')).groups[0].rules
  const names = rules.flatMap(({ expr }) => expr.match(/\b(animal_store|nodejs|process)_\w+/g) ?? [])
  t.ok(names.length > 10)
  for (const name of names.map((each) => each.replace(/_(bucket|count)$/, ''))) {
    if (name !== 'animal_store_store_connections') t.match(text, `# TYPE ${name} `)
  }

  const { write, until, waitForEnd, destroy } = openRaw(url.origin)
  write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n')
  await until('\r\n\r\n')
  destroy()
  t.match(await waitForEnd(), '\r\nKeep-Alive: timeout=5\r\n')

  const promtool = requirePromtool('the names of metrics')
  if (promtool === undefined) return
  const check = startCommand(t, ['sh', '-c', `curl -s ${url} | ${promtool} check metrics`])
  t.match(await check.waitForEnd(), { status: 0, stdout: /^$/, stderr: /^$/ })
})

t.test('metrics that cannot be collected get 500, at an IPv6 address too, and the service continues', async (t) => {
  const fault = "data:text/javascript,process.getActiveResourcesInfo = () => { throw new Error('not now') }"
  const options = { env: { ...env, METRICS_HOST: '::1' }, nodeArgs: ['--import', fault] }
  const service = await startServiceProcess(t, options)
  const { hostname, origin } = metricsUrl(service)
  t.equal(hostname, '[::1]')
  t.equal((await send(origin, 'GET', '/metrics')).status, 500)
  t.equal((await send(service.origin, 'GET', '/readyz')).status, 200)
})

t.test('the alerts are valid, fire in trouble, and are quiet on a healthy day', async (t) => {
  const promtool = requirePromtool('the alerts')
  if (promtool === undefined) return
  t.match(await startCommand(t, [promtool, 'check', 'rules', alerts]).waitForEnd(), { status: 0, stderr: /^$/ })
  const cases = join(import.meta.dirname, '../docs/alerts.promtool.yaml')
  t.match(await startCommand(t, [promtool, 'test', 'rules', cases]).waitForEnd(), { status: 0, stdout: /SUCCESS/ })
})

/** Returns the path of promtool. Without it, prints what is skipped. */
function requirePromtool(what: string): string | undefined {
  const promtool = findProgram('promtool')
  if (promtool === undefined) skipLoudly(what, `NOT TESTED: ${what}; there is no promtool; install prometheus`)
  return promtool
}

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
