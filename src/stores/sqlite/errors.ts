/** Errors of SQLite (https://www.sqlite.org/rescode.html). */
import { toError } from '../../errors.ts'
import { storeUnavailable } from '../store.ts'

const busy = 5

/** Primary result codes of errors that end when a lock is released, a disk has room again, or a volume is back. */
const transientCodes = new Set([
  3, // SQLITE_PERM
  busy,
  6, // SQLITE_LOCKED
  7, // SQLITE_NOMEM
  8, // SQLITE_READONLY
  10, // SQLITE_IOERR
  13, // SQLITE_FULL
  14, // SQLITE_CANTOPEN
  15, // SQLITE_PROTOCOL
])

/** Turns a transient error into a 503; returns any other as it is. */
export function toStoreError(error: unknown): unknown {
  return isTransient(error) ? storeUnavailable(error) : error
}

/** True if the same may succeed later. A closed connection counts as transient too. */
export function isTransient(error: unknown): boolean {
  return toError(error).code === 'ERR_INVALID_STATE' || transientCodes.has(getResultCode(error))
}

/** True if another connection holds the lock that was needed. */
export function isBusy(error: unknown): boolean {
  return getResultCode(error) === busy
}

/** The primary result code: the low byte of the extended one. */
export function getResultCode(error: unknown): number {
  const { errcode = 0 }: Error & { readonly errcode?: number } = toError(error)
  return errcode & 0xff
}
