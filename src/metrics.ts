/**
 * Metrics for Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats). This file is loaded only if they are
 * wanted. What happens is counted in plain numbers, and prom-client formats them when it is asked: to count with prom-client
 * itself takes longer than a microsecond per request.
 */
import type { Channel, ChannelListener } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client'
import { StartupError } from './errors.ts'
import { commits, refusals, requests } from './events.ts'
import type { RequestLine } from './logger.ts'
import type { Store } from './stores/store.ts'

export interface Metrics {
  /** Returns the store with its calls measured. */
  measureStore(store: Store): Store
  /** Adds a number that is asked for when the metrics are; a counter never decreases. */
  addNumber(type: 'gauge' | 'counter', name: string, help: string, get: () => number): void
  /** Serves `/metrics` and resolves with its URL. Rejects with a StartupError. */
  listen(host: string, port: number): Promise<string>
  close(): void
}

const PREFIX = 'animal_store_'

/** In seconds. The shortest is what a read of SQLite takes, the longest the time-out of a request. */
const DURATIONS = [1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

/** The label values of a number, separated by spaces. */
type Key = string

interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
  /** The name of the metric, with a suffix. */
  readonly metricName?: string
}

export function createMetrics(): Metrics {
  const register = new Registry()
  collectDefaultMetrics({ register })
  // Gauges with the name of a counter.
  for (const what of ['handles', 'requests', 'resources']) register.removeSingleMetric(`nodejs_active_${what}_total`)
  const subscriptions: [Channel, ChannelListener][] = []

  /** Adds a metric. prom-client needs nothing else of one than `get`, although its types say so. */
  function add(name: string, help: string, type: string, getSamples: (name: string) => Sample[]): void {
    const fullName = PREFIX + name
    const get = async () => ({ name: fullName, help, type, values: getSamples(fullName) })
    register.registerMetric({ name: fullName, get } as unknown as Metric)
  }

  /** Adds a counter, and returns the function that counts. */
  function addCounter(name: string, help: string, labelNames: readonly string[]): (key: Key) => void {
    // One without labels begins at 0.
    const counts = new Map<Key, number>(labelNames.length > 0 ? [] : [['', 0]])
    add(name, help, 'counter', () => [...counts].map(([key, value]) => ({ labels: toLabels(labelNames, key), value })))
    return (key) => counts.set(key, (counts.get(key) ?? 0) + 1)
  }

  /** Adds a histogram, and returns the function that counts a value. */
  function addHistogram(name: string, help: string, labelNames: readonly string[], bounds: readonly number[]) {
    /** By key: how many values each bucket has, without those of the buckets below it, and their sum. */
    const series = new Map<Key, { readonly counts: number[]; sum: number }>()
    add(name, help, 'histogram', (fullName) =>
      [...series].flatMap(([key, { counts, sum }]) => {
        const labels = toLabels(labelNames, key)
        let count = 0
        const buckets = counts.map((each, index) => {
          count += each
          const le = String(bounds[index] ?? '+Inf')
          return { labels: { le, ...labels }, value: count, metricName: `${fullName}_bucket` }
        })
        return [
          ...buckets,
          { labels, value: sum, metricName: `${fullName}_sum` },
          { labels, value: count, metricName: `${fullName}_count` },
        ]
      }),
    )
    return (key: Key, value: number): void => {
      let one = series.get(key)
      if (one === undefined) {
        one = { counts: [...bounds, 0].fill(0), sum: 0 }
        series.set(key, one)
      }
      let bucket = 0
      // The last bucket has no bound.
      while (value > (bounds[bucket] as number)) bucket++
      one.counts[bucket] = (one.counts[bucket] as number) + 1
      one.sum += value
    }
  }

  function subscribe<Message>(channel: Channel, listener: (message: Message) => void): void {
    channel.subscribe(listener as ChannelListener)
    subscriptions.push([channel, listener as ChannelListener])
  }

  const countRequest = addHistogram(
    'request_duration_seconds',
    'How long requests took until their response was complete, by operation and status.',
    ['operation', 'status'],
    DURATIONS,
  )
  const countDeprecated = addCounter(
    'deprecated_requests_total',
    'Requests to deprecated operations, by operation and name of the API key.',
    ['operation', 'key'],
  )
  subscribe(requests, ({ operationId = 'none', statusCode, ms, isDeprecated, key = '' }: RequestLine) => {
    countRequest(`${operationId} ${statusCode}`, ms / 1000)
    if (isDeprecated) countDeprecated(`${operationId} ${key}`)
  })
  subscribe(refusals, addCounter('requests_refused_total', 'Requests that were refused, by error code.', ['code']))
  const countCommit = addHistogram('commit_batch_size', 'How many writes shared a commit.', [], SIZES)
  subscribe(commits, (size: number) => countCommit('', size))

  function measureStore(store: Store): Store {
    const countCall = addHistogram(
      'store_call_duration_seconds',
      'How long calls of the store took, by function.',
      ['call'],
      DURATIONS,
    )
    const countReplay = addCounter(
      'idempotent_replays_total',
      'Repeated additions that got the animal of the first one.',
      [],
    )
    function measure<Parameters extends unknown[], Result>(call: Key, run: (...given: Parameters) => Promise<Result>) {
      return async (...given: Parameters): Promise<Result> => {
        const startedAt = performance.now()
        try {
          return await run(...given)
        } finally {
          countCall(call, (performance.now() - startedAt) / 1000)
        }
      }
    }
    const { pets, getConnections } = store
    const addOnce = measure('addOnce', pets.addOnce)
    if (getConnections !== undefined) {
      add('store_connections', 'Connections to the database, and calls that wait for one.', 'gauge', () =>
        Object.entries(getConnections()).map(([state, value]) => ({ labels: { state }, value })),
      )
    }
    return {
      ...store,
      pets: {
        ...pets,
        add: measure('add', pets.add),
        addOnce: async (pet, request) => {
          const result = await addOnce(pet, request)
          if (result.outcome === 'replayed') countReplay('')
          return result
        },
        find: measure('find', pets.find),
        list: measure('list', pets.list),
      },
    }
  }

  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end('GET /metrics\n')
      return
    }
    void register.metrics().then((text) => response.writeHead(200, { 'Content-Type': register.contentType }).end(text))
  })

  async function listen(host: string, port: number): Promise<string> {
    try {
      await once(server.listen({ host, port }), 'listening')
    } catch (error) {
      throw new StartupError(`${(error as Error).message}; choose another METRICS_HOST or METRICS_PORT`)
    }
    const { port: actual } = server.address() as AddressInfo
    return `http://${host.includes(':') ? `[${host}]` : host}:${actual}/metrics`
  }

  function close(): void {
    for (const [channel, listener] of subscriptions) channel.unsubscribe(listener)
    server.close()
    server.closeAllConnections()
  }

  return {
    measureStore,
    addNumber: (type, name, help, get) => add(name, help, type, () => [{ labels: {}, value: get() }]),
    listen,
    close,
  }
}

function toLabels(names: readonly string[], key: Key): Record<string, string> {
  const values = key.split(' ')
  return Object.fromEntries(names.map((name, index) => [name, values[index] as string]))
}
