/**
 * Uses the one server of several that accepts writes, and finds another one when that is lost. Meanwhile callers wait: a
 * standby may be about to be promoted. Their URL is as libpq has it
 * (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { StartupError } from '../../errors.ts'
import { type ConnectionCounts, storeUnavailable } from '../store.ts'
import { isLost, isRefused, toStoreError } from './errors.ts'
import { run, type Statement } from './statements.ts'

export type Connections = ReturnType<typeof createFailover>

/** The pause before a server is asked again, in milliseconds. */
const RETRY_MS = 50

/**
 * The pause before the server that was lost is asked again, in milliseconds. It may accept writes that no standby confirms,
 * while another one has been promoted, which must be found first.
 */
const LOST_MS = 4 * RETRY_MS

/**
 * Makes connections to the server that accepts writes. `open` makes a pool whose connections are only to such a server;
 * `stepTimeoutMs` is how long it waits for a connection or for a response.
 */
export function createFailover(open: (server: string) => Pool, servers: readonly string[], stepTimeoutMs: number) {
  const closed = new AbortController()
  let problem: unknown
  /** The server that accepts writes, as far as is known. */
  let current: Pool | undefined
  let finding = find()

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
        const pool = current ?? (await withDeadline(finding, deadline))
        if (pool === undefined) throw storeUnavailable(new Error('no server accepts writes', { cause: problem }))
        let client: PoolClient | undefined
        try {
          client = await pool.connect()
          const rows = await run<Row>(client, statement, values)
          client.release()
          return rows
        } catch (error) {
          client?.release(true)
          // A pool that has all its connections may just be busy.
          const isBusy = client === undefined && pool.totalCount >= pool.options.max
          if (isBusy || !isLost(error)) throw toStoreError(error)
          lose(pool)
          // Otherwise the statement may have been run.
          const isUndone = client === undefined || isRefused(error)
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

export function countConnections({ totalCount, idleCount, waitingCount }: Pool): ConnectionCounts {
  return { used: totalCount - idleCount, idle: idleCount, awaited: waitingCount }
}

/** Resolves with undefined if the promise is not fulfilled in time. */
async function withDeadline<Value>(promise: Promise<Value>, deadline: number): Promise<Value | undefined> {
  const over = new AbortController()
  const waitMs = Math.max(0, deadline - performance.now())
  const timeout = sleep(waitMs, undefined, { signal: over.signal }).catch(() => undefined)
  try {
    return await Promise.race([promise.catch(() => undefined), timeout])
  } finally {
    over.abort()
  }
}

/**
 * Reads the servers that a URL names. Several are always asked which of them accepts writes: the service has no use for
 * others.
 */
export function parseServers(url: string) {
  const attributes = /[?&]target_session_attrs=([^&#]*)/.exec(url)?.[1] ?? 'any'
  if (!['any', 'primary', 'read-write'].includes(attributes)) {
    throw new StartupError(`target_session_attrs=${attributes} is not supported; use read-write`)
  }
  // The scheme, the user and the password; then hosts and ports, up to the path.
  const start = url.replace(/(?<=^[^/]*\/\/([^/?#]*@)?)[^/?#@]*([/?#].*)?$/s, '')
  const [hosts = ''] = url.slice(start.length).split(/[/?#]/)
  const rest = url.slice(start.length + hosts.length)
  const servers = hosts.split(',').flatMap((host) => splitQuery(start + host + rest))
  return {
    /** A URL for each server, in which it is the only one. */
    servers,
    /** True if only a server that accepts writes is to be used. */
    mustWrite: servers.length > 1 || attributes !== 'any',
  }
}

/** Splits a URL whose `host` and `port` name several servers; there may be one port for all of them. */
function splitQuery(url: string): string[] {
  const [, text] = /[?&]host=([^&#]*)/.exec(url) ?? []
  // Not every URL that the driver understands is one of the URL standard.
  const hosts = decodeURIComponent(text ?? '').split(',')
  if (hosts.length === 1) return [url]
  return hosts.map((host, index) => {
    const server = new URL(url)
    const { searchParams } = server
    const ports = searchParams.get('port')?.split(',')
    searchParams.set('host', host)
    if (ports !== undefined) searchParams.set('port', String(ports[index] ?? ports[0]))
    return server.href
  })
}
