/**
 * Connections to a PostgreSQL database.
 */
import { Client, type ClientConfig, type CustomTypesConfig, DatabaseError, Pool, types } from 'pg'
import { StartupError } from '../../errors.ts'
import { toStoreError } from './errors.ts'
import { migrate } from './schema.ts'
import type { Statement } from './statements.ts'

const exactTypes: CustomTypesConfig = {
  getTypeParser: (type, format) => (type === types.builtins.INT8 ? BigInt : types.getTypeParser(type, format)),
}

/** Runs a statement and returns its rows. The caller knows which rows the SQL returns. */
export type Query = <Row extends unknown[]>(statement: Statement, ...parameters: unknown[]) => Promise<Row[]>

/**
 * Connects to the database at a URL, and creates or upgrades its tables. `timeoutMs` is how long a caller may wait for
 * the server. Rejects with a StartupError.
 */
export async function connect(url: string, timeoutMs: number): Promise<Pool> {
  await prepareDatabase(url, timeoutMs)
  // An addition may wait for the one before it, and each of the two for a connection and for a response.
  const stepTimeoutMs = Math.ceil(timeoutMs / 4)
  const pool = new Pool({
    connectionString: url,
    fallback_application_name: 'animal-store',
    connectionTimeoutMillis: stepTimeoutMs,
    // The server cancels a statement that takes too long; if the server hangs, the client gives up by itself.
    statement_timeout: stepTimeoutMs,
    query_timeout: stepTimeoutMs,
    // A server that does not close its connections does not keep the process alive.
    allowExitOnIdle: true,
    types: exactTypes,
  })
  // The pool replaces an idle connection that breaks.
  pool.on('error', () => {})
  return pool
}

/** Makes a client for the database at a URL, which the caller connects and ends. Throws if the URL is malformed. */
export function createClient(url: string, options: ClientConfig): Client {
  const client = new Client({ ...options, connectionString: url, types: exactTypes })
  // The query that is running gets the error, too.
  client.on('error', () => {})
  return client
}

/** Makes the function that runs statements on a connection. It rejects as the functions of a `Store` do. */
export function createQuery(connection: Client | Pool): Query {
  return async <Row extends unknown[]>(statement: Statement, ...values: unknown[]) => {
    try {
      return (await connection.query<Row>({ ...statement, values, rowMode: 'array' })).rows
    } catch (error) {
      throw toStoreError(error)
    }
  }
}

/** Ensures that the database can be reached and has the tables of this version. */
async function prepareDatabase(url: string, timeoutMs: number): Promise<void> {
  let client: Client | undefined
  try {
    // Without a statement timeout: upgrading a large store may take longer than any response.
    client = createClient(url, { connectionTimeoutMillis: timeoutMs })
    await client.connect()
    await migrate(client)
  } catch (error) {
    throw toOpenError(url, error)
  } finally {
    await client?.end()
  }
}

/** Has no cause: that could contain the password. */
function toOpenError(url: string, error: unknown): StartupError {
  const { code, message } = error as NodeJS.ErrnoException
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
