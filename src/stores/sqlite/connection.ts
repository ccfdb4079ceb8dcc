/**
 * Connections to a SQLite file, which may be replaced, moved or deleted while it is open; and the errors of SQLite
 * (https://www.sqlite.org/rescode.html).
 */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { StartupError } from '../../errors.ts'
import { toError } from '../../openapi/shared/errors.ts'
import { inMemory, migrationAdvice, TIMEOUT_MS, type UpgradeOptions } from '../store.ts'
import * as statements from './statements.ts'
import { checkFile, migrate } from './tables.ts'

/**
 * Opens the file at `path`, and creates or upgrades its tables. Waits at most `TIMEOUT_MS` for the lock of another process. Rejects with a StartupError.
 */
export async function connect(path: string, upgrade: UpgradeOptions): Promise<DatabaseSync> {
  const deadline = performance.now() + TIMEOUT_MS
  for (;;) {
    try {
      return open(path, upgrade)
    } catch (error) {
      // SQLite does not wait for every lock of a new file.
      if (!isBusy(error) || performance.now() > deadline) throw toOpenError(path, error)
      await sleep(10)
    }
  }
}

/**
 * Checks the file at `path` as `connect` does, and all its pages, which a start does not read. Changes and creates nothing.
 * Throws a StartupError.
 */
export function check(path: string): void {
  try {
    const hasFile = statFile(path) !== undefined
    // SQLite keeps the WAL beside the file that a link leads to.
    const file = hasFile ? realpathSync(path) : resolve(path)
    const [hasWal, hasIndex] = ['-wal', '-shm'].map((end) => existsSync(file + end))
    const url = pathToFileURL(file)
    url.searchParams.set('mode', 'ro')
    // Otherwise SQLite would create the WAL and its index, or write to the index (https://www.sqlite.org/uri.html).
    url.searchParams.set(hasWal ? 'readonly_shm' : 'immutable', '1')
    if (hasFile) accessSync(file, constants.R_OK | constants.W_OK)
    accessSync(`${findFolder(file)}/.`, constants.W_OK)
    // Without its WAL, a file may look damaged, and only a start reads a WAL whose index is gone.
    if (!hasFile || (hasWal && !hasIndex)) return
    using database = openConnection(url, TIMEOUT_MS)
    // The start upgrades an older file before it uses the statements.
    if (checkFile(database).steps.length === 0) checkStatements(database)
    const [[result] = []] = prepare<[string]>(database, 'PRAGMA quick_check(1)')()
    if (result !== 'ok') throw new StartupError(`${reasons.get(11)}: ${String(result).replaceAll('\n', ' ')}`)
  } catch (error) {
    throw toOpenError(path, error)
  }
}

/** True if there is a file at `path` that is not empty. Throws a StartupError if there is something else. */
export function hasContent(path: string): boolean {
  try {
    return (statFile(path)?.size ?? 0) > 0
  } catch (error) {
    throw toOpenError(path, error)
  }
}

/**
 * Returns the status of the file at `path`, which may be a link to it; undefined if there is nothing. Throws a StartupError if
 * there is something else: SQLite would wait for the other end of a FIFO for ever, and create the target of a link.
 */
function statFile(path: string): Stats | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats?.isFile() || lstatSync(path, { throwIfNoEntry: false }) === undefined) return stats
  throw new StartupError('it is neither a regular file nor a link to one; name another file')
}

/** Returns the nearest existing folder above a file. */
function findFolder(file: string): string {
  const folder = dirname(file)
  return existsSync(folder) ? folder : findFolder(folder)
}

/** Creates a file that only its owner can read, unless it exists. SQLite gives the files beside it the same permissions. */
export function createPrivateFile(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
}

/** Opens a connection, without creating or upgrading the tables. */
export function openConnection(path: string | URL, timeoutMs: number): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: timeoutMs, readBigInts: true, returnArrays: true })
  // A commit is on disk before it is acknowledged; on macOS, that takes fullfsync.
  database.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON')
  return database
}

/** Prepares a statement as a function from its parameters to its rows. The caller knows which rows the SQL returns. */
export function prepare<Row extends unknown[]>(database: DatabaseSync, sql: string) {
  const statement = database.prepare(sql)
  return (...parameters: SQLInputValue[]) => statement.all(...parameters) as unknown[] as Row[]
}

/** The identities of an open file, its WAL (write-ahead log) and the index of the WAL, as they were when it was opened. */
export type OpenFile = Readonly<ReturnType<typeof identifyFiles>>

function identifyFiles(file: string) {
  const [main, wal, index] = [file, `${file}-wal`, `${file}-shm`].map(formatIdentity)
  return { file, main, wal, index }
}

/** The code of an error after which a restart loses acknowledged changes: only the open WAL has them. */
export const WAL_AT_RISK = 'WAL_AT_RISK'

/**
 * Throws if the file, its WAL or the index of the WAL has been replaced, moved or deleted since it was opened: writes would
 * be lost, or destroy the file. `checkpointWal` is called before; it returns true if every change survives a restart.
 */
