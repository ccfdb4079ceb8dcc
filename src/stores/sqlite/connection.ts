/** Connections to a SQLite file. */
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
import { StartupError } from '../../errors.ts'
import type { UpgradeOptions } from '../migrations.ts'
import { inMemory, TIMEOUT_MS } from '../store.ts'
import { DAMAGED, isBusy, toOpenError } from './errors.ts'
import * as sql from './statements.ts'
import { checkFile, migrate } from './tables.ts'

/**
 * Opens the file at `path`, and creates or upgrades its tables. Waits at most `TIMEOUT_MS` for the lock of another process.
 * Rejects with a StartupError.
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

/**
 * Checks the file at `path` as `connect` does, and all its pages, which a start does not read. Changes and creates nothing.
 * Throws a StartupError.
 */
export function check(path: string): void {
  try {
    const hasFile = statFile(path) !== undefined
    // SQLite keeps the WAL beside the file that a link leads to.
    const file = hasFile ? realpathSync(path) : resolve(path)
    if (hasFile) accessSync(file, constants.R_OK | constants.W_OK)
    accessSync(`${findFolder(file)}/.`, constants.W_OK)
    if (hasFile) checkContent(file)
  } catch (error) {
    throw toOpenError(path, error)
  }
}

/** Checks the tables and pages of a file, by a URL with which SQLite creates nothing (https://www.sqlite.org/uri.html). */
function checkContent(file: string): void {
  const [hasWal, hasIndex] = ['-wal', '-shm'].map((end) => existsSync(file + end))
  // Read-only, SQLite cannot read a WAL without its index. Without the WAL, the file may look damaged.
  if (hasWal && !hasIndex) return
  const url = pathToFileURL(file)
  url.searchParams.set('mode', 'ro')
  // Without `readonly_shm`, SQLite writes to the index. Without `immutable`, it creates a WAL and an index.
  url.searchParams.set(hasWal ? 'readonly_shm' : 'immutable', '1')
  using database = openConnection(url, TIMEOUT_MS)
  // The start upgrades an older file before it uses the statements.
  if (checkFile(database).steps.length === 0) checkStatements(database)
  const [[result] = []] = prepare<[string]>(database, 'PRAGMA quick_check(1)')()
  if (result !== 'ok') throw new StartupError(`${DAMAGED}: ${String(result).replaceAll('\n', ' ')}`)
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

/** Compiles every statement, without running it. Throws the error of SQLite if a statement names what the tables lack. */
function checkStatements(database: DatabaseSync): void {
  for (const statement of Object.values(sql)) database.prepare(statement)
}
