/**
 * What a failure of SQLite means to the service (https://www.sqlite.org/rescode.html).
 */
import { StoreUnavailableError } from './store.ts'

const busy = 5

/** Primary result codes of failures that pass when a lock is released, a disk has room again, a volume is back. */
const passing = new Set([
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

/** The failure as the interface of the stores has it. */
export function storeErrorOf(error: unknown): unknown {
  return isPassing(error) ? new StoreUnavailableError(error) : error
}

/** Whether the same may succeed later. A closed store counts as out of reach, too. */
export function isPassing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_INVALID_STATE' || passing.has(resultCodeOf(error))
}

/** Whether another connection holds the lock that was needed. */
export function isBusy(error: unknown): boolean {
  return resultCodeOf(error) === busy
}

/** The primary result code: the low byte of the extended one. */
function resultCodeOf(error: unknown): number {
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff
}