export function assertInPlace(opened: OpenFile, checkpointWal = (_now: OpenFile) => true): void {
  const now = identifyFiles(opened.file)
  if (isDeepStrictEqual(now, opened)) return
  const isSaved = checkpointWal(now)
  const restartAdvice = now.main === opened.main ? 'restart the service' : 'put it back, or restart the service'
  const lossAdvice =
    'put it back; otherwise a restart loses what only the open WAL has, so save the list of animals before'
  const problem = `${opened.file}, its -wal or its -shm file was replaced, moved or deleted while it was open`
  // SQLITE_READONLY_DBMOVED, with which SQLite itself reports this in other modes than WAL.
  throw Object.assign(new Error(`${problem}; ${isSaved ? restartAdvice : lossAdvice}`), {
    errcode: 1032,
    ...(!isSaved && { code: WAL_AT_RISK }),
  })
}

export type FileGuard = ReturnType<typeof createFileGuard>

/** Makes the guard of a file that the connection `database` has open. */
export function createFileGuard(path: string, database: DatabaseSync) {
  const opened = identifyFiles(path)
  const checkpoint = prepare<[busy: bigint]>(database, 'PRAGMA wal_checkpoint(TRUNCATE)')
  let isCopied = false

  function checkpointWal({ file, main, wal, index }: OpenFile): boolean {
    // With another index beside the file, this must not write: processes that use it do not see the locks of this connection.
    // Nothing is lost if the WAL is still beside the file, because the next start makes an index from it.
    if (index !== opened.index) return isCopied || (main === opened.main && wal === opened.wal)
    // Copies the WAL into the open file, wherever that is now. Otherwise the next start applies it to whatever file is beside it.
    try {
      const size = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
      if (wal === opened.wal || size === 0) isCopied = checkpoint()[0]?.[0] === 0n
    } catch {
      // The disk may be full. The next check tries again.
      isCopied = false
    }
    return isCopied
  }

  return {
    opened,
    /** Copies the WAL into the file if one of the three is not in place, and then throws as `assertInPlace` does. */
    check: () => assertInPlace(opened, checkpointWal),
    /** Must be called after each commit, because the WAL then has changes that are not copied. */
    noteCommit: () => {
      isCopied = false
    },
  }
}

/** The device and inode of a file; undefined if it does not exist or cannot be seen. */
function formatIdentity(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}

/** The longest wait of the main thread for a lock, in milliseconds. Reads need no lock, but a copy of the WAL does. */
const MAIN_TIMEOUT_MS = 100

function open(path: string, upgrade: UpgradeOptions): DatabaseSync {
  const file = path === inMemory ? path : resolve(path)
  if (file !== inMemory) {
    statFile(file)
    mkdirSync(dirname(file), { recursive: true })
    createPrivateFile(file)
  }
  const database = openConnection(file, TIMEOUT_MS)
  try {
    // Nothing is written before this check, because the file may be another program's.
    checkFile(database)
    database.exec('PRAGMA journal_mode = WAL')
    migrate(database, upgrade)
    checkStatements(database)
    database.exec(`PRAGMA busy_timeout = ${MAIN_TIMEOUT_MS}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Compiles every statement, without running it. Throws the error of SQLite if a statement names what the tables lack. */
function checkStatements(database: DatabaseSync): void {
  for (const sql of Object.values(statements)) database.prepare(sql)
}

/** Why a file cannot be opened, by result code. */
const reasons = new Map([
  [5, 'another process has locked it; stop that process or try again'], // SQLITE_BUSY
  [11, 'it is damaged; restore a backup (docs/operations.md)'], // SQLITE_CORRUPT
  [26, 'it is not a database of the Animal Store; name another file, or restore a backup'], // SQLITE_NOTADB
])

function toOpenError(path: string, error: unknown): StartupError {
  const reason =
    error instanceof StartupError ? error.message : (reasons.get(getResultCode(error)) ?? formatReason(error))
  return new StartupError(`cannot open the store sqlite:${path}: ${reason}`, { cause: error })
}

function formatReason(error: unknown): string {
  const { code, message } = toError(error)
  // SQLITE_ERROR: a statement names a table or column that does not exist, or its syntax is wrong.
  if (getResultCode(error) === 1) return `${message}; ${migrationAdvice}`
  return `${code === undefined || code === 'ERR_SQLITE_ERROR' ? message : code}; name a file in a folder that can be written`
}

const BUSY = 5

/**
 * The primary result codes of errors that last until a lock is released, a disk has room, or a volume is back: PERM, BUSY,
 * LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN and PROTOCOL.
 */
const transientCodes = [3, BUSY, 6, 7, 8, 10, 13, 14, 15]

/** True for an error of SQLite after which the same call may succeed later. Any other error is a mistake in the program. */
export function isTransient(error: unknown): boolean {
  return transientCodes.includes(getResultCode(error))
}

/** True if another connection holds a lock that the call needs. */
export function isBusy(error: unknown): boolean {
  return getResultCode(error) === BUSY
}

/** The primary result code: the low byte of the extended one. */
function getResultCode(error: unknown): number {
  const { errcode = 0 }: Error & { readonly errcode?: number } = toError(error)
  return errcode & 0xff
}
