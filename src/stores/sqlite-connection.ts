/**
 * Connections to a SQLite file: how they are opened, and how statements run on them.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { inMemory } from './engine.ts'
import { isBusy } from './sqlite-errors.ts'
import { migrate } from './sqlite-schema.ts'
import { StoreOpenError } from './store.ts'

/**
 * A connection to the store at `path`, whose tables are made or brought up to date; `timeout` is how long to wait for
 * another process's lock, in milliseconds. Rows come as arrays, their integers as bigint. Rejects with a StoreOpenError.
 */
export async function connect(path: string, timeout: number): Promise<DatabaseSync> {
  const deadline = Date.now() + timeout
  for (;;) {
    try {
      return open(path, timeout)
    } catch (error) {
      // While the file is new, SQLite does not wait for every lock by itself.
      const passing = isBusy(error) || (error as NodeJS.ErrnoException).code === 'EEXIST'
      if (!passing || Date.now() > deadline) throw openErrorOf(path, error)
      await sleep(10)
    }
  }
}

/** A further connection to a store that `connect` has opened. */
export function reconnect(path: string | URL, timeout: number): DatabaseSync {
  const database = new DatabaseSync(path, { timeout, readBigInts: true, returnArrays: true })
  // A commit is on disk before it is acknowledged; fullfsync is what that takes on macOS.
  database.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON')
  return database
}

/** A statement as a function from its values to its rows; only this program writes them, so they are as `Row` says. */
export function prepare<Row extends unknown[]>(
  database: DatabaseSync,
  sql: string,
): (...values: SQLInputValue[]) => Row[] {
  const statement = database.prepare(sql)
  return (...values) => statement.all(...values) as unknown[] as Row[]
}

function open(path: string, timeout: number): DatabaseSync {
  const file = path === inMemory ? path : resolve(path)
  if (file !== inMemory) makeFolder(dirname(file))
  const database = reconnect(file, timeout)
  try {
    database.exec('PRAGMA journal_mode = WAL')
    migrate(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Makes a folder where there is none; unlike `mkdir` with `recursive`, this ends where no folder can be (/proc). */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder)
}

function openErrorOf(path: string, error: unknown): StoreOpenError {
  const { code, message } = error as NodeJS.ErrnoException
  const why =
    error instanceof StoreOpenError
      ? message
      : isBusy(error)
        ? 'another process has it locked; stop that process, or try again'
        : `${code === 'ERR_SQLITE_ERROR' ? message : code}; name a file in a folder that can be written`
  return new StoreOpenError(`the store sqlite:${path} cannot be opened: ${why}`, { cause: error })
}
