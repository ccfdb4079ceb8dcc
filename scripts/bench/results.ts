/**
 * The results of a run, as they are stored in bench.json.
 */
import type { Measurement } from '../lib/measure.ts'
import type { DatabaseName } from './catalogues.ts'
import type { WorkloadName } from './workloads.ts'

/** The servers: the service with two log levels, and the floors. */
export const serverTitles = {
  service: 'this service, log at warn',
  serviceLogging: 'this service, default log',
  nodeConstant: 'node:http, constant',
  nodeStatements: 'node:http, same statements',
  fastifyConstant: 'Fastify, constant',
} as const

export type ServerName = keyof typeof serverTitles

export const serverNames = Object.keys(serverTitles) as ServerName[]

/** Medians of the rounds. Of each round, only requests after the warm-up count. */
export interface Result {
  readonly requestsPerSecond: number
  /** The CPU time of the server per request, in microseconds; undefined where it cannot be read. */
  readonly cpuMicros?: number | undefined
  readonly p50: number
  readonly p99: number
  /** The requests per second divided by those of another server in the same round. */
  readonly ratios: Readonly<Partial<Record<ServerName, Measurement>>>
  /** The 99th percentile divided by the median. */
  readonly tail: Measurement
  /** The part of the time in which the client was not idle. */
  readonly clientBusy: number
  /** True if the client had no more time and the server had: the server could do more than was measured. */
  readonly isClientLimited: boolean
}

export type Results = Readonly<Partial<Record<WorkloadName, Readonly<Partial<Record<ServerName, Result>>>>>>

export interface ServerFacts {
  /** The time from the start of the process to its first response. */
  readonly startMs: number
  /** Before the first workload, and after the last one. */
  readonly idleMiB?: number | undefined
  readonly loadedMiB?: number | undefined
}

/** A run on a database. */
export interface Run {
  /** ISO 8601. */
  readonly date: string
  readonly node: string
  readonly cpu: string
  readonly cpus: number
  readonly animals: number
  readonly connections: number
  readonly rounds: number
  readonly seconds: number
  readonly servers: Readonly<Partial<Record<ServerName, ServerFacts>>>
  readonly results: Results
}

/** The content of bench.json: the last run on each database. */
export type Runs = Readonly<Partial<Record<DatabaseName, Run>>>
