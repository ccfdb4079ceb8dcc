/** The requests that the servers get: three workloads, sent by autocannon. */
import autocannon from 'autocannon'
import { key, readUsage, type Server } from './server.ts'

/** The number of connections, each with one request at a time. */
export const CONNECTIONS = 64

export const workloads = ['list', 'fetch', 'add'] as const

export type Workload = (typeof workloads)[number]

/** How much is measured. */
export interface Amount {
  /** The number of animals in the store. */
  readonly animals: number
  /** How often each workload is measured. */
  readonly rounds: number
  /** For how long. */
  readonly seconds: number
  /** The number of animals that `list` asks for; by default, it leaves that to the server. */
  readonly pageSize?: number
}

export type Load = Awaited<ReturnType<typeof sendLoad>>

/** Makes a request of a workload; `fetch` asks for a random animal. */
function createRequest(workload: Workload, { animals, pageSize }: Pick<Amount, 'animals' | 'pageSize'>) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const path = '/v1/pets'
  const query = pageSize === undefined ? '' : `?limit=${pageSize}`
  if (workload === 'list') return { method: 'GET', path: path + query, headers } as const
  if (workload === 'add') {
    return { method: 'POST', path, headers, body: JSON.stringify({ name: 'Rex', categoryId: 1 }) } as const
  }
  return { method: 'GET', path: `${path}/${1 + Math.floor(Math.random() * animals)}`, headers } as const
}

/** Sends a request of a workload; returns the body of the response. */
export async function sendOne({ origin }: Server, workload: Workload): Promise<string> {
  const { path, ...request } = createRequest(workload, { animals: 1 })
  const response = await fetch(origin + path, request)
  if (response.ok) return response.text()
  throw new Error(`${workload}: the service responds with ${response.status}`)
}

/**
 * Sends requests on all connections, each when the response to the one before is there. Resolves with the requests in a second,
 * and the processor time of the server for a request, in microseconds.
 */
export async function sendLoad(server: Server, workload: Workload, amount: Amount) {
  const cpuSeconds = readUsage(server.pid).cpuSeconds
  const start = performance.now()
  const {
    '2xx': succeeded,
    non2xx,
    errors,
  } = await autocannon({
    url: server.origin,
    connections: CONNECTIONS,
    duration: amount.seconds,
    sampleInt: 50,
    setupClient: (client) => client.setRequests(Array.from({ length: 100 }, () => createRequest(workload, amount))),
  })
  const failed = non2xx + errors
  if (failed > 0) throw new Error(`${workload}: ${failed} of ${succeeded + failed} requests failed`)
  return {
    requestsPerSecond: succeeded / ((performance.now() - start) / 1000),
    cpuMicros: ((readUsage(server.pid).cpuSeconds - cpuSeconds) / succeeded) * 1e6,
  }
}
