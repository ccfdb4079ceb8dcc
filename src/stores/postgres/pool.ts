/**
 * The connections of the service to a PostgreSQL database. It uses the one server of several that accepts writes, and finds
 * another one when that is lost. Meanwhile callers wait: a standby may be about to be promoted.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool, type PoolClient } from 'pg'
import { type ConnectionCounts, storeUnavailable } from '../store.ts'
import {
  beginSession,
  exactTypes,
  isLost,
  isReadOnlyError,
  parseServers,
  prepareDatabase,
  type Query,
  run,
  toStoreError,
} from './connection.ts'
import type { Statement } from './statements.ts'
import { migrate } from './tables.ts'

/** The connections of a store. `query` rejects as the functions of a `Store` do. */
export interface Connections {
  readonly query: Query
  getCounts(): ConnectionCounts
  close(): Promise<void>
}

/**
 * Connects to the database at a URL, and creates or upgrades its tables. `timeoutMs` is how long a caller may wait for
 * the server. Rejects with a StartupError.
 */
export async function connect(url: string, timeoutMs: number): Promise<Connections> {
  await prepareDatabase(url, timeoutMs, migrate)
  const { servers, mustWrite } = parseServers(url)
  // An addition may wait for the one before it, and each of the two for a connection and for a response.
  const stepTimeoutMs = Math.ceil(timeoutMs / 4)

  function createPool(server: string): Pool {
    const pool = new Pool({
      connectionString: server,
      fallback_application_name: 'animal-store',
      connectionTimeoutMillis: stepTimeoutMs,
      // The server cancels a statement that takes too long; if the server hangs, the client gives up by itself.
      statement_timeout: stepTimeoutMs,
      query_timeout: stepTimeoutMs,
      // A server that does not close its connections does not keep the process alive.
      allowExitOnIdle: true,
      types: exactTypes,
      onConnect: (client) => beginSession(client, mustWrite),
    })
    // The pool replaces an idle connection that breaks. The query that is running gets the error, too.
    pool.on('error', () => {}).on('connect', (client) => void client.on('error', () => {}))
    return pool
  }

  return createConnections(createPool, servers, mustWrite ? undefined : createPool(url), stepTimeoutMs)
}

/** The pause before a server is asked again, in milliseconds. */
const RETRY_MS = 50

/**
 * The pause before the server that was lost is asked again, in milliseconds. It may accept writes that no standby confirms,
 * while another one has been promoted, which must be found first.
 */
const LOST_MS = 4 * RETRY_MS

/**
 * Makes connections to the server that accepts writes, or, if `only` is given, to that one, whatever it accepts. `open` makes
 * a pool whose connections are only to a server that accepts writes; `stepTimeoutMs` is how long it waits for a connection or
 * for a response.
 */
function createConnections(
  open: (server: string) => Pool,
  servers: readonly string[],
  only: Pool | undefined,
  stepTimeoutMs: number,
): Connections {
  const closed = new AbortController()
  let problem: unknown
  /** The server that accepts writes, as far as is known. */
  let current = only
  let finding = only === undefined ? find() : Promise.resolve(only)

  /** Asks all servers at once, each by itself: one that hangs delays none of the others. */
  function find(lost?: Pool): Promise<Pool> {
    const over = new AbortController()
    const signal = AbortSignal.any([over.signal, closed.signal])
    const rest = (ms: number) => sleep(ms, undefined, { ref: false, signal })
    async function search(server: string): Promise<Pool> {
      if (server === lost?.options.connectionString) await rest(LOST_MS)
      for (;;) {
        const pool = open(server)
        const client = await pool.connect().catch((error) => {
          problem = error
        })
        client?.release()
        if (client !== undefined && !over.signal.aborted) {
          over.abort()
          current = pool
          return pool
        }
        await pool.end()
        await rest(RETRY_MS)
      }
    }
    const found = Promise.any(servers.map(search))
    found.catch(() => {})
    return found
  }

  function lose(pool: Pool): void {
    if (current !== pool || closed.signal.aborted) return
    current = undefined
    finding = find(pool)
    // Calls that wait for one of its connections fail, and are tried on the next server.
    setTimeout(() => void pool.end(), stepTimeoutMs).unref()
  }

  return {
    query: async <Row extends unknown[]>(statement: Statement, ...values: unknown[]): Promise<Row[]> => {
      const deadline = performance.now() + 2 * stepTimeoutMs
      for (;;) {
        if (closed.signal.aborted) throw storeUnavailable('the store is closed')
        const pool = current ?? (await Promise.race([finding.catch(() => undefined), sleepUntil(deadline)]))
        if (pool === undefined) throw storeUnavailable(new Error('no server accepts writes', { cause: problem }))
        let client: PoolClient | undefined
        // Not by `pool.query`: `run` needs the notices of the connection.
        try {
          client = await pool.connect()
          const rows = await run<Row>(client, statement, values)
          client.release()
          return rows
        } catch (error) {
          client?.release(true)
          // A pool that has all its connections may just be busy.
          const isBusy = client === undefined && pool.totalCount >= pool.options.max
          if (only !== undefined || isBusy || !isLost(error)) throw toStoreError(error)
          lose(pool)
          // Tried again only if it certainly did not run.
          const isUndone = client === undefined || isReadOnlyError(error)
          if (!isUndone) throw toStoreError(error)
        }
      }
    },
    getCounts: () => (current === undefined ? { used: 0, idle: 0, awaited: 0 } : countConnections(current)),
    close: async () => {
      closed.abort()
      await finding.catch(() => {})
      await current?.end()
    },
  }
}

function sleepUntil(deadline: number): Promise<undefined> {
  return sleep(Math.max(0, deadline - performance.now()))
}

function countConnections({ totalCount, idleCount, waitingCount }: Pool): ConnectionCounts {
  return { used: totalCount - idleCount, idle: idleCount, awaited: waitingCount }
}
