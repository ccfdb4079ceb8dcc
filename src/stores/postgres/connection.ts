/**
 * Connections to a PostgreSQL database, and its errors (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 *
 * Of several servers, the store uses the primary, which is the server that accepts writes. When the primary is lost, all servers
 * are tried until one of them accepts writes: a standby may be about to be promoted. Statements that are not yet sent wait for
 * the new primary, up to their timeout.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientBase, DatabaseError, Pool, type PoolClient, types } from 'pg'
import { StartupError } from '../../errors.ts'
import { toError } from '../../openapi/shared/errors.ts'
import { migrationAdvice, storeUnavailable, TIMEOUT_MS, type UpgradeOptions } from '../store.ts'
import type { Statement } from './statements.ts'
import * as statements from './statements.ts'
import { checkDatabase, migrate } from './tables.ts'

// For every client of pg in this process, an int64 becomes a bigint; by default, it is a text.
types.setTypeParser(types.builtins.INT8, BigInt)

/**
 * The timeout of a step, in milliseconds. A call may wait for the batch before its own, and each batch waits for a connection and
 * then for a response: four steps.
 */
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
 * Connects to the database at a URL, and creates or upgrades its tables. A call of the store fails after `TIMEOUT_MS`; a last try
 * that has begun before may take half as long again. Rejects with a StartupError.
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

  /** Makes a pool for a server. If the primary is needed, the pool cannot connect to a server that accepts no writes. */
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
    /** Ends the other tries when one of them has found the primary. */
    const finding = new AbortController()
    const signal = AbortSignal.any([finding.signal, closing.signal])
    // Rejects when the primary has been found or the store is closed, and so ends the tries.
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
        if (client !== undefined && !finding.signal.aborted) {
          finding.abort()
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
        if (!needsPrimary || isBusy || !isLost(state)) throw storeError
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

/** Checks the database at a URL as `connect` does, and changes nothing. Rejects with a StartupError. */
export async function check(url: string): Promise<void> {
  await withClient(url, async (client) => {
    // The start upgrades older tables before it uses the statements.
    if ((await checkDatabase(client)).steps.length === 0) await checkStatements(client)
  })
}

/**
 * Makes the server parse every statement, without running it. Rejects if a statement names what the tables lack. A start must not
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

/** Formats why a store cannot be opened, without the URL, which may contain a password. */
function formatReason(error: unknown): string {
  const { code = '', message, path, syscall } = toError(error)
  if (error instanceof StartupError) return message
  // undefined_column, undefined_table, datatype_mismatch
  if (['42703', '42P01', '42804'].includes(code)) return `${message}; ${migrationAdvice}`
  if (error instanceof DatabaseError) return `${message}; check the URL and the permissions of its user`
  // `path` is the file that sslrootcert, sslcert or sslkey names.
  if (syscall === 'open') return `${path} cannot be read (${code}); correct the URL`
  // https://nodejs.org/api/tls.html#x509-certificate-error-codes
  if (/SELF_SIGNED|ISSUER|UNABLE_TO_VERIFY/.test(code)) {
    return `${code}; set sslrootcert=FILE to the certificate of its authority`
  }
  return `${code || message}; check the URL, and that PostgreSQL can be reached there`
}

/** The parameters that have an effect: those of pg, without those that this module sets, and `target_session_attrs`. */
const USED_PARAMETERS =
  `host port user password options application_name target_session_attrs ssl sslmode sslcert sslkey
  sslrootcert sslnegotiation uselibpqcompat lock_timeout idle_in_transaction_session_timeout`.split(/\s+/)

/** The parameters of libpq and pg that have no effect, and without which a connection is as secure. */
const IGNORED_PARAMETERS =
  `client_encoding connect_timeout dbname fallback_application_name gssdelegation gsslib hostaddr
  keepalives keepalives_count keepalives_idle keepalives_interval krbsrvname load_balance_hosts max_protocol_version
  min_protocol_version oauth_client_id oauth_client_secret oauth_issuer oauth_scope passfile scram_client_key
  scram_server_key service sslcompression sslkeylogfile sslpassword sslsni ssl_max_protocol_version statement_timeout
  tcp_user_timeout`.split(/\s+/)

/** The parameters of libpq that pg ignores, although a connection may then be less secure, and the values that demand nothing. */
const SECURITY_PARAMETERS = `channel_binding gssencmode require_auth requirepeer requiressl sslcertmode sslcrl sslcrldir
  ssl_min_protocol_version`.split(/\s+/)
const HARMLESS_VALUES = ['0', 'allow', 'disable', 'prefer', 'TLSv1.2']

/** True for a parameter that is harmless without effect. Throws a StartupError if it is misspelt, or security depends on it. */
function isIgnored([name, value]: readonly [name: string, value: string]): boolean {
  // A text that is no name may be a part of a password.
  const shownName = /^\w+$/.test(name) ? `the parameter ${name}` : 'a parameter'
  // With an empty `sslmode`, pg connects without TLS.
  if (value === '') throw new StartupError(`${shownName} of the store URL has no value; correct or remove it`)
  if (USED_PARAMETERS.includes(name)) return false
  const isHarmless = SECURITY_PARAMETERS.includes(name) && HARMLESS_VALUES.includes(value)
  if (isHarmless || IGNORED_PARAMETERS.includes(name)) return true
  throw new StartupError(`${shownName} of the store URL is not supported; correct or remove it`)
}

/**
 * Finds the servers that a URL names, as libpq does
 * (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS), except that several servers always mean
 * `target_session_attrs=read-write`: the service has no use for a standby. Throws a StartupError if a parameter is not
 * supported.
 */
export function parseServers(url: string) {
  // pg ignores what follows a "#", which may be the parameters.
  if (url.includes('#')) throw new StartupError('the store URL has a "#"; write %23')
  const parameters = new URLSearchParams(url.replace(/^[^?]*/, ''))
  const ignoredParameters = [...parameters].filter(isIgnored).map(([name]) => name)
  const sessionAttrs = parameters.get('target_session_attrs') ?? 'any'
  if (!['any', 'primary', 'read-write'].includes(sessionAttrs)) {
    throw new StartupError(`target_session_attrs=${sessionAttrs} is not supported; use read-write`)
  }
  // `prefix` is the scheme, the user and the password. If the text is no URL, pg reports that.
  const [, prefix = '', hosts = '', suffix = ''] = /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [url, url]
  const servers = hosts.split(',').map((host) => prefix + host + suffix)
  return {
    /** A URL for each server. */
    servers,
    /** True if the store may use only a server that accepts writes. */
    needsPrimary: servers.length > 1 || sessionAttrs !== 'any',
    /** The names of the parameters that have no effect. */
    ignoredParameters,
  }
}

/** lock_not_available: another connection held a lock for longer than `lock_timeout`. */
const LOCK_NOT_AVAILABLE = '55P03'
/** read_only_sql_transaction: the server accepts no writes, so the statement had no effect. */
const READ_ONLY = '25006'
/** statement_completion_unknown: the commit may be lost. */
const COMPLETION_UNKNOWN = '40003'

/**
 * True if the same statement may succeed later: connection (08), read-only server (25006), rollback (40), resources (53), lock
 * (55P03), operator intervention or timeout (57), system (58).
 */
function isTransient(state: string): boolean {
  return /^(08|25006|40|53|55P03|57|58)/.test(state)
}

/** True if the server cannot be the primary: no connection (08), read-only (25006), or it stops or starts (57P01 to 57P03). */
function isLost(state: string): boolean {
  return /^(08|25006|57P0[1-3])/.test(state)
}

/**
 * True if the connection cannot be used again: for the errors of a lost server, and if the session has ended (57P0), prepared
 * statements do not fit a table that has changed (0A000) or no longer exist (26000), the server or pg failed (XX).
 */
function breaksConnection(state: string): boolean {
  return isLost(state) || /^(0A|26|57P0|XX)/.test(state)
}

/** The message of pg if a server does not respond within `query_timeout`. */
const READ_TIMEOUT = 'Query read timeout'

/** The SQLSTATE of an error; 08000 for a broken connection or one that hangs, and XX000 for a mistake in the program. */
function getSqlState(error: unknown, isBroken: boolean): string {
  if (error instanceof DatabaseError) {
    const { code = '', routine } = error
    // protocol_violation: PostgreSQL reports a wrong number of parameters by it, and names its routine; PgBouncer, which
    // names none, reports lost servers.
    return code === '08P01' && routine !== undefined ? 'XX000' : code
  }
  return isBroken || toError(error).message === READ_TIMEOUT ? '08000' : 'XX000'
}
