/** Clients of a PostgreSQL database: one connection each, with its session and its statements. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientBase, DatabaseError, types } from 'pg'
import { StartupError } from '../../errors.ts'
import { TIMEOUT_MS } from '../store.ts'
import { COMPLETION_UNKNOWN, formatReason } from './errors.ts'
import type { Statement } from './statements.ts'
import * as sql from './statements.ts'
import { parseServers } from './url.ts'

// For every client of pg in this process, an int64 becomes a bigint; by default, it is a text.
types.setTypeParser(types.builtins.INT8, BigInt)

/** The default `application_name`, which the server shows in `pg_stat_activity`. */
export const APPLICATION_NAME = 'animal-store'

/** The pause before the next try to connect to a server, in milliseconds. */
export const RETRY_MS = 50

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
      if (!needsPrimary || isLast) throw addServer(client, error)
      await sleep(RETRY_MS)
    }
  }
}

/**
 * Adds the host and the database to an error of the server, such as a wrong password. Other errors have none: where nothing responds,
 * the host may be a part of a password with a slash.
 */
function addServer({ host, port, database }: Client, error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error
  return new StartupError(`the database ${database} at ${host}:${port}: ${formatReason(error)}`, { cause: error })
}

/**
 * Configures a new session; `statementTimeoutMs` is 0 for no timeout. Rejects if the primary is needed and the server is
 * read-only. The settings are made by a query because PgBouncer rejects them in the message that starts a session.
 */
export async function beginSession(
  client: ClientBase,
  needsPrimary: boolean,
  statementTimeoutMs: number,
): Promise<void> {
  const { rows } = await client.query(sql.configureSession, [statementTimeoutMs])
  if (needsPrimary && rows[0].is_read_only) throw new Error('the server accepts no writes')
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
