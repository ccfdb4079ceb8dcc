/**
 * Connections to a PostgreSQL database, and its errors (https://www.postgresql.org/docs/current/errcodes-appendix.html). Of
 * several servers, the primary is used, which is the one that accepts writes. When it is lost, statements that were not sent
 * yet wait for the next one, up to their timeout: a standby may be about to be promoted.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientBase, type CustomTypesConfig, DatabaseError, Pool, type PoolClient, types } from 'pg'
import { StartupError, toError } from '../../errors.ts'
import { type ConnectionCounts, storeUnavailable } from '../store.ts'
import { configureSession, type Statement } from './statements.ts'
import { migrate } from './tables.ts'

/** Reads int64 as bigint, and everything else as pg does. */
const exactTypes: CustomTypesConfig = {
  getTypeParser: (type, format) => (type === types.builtins.INT8 ? BigInt : types.getTypeParser(type, format)),
}

/** The default `application_name`, which the server shows in `pg_stat_activity`. */
const NAME = 'animal-store'

/** Runs a statement and returns its rows. The caller knows which rows the SQL returns. */
export type Query = <Row extends unknown[]>(statement: Statement, ...values: unknown[]) => Promise<Row[]>

/** The connections of a store. `query` rejects as the functions of a `Store` do. */
export interface Connections {
  readonly query: Query
  getCounts(): ConnectionCounts
  close(): Promise<void>
}

/**
 * Connects to the database at a URL, and creates or upgrades its tables, which may take longer than `timeoutMs`: the longest
 * time, in milliseconds, that a call of the store may take afterwards. Rejects with a StartupError.
 */
export async function connect(url: string, timeoutMs: number): Promise<Connections> {
  await prepareDatabase(url, timeoutMs)
  const { servers, needsPrimary } = parseServers(url)
  // Four steps: a call may wait for the batch before its own, and each batch waits for a connection and then for a response.
  const stepTimeoutMs = Math.ceil(timeoutMs / 4)

  function createPool(server: string): Pool {
    const pool = new Pool({
      connectionString: server,
      fallback_application_name: NAME,
      connectionTimeoutMillis: stepTimeoutMs,
      // Ends the wait for a server that hangs.
      query_timeout: stepTimeoutMs,
      // Idle connections do not keep the process alive.
      allowExitOnIdle: true,
      types: exactTypes,
      // A server that works cancels a slow statement before `query_timeout`, so that it is not taken for one that hangs.
      onConnect: (client) => beginSession(client, needsPrimary, Math.ceil(stepTimeoutMs * 0.8)),
    })
    // Without listeners, Node would throw these errors. The pool replaces a connection that breaks, and its query rejects.
    pool.on('error', () => {}).on('connect', (client) => void client.on('error', () => {}))
    return pool
  }

  // If the one server may be a standby, there is nothing to search for.
  return createConnections(createPool, servers, needsPrimary ? undefined : createPool(url), stepTimeoutMs)
}

/** The pause before the next try to connect to a server, in milliseconds. */
const RETRY_MS = 50

/**
 * The pause before the first try to connect to the server that was lost, in milliseconds. An old primary may still accept
 * writes after a standby was promoted; the pause lets the new primary be found first.
 */
const LOST_SERVER_RETRY_MS = 4 * RETRY_MS

/**
 * Runs queries on the primary among `servers`, or on `fixedPool` if there is one. `createPool` makes a pool for a server; of a
 * server that accepts no writes, its connections fail. `stepTimeoutMs` is the longest time that a connection, or the response
 * to a statement, may take.
 */
