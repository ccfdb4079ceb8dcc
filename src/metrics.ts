/**
 * Metrics for Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats). Events are counted in plain numbers,
 * which prom-client formats when the metrics are requested: counting with prom-client itself takes more than a microsecond
 * per request.
 */
import { createServer } from 'node:http'
import Fastify from 'fastify'
import { collectDefaultMetrics, Gauge, type MetricValueWithName, Registry } from 'prom-client'
import { StartupError, toError } from './errors.ts'
import { refusals } from './http/errors.ts'
import { type RequestLine, requests } from './logger.ts'
import { commits } from './stores/batch.ts'
import type { Store } from './stores/store.ts'

const PREFIX = 'animal_store_'

/** In seconds. The shortest is what a read of SQLite takes, the longest the timeout of a request. */
const DURATIONS = [1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

export function createMetrics() {
  const register = new Registry()
  collectDefaultMetrics({ register })
  // Gauges with the name of a counter.
  for (const what of ['handles', 'requests', 'resources']) register.removeSingleMetric(`nodejs_active_${what}_total`)

  /** Adds a metric of any type. Of a metric, prom-client formats what `get` returns. */
  function add(
    type: string,
    name: string,
    help: string,
    getSamples: (name: string) => MetricValueWithName<string>[],
  ): void {
    const fullName = PREFIX + name
    const get = async () => ({ name: fullName, help, type, values: getSamples(fullName) })
    Object.assign(new Gauge({ name: fullName, help, registers: [register] }), { get })
  }

  /** Adds a number that is read whenever the metrics are requested; a counter never decreases. */
  function addNumber(type: 'gauge' | 'counter', name: string, help: string, get: () => number): void {
    add(type, name, help, () => [{ labels: {}, value: get() }])
  }

  /**
   * Adds a histogram or, without bounds, a counter. Returns the function that counts a value under a key: the values of the
   * labels, separated by spaces.
   */
  function addCounts(name: string, help: string, labelNames: readonly string[], bounds: readonly number[] = []) {
    /** By key: how many values each bucket has, without those of the buckets below it, and their sum. */
    const series = new Map<string, { readonly counts: number[]; sum: number }>()
    const isCounter = bounds.length === 0
    add(isCounter ? 'counter' : 'histogram', name, help, (fullName) =>
      [...series].flatMap(([key, { counts, sum }]) => {
        const values = key.split(' ')
        const labels = Object.fromEntries(labelNames.map((label, index) => [label, String(values[index])]))
        if (isCounter) return [{ labels, value: sum }]
        let count = 0
        const buckets = [...bounds, '+Inf'].map((bound, index) => {
          count += counts[index] ?? 0
          return { labels: { le: String(bound), ...labels }, value: count, metricName: `${fullName}_bucket` }
        })
        return [
          ...buckets,
          { labels, value: sum, metricName: `${fullName}_sum` },
          { labels, value: count, metricName: `${fullName}_count` },
        ]
      }),
    )
    function count(key: string, value = 1): void {
      let one = series.get(key)
      if (one === undefined) {
        one = { counts: [], sum: 0 }
        series.set(key, one)
      }
      // The last bucket has no bound.
      let bucket = 0
      while (bucket < bounds.length && value > Number(bounds[bucket])) bucket++
      one.counts[bucket] = (one.counts[bucket] ?? 0) + 1
      one.sum += value
    }
    // A counter without labels begins at 0.
    if (isCounter && labelNames.length === 0) count('', 0)
    return count
  }

  const countRequest = addCounts(
    'request_duration_seconds',
    'How long requests took until their response was complete, by operation and status.',
    ['operation', 'status'],
    DURATIONS,
  )
  const countDeprecated = addCounts(
    'deprecated_requests_total',
    'Requests to deprecated operations, by operation and name of the API key.',
    ['operation', 'key'],
  )
  requests.subscribe((line) => {
    const { operationId = 'none', statusCode, ms, isDeprecated, key = '' } = line as RequestLine
    countRequest(`${operationId} ${statusCode}`, ms / 1000)
    if (isDeprecated) countDeprecated(`${operationId} ${key}`)
  })
  const countRefusal = addCounts('requests_refused_total', 'Requests that were refused, by error code.', ['code'])
  refusals.subscribe((code) => countRefusal(String(code)))
  const countCommit = addCounts('commit_batch_size', 'How many writes shared a commit.', [], SIZES)
  commits.subscribe((size) => countCommit('', Number(size)))

  /** Returns the store with its calls measured. */
  function measureStore(store: Store): Store {
    const help = 'How long calls of the store took, by function.'
    const countCall = addCounts('store_call_duration_seconds', help, ['call'], DURATIONS)
    const countReplay = addCounts(
      'idempotent_replays_total',
      'Repeated additions that got the animal of the first one.',
      [],
    )
    function measure<Given extends unknown[], Result>(call: string, run: (...given: Given) => Promise<Result>) {
      return async (...given: Given): Promise<Result> => {
        const startedAt = performance.now()
        try {
          return await run(...given)
        } finally {
          countCall(call, (performance.now() - startedAt) / 1000)
        }
      }
    }
    const { pets, getConnections } = store
    if (getConnections !== undefined) {
      add('gauge', 'store_connections', 'Connections to the database, and calls that wait for one.', () =>
        Object.entries(getConnections()).map(([state, value]) => ({ labels: { state }, value })),
      )
    }
    return {
      ...store,
      pets: {
        ...pets,
        add: measure('add', pets.add),
        addOnce: measure('addOnce', async (pet, request) => {
          const result = await pets.addOnce(pet, request)
          if (result.outcome === 'replayed') countReplay('')
          return result
        }),
        find: measure('find', pets.find),
        list: measure('list', pets.list),
      },
    }
  }

  // With the timeouts of Node: those of Fastify are longer, and it has none for requests. No body is read.
  const server = Fastify({ serverFactory: (respond) => createServer(respond) })
  server.removeAllContentTypeParsers()
  server.get('/metrics', async (_request, reply) => reply.type(register.contentType).send(await register.metrics()))
  server.setNotFoundHandler((_request, reply) => reply.code(404).send('GET /metrics\n'))
  server.setErrorHandler((_error, _request, reply) => reply.code(500).send())

  /** Serves `/metrics` until the process ends, and resolves with its URL. Rejects with a StartupError. */
  async function listen(host: string, port: number): Promise<string> {
    try {
      return `${await server.listen({ host, port })}/metrics`
    } catch (error) {
      throw new StartupError(`${toError(error).message}; choose another METRICS_HOST or METRICS_PORT`)
    }
  }

  return { measureStore, addNumber, listen }
}
