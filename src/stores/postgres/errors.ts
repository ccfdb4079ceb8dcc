/** The errors of PostgreSQL, by their SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html). */

import { toError } from 'fastify-openapi-first/shared'
import { DatabaseError } from 'pg'
import { StartupError } from '../../errors.ts'
import { migrationAdvice } from '../migrations.ts'

/** lock_not_available: another connection held a lock for longer than `lock_timeout`. */
export const LOCK_NOT_AVAILABLE = '55P03'
/** read_only_sql_transaction: the server accepts no writes, so the statement had no effect. */
export const READ_ONLY = '25006'
/** statement_completion_unknown: the commit may be lost. */
export const COMPLETION_UNKNOWN = '40003'

/*
 * What follows from a state:
 *
 * | state          | meaning                                             | transient | server lost | connection broken |
 * |----------------|-----------------------------------------------------|-----------|-------------|-------------------|
 * | 08             | no connection                                       | yes       | yes         | yes               |
 * | 25006          | the server is read-only                             | yes       | yes         | yes               |
 * | 57P01 to 57P03 | the server stops or starts                          | yes       | yes         | yes               |
 * | other 57P0     | the session has ended                               | yes       |             | yes               |
 * | other 57       | timeout, or cancelled by an operator                | yes       |             |                   |
 * | 40, 53, 55P03  | rollback, no resources, lock                        | yes       |             |                   |
 * | 58             | failure of the system                               | yes       |             |                   |
 * | 0A, 26         | a prepared statement is outdated or no longer there |           |             | yes               |
 * | XX             | the server or pg failed                             |           |             | yes               |
 */

/** True if the same statement may succeed later. */
export function isTransient(state: string): boolean {
  return /^(08|25006|40|53|55P03|57|58)/.test(state)
}

/** True if the server cannot be the primary. */
export function isServerLost(state: string): boolean {
  return /^(08|25006|57P0[1-3])/.test(state)
}

/** True if the connection cannot be used again. */
export function breaksConnection(state: string): boolean {
  return isServerLost(state) || /^(0A|26|57P0|XX)/.test(state)
}

/** The message of pg if a server does not respond within `query_timeout`. */
const READ_TIMEOUT = 'Query read timeout'

/** The SQLSTATE of an error; 08000 for a broken connection or one that hangs, and XX000 for a mistake in the program. */
export function getSqlState(error: unknown, isBroken: boolean): string {
  if (error instanceof DatabaseError) {
    const { code = '', routine } = error
    // protocol_violation: PostgreSQL reports a wrong number of parameters by it, and names its routine; PgBouncer, which
    // names none, reports lost servers.
    return code === '08P01' && routine !== undefined ? 'XX000' : code
  }
  return isBroken || toError(error).message === READ_TIMEOUT ? '08000' : 'XX000'
}

/** Formats why a store cannot be opened, without the URL, which may contain a password. */
export function formatReason(error: unknown): string {
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
