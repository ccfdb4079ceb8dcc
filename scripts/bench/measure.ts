/**
 * A run: the servers take turns with each workload, round by round, so that a machine that becomes faster or slower meanwhile
 * does so for all of them.
 */
import { availableParallelism, cpus } from 'node:os'
import { median, summarize } from '../lib/measure.ts'
import { createProgress } from '../lib/progress.ts'
import type { Load } from './load.ts'
import type { Client } from './processes.ts'
import { type Result, type Results, type Run, type ServerName, serverTitles } from './results.ts'
import type { Server, Servers } from './servers.ts'
import { type WorkloadName, workloads } from './workloads.ts'

export interface MeasureOptions {
  readonly names: readonly WorkloadName[]
  readonly rounds: number
  /** The time for which a server is measured with a workload in a round, after the warm-up. */
  readonly seconds: number
  readonly connections: number
}

/** The loads of a workload, by server, in the order of the rounds. */
type Rounds = Map<ServerName, Load[]>

/** The warm-up, as a part of the time that is measured. */
const warmUp = 0.25

export async function measure(servers: Servers, client: Client, options: MeasureOptions): Promise<Run> {
  const { names, rounds, seconds, connections } = options
  const measured = new Map<WorkloadName, Rounds>(names.map((name) => [name, new Map()]))
  const turns = Array.from({ length: rounds }, () =>
    names.flatMap((name) =>
      servers.all.filter((server) => isMeasured(server, name)).map((server) => ({ name, server })),
    ),
  ).flat()
  const progress = createProgress('measurements', turns.length)
  for (const [index, { name, server }] of turns.entries()) {
    const job = {
      workload: name,
      context: servers.context,
      port: server.port,
      pid: server.pid,
      connections,
      warmUpMs: seconds * 1000 * warmUp,
      durationMs: seconds * 1000,
    }
    const load = await client.run(job).catch(({ message }: Error) => {
      throw new Error(`${serverTitles[server.name]}: ${message}\n${server.errors()}`.trim())
    })
    const loads = measured.get(name)
    loads?.set(server.name, [...(loads.get(server.name) ?? []), load])
    progress.update(index + 1)
  }
  progress.end()
  return {
    date: new Date().toISOString(),
    node: process.version,
    cpu: String(cpus()[0]?.model),
    cpus: availableParallelism(),
    animals: servers.context.animals,
    connections,
    rounds,
    seconds,
    servers: Object.fromEntries(servers.all.map((server) => [server.name, toFacts(server)])),
    results: toResults(measured),
  }
}

/** A floor that has nothing but a store does not refuse requests. */
function isMeasured(server: Server, name: WorkloadName): boolean {
  return workloads[name].needsStore || server.name !== 'nodeStatements'
}

function toFacts({ startMs, idleMiB, memoryMiB }: Server) {
  return { startMs, idleMiB, loadedMiB: memoryMiB() }
}

function toResults(measured: ReadonlyMap<WorkloadName, Rounds>): Results {
  return Object.fromEntries(
    [...measured].map(([name, rounds]) => [
      name,
      Object.fromEntries([...rounds].map(([server, loads]) => [server, toResult(loads, rounds)])),
    ]),
  )
}

/** Summarizes the rounds of a server, which `all` has beside those of the other servers. */
export function toResult(loads: readonly Load[], all: ReadonlyMap<ServerName, readonly Load[]>): Result {
  const medianOf = (get: (load: Load) => number) => median(loads.map(get))
  const cpuMicros = medianOf(({ cpuSeconds = Number.NaN, requests }) => (cpuSeconds / requests) * 1e6)
  const clientBusy = medianOf((load) => load.clientBusy)
  const serverBusy = medianOf(({ cpuSeconds = 0, seconds }) => cpuSeconds / seconds)
  const ratios = [...all]
    .filter(([name]) => floors.has(name))
    .map(([name, others]) => [name, summarize(loads.map((load, round) => rate(load) / rate(others[round] as Load)))])
  return {
    requestsPerSecond: medianOf(rate),
    cpuMicros: Number.isNaN(cpuMicros) ? undefined : cpuMicros,
    p50: medianOf(({ p50 }) => p50),
    p99: medianOf(({ p99 }) => p99),
    ratios: Object.fromEntries(ratios),
    tail: summarize(loads.map(({ p50, p99 }) => p99 / p50)),
    clientBusy,
    isClientLimited: clientBusy > busy && serverBusy < busy,
  }
}

const floors: ReadonlySet<ServerName> = new Set(['nodeConstant', 'nodeStatements', 'fastifyConstant'])

/** The part of the time above which a process has no more time. */
const busy = 0.95

function rate({ requests, seconds }: Load): number {
  return requests / seconds
}
