/**
 * Connections to a PostgreSQL database.
 *
 * Of several servers, the store uses the primary, which is the server that accepts writes. When the primary is lost, all servers
 * are tried until one of them accepts writes: a standby may be about to be promoted. Statements that are not yet sent wait for
 * the new primary, up to their timeout.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { toError } from 'fastify-openapi-first/shared'
import { Client, type ClientBase, DatabaseError, Pool, type PoolClient, types } from 'pg'
import { StartupError } from '../../errors.ts'
import type { UpgradeOptions } from '../migrations.ts'
import { storeUnavailable, TIMEOUT_MS } from '../store.ts'
import {
  breaksConnection,
  COMPLETION_UNKNOWN,
  formatReason,
  getSqlState,
  isServerLost,
  isTransient,
  LOCK_NOT_AVAILABLE,
  READ_ONLY,
} from './errors.ts'
import type { Statement } from './statements.ts'
import * as statements from './statements.ts'
import { checkDatabase, migrate } from './tables.ts'
import { parseServers } from './url.ts'

// For every client of pg in this process, an int64 becomes a bigint; by default, it is a text.
types.setTypeParser(types.builtins.INT8, BigInt)

/** The timeout of a step, in milliseconds. A call may wait for two batches, and each batch waits twice: four steps. */
const STEP_TIMEOUT_MS = TIMEOUT_MS / 4

/** The default `application_name`, which the server shows in `pg_stat_activity`. */
const APPLICATION_NAME = 'animal-store'

/** The pause before the next try to connect to a server, in milliseconds. */
const RETRY_MS = 50

/**
 * The pause before the first try to connect to the server that was lost, in milliseconds. An old primary may still accept
 * writes after a standby was promoted; the pause lets the new primary be found first.
 */
const LOST_SERVER_RETRY_MS = 4 * RETRY_MS

/**
 * Runs a statement, and returns its rows. The caller knows which rows the SQL returns. Rejects as the functions of a `Store`
 * do.
 */
export type Query = <Row extends unknown[]>(statement: Statement, ...values: unknown[]) => Promise<Row[]>

/**
 * Connects to the database at a URL, and creates or upgrades its tables. A call of the store fails after
 * `TIMEOUT_MS`, and after 1.5 × `TIMEOUT_MS` if it begins its last try late. Rejects with a StartupError.
 */
