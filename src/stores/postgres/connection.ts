/**
 * The connection of a store to its PostgreSQL database: runs statements, again after the loss of a server, and checks the database
 * at start.
 */
import { toError } from 'fastify-openapi-first/shared'
import type { Client, PoolClient } from 'pg'
import { StartupError } from '../../errors.ts'
import type { UpgradeOptions } from '../migrations.ts'
import { storeUnavailable } from '../store.ts'
import { openClient, run } from './client.ts'
import {
  breaksConnection,
  formatReason,
  getSqlState,
  isServerLost,
  isTransient,
  LOCK_NOT_AVAILABLE,
  READ_ONLY,
} from './errors.ts'
import { createPools, type Pools, STEP_TIMEOUT_MS } from './pools.ts'
import type { Statement } from './statements.ts'
import * as sql from './statements.ts'
import { checkDatabase, migrate } from './tables.ts'

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
  const pools = createPools(url)
  return {
    query: createQuery(pools),
    getCounts: () => {
      const { totalCount = 0, idleCount = 0, waitingCount = 0 } = pools.current ?? {}
      return { used: totalCount - idleCount, idle: idleCount, awaited: waitingCount }
    },
    close: pools.close,
  }
}

/**
 * Creates the function that runs statements. After an error,
 *
 * | the server                   | the statement                    | what is done                                |
 * |------------------------------|----------------------------------|---------------------------------------------|
 * | cannot be reached            | was not sent                     | search for the primary; run it there        |
 * | accepts no writes            | was rejected by it               | the same                                    |
 * | is lost                      | was sent, and may have run       | search for the primary; the call gets a 503 |
 * | is the only one, or may work | was not sent, or transient error | the call gets a 503                         |
 * | works                        | is wrong                         | the call gets the error                     |
 */
function createQuery(pools: Pools): Query {
  return async <Row extends unknown[]>(statement: Statement, ...values: unknown[]) => {
    // No try begins after the two steps of a batch. A try that has begun may take as long again.
    const deadline = performance.now() + 2 * STEP_TIMEOUT_MS
    for (;;) {
      if (pools.isClosed()) throw storeUnavailable('the store is closed')
      const pool = pools.current ?? (await pools.waitForPrimary(deadline))
      if (pool === undefined || performance.now() > deadline) {
        throw storeUnavailable(new Error('no server accepts writes', { cause: pools.getConnectError() }))
      }
      let client: PoolClient | undefined
      try {
        // Not `pool.query`, which hides the client: `run` needs its notices.
        client = await pool.connect()
        const rows = await run<Row>(client, statement, values)
        client.release()
        return rows
      } catch (error) {
        const isSent = client !== undefined
        const state = getSqlState(error, client === undefined || pools.isBroken(client))
        client?.release(breaksConnection(state))
        // Before a statement is sent, any error is transient: an operator may mend it, such as a wrong password.
        const callError = !isSent || isTransient(state) ? storeUnavailable(error) : error
        // All connections are in use, and none became free in time: only their statements can tell whether the server is lost.
        const isPoolFull = !isSent && pool.totalCount >= pool.options.max
        const isLost = isServerLost(state) && !isPoolFull
        if (!pools.canMove || !isLost) throw callError
        pools.markLost(pool)
        const certainlyDidNotRun = !isSent || state === READ_ONLY
        if (!certainlyDidNotRun) throw callError
      }
    }
  }
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
 * Has the server parse every statement, without running it. Rejects if a statement names what the tables lack. A start must not
 * wait for a table that another connection has locked: the statements are then not checked.
 */
async function checkStatements(client: Client): Promise<void> {
  const prepare = Object.values(sql).flatMap((statement) =>
    typeof statement === 'object' ? [`PREPARE "${statement.name}" AS ${statement.text}`] : [],
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
async function checkPooling(firstClient: Client, secondClient: Client): Promise<void> {
  const sessions: number[] = []
  // In this order because a pooler that gives two sessions in turn passes the order first, second, first.
  for (const client of [firstClient, secondClient, secondClient, firstClient]) {
    sessions.push((await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid)
  }
  const [firstSession, secondSession, secondAgain, firstAgain] = sessions
  if (firstSession !== secondSession && firstSession === firstAgain && secondSession === secondAgain) return
  throw new StartupError('a pooler gives each transaction another session; use PgBouncer with pool_mode = session')
}
