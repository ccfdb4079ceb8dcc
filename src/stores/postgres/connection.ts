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

/** Reads the version of the database at a URL, and changes nothing. Rejects with a StartupError. */
export function inspect(url: string, timeoutMs: number): Promise<Versions> {
  return prepareDatabase(url, timeoutMs, readVersions)
}

/**
 * Connects a client to the database at a URL: if that names several servers, to one that accepts writes. The caller ends
 * the client. Rejects after `connectionTimeoutMillis` at the earliest while there is none.
 */
export async function openClient(url: string, options: ClientOptions): Promise<Client> {
  const deadline = performance.now() + options.connectionTimeoutMillis
  const { servers, mustWrite } = parseServers(url)
  for (let attempt = 0; ; attempt++) {
    const server = servers[attempt % servers.length]
    const client = new Client({ ...options, connectionString: server, types: exactTypes })
    // The query that is running gets the error, too.
    client.on('error', () => {})
    try {
      await client.connect()
      await beginSession(client, mustWrite)
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

/** Has the session acknowledge only what is on disk. Rejects if it must accept writes and does not. */
async function beginSession(client: ClientBase, mustWrite: boolean): Promise<void> {
  const { rows } = await client.query(prepareSession)
  if (mustWrite && rows[0].is_read_only) throw new Error('the server accepts no writes')
}

/** Has a client do what is necessary before the store is used. Rejects with a StartupError. */
async function prepareDatabase<Result>(
  url: string,
  timeoutMs: number,
  prepare: (client: Client) => Promise<Result>,
): Promise<Result> {
  let client: Client | undefined
  try {
    // Without a statement timeout: upgrading a large store may take longer than any response.
    client = await openClient(url, { connectionTimeoutMillis: timeoutMs })
    return await prepare(client)
  } catch (error) {
    throw toOpenError(url, error)
  } finally {
    await client?.end()
  }
}

/** Has no cause: that could contain the password. */
function toOpenError(url: string, error: unknown): StartupError {
  const { code, message } = toError(error)
  const reason =
    error instanceof StartupError
      ? message
      : error instanceof DatabaseError
        ? `${message}; check the URL and the permissions of its user`
        : `${code ?? message}; check the URL, and that PostgreSQL can be reached there`
  return new StartupError(`cannot open the store ${redactUrl(url)}: ${reason}`)
}

/** The URL without user and password, even a password that is not escaped as it should be. */
function redactUrl(url: string): string {
  if (!URL.canParse(url)) return 'postgres://…'
  const { protocol, host, pathname, search, hash } = new URL(url)
  return `${pathname}${search}${hash}`.includes('@') ? 'postgres://…' : `${protocol}//${host}${pathname}`
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

/** Classes and codes of errors that end when the server has room again, runs again, or accepts writes again. */
const transientCodes = [
  '08', // connection exception
  '25006', // read-only transaction
  '28', // invalid authorization: the server refuses the connection
  '3D', // invalid catalog name: the database does not exist
  '40', // transaction rollback
  '53', // insufficient resources
  '55P03', // lock not available
  '57', // operator intervention, timeouts among them
  '58', // system error
]

/**
 * Turns an error after which the same may succeed later into a 503; returns any other as it is. What is neither an error of
 * the server nor of a call is one of the connection.
 */
export function toStoreError(error: unknown): unknown {
  const isTransient =
    error instanceof DatabaseError
      ? transientCodes.some((prefix) => error.code?.startsWith(prefix))
      : !(error instanceof TypeError)
  return isTransient ? storeUnavailable(error) : error
}

/** True if the server has gone, or has become one that accepts no writes. */
function isLost(error: unknown): boolean {
  return error instanceof DatabaseError ? /^(25006|57P0|08)/.test(String(error.code)) : !(error instanceof TypeError)
}

/** True if the server accepts no writes, and so has done nothing. */
function isReadOnlyError(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '25006'
}