export async function connect(url: string, upgrade: UpgradeOptions = {}) {
  await withClient(url, async (client) => {
    await migrate(client, upgrade)
    await checkStatements(client)
  })
  const { servers, needsPrimary } = parseServers(url)
  /** Ends the search for the primary when the store is closed. */
  const closing = new AbortController()
  /** Connections that have failed. */
  const brokenClients = new WeakSet<ClientBase>()
  /** Why the last try to connect failed. */
  let connectError: unknown
  /** The pool of the server that is used; undefined during the search for the primary. */
  let currentPool = needsPrimary ? undefined : createPool(url)
  /** Resolves with the pool of the primary. */
  let primarySearch = needsPrimary ? findPrimary() : undefined

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
    /** Aborted when a try has found the primary, so that the other tries end. */
    const searchController = new AbortController()
    const signal = AbortSignal.any([searchController.signal, closing.signal])
    // Rejects when the signal is aborted, and so ends a try.
    const pause = (ms: number) => sleep(ms, undefined, { ref: false, signal })
    async function tryServer(server: string): Promise<Pool> {
      if (server === lostPool?.options.connectionString) await pause(LOST_SERVER_RETRY_MS)
      for (;;) {
        const pool = createPool(server)
        const client = await pool.connect().catch((error) => {
          connectError = error
        })
        // The pool keeps the connection for the first query.
        client?.release()
        if (client !== undefined && !searchController.signal.aborted) {
          searchController.abort()
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

  function markLost(pool: Pool): void {
    if (currentPool !== pool || closing.signal.aborted) return
    currentPool = undefined
    primarySearch = findPrimary(pool)
    // Statements that wait for a connection of this pool fail within this time, and then wait for the primary.
    setTimeout(() => void pool.end(), STEP_TIMEOUT_MS).unref()
  }

  /** Waits for the pool of the primary; undefined if none is found by a time of `performance.now`, or the store is closed. */
  async function waitForPrimary(deadline: number): Promise<Pool | undefined> {
    const timer = new AbortController()
    const timeout = sleep(Math.max(0, deadline - performance.now()), undefined, timer).catch(() => undefined)
    // Otherwise the timer keeps a command from ending.
    return Promise.race([primarySearch?.catch(() => undefined), timeout]).finally(() => timer.abort())
  }

  const query: Query = async <Row extends unknown[]>(statement: Statement, ...values: unknown[]) => {
    // No try begins after the two steps of a batch. A try that has begun may take as long again.
    const deadline = performance.now() + 2 * STEP_TIMEOUT_MS
    for (;;) {
      if (closing.signal.aborted) throw storeUnavailable('the store is closed')
      const pool = currentPool ?? (await waitForPrimary(deadline))
      if (pool === undefined || performance.now() > deadline) {
        throw storeUnavailable(new Error('no server accepts writes', { cause: connectError }))
      }
      let client: PoolClient | undefined
      try {
        // Not `pool.query`, which hides the client: `run` needs its notices.
        client = await pool.connect()
        const rows = await run<Row>(client, statement, values)
        client.release()
        return rows
      } catch (error) {
        const state = getSqlState(error, client === undefined || brokenClients.has(client))
        client?.release(breaksConnection(state))
        // Without a connection, any error is transient: an operator may mend it, such as a wrong password.
        const storeError = client === undefined || isTransient(state) ? storeUnavailable(error) : error
        // While all connections are in use, only the statements that use them can tell whether the server is lost.
        const isBusy = client === undefined && pool.totalCount >= pool.options.max
        if (!needsPrimary || isBusy || !isServerLost(state)) throw storeError
        markLost(pool)
        // Retry only if the statement certainly did not run: it was not sent, or the server is read-only.
        if (client !== undefined && state !== READ_ONLY) throw storeError
      }
    }
  }

  return {
    query,
    getCounts: () => {
      const { totalCount = 0, idleCount = 0, waitingCount = 0 } = currentPool ?? {}
      return { used: totalCount - idleCount, idle: idleCount, awaited: waitingCount }
    },
    close: async () => {
      closing.abort()
      await primarySearch?.catch(() => {})
      await currentPool?.end()
    },
  }
}

/**
 * Connects a client to the database at a URL. If the primary is needed, tries the servers in turn until `TIMEOUT_MS` is
 * over and each was tried once; otherwise rejects at the first error. Statements of the client have no timeout. The caller ends it.
 */
export async function openClient(url: string): Promise<Client> {
  const deadline = performance.now() + TIMEOUT_MS
  const { servers, needsPrimary } = parseServers(url)
  for (let attempt = 0; ; attempt++) {
    const client = new Client({
      connectionString: servers[attempt % servers.length],
      fallback_application_name: APPLICATION_NAME,
      connectionTimeoutMillis: TIMEOUT_MS,
    })
    // Without a listener, Node throws the error of a connection that breaks. Its query rejects with the same error.
    client.on('error', () => {})
    try {
      await client.connect()
      await beginSession(client, needsPrimary, 0)
      return client
    } catch (error) {
      await client.end()
      const isLast = attempt + 1 >= servers.length && performance.now() > deadline
      if (!needsPrimary || isLast) throw error
      await sleep(RETRY_MS)
    }
  }
}

/**
 * Runs a statement on a connection. Also rejects if the wait for a synchronous standby was cancelled, of which PostgreSQL only
 * warns: the commit may be lost with this server.
 */
export async function run<Row extends unknown[]>(client: ClientBase, statement: Statement, values: unknown[]) {
  let isConfirmed = true
  // Only the name of the routine identifies this warning: others have its code, 01000, and its text may be translated.
  const onNotice = (notice: { readonly routine: string | undefined }) => {
    if (notice.routine === 'SyncRepWaitForLSN') isConfirmed = false
  }
  client.on('notice', onNotice)
  const { rows } = await client
    .query<Row>({ ...statement, values, rowMode: 'array' })
    .finally(() => client.off('notice', onNotice))
  if (isConfirmed) return rows
  // An error as the server would report it; the 0 stands for the length of the server's message.
  const error = new DatabaseError('the wait for a synchronous standby was cancelled', 0, 'error')
  throw Object.assign(error, { code: COMPLETION_UNKNOWN })
}

/**
 * Configures a new session; `statementTimeoutMs` is 0 for no timeout. Rejects if the primary is needed and the server is
 * read-only. The settings are made by a query because PgBouncer rejects them in the message that starts a session.
 */
async function beginSession(client: ClientBase, needsPrimary: boolean, statementTimeoutMs: number): Promise<void> {
  const { rows } = await client.query(statements.configureSession, [statementTimeoutMs])
  if (needsPrimary && rows[0].is_read_only) throw new Error('the server accepts no writes')
}

/** The wait of a start for a table that another connection has locked, in milliseconds. */
const LOCK_TIMEOUT_MS = 500

/**
 * Checks the database at a URL as `connect` does, and changes nothing. Returns false if it lacks the tables. Rejects with a
 * StartupError.
 */
export async function check(url: string): Promise<boolean> {
  return withClient(url, async (client) => {
    const { steps, version } = await checkDatabase(client)
    // The start upgrades older tables before it uses the statements.
    if (steps.length === 0) await checkStatements(client)
    return version > 0
  })
}

/**
 * Creates the server parse every statement, without running it. Rejects if a statement names what the tables lack. A start must not
 * wait for a table that another connection has locked: the statements are then not checked.
 */
async function checkStatements(client: Client): Promise<void> {
  const prepare = Object.values(statements).flatMap((sql) =>
    typeof sql === 'object' ? [`PREPARE "${sql.name}" AS ${sql.text}`] : [],
  )
  try {
    await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}; ${prepare.join(';')}`)
  } catch (error) {
    if (toError(error).code !== LOCK_NOT_AVAILABLE) throw error
  }
}

/** True if the database at a URL has the tables of the store, of any version. Rejects with a StartupError as `check` does. */
export async function hasTables(url: string): Promise<boolean> {
  const { version } = await withClient(url, (client) => checkDatabase(client))
  return version > 0
}

/**
 * Runs `work` on a client, and closes the client. Its statements have no timeout, because an upgrade may take long. A second
 * client shows whether there is a pooler before the server. Rejects with a StartupError.
 */
async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const clients: Client[] = []
  const open = async () => {
    const client = await openClient(url)
    clients.push(client)
    return client
  }
  try {
    for (const name of parseServers(url).ignoredParameters) {
      process.emitWarning(`the parameter ${name} of the store URL has no effect`)
    }
    const client = await open()
    await checkPooling(client, await open())
    return await work(client)
  } catch (error) {
    throw new StartupError(`cannot open the store: ${formatReason(error)}`)
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

/**
 * Rejects with a StartupError unless each client keeps its session. A pooler of transactions gives a client another session for
 * each transaction, which has the settings and prepared statements of other clients.
 */
async function checkPooling(first: Client, second: Client): Promise<void> {
  const sessions: number[] = []
  // In this order because a pooler that gives two sessions in turn passes the order first, second, first.
  for (const client of [first, second, second, first]) {
    sessions.push((await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid)
  }
  const [firstSession, secondSession, secondAgain, firstAgain] = sessions
  if (firstSession !== secondSession && firstSession === firstAgain && secondSession === secondAgain) return
  throw new StartupError('a pooler gives each transaction another session; use PgBouncer with pool_mode = session')
}
