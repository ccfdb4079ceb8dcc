/**
 * Connections to a PostgreSQL database, and its errors (https://www.postgresql.org/docs/current/errcodes-appendix.html). Of
 * several servers, the one that accepts writes is used; when it is lost, callers wait until another one is found: a standby
 * may be about to be promoted.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  Client,
  type ClientBase,
  type ClientConfig,
  type CustomTypesConfig,
  DatabaseError,
  Pool,
  type PoolClient,
  types,
} from 'pg'
import { StartupError, toError } from '../../errors.ts'
import { type ConnectionCounts, storeUnavailable, type Versions } from '../store.ts'
import { prepareSession, type Statement } from './statements.ts'
import { migrate, readVersions } from './tables.ts'

const exactTypes: CustomTypesConfig = {
  getTypeParser: (type, format) => (type === types.builtins.INT8 ? BigInt : types.getTypeParser(type, format)),
}

export type ClientOptions = ClientConfig & { readonly connectionTimeoutMillis: number }

/** The name of a connection of the service in the lists of the server. */
const NAME = 'animal-store'

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
  await prepareDatabase(url, timeoutMs, (client) => migrate(client))
  const { servers, mustWrite } = parseServers(url)
  // An addition may wait for the addition before it, and both of them for a connection and for a response.
  const stepTimeoutMs = Math.ceil(timeoutMs / 4)

  function createPool(server: string): Pool {
    const pool = new Pool({
      connectionString: server,
      fallback_application_name: NAME,
      connectionTimeoutMillis: stepTimeoutMs,
      // If the server hangs, the client gives up by itself.
      query_timeout: stepTimeoutMs,
      // A server that does not close its connections does not keep the process alive.
      allowExitOnIdle: true,
      types: exactTypes,
      // The server cancels a statement at 80 % of `query_timeout`, so that its message arrives first. Otherwise a slow
      // statement would look like a lost server.
      onConnect: (client) => beginSession(client, mustWrite, Math.ceil(stepTimeoutMs * 0.8)),
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
 * The pause before the server that was lost is asked again, in milliseconds. An old primary may still accept writes after
 * a standby was promoted; the pause lets the new primary be found first.
 */
const LOST_MS = 4 * RETRY_MS

/**
 * Makes connections to the server that accepts writes, or with `fixedPool` to its server, whatever that accepts. `open` makes
 * a pool whose connections are only to a server that accepts writes; `stepTimeoutMs` is how long it waits for a connection or
 * for a response.
 */
function createConnections(
  open: (server: string) => Pool,
  servers: readonly string[],
  fixedPool: Pool | undefined,
  stepTimeoutMs: number,
): Connections {
  const closed = new AbortController()
  let lastError: unknown
  /** The pool of the server that accepts writes, as far as is known. */
  let current = fixedPool
  let finding = fixedPool === undefined ? findPrimary() : Promise.resolve(fixedPool)

  /** Asks all servers at once and independently: a server that hangs does not delay the others. */
  function findPrimary(lost?: Pool): Promise<Pool> {
    const over = new AbortController()
    const signal = AbortSignal.any([over.signal, closed.signal])
    const rest = (ms: number) => sleep(ms, undefined, { ref: false, signal })
    async function search(server: string): Promise<Pool> {
      if (server === lost?.options.connectionString) await rest(LOST_MS)
      for (;;) {
        const pool = open(server)
        const client = await pool.connect().catch((error) => {
          lastError = error
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

  function markLost(pool: Pool): void {
    if (current !== pool || closed.signal.aborted) return
    current = undefined
    finding = findPrimary(pool)
    // Calls that wait for one of its connections fail, and are tried on the next server.
    setTimeout(() => void pool.end(), stepTimeoutMs).unref()
  }

  return {
    query: async <Row extends unknown[]>(statement: Statement, ...values: unknown[]): Promise<Row[]> => {
      const deadline = performance.now() + 2 * stepTimeoutMs
      for (;;) {
        if (closed.signal.aborted) throw storeUnavailable('the store is closed')
        const pool = current ?? (await Promise.race([finding.catch(() => undefined), sleepUntil(deadline)]))
        if (pool === undefined) throw storeUnavailable(new Error('no server accepts writes', { cause: lastError }))
        let client: PoolClient | undefined
        // Not by `pool.query`: `run` needs the notices of the connection.
        try {
          client = await pool.connect()
          const rows = await run<Row>(client, statement, values)
          client.release()
          return rows
        } catch (error) {
          client?.release(breaksConnection(error))
          // A pool that has all its connections may just be busy.
          const isBusy = client === undefined && pool.totalCount >= pool.options.max
          if (fixedPool !== undefined || isBusy || !isLost(error)) throw toStoreError(error)
          markLost(pool)
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

/** Reads the version of the database at a URL, and changes nothing. Rejects with a StartupError. */
export function inspect(url: string, timeoutMs: number): Promise<Versions> {
  return prepareDatabase(url, timeoutMs, (client) => readVersions(client))
}

/**
 * Connects a client to the database at a URL: if that names several servers, to one that accepts writes. Its statements have
 * no timeout. The caller ends the client. If it searches for one, it tries for
 * `connectionTimeoutMillis`; otherwise it rejects at the first error.
 */
export async function openClient(url: string, options: ClientOptions): Promise<Client> {
  const deadline = performance.now() + options.connectionTimeoutMillis
  const { servers, mustWrite } = parseServers(url)
  for (let attempt = 0; ; attempt++) {
    const server = servers[attempt % servers.length]
    const client = new Client({
      fallback_application_name: NAME,
      ...options,
      connectionString: server,
      types: exactTypes,
    })
    // The query that is running gets the error, too.
    client.on('error', () => {})
    try {
      await client.connect()
      await beginSession(client, mustWrite, 0)
      return client
    } catch (error) {
      await client.end()
      const isLast = attempt + 1 >= servers.length && performance.now() > deadline
      if (!mustWrite || isLast) throw error
      await sleep(RETRY_MS)
    }
  }
}

/** Runs a statement and returns its rows. The caller knows which rows the SQL returns. */
export type Query = <Row extends unknown[]>(statement: Statement, ...parameters: unknown[]) => Promise<Row[]>

/**
 * Runs a statement on a connection. Rejects if its commit may be on no synchronous standby: when the wait for that is
 * cancelled, PostgreSQL commits and only warns.
 */
export async function run<Row extends unknown[]>(client: ClientBase, statement: Statement, values: unknown[]) {
  let isConfirmed = true
  // Other warnings have the same code (01000), and the text is in the language of the server.
  const check = (notice: { readonly routine: string | undefined }) => {
    if (notice.routine === 'SyncRepWaitForLSN') isConfirmed = false
  }
  client.on('notice', check)
  const { rows } = await client
    .query<Row>({ ...statement, values, rowMode: 'array' })
    .finally(() => client.off('notice', check))
  if (!isConfirmed) throw new Error('the wait for a synchronous standby was cancelled')
  return rows
}

/**
 * Sets what a session needs; 0 means no timeout. Nothing is set when the connection is made: PgBouncer refuses such settings.
 * Rejects if the server must accept writes and does not.
 */
async function beginSession(client: ClientBase, mustWrite: boolean, statementTimeoutMs: number): Promise<void> {
  const { rows } = await client.query(prepareSession, [statementTimeoutMs])
  if (mustWrite && rows[0].is_read_only) throw new Error('the server accepts no writes')
}

/** Runs `prepare` on a new client, and closes that. Rejects with a StartupError. */
async function prepareDatabase<Result>(
  url: string,
  timeoutMs: number,
  prepare: (client: Client) => Promise<Result>,
): Promise<Result> {
  const clients: Client[] = []
  try {
    warnOfParameters(url)
    for (let count = 0; count < 2; count++) clients.push(await openClient(url, { connectionTimeoutMillis: timeoutMs }))
    const [client, other] = clients as [Client, Client]
    await checkPooling(client, other)
    return await prepare(client)
  } catch (error) {
    throw toOpenError(url, error)
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

/**
 * Rejects with a StartupError unless each client keeps its own session of the server. With transaction pooling, settings and
 * prepared statements are lost or those of another client.
 */
async function checkPooling(client: Client, other: Client): Promise<void> {
  const sessions: unknown[] = []
  for (const asked of [client, other, client]) {
    sessions.push((await asked.query('SELECT pg_backend_pid() AS pid')).rows[0].pid)
  }
  if (sessions[0] === sessions[2] && sessions[0] !== sessions[1]) return
  throw new StartupError('a pooler gives each transaction a session; use PgBouncer with pool_mode = session')
}

/** Has no cause: that could contain the password. */
function toOpenError(url: string, error: unknown): StartupError {
  return new StartupError(`cannot open the store ${redactUrl(url)}: ${formatReason(error)}`)
}

function formatReason(error: unknown): string {
  const { code = '', message, path, syscall } = toError(error)
  if (error instanceof StartupError) return message
  if (error instanceof DatabaseError) return `${message}; check the URL and the permissions of its user`
  // A file that a parameter of the URL names.
  if (syscall === 'open') return `${path} cannot be read (${code}); correct the URL`
  // https://nodejs.org/api/tls.html#x509-certificate-error-codes
  if (/SELF_SIGNED|ISSUER|UNABLE_TO_VERIFY/.test(code)) {
    return `${code}; name the certificate of its authority with sslrootcert=FILE`
  }
  return `${code || message}; check the URL, and that PostgreSQL can be reached there`
}

/** The parameters that pg reads, and `target_session_attrs`. */
const PARAMETERS = `host port user password database options client_encoding application_name fallback_application_name
  target_session_attrs ssl sslmode sslcert sslkey sslrootcert sslnegotiation uselibpqcompat lock_timeout
  idle_in_transaction_session_timeout`.split(/\s+/)

/** Warns of the parameters of a URL that have no effect, such as a misspelt `sslmode`. */
function warnOfParameters(url: string): void {
  const [server = ''] = parseServers(url).servers
  if (redactUrl(server) === HIDDEN) return
  for (const name of new URL(server).searchParams.keys()) {
    if (!PARAMETERS.includes(name))
      process.emitWarning(`the parameter ${name} of the store ${redactUrl(url)} has no effect`)
  }
}

/** A URL in which a password cannot be told from the rest. */
const HIDDEN = 'postgres://…'

/** The URL without user and password, even a password that is not escaped as it should be. */
function redactUrl(url: string): string {
  if (!URL.canParse(url)) return HIDDEN
  const { protocol, host, pathname, search, hash } = new URL(url)
  return `${pathname}${search}${hash}`.includes('@') ? HIDDEN : `${protocol}//${host}${pathname}`
}

/**
 * Reads the servers that a URL names, as libpq does
 * (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS). Several are always asked which of them
 * accepts writes: the service has no use for others.
 */
export function parseServers(url: string) {
  const attributes = /[?&]target_session_attrs=([^&#]*)/.exec(url)?.[1] ?? 'any'
  if (!['any', 'primary', 'read-write'].includes(attributes)) {
    throw new StartupError(`target_session_attrs=${attributes} is not supported; use read-write`)
  }
  // The scheme, the user and the password; then hosts and ports, up to the path.
  const [, start = '', hosts = '', rest = ''] = /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [url, url]
  const servers = hosts.split(',').map((host) => start + host + rest)
  return {
    /** A URL for each server, in which it is the only one. */
    servers,
    /** True if only a server that accepts writes is to be used. */
    mustWrite: servers.length > 1 || attributes !== 'any',
  }
}

/**
 * Turns an error after which the same may succeed later into a 503; returns any other error as it is.
 */
export function toStoreError(error: unknown): unknown {
  // Connection exceptions (08), a read-only transaction, a refused connection (28, 3D), transaction rollbacks (40), a lack of
  // resources (53) or of a lock, operator interventions and timeouts (57), errors of the system (58).
  return hasCode(error, /^(08|25006|28|3D|40|53|55P03|57|58)/) ? storeUnavailable(error) : error
}

/** True if the server has gone, or has become one that accepts no writes. */
function isLost(error: unknown): boolean {
  return hasCode(error, /^(08|25006|57P0)/)
}

/**
 * True if the connection cannot be used again: it is lost, or its prepared statements no longer fit (0A000: a table has
 * changed; 26000: they are gone), or the server has failed (XX).
 */
function breaksConnection(error: unknown): boolean {
  return isLost(error) || error instanceof TypeError || hasCode(error, /^(0A|26|XX)/)
}

/** True for an error of the server whose code matches, and for any other error except a TypeError: the connection's. */
function hasCode(error: unknown, codes: RegExp): boolean {
  return error instanceof DatabaseError ? codes.test(String(error.code)) : !(error instanceof TypeError)
}

/** True if the server accepts no writes, and so has done nothing. */
function isReadOnlyError(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '25006'
}
