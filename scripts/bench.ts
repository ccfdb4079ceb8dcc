/**
 * Measures what a request costs over HTTP: the service and floors that do less, alternately on the same machine.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey } from '../src/auth/keys.ts'
import { createCatalogue } from './bench/catalogues.ts'
import { divideCpus } from './bench/cpus.ts'
import limits from './bench/limits.json' with { type: 'json' }
import { type LimitsByDatabase, requireLimits } from './bench/limits.ts'
import { measure } from './bench/measure.ts'
import { type Options, parseOptions } from './bench/options.ts'
import { type Client, startClient, startServer } from './bench/processes.ts'
import { connectProfiler, formatHotFunctions } from './bench/profiler.ts'
import { writeResults } from './bench/results-file.ts'
import { createContext, type ServersOptions, serviceEnvironment, startServers } from './bench/servers.ts'
import { formatRun } from './bench/table.ts'
import { workloads } from './bench/workloads.ts'
import { runCommand } from './lib/command.ts'

await runCommand(async (args) => {
  const options = parseOptions(args)
  await withSubjects(options, options.profile ? profileService : compare)
})

type Work = (options: Options, subjects: ServersOptions, client: Client) => Promise<void>

/** Prepares what servers need, and the client, and removes it in the end. */
async function withSubjects(options: Options, work: Work): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const { database, animals } = options
  const cpus = divideCpus()
  const catalogue = await createCatalogue(database, folder, animals)
  const client = startClient(cpus.client)
  try {
    await work(options, { database, catalogue, folder, key: createKey(), animals, cpus: cpus.server }, client)
  } finally {
    await client.stop()
    await catalogue.remove()
  }
}

/** Compares the service with its floors. */
async function compare(options: Options, subjects: ServersOptions, client: Client): Promise<void> {
  const servers = await startServers(subjects)
  const run = await measure(servers, client, options).finally(servers.stop)
  console.log(formatRun(run))
  const { database, output, check } = options
  if (output !== undefined) writeResults(output, database, run)
  if (check) {
    const allLimits: LimitsByDatabase = limits
    requireLimits(run.results, allLimits[database])
    console.log('\nEvery limit of scripts/bench/limits.json is met.')
  }
}

/** Writes a profile of the service for each workload, and prints the functions that take the most time. */
async function profileService(options: Options, subjects: ServersOptions, client: Client): Promise<void> {
  const { names, seconds, connections, output = '' } = options
  const { folder, cpus } = subjects
  const service = await startServer({
    program: 'src/main.ts',
    nodeArgs: ['--inspect=127.0.0.1:0'],
    env: await serviceEnvironment(subjects),
    folder,
    log: join(folder, 'service.log'),
    cpus,
  })
  try {
    const context = await createContext(service, subjects)
    const profiler = await connectProfiler(service.errors())
    mkdirSync(output, { recursive: true })
    for (const workload of names) {
      const { port, pid } = service
      const job = { workload, context, port, pid, connections, durationMs: seconds * 1000 }
      // The warm-up is a load of its own, which the profile does not have.
      await client.run({ ...job, warmUpMs: 0 })
      await profiler.start()
      const { requests } = await client.run({ ...job, warmUpMs: 0 })
      const profile = await profiler.stop()
      const file = join(output, `${workload}.cpuprofile`)
      writeFileSync(file, JSON.stringify(profile))
      console.log(`${workloads[workload].title}: ${file}\n${formatHotFunctions(profile, requests)}\n`)
    }
    profiler.close()
  } finally {
    await service.stop()
  }
}
