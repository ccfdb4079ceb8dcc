/**
 * Connections to a PostgreSQL database, and the errors of both
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientBase, type ClientConfig, type CustomTypesConfig, DatabaseError, types } from 'pg'
import { StartupError, toError } from '../../errors.ts'
import { storeUnavailable, type Versions } from '../store.ts'
import { prepareSession, type Statement } from './statements.ts'
import { readVersions } from './tables.ts'

export const exactTypes: CustomTypesConfig = {
  getTypeParser: (type, format) => (type === types.builtins.INT8 ? BigInt : types.getTypeParser(type, format)),
}

export type ClientOptions = ClientConfig & { readonly connectionTimeoutMillis: number }

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
      await sleep(50)
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
export async function beginSession(client: ClientBase, mustWrite: boolean): Promise<void> {
  const { rows } = await client.query(prepareSession)
  if (mustWrite && rows[0].is_read_only) throw new Error('the server accepts no writes')
}

/** Has a client do what is necessary before the store is used. Rejects with a StartupError. */
export async function prepareDatabase<Result>(
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
export function isLost(error: unknown): boolean {
  return error instanceof DatabaseError ? /^(25006|57P0|08)/.test(String(error.code)) : !(error instanceof TypeError)
}

/** True if the server accepts no writes, and so has done nothing. */
export function isReadOnlyError(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '25006'
}
