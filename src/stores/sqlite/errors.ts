/** The errors of SQLite, by their primary result codes (https://www.sqlite.org/rescode.html). */

import { toError } from 'fastify-openapi-first/shared'
import { StartupError } from '../../errors.ts'
import { migrationAdvice } from '../migrations.ts'

const ERROR = 1
const BUSY = 5
const CORRUPT = 11
const NOT_A_DATABASE = 26

/** The codes of errors that last until a lock is released, a disk has room, or a volume is back. */
const TRANSIENT_CODES = Object.values({
  PERM: 3,
  BUSY,
  LOCKED: 6,
  NOMEM: 7,
  READONLY: 8,
  IOERR: 10,
  FULL: 13,
  CANTOPEN: 14,
  PROTOCOL: 15,
})

/** True for an error of SQLite after which the same call may succeed later. Any other error is a mistake in the program. */
export function isTransient(error: unknown): boolean {
  return TRANSIENT_CODES.includes(getResultCode(error))
}

/** True if another connection holds a lock that the call needs. */
export function isBusy(error: unknown): boolean {
  return getResultCode(error) === BUSY
}

export const DAMAGED = 'it is damaged; restore a backup (docs/operations.md)'

/** Why a file cannot be opened, by result code. */
const REASONS = new Map([
  [BUSY, 'another process has locked it; stop that process or try again'],
  [CORRUPT, DAMAGED],
  [NOT_A_DATABASE, 'it is not a database of the Animal Store; name another file, or restore a backup'],
])

/** Wraps the error by which the file at `path` cannot be opened. */
export function toOpenError(path: string, error: unknown): StartupError {
  const reason = error instanceof StartupError ? error.message : formatReason(error)
  return new StartupError(`cannot open the store sqlite:${path}: ${reason}`, { cause: error })
}

function formatReason(error: unknown): string {
  const { code, message } = toError(error)
  const resultCode = getResultCode(error)
  // A statement names a table or column that does not exist, or its syntax is wrong.
  if (resultCode === ERROR) return `${message}; ${migrationAdvice}`
  const problem = code === undefined || code === 'ERR_SQLITE_ERROR' ? message : code
  const advice =
    code === 'EACCES'
      ? 'let the user of this process write the file and its folder, or name another file'
      : 'name a file in a folder that can be written'
  return REASONS.get(resultCode) ?? `${problem}; ${advice}`
}

/** The primary result code: the low byte of the extended one. */
function getResultCode(error: unknown): number {
  const { errcode = 0 }: Error & { readonly errcode?: number } = toError(error)
  return errcode & 0xff
}
