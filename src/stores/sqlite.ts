/**
 * The embedded store: one SQLite file, for one machine. Several processes may have it open at once.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { isBusy, storeErrorOf } from './sqlite-errors.ts'
import { migrate } from './sqlite-schema.ts'
import { type Key, type Pet, type PetStatus, type Store, StoreOpenError } from './store.ts'

/** Rows come as arrays, their integers as bigint. Only this file writes them, so they hold what it wrote. */
type PetRow = [id: bigint, name: string, categoryId: bigint, status: PetStatus]
type KeyRow = [name: string, createdAt: bigint, revokedAt: bigint | null]

/**
 * Opens the SQLite file at `path` (or `:memory:`); `timeout` is how long to wait for another process's lock, in
 * milliseconds. Rejects with a StoreOpenError.
 */
export async function openSqlite(path: string, timeout: number): Promise<Store> {
  const database = await connect(path, timeout)

  const insertPet = prepare<PetRow>(
    database,
    'INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?) RETURNING id, name, category_id, status',
  )
  const findPet = prepare<PetRow>(database, 'SELECT id, name, category_id, status FROM pets WHERE id = ?')
  const listPets = prepare<PetRow>(
    database,
    'SELECT id, name, category_id, status FROM pets WHERE id > ? ORDER BY id LIMIT ?',
  )
  const listPetsOf = prepare<PetRow>(
    database,
    'SELECT id, name, category_id, status FROM pets WHERE status = ? AND id > ? ORDER BY id LIMIT ?',
  )
  const insertKey = prepare<[name: string]>(
    database,
    `INSERT INTO keys (name, hash, created_at) VALUES (?, ?, ?)
     ON CONFLICT (name) WHERE revoked_at IS NULL DO NOTHING RETURNING name`,
  )
  const revokeKey = prepare<[name: string]>(
    database,
    'UPDATE keys SET revoked_at = ? WHERE name = ? AND revoked_at IS NULL RETURNING name',
  )
  const findKey = prepare<KeyRow>(
    database,
    'SELECT name, created_at, revoked_at FROM keys WHERE hash = ? AND revoked_at IS NULL',
  )
  const listKeys = prepare<KeyRow>(database, 'SELECT name, created_at, revoked_at FROM keys ORDER BY id')
  const touch = prepare<[id: bigint]>(database, 'SELECT id FROM pets LIMIT 1')

  return {
    pets: {
      add: async ({ name, categoryId, status }) => insertPet(name, categoryId, status).map(petOf)[0] as Pet,
      find: async (id) => findPet(id).map(petOf)[0],
      list: async ({ after, limit, status }) =>
        (status === undefined ? listPets(after, limit) : listPetsOf(status, after, limit)).map(petOf),
    },
    keys: {
      add: async (name, hash) => insertKey(name, hash, Date.now()).length > 0,
      find: async (hash) => findKey(hash).map(keyOf)[0],
      list: async () => listKeys().map(keyOf),
      revoke: async (name) => revokeKey(Date.now(), name).length > 0,
    },
    check: async () => void touch(),
    close: async () => {
      if (database.isOpen) database.close()
    },
  }
}

/** A connection to a file that holds the tables of today. */
async function connect(path: string, timeout: number): Promise<DatabaseSync> {
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

function open(path: string, timeout: number): DatabaseSync {
  const file = path === ':memory:' ? path : resolve(path)
  if (file !== ':memory:') makeFolder(dirname(file))
  const database = new DatabaseSync(file, { timeout, readBigInts: true, returnArrays: true })
  try {
    // A commit is on disk before it is acknowledged; fullfsync is what that takes on macOS.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON')
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

/** A statement as a function from its values to its rows. */
function prepare<Row extends unknown[]>(database: DatabaseSync, sql: string): (...values: SQLInputValue[]) => Row[] {
  const statement = database.prepare(sql)
  return (...values) => {
    try {
      return statement.all(...values) as unknown[] as Row[]
    } catch (error) {
      throw storeErrorOf(error)
    }
  }
}

// Literals, because they are faster to serialise than the objects that SQLite makes of rows.
function petOf([id, name, categoryId, status]: PetRow): Pet {
  return { id, name, categoryId, status }
}

function keyOf([name, createdAt, revokedAt]: KeyRow): Key {
  const key = { name, createdAt: new Date(Number(createdAt)) }
  return revokedAt === null ? key : { ...key, revokedAt: new Date(Number(revokedAt)) }
}
