/**
 * The pool of connections to the PostgreSQL server in use.
 *
 * Of several servers, the store uses the primary, which is the server that accepts writes. When the primary is lost, all servers
 * are tried until one of them accepts writes: a standby may be about to be promoted. A single server is used whatever happens.
 *
 *     start ──► search ──► in use: `current` ──► lost (`markLost`) ──► search …
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientBase, Pool } from 'pg'
import { TIMEOUT_MS } from '../store.ts'
import { APPLICATION_NAME, beginSession, RETRY_MS } from './client.ts'
import { parseServers } from './url.ts'

/**
 * The timeout of a step, in milliseconds. A call may wait for two batches, the one that runs and its own. Each batch has two steps:
 * it waits for a connection, or for the primary, and then for its statement. So a call takes at most `TIMEOUT_MS`.
 */
export const STEP_TIMEOUT_MS = TIMEOUT_MS / 4

/**
 * The pause before the first try to connect to the server that was lost, in milliseconds. An old primary may still accept
 * writes after a standby was promoted; the pause lets the new primary be found first.
 */
const LOST_SERVER_RETRY_MS = 4 * RETRY_MS

export type Pools = ReturnType<typeof createPools>

/** Creates the pool of the server that a URL names, or of the primary among its servers. */
export function createPools(url: string) {
  const { servers, needsPrimary } = parseServers(url)
  /** Ends a search when the store is closed. */
  const closing = new AbortController()
  /** Connections that have failed. */
  const brokenClients = new WeakSet<ClientBase>()
  /** Why the last try to connect failed. */
  let connectError: unknown
  /** The pool of the server in use; undefined during a search. */
  let currentPool = needsPrimary ? undefined : createPool(url)
  /** Resolves with the pool of the primary. Rejects when the store is closed. */
  let search = needsPrimary ? findPrimary() : undefined

  /** Creates a pool for a server. If the primary is needed, the pool cannot connect to a server that accepts no writes. */
  function createPool(server: string): Pool {
    const pool = new Pool({
      connectionString: server,
      fallback_application_name: APPLICATION_NAME,
      connectionTimeoutMillis: STEP_TIMEOUT_MS,
      // Ends the wait for a server that hangs.
      query_timeout: STEP_TIMEOUT_MS,
      // Idle connections do not keep the process alive.
      allowExitOnIdle: true,
      onConnect: (client) => {
        // Added before the session begins: the server may end the connection at any time from now on.
        client.on('error', () => brokenClients.add(client))
        // A server that works cancels a slow statement before `query_timeout`, so that it is not mistaken for one that hangs.
        return beginSession(client, needsPrimary, STEP_TIMEOUT_MS * 0.8)
      },
    })
    // Without a listener, Node would throw the error. The pool replaces a connection that breaks, and its query rejects.
    return pool.on('error', () => {})
  }

  /** Tries to connect to all servers at once, again and again: a server that hangs does not delay the others. */
  function findPrimary(lostPool?: Pool): Promise<Pool> {
    /** Aborted when the primary is found, so that the tries of the other servers end. */
    const primaryFound = new AbortController()
    const signal = AbortSignal.any([primaryFound.signal, closing.signal])
    /** Rejects when the search is over. */
    const pause = (ms: number) => sleep(ms, undefined, { ref: false, signal })

    async function tryServer(server: string): Promise<Pool> {
      if (server === lostPool?.options.connectionString) await pause(LOST_SERVER_RETRY_MS)
      for (;;) {
        const pool = createPool(server)
        const isConnected = await tryPool(pool)
        // Of two servers that accept writes, the first one is used.
        if (isConnected && !primaryFound.signal.aborted) {
          primaryFound.abort()
          currentPool = pool
          return pool
        }
        await pool.end()
        await pause(RETRY_MS)
      }
    }

    const primary = Promise.any(servers.map(tryServer))
    // The statements that wait for the primary handle the rejection. Without a waiting statement, it would end the process.
    primary.catch(() => {})
    return primary
  }

  /** Returns true if a pool can connect. The pool keeps the connection for the first statement. */
  async function tryPool(pool: Pool): Promise<boolean> {
    try {
      const client = await pool.connect()
      client.release()
      return true
    } catch (error) {
      connectError = error
      return false
    }
  }

  return {
    /** The pool of the server in use; undefined during a search. */
    get current(): Pool | undefined {
      return currentPool
    },
    /** True if another server can be used when this one is lost. */
    canMove: needsPrimary,
    isClosed: () => closing.signal.aborted,
    /** True if a connection has failed. */
    isBroken: (client: ClientBase) => brokenClients.has(client),
    getConnectError: () => connectError,

    /** Begins the search for another primary, unless it has begun. Statements that are not yet sent wait for it. */
    markLost(pool: Pool): void {
      if (currentPool !== pool || closing.signal.aborted) return
      currentPool = undefined
      search = findPrimary(pool)
      // Statements that wait for a connection of this pool fail within this time, and then wait for the primary.
      setTimeout(() => void pool.end(), STEP_TIMEOUT_MS).unref()
    },

    /** Waits for the pool of the primary; undefined if none is found by a time of `performance.now`, or the store is closed. */
    async waitForPrimary(deadline: number): Promise<Pool | undefined> {
      // Otherwise the timer keeps a command from ending.
      const timer = new AbortController()
      const timeout = sleep(Math.max(0, deadline - performance.now()), undefined, timer).catch(() => undefined)
      const primary = search?.catch(() => undefined)
      return Promise.race([primary, timeout]).finally(() => timer.abort())
    },

    async close(): Promise<void> {
      closing.abort()
      await search?.catch(() => {})
      await currentPool?.end()
    },
  }
}
