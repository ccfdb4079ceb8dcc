/**
 * Errors of PostgreSQL, and of the connection to it (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
import { DatabaseError } from 'pg'
import { storeUnavailable } from '../store.ts'

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
export function isRefused(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '25006'
}