function createConnections(
  createPool: (server: string) => Pool,
  servers: readonly string[],
  fixedPool: Pool | undefined,
  stepTimeoutMs: number,
): Connections {
  const closed = new AbortController()
  /** Why the last try to connect failed. */
  let connectError: unknown
  /** The pool of the primary; undefined during the search for one. */
  let current = fixedPool
  let search = fixedPool === undefined ? findPrimary() : Promise.resolve(fixedPool)

  /** Tries to connect to all servers at once, again and again: a server that hangs does not delay the others. */
  function findPrimary(lost?: Pool): Promise<Pool> {
    const found = new AbortController()
    const signal = AbortSignal.any([found.signal, closed.signal])
    // Rejects, and so ends the tries, when a server has been found or the store is closed.
    const pause = (ms: number) => sleep(ms, undefined, { ref: false, signal })
    async function tryServer(server: string): Promise<Pool> {
      if (server === lost?.options.connectionString) await pause(LOST_SERVER_RETRY_MS)
      for (;;) {
        const pool = createPool(server)
        const client = await pool.connect().catch((error) => {
          connectError = error
        })
        // The pool keeps the connection for the first query.
        client?.release()
        if (client !== undefined && !found.signal.aborted) {
          found.abort()
          current = pool
          return pool
        }
        await pool.end()
        await pause(RETRY_MS)
      }
    }
    const primary = Promise.any(servers.map(tryServer))
    // Handled by the calls that wait. If there are none, the rejection must not end the process.
    primary.catch(() => {})
    return primary
  }

  function markLost(pool: Pool): void {
    if (current !== pool || closed.signal.aborted) return
    current = undefined
    search = findPrimary(pool)
    // By then, the calls that wait for one of its connections have failed, and wait for the next primary.
    setTimeout(() => void pool.end(), stepTimeoutMs).unref()
  }

  /** Waits for the pool of the primary; undefined if the store is closed, or none is found by a time of `performance.now`. */
  async function waitForPool(deadline: number): Promise<Pool | undefined> {
    const late = sleep(Math.max(0, deadline - performance.now()), undefined)
    return Promise.race([search.catch(() => undefined), late])
  }

  return {
    query: async <Row extends unknown[]>(statement: Statement, ...values: unknown[]): Promise<Row[]> => {
      // The two steps of a batch. A try that has begun by then may end later.
      const deadline = performance.now() + 2 * stepTimeoutMs
      for (;;) {
        if (closed.signal.aborted) throw storeUnavailable('the store is closed')
        const isLate = performance.now() > deadline
        const pool = isLate ? undefined : (current ?? (await waitForPool(deadline)))
        if (pool === undefined) throw storeUnavailable(new Error('no server accepts writes', { cause: connectError }))
        let client: PoolClient | undefined
        try {
          // `pool.query` would hide the client, whose notices `run` needs.
          client = await pool.connect()
          const rows = await run<Row>(client, statement, values)
          client.release()
          return rows
        } catch (error) {
          client?.release(breaksConnection(error))
          // If all connections are in use, their own statements find out whether the server is lost.
          const isBusy = client === undefined && pool.totalCount >= pool.options.max
          if (fixedPool !== undefined || isBusy || !isLost(error)) throw toStoreError(error)
          markLost(pool)
          // Tried again only if it certainly did not run: it was not sent, or the server is read-only.
          if (client !== undefined && getSqlState(error) !== READ_ONLY) throw toStoreError(error)
        }
      }
    },
    getCounts: () => {
      const { totalCount = 0, idleCount = 0, waitingCount = 0 } = current ?? {}
      return { used: totalCount - idleCount, idle: idleCount, awaited: waitingCount }
    },
    close: async () => {
      closed.abort()
      await search.catch(() => {})
      await current?.end()
    },
  }
}

/**
 * Connects a client to the database at a URL. If the primary is needed, the servers are tried in turn until `timeoutMs` is
 * over and each was tried once; otherwise it rejects at the first error. The statements of the client have no timeout. The
 * caller ends it.
 */
