/**
 * Connections to a PostgreSQL database: how they are opened, and how statements run on them.
 */
import { Client, type ClientConfig, type CustomTypesConfig, DatabaseError, Pool, types } from 'pg'
import { storeErrorOf } from './postgres-errors.ts'
import { migrate } from './postgres-schema.ts'
import { StoreOpenError } from './store.ts'

/** A statement; the server keeps it ready under its name, if it has one. */
export interface Statement {
  readonly name?: string
  readonly text: string
}

const exactTypes: CustomTypesConfig = {
  getTypeParser: (type, format) => (type === types.builtins.INT8 ? BigInt : types.getTypeParser(type, format)),
}

/**
 * Connections to the store at a URL, whose tables are made or brought up to date; `timeout` is how long a caller may wait
 * for the server, in milliseconds. Rejects with a StoreOpenError.
 */
export async function connect(url: string, timeout: number): Promise<Pool> {
  await prepareDatabase(url, timeout)
  // An addition may wait for the one before it, and each of the two for a connection and for an answer.
  const patience = Math.ceil(timeout / 4)
  const pool = new Pool({
    connectionString: url,
    fallback_application_name: 'animal-store',
    connectionTimeoutMillis: patience,
    // The server gives up a statement that takes too long; a server that has stopped answering is given up here.
    statement_timeout: patience,
    query_timeout: patience,
    // A server that does not take leave keeps nobody from ending.
    allowExitOnIdle: true,
    types: exactTypes,
  })
  // The pool replaces a connection that breaks while nobody uses it.
  pool.on('error', () => {})
  return pool
}

/** A connection to the database at a URL, for the caller to open and to end. Throws when the URL is malformed. */
export function createClient(url: string, options: ClientConfig): Client {
  const client = new Client({ ...options, connectionString: url, types: exactTypes })
  // What breaks the connection is told to the query that is under way, too.
  client.on('error', () => {})
  return client
}

/**
 * Runs a statement; returns its rows, as arrays. Only this program writes them, so they are as `Row` says. Rejects as the
 * functions of a store do.
 */
export async function runOn<Row extends unknown[]>(
  connection: Client | Pool,
  statement: Statement,
  values: unknown[],
): Promise<Row[]> {
  try {
    return (await connection.query<Row>({ ...statement, values, rowMode: 'array' })).rows
  } catch (error) {
    throw storeErrorOf(error)
  }
}

/** Sees to it that the database can be reached and holds the tables of today. */
async function prepareDatabase(url: string, timeout: number): Promise<void> {
  let client: Client | undefined
  try {
    // Bringing a large store up to date may take longer than any answer.
    client = createClient(url, { connectionTimeoutMillis: timeout })
    await client.connect()
    await migrate(client)
  } catch (error) {
    throw openErrorOf(url, error)
  } finally {
    await client?.end()
  }
}

/** Without a cause: that may hold the password. */
function openErrorOf(url: string, error: unknown): StoreOpenError {
  const { code, message } = error as NodeJS.ErrnoException
  const why =
    error instanceof StoreOpenError
      ? message
      : error instanceof DatabaseError
        ? `${message}; check the URL, and what its user may do there`
        : `${code ?? message}; check the URL, and that PostgreSQL can be reached there`
  return new StoreOpenError(`the store ${placeOf(url)} cannot be opened: ${why}`)
}

/** Where the store is, without a password, even one that has not been escaped as it should. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'postgres:'
  const { protocol, host, pathname, search, hash } = new URL(url)
  return `${pathname}${search}${hash}`.includes('@') ? 'postgres:' : `${protocol}//${host}${pathname}`
}
