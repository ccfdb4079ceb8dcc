/** Connections to a PostgreSQL database. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientBase, type ClientConfig, type CustomTypesConfig, DatabaseError, Pool, types } from 'pg'
import { StartupError, toError } from '../../errors.ts'
import type { Versions } from '../store.ts'
import { toStoreError } from './errors.ts'
import { type Connections, countConnections, createFailover, parseServers } from './failover.ts'
import { migrate, readVersions } from './schema.ts'
import { prepareSession, type Query, run, type Statement } from './statements.ts'

const exactTypes: CustomTypesConfig = {
  getTypeParser: (type, format) => (type === types.builtins.INT8 ? BigInt : types.getTypeParser(type, format)),
}

export type ClientOptions = ClientConfig & { readonly connectionTimeoutMillis: number }

/** Reads the version of the database at a URL, and changes nothing. Rejects with a StartupError. */
export function inspect(url: string, timeoutMs: number): Promise<Versions> {
  return prepareDatabase(url, timeoutMs, readVersions)
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
      onConnect: (client: ClientBase) => beginSession(client, mustWrite),
    })
    // The pool replaces an idle connection that breaks. The query that is running gets the error, too.
    pool.on('error', () => {}).on('connect', (client) => void client.on('error', () => {}))
    return pool
  }

  if (mustWrite) return createFailover(createPool, servers, stepTimeoutMs)
  const pool = createPool(url)
  return { query: createQuery(pool), getCounts: () => countConnections(pool), close: () => pool.end() }
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
      await sleep(50)
    }
  }
}

/** Makes the function that runs statements on a connection. It rejects as the functions of a `Store` do. */
export function createQuery(connection: Client | Pool): Query {
  return async <Row extends unknown[]>(statement: Statement, ...values: unknown[]) => {
    try {
      if (connection instanceof Client) return await run<Row>(connection, statement, values)
      const client = await connection.connect()
      const running = run<Row>(client, statement, values)
      running.then(() => client.release(), client.release)
      return await running
    } catch (error) {
      throw toStoreError(error)
    }
  }
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
  let result: Result
  try {
    // Without a statement timeout: upgrading a large store may take longer than any response.
    client = await openClient(url, { connectionTimeoutMillis: timeoutMs })
    result = await prepare(client)
  } catch (error) {
    throw toOpenError(url, error)
  } finally {
    await client?.end()
  }
  return result
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
