/** Metrics for Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats). */
import { statSync } from 'node:fs'
import { createServer } from 'node:http'
import Fastify from 'fastify'
import { toError } from 'fastify-openapi-first/shared'
import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client'
import packageJson from '../package.json' with { type: 'json' }
import { StartupError } from './errors.ts'
import { rejections } from './http/errors.ts'
import { type RequestEvent, requests } from './http/request-log.ts'
import { commits } from './stores/batch.ts'
import type { Store } from './stores/store.ts'

export interface MetricsOptions {
  readonly host: string
  readonly port: number
  readonly getInFlight: () => number
  readonly getConnections: Store['getConnections']
  /** The file that each backup touches; undefined if `npm run backup` does not make the backups. */
  readonly backupRecord: string | undefined
}

/** Serves `/metrics` until the process ends, and resolves with its URL. Rejects with a StartupError. */
export async function serveMetrics(options: MetricsOptions): Promise<string> {
  const { host, port } = options
  registerProcessMetrics()
  registerRequestMetrics(options)
  registerStoreMetrics(options)
  // Node's timeouts apply: Fastify's are longer, and it has none for requests. No body is read.
  const server = Fastify({ serverFactory: (respond) => createServer(respond) })
  server.removeAllContentTypeParsers()
  server.get('/metrics', async (_request, reply) => reply.type(register.contentType).send(await register.metrics()))
  server.setNotFoundHandler((_request, reply) => reply.code(404).send('GET /metrics\n'))
  server.setErrorHandler((_error, _request, reply) => reply.code(500).send())
  try {
    return `${await server.listen({ host, port })}/metrics`
  } catch (error) {
    throw new StartupError(`${toError(error).message}; choose another METRICS_HOST or METRICS_PORT`)
  }
}

function registerProcessMetrics(): void {
  collectDefaultMetrics()
  // Left out: gauges whose names end in `_total`, which Prometheus reserves for counters.
  for (const resource of ['handles', 'requests', 'resources']) {
    register.removeSingleMetric(`nodejs_active_${resource}_total`)
  }
  new Gauge({
    name: 'animal_store_build_info',
    help: 'The versions of the service and of Node.',
    labelNames: ['version', 'node'],
  }).set({ version: packageJson.version, node: process.version }, 1)
}

function registerRequestMetrics({ getInFlight }: MetricsOptions): void {
  const durations = new Histogram({
    name: 'animal_store_request_duration_seconds',
    help: 'How long requests took until their response was complete, by operation and status.',
    labelNames: ['operation', 'status'],
    // From the response with a cached page to the timeout of a request.
    buckets: [1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  })
  const deprecatedRequests = new Counter({
    name: 'animal_store_deprecated_requests_total',
    help: 'Requests to deprecated operations, by operation and name of the API key.',
    labelNames: ['operation', 'key'],
  })
  requests.subscribe((event) => {
    const { operationId: operation = 'none', res, ms, deprecated: isDeprecated, key = '' } = event as RequestEvent
    durations.observe({ operation, status: res.statusCode }, ms / 1000)
    if (isDeprecated) deprecatedRequests.inc({ operation, key })
  })
  const rejectedRequests = new Counter({
    // The name of 1.0.0: with another, alerts would be silent.
    name: 'animal_store_requests_refused_total',
    help: 'Requests that were rejected, by error code.',
    labelNames: ['code'],
  })
  rejections.subscribe((code) => rejectedRequests.inc({ code: String(code) }))
  // `collect` is called at each request for the metrics.
  new Gauge({
    name: 'animal_store_requests_in_flight',
    help: 'Requests without a response, and open streams.',
    collect() {
      this.set(getInFlight())
    },
  })
}

function registerStoreMetrics({ getConnections, backupRecord }: MetricsOptions): void {
  const batches = new Histogram({
    name: 'animal_store_commit_batch_size',
    help: 'How many writes shared a commit.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
  })
  commits.subscribe((size) => batches.observe(Number(size)))
  if (getConnections !== undefined) {
    new Gauge({
      name: 'animal_store_store_connections',
      help: 'Connections to the database, and calls that wait for one.',
      labelNames: ['state'],
      collect() {
        for (const [state, count] of Object.entries(getConnections())) this.set({ state }, count)
      },
    })
  }
  if (backupRecord !== undefined) {
    new Gauge({
      name: 'animal_store_last_backup_timestamp_seconds',
      help: 'When the last backup was complete, as seconds since 1970; 0 before the first.',
      collect() {
        this.set((statSync(backupRecord, { throwIfNoEntry: false })?.mtimeMs ?? 0) / 1000)
      },
    })
  }
}
