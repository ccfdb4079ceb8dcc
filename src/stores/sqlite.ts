/**
 * The embedded store: one SQLite file, for one machine. Several processes may have it open at once.
 *
 * Reads run on the caller's thread: they are short, and never wait for a write (https://www.sqlite.org/wal.html).
 * Writes run on a thread of their own, those that wait together in one commit.
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { createGroupCommit } from './group-commit.ts'
import { createGate } from './once.ts'
import { type PetRow, petColumns, petOf } from './pet-rows.ts'
import { connect, prepare } from './sqlite-connection.ts'
import { storeErrorOf } from './sqlite-errors.ts'
import { type KeyRow, keyOf, listPets } from './sqlite-rows.ts'
import { createCommit, type Outcome, type Write, type Writes } from './sqlite-writes.ts'
import { type Store, StoreUnavailableError } from './store.ts'

/** What makes batches of changes. */
interface Writer {
  commit(batch: readonly Write[]): Promise<Outcome[]>
  close(): Promise<unknown>
}

/**
 * Opens the SQLite file at `path` (or `:memory:`); `timeout` is how long a caller may wait for another process's
 * lock, in milliseconds. Rejects with a StoreOpenError.
 */
export async function openSqlite(path: string, timeout: number): Promise<Store> {
  const database = await connect(path, timeout)
  const file = database.location()
  const writer = file === null ? createWriter(database) : startWriter(file, timeout)
  const { submit, settled } = createGroupCommit(writer.commit)
  const oncePerKey = createGate()
  let closing: Promise<void> | undefined

  async function write<Name extends keyof Writes>(
    name: Name,
    ...values: Parameters<Writes[Name]>
  ): Promise<ReturnType<Writes[Name]>> {
    if (closing !== undefined) throw new StoreUnavailableError('it is closed')
    const outcome = await submit({ name, values })
    if ('value' in outcome) return outcome.value as ReturnType<Writes[Name]>
    throw outcome.passing ? new StoreUnavailableError(outcome.error) : outcome.error
  }

  const findPet = query<PetRow>(database, `SELECT ${petColumns} FROM pets WHERE id = ?`)
  const listAll = query<PetRow>(database, listPets)
  const listOf = query<PetRow>(
    database,
    `SELECT ${petColumns} FROM pets WHERE status = ? AND id > ? ORDER BY id LIMIT ?`,
  )
  const findKey = query<KeyRow>(
    database,
    'SELECT name, created_at, revoked_at FROM keys WHERE hash = ? AND revoked_at IS NULL',
  )
  const listKeys = query<KeyRow>(database, 'SELECT name, created_at, revoked_at FROM keys ORDER BY id')
  const touch = query(database, 'SELECT id FROM pets LIMIT 1')

  return {
    pets: {
      add: (pet) => write('addPet', pet),
      addOnce: (pet, retry) => oncePerKey(retry, () => write('addPetOnce', pet, retry)),
      find: async (id) => findPet(id).map(petOf)[0],
      list: async ({ after, limit, status }) =>
        (status === undefined ? listAll(after, limit) : listOf(status, after, limit)).map(petOf),
    },
    keys: {
      add: (name, hash) => write('addKey', name, hash),
      find: async (hash) => findKey(hash).map(keyOf)[0],
      list: async () => listKeys().map(keyOf),
      revoke: (name) => write('revokeKey', name),
    },
    check: async () => {
      touch()
    },
    close: () => {
      closing ??= settled()
        .then(writer.close)
        .then(() => database.close())
      return closing
    },
  }
}

/** A statement that reads, as a function from its values to its rows. */
function query<Row extends unknown[]>(database: DatabaseSync, sql: string): (...values: SQLInputValue[]) => Row[] {
  const rows = prepare<Row>(database, sql)
  return (...values) => {
    try {
      return rows(...values)
    } catch (error) {
      throw storeErrorOf(error)
    }
  }
}

/** Writes on the same connection: nobody waits for a disk, and a store in memory has but one. */
function createWriter(database: DatabaseSync): Writer {
  const commit = createCommit(() => database)
  return { commit: async (batch) => commit(batch), close: async () => {} }
}

/** Writes on a thread and a connection of their own. A failure of the thread itself ends the process. */
function startWriter(file: string, timeout: number): Writer {
  // The flags of the process (--input-type, test loaders) are none of its business.
  const thread = new Worker(new URL('./sqlite-thread.ts', import.meta.url), {
    // A batch may have to wait for the one before it, too, and SQLite waits somewhat longer than it is told to.
    workerData: { file, timeout: Math.floor(timeout * 0.4) },
    execArgv: [],
  })
  return {
    commit: (batch) =>
      new Promise((resolve) => {
        thread.once('message', resolve)
        thread.postMessage(batch)
      }),
    close: () => thread.terminate(),
  }
}