export async function openClient(url: string, timeoutMs: number): Promise<Client> {
  const deadline = performance.now() + timeoutMs
  const { servers, needsPrimary } = parseServers(url)
  for (let attempt = 0; ; attempt++) {
    const server = servers[attempt % servers.length]
    const client = new Client({
      connectionString: server,
      fallback_application_name: NAME,
      connectionTimeoutMillis: timeoutMs,
      types: exactTypes,
    })
    // Without a listener, Node would throw the error; a query that is running rejects.
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
 * Runs a statement on a connection. Rejects if the wait for a synchronous standby to confirm the commit was cancelled: the
 * commit may be lost with this server, and PostgreSQL only warns.
 */
export async function run<Row extends unknown[]>(client: ClientBase, statement: Statement, values: unknown[]) {
  let isConfirmed = true
  // Known by the name of its routine: other warnings have the same code (01000), and the text is in the server's language.
  const onNotice = (notice: { readonly routine: string | undefined }) => {
    if (notice.routine === 'SyncRepWaitForLSN') isConfirmed = false
  }
  client.on('notice', onNotice)
  const { rows } = await client
    .query<Row>({ ...statement, values, rowMode: 'array' })
    .finally(() => client.off('notice', onNotice))
  if (isConfirmed) return rows
  const error = new DatabaseError('the wait for a synchronous standby was cancelled', 0, 'error')
  throw Object.assign(error, { code: COMPLETION_UNKNOWN })
}

/**
 * Configures a session by a query, because PgBouncer rejects settings in the message that starts one. `statementTimeoutMs` is
 * in milliseconds, 0 for none. Rejects if `needsPrimary` is true and the server is read-only.
 */
async function beginSession(client: ClientBase, needsPrimary: boolean, statementTimeoutMs: number): Promise<void> {
  const { rows } = await client.query(configureSession, [statementTimeoutMs])
  if (needsPrimary && rows[0].is_read_only) throw new Error('the server accepts no writes')
}

/**
 * Creates or upgrades the tables of the database at a URL, once a second client has shown that no pooler shares sessions.
 * Rejects with a StartupError.
 */
async function prepareDatabase(url: string, timeoutMs: number): Promise<void> {
  const clients: Client[] = []
  const open = async () => {
    const client = await openClient(url, timeoutMs)
    clients.push(client)
    return client
  }
  try {
    const client = await open()
    await checkPooling(client, await open())
    await migrate(client)
  } catch (error) {
    throw new StartupError(`cannot open the store: ${formatReason(error)}`)
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

/**
 * Rejects with a StartupError unless each client keeps its own session of the server. With transaction pooling, settings and
 * prepared statements would be lost, or mixed up between clients.
 */
async function checkPooling(client: Client, second: Client): Promise<void> {
  const getSession = async (of: Client) => (await of.query('SELECT pg_backend_pid() AS pid')).rows[0].pid
  const sessions = [await getSession(client), await getSession(second), await getSession(client)]
  if (sessions[0] === sessions[2] && sessions[0] !== sessions[1]) return
  throw new StartupError('a pooler gives each transaction another session; use PgBouncer with pool_mode = session')
}

/** Says why a store cannot be opened. The URL is not shown, because it may contain a password. */
function formatReason(error: unknown): string {
  const { code = '', message, path, syscall } = toError(error)
  if (error instanceof StartupError) return message
  if (error instanceof DatabaseError) return `${message}; check the URL and the permissions of its user`
  // The file of sslrootcert, sslcert or sslkey.
  if (syscall === 'open') return `${path} cannot be read (${code}); correct the URL`
  // https://nodejs.org/api/tls.html#x509-certificate-error-codes
  if (/SELF_SIGNED|ISSUER|UNABLE_TO_VERIFY/.test(code)) {
    return `${code}; set sslrootcert=FILE to the certificate of its authority`
  }
  return `${code || message}; check the URL, and that PostgreSQL can be reached there`
}

/**
 * Finds a parameter that would replace a setting of this module, or one of TLS that pg does not have and so ignores: with a
 * misspelt `sslmode`, the connection would not be encrypted.
 */
const UNSUPPORTED = /[?&](binary|query_timeout|replication|ssl(?!(mode|cert|key|rootcert|negotiation)?=)\w*)=/

/**
 * Reads the servers that a URL names, as libpq does
 * (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS), except that several servers always mean
 * `target_session_attrs=read-write`: the service has no use for a standby.
 */
export function parseServers(url: string) {
  const sessionAttrs = /[?&]target_session_attrs=([^&#]*)/.exec(url)?.[1] ?? 'any'
  if (!['any', 'primary', 'read-write'].includes(sessionAttrs)) {
    throw new StartupError(`target_session_attrs=${sessionAttrs} is not supported; use read-write`)
  }
  const [, unsupported] = UNSUPPORTED.exec(url) ?? []
  if (unsupported !== undefined) throw new StartupError(`the parameter ${unsupported} is not supported; remove it`)
  // Before the hosts are the scheme, the user and the password. What is no URL is left for pg to report.
  const [, start = '', hosts = '', rest = ''] = /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [url, url]
  const servers = hosts.split(',').map((host) => start + host + rest)
  return {
    /** A URL for each server. */
    servers,
    /** True if only a server that accepts writes is to be used. */
    needsPrimary: servers.length > 1 || sessionAttrs !== 'any',
  }
}

const READ_ONLY = '25006'
/** statement_completion_unknown: the commit may be lost. */
const COMPLETION_UNKNOWN = '40003'

/** Turns a transient error into a 503; returns any other as it is. */
export function toStoreError(error: unknown): unknown {
  // Connection (08), read-only transaction (25006), credentials (28) and database name (3D), which an operator may be changing,
  // rollback (40), resources (53), lock (55P03), operator intervention or timeout (57), system (58).
  return /^(08|25006|28|3D|40|53|55P03|57|58)/.test(getSqlState(error)) ? storeUnavailable(error) : error
}

/** True if the server has gone (57P01 to 57P03: it stops, has crashed, or starts), or has become read-only. */
function isLost(error: unknown): boolean {
  return /^(08|25006|57P0[1-3])/.test(getSqlState(error))
}

/**
 * True if the connection cannot be used again: it has ended (57P0), its prepared statements no longer fit (0A000: a table has
 * changed; 26000: they are gone), or the server or pg has failed (XX).
 */
function breaksConnection(error: unknown): boolean {
  return isLost(error) || /^(0A|26|57P0|XX)/.test(getSqlState(error))
}

/** The SQLSTATE of an error; XX000 for a failure within pg; 08000 for any other, as of a socket or a timeout. */
function getSqlState(error: unknown): string {
  if (error instanceof DatabaseError) return String(error.code)
  return error instanceof TypeError ? 'XX000' : '08000'
}
