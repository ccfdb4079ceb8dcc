import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { createCatalogue } from '../../scripts/bench/catalogues.ts'
import { measure } from '../../scripts/bench/measure.ts'
import { startClient, startServer } from '../../scripts/bench/processes.ts'
import { connectProfiler } from '../../scripts/bench/profiler.ts'
import { type Run, serverTitles } from '../../scripts/bench/results.ts'
import { type Server, type Servers, startServers } from '../../scripts/bench/servers.ts'
import { workloadNames, workloads } from '../../scripts/bench/workloads.ts'
import { openStore } from '../../src/stores/open.ts'
import { runScript, startScript } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitUntil } from '../helpers/wait.ts'

/** What is measured that way is not worth much, but all of it is measured. */
const tiny = ['--animals', '150', '--rounds', '2', '--seconds', '0.01', '--connections', '4']

const coverage = true

t.test('the service and every floor are measured with every workload', async (t) => {
  const folder = temporaryFolder(t)
  const { status, stdout, stderr } = await runScript(t, 'bench', [...tiny, '--output', folder], { coverage })
  t.equal(status, 0, stderr)
  for (const name of workloadNames) t.match(stdout, `\n${workloads[name].title} `)
  for (const title of Object.values(serverTitles)) t.match(stdout, `\n  ${title} `)
  const { sqlite }: { sqlite: Run } = JSON.parse(readFileSync(join(folder, 'bench.json'), 'utf8'))
  t.equal(sqlite.animals, 150)
  for (const name of workloadNames) {
    const servers = Object.keys(serverTitles).filter((server) => {
      return workloads[name].needsStore || server !== 'nodeStatements'
    })
    t.same(Object.keys(sqlite.results[name] ?? {}), servers, name)
    for (const result of Object.values(sqlite.results[name] ?? {})) {
      t.ok(result.requestsPerSecond > 0)
      t.ok(result.p99 >= result.p50)
    }
  }
  t.match(readFileSync(join(folder, 'images/bench.svg'), 'utf8'), /^<svg /)
})

t.test('on PostgreSQL, the bench starts a server of its own if there is none', async (t) => {
  // Long enough for the mix to have each of its requests.
  const args = [...tiny, '--rounds', '1', '--seconds', '0.1', '--postgres', '--check']
  args.push('--only', 'samePage,listByStatus,mix')
  // These workloads have no limits.
  const env = { TEST_DATABASE_URL: '' }
  const { status, stdout, stderr } = await runScript(t, 'bench', args, { coverage, env })
  t.equal(status, 0, stderr)
  t.match(stdout, /node:http, same statements.*Every limit of scripts\/bench\/limits.json is met\.\n$/s)
})

t.test('a profile is written for each workload', async (t) => {
  const folder = join(temporaryFolder(t), 'profiles')
  const args = [...tiny, '--profile', '--only', 'fetch,add', '--output', folder]
  const { status, stdout, stderr } = await runScript(t, 'bench', args, { coverage })
  t.equal(status, 0, stderr)
  t.same(readdirSync(folder).sort(), ['add.cpuprofile', 'fetch.cpuprofile'])
  t.match(stdout, /^fetch, random ids: .*fetch\.cpuprofile\n *[\d.]+ µs {2}\S/m)
  t.ok(JSON.parse(readFileSync(join(folder, 'fetch.cpuprofile'), 'utf8')).samples.length > 0)
})

t.test('an interrupted bench leaves nothing behind', async (t) => {
  const folder = temporaryFolder(t)
  const args = [...tiny, '--seconds', '60']
  const bench = startScript(t, 'bench', args, { coverage, env: { TMPDIR: folder } })
  await waitUntil(() => readdirSync(folder).some((name) => existsSync(join(folder, name, 'fastifyConstant.log'))))
  bench.kill('SIGTERM')
  t.equal((await bench.ended).status, 1)
  t.same(
    readdirSync(folder).filter((name) => name.startsWith('animal-store-bench-')),
    [],
  )
})

t.test('a catalogue that cannot be seeded is an error', async (t) => {
  const error = { message: 'the catalogue could not be seeded' }
  await t.rejects(createCatalogue('sqlite', '/dev/null', 1), error)
  await t.rejects(createCatalogue('postgres', '', 0), error)
})

t.test('each copy of a catalogue has all animals', async (t) => {
  const catalogue = await createCatalogue('postgres', '', 30)
  t.teardown(catalogue.remove)
  const [one, other] = [await catalogue.copy(), await catalogue.copy()]
  t.not(one, other)
  for (const url of [one, other]) {
    const { pets, close } = await openStore(url)
    t.equal((await pets.list({ after: 0n, limit: 100 })).length, 30)
    await close()
  }
})

t.test('a server that does not start is an error that says why', async (t) => {
  const folder = temporaryFolder(t)
  const options = { env: {}, folder, log: join(folder, 'log'), cpus: undefined }
  await t.rejects(
    startServer({ ...options, program: 'scripts/no-such.ts' }),
    /no-such\.ts does not start: .*Cannot find/s,
  )
  const catalogue = { copy: async () => `sqlite:${folder}`, remove: async () => {} }
  const servers = { database: 'sqlite', catalogue, folder, key: 'k'.repeat(20), animals: 1, cpus: undefined } as const
  await t.rejects(startServers(servers), /src\/main\.ts does not start: cannot open the store/)
})

t.test('a response that is not as expected ends the run', async (t) => {
  const server = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const client = startClient(undefined)
  t.teardown(client.stop)
  const { port } = server.address() as AddressInfo
  const context = { key: 'secret', animals: 1, etag: '' }
  const subject: Server = {
    name: 'fastifyConstant',
    port,
    pid: process.pid,
    startMs: 1,
    idleMiB: undefined,
    errors: () => 'what it printed\n',
    memoryMiB: () => undefined,
    stop: async () => {},
  }
  const servers: Servers = { all: [subject], context, stop: subject.stop }
  const options = { rounds: 1, seconds: 0.01, connections: 1 }
  await t.rejects(measure(servers, client, { ...options, names: ['add'] }), {
    message: 'Fastify, constant: add: the server responded with 200 instead of 201\nwhat it printed',
  })
  const { results } = await measure(servers, client, { ...options, names: ['samePage'] })
  t.ok((results.samePage?.fastifyConstant?.requestsPerSecond ?? 0) > 0, 'the client is still there')
})

t.test('a process without an inspector cannot be profiled', async (t) => {
  await t.rejects(connectProfiler('no inspector'), { message: 'the service has no inspector: no inspector' })
})
