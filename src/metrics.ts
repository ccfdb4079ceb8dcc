/** Metrics for Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats). */
import { createServer } from 'node:http'
import Fastify from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import packageJson from '../package.json' with { type: 'json' }
import { StartupError, toError } from './errors.ts'
import { refusals } from './http/errors.ts'
import { type RequestEvent, requests } from './http/requests.ts'
import { commits } from './stores/batch.ts'
import type { Store } from './stores/store.ts'

const PREFIX = 'animal_store_'

/** Upper bounds in seconds, from a page in the cache to the timeout of a request. */
const DURATIONS = [1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** Upper bounds of the number of writes in a batch. */
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

export interface MetricsOptions {
  readonly host: string
  readonly port: number
  readonly getInFlight: () => number
  readonly getConnections: Store['getConnections']
}

/** Serves `/metrics` until the process ends, and resolves with its URL. Rejects with a StartupError. */
export async function serveMetrics({ host, port, getInFlight, getConnections }: MetricsOptions): Promise<string> {
  const register = new Registry()
  collectDefaultMetrics({ register })
  // Gauges with the name of a counter.
  for (const what of ['handles', 'requests', 'resources']) register.removeSingleMetric(`nodejs_active_${what}_total`)

  const describe = (name: string, help: string, labelNames: readonly string[] = []) => ({
    name: PREFIX + name,
    help,
    labelNames,
    registers: [register],
  })

  const build = new Gauge(describe('build_info', 'The versions of the service and of Node.', ['version', 'node']))
  build.set({ version: packageJson.version, node: process.version }, 1)

  const duration = 'How long requests took until their response was complete, by operation and status.'
  const durations = new Histogram({
    ...describe('request_duration_seconds', duration, ['operation', 'status']),
    buckets: DURATIONS,
  })
  const deprecation = 'Requests to deprecated operations, by operation and name of the API key.'
  const deprecated = new Counter(describe('deprecated_requests_total', deprecation, ['operation', 'key']))
  requests.subscribe((event) => {
    const { operationId: operation = 'none', res, ms, deprecated: isDeprecated, key = '' } = event as RequestEvent
    durations.observe({ operation, status: res.statusCode }, ms / 1000)
    if (isDeprecated) deprecated.inc({ operation, key })
  })
  const refusal = 'Requests that were refused, by error code.'
  const refused = new Counter(describe('requests_refused_total', refusal, ['code']))
  refusals.subscribe((code) => refused.inc({ code: String(code) }))
  const batches = new Histogram({
    ...describe('commit_batch_size', 'How many writes shared a commit.'),
    buckets: SIZES,
  })
  commits.subscribe((size) => batches.observe(Number(size)))

  // Counted whenever the metrics are requested.
  const inFlight = new Gauge({
    ...describe('requests_in_flight', 'Requests in flight.'),
    collect: () => {
      inFlight.set(getInFlight())
    },
  })
  if (getConnections !== undefined) {
    const connections = new Gauge({
      ...describe('store_connections', 'Connections to the database, and calls that wait for one.', ['state']),
      collect: () => {
        for (const [state, count] of Object.entries(getConnections())) connections.set({ state }, count)
      },
    })
  }

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
