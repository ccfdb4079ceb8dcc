/**
 * A SQLite file as a whole.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { BulkStore, KeptKey, KeptRetry } from './bulk.ts'
import { type PetRow, petOf } from './pet-rows.ts'
import { prepare, reconnect } from './sqlite-connection.ts'
import { isBusy, storeErrorOf } from './sqlite-errors.ts'
import { type KeyRow, keyOf, listPets } from './sqlite-rows.ts'
import { StoreOpenError } from './store.ts'

/** How long to wait for a process that is about to let go of the file, in milliseconds. */
const patience = 1000

/** Opens a file that holds a store up to date, for this process alone. Throws a StoreOpenError. */
export function openSqliteBulk(file: string): BulkStore {
  const database = reconnect(file, patience)
  try {
    takeAlone(database)
    return createBulk(database)
  } catch (error) {
    database.close()
    throw isBusy(error)
      ? new StoreOpenError(`another process has sqlite:${file} open; stop the service and every script that uses it`)
      : storeErrorOf(error)
  }
}

/** Takes a lock that is held until the connection is closed, and that others stand in the way of, even idle ones. */
function takeAlone(database: DatabaseSync): void {
  // In WAL mode, the first transaction that writes takes it (https://www.sqlite.org/pragma.html#pragma_locking_mode).
  database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT')
}

function createBulk(database: DatabaseSync): BulkStore {
  const lastId = prepare<[bigint]>(database, `SELECT seq FROM sqlite_sequence WHERE name = 'pets'`)
  const updateLastId = prepare(
    database,
    `UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'pets' RETURNING seq`,
  )
  const insertLastId = prepare(database, `INSERT INTO sqlite_sequence (name, seq) VALUES ('pets', ?)`)
  const countPets = prepare<[bigint]>(database, 'SELECT count(*) FROM pets')
  const readPets = prepare<PetRow>(database, listPets)
  const writePet = prepare(database, 'INSERT INTO pets (id, name, category_id, status) VALUES (?, ?, ?, ?)')
  const readKeys = prepare<[hash: Uint8Array, ...KeyRow]>(
    database,
    'SELECT hash, name, created_at, revoked_at FROM keys ORDER BY id',
  )
  const writeKey = prepare(
    database,
    `INSERT INTO keys (hash, name, created_at, revoked_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (hash) DO UPDATE SET revoked_at = excluded.revoked_at`,
  )
  // No scope is empty, and the plus keeps the index by expiry out: it gives another order.
  const readRetries = prepare<RetryRow>(
    database,
    `SELECT scope, key, fingerprint, pet_id, expires_at FROM retries
     WHERE (scope, key) > (?, ?) AND +expires_at > ? ORDER BY scope, key LIMIT ?`,
  )
  const writeRetry = prepare(
    database,
    'INSERT OR REPLACE INTO retries (scope, key, fingerprint, pet_id, expires_at) VALUES (?, ?, ?, ?, ?)',
  )

  /** What a function does with the database, as the interface of the stores has it. */
  async function run<Result>(work: () => Result): Promise<Result> {
    try {
      return work()
    } catch (error) {
      throw storeErrorOf(error)
    }
  }

  /** Does the work for each item, in one transaction. */
  function runAll<Item>(items: readonly Item[], work: (item: Item) => unknown): Promise<void> {
    return run(() => {
      database.exec('BEGIN')
      for (const item of items) work(item)
      database.exec('COMMIT')
    })
  }

  return {
    lastId: () => run(() => lastId()[0]?.[0] ?? 0n),
    skipIds: (last) => runAll([last], () => updateLastId(last).length > 0 || insertLastId(last)),
    countPets: () => run(() => Number(countPets()[0]?.[0])),
    readPets: (after, limit) => run(() => readPets(after, limit).map(petOf)),
    writePets: (pets) => runAll(pets, ({ id, name, categoryId, status }) => writePet(id, name, categoryId, status)),
    readKeys: () => run(() => readKeys().map(([hash, ...row]): KeptKey => ({ hash, ...keyOf(row) }))),
    writeKeys: (keys) =>
      runAll(keys, ({ hash, name, createdAt, revokedAt }) =>
        writeKey(hash, name, createdAt.getTime(), revokedAt?.getTime() ?? null),
      ),
    readRetries: ({ after, limit, inForceAt }) =>
      run(() => readRetries(after?.scope ?? '', after?.key ?? '', inForceAt.getTime(), limit).map(retryOf)),
    writeRetries: (retries) =>
      runAll(retries, ({ scope, key, fingerprint, petId, expiresAt }) =>
        writeRetry(scope, key, fingerprint, petId, expiresAt.getTime()),
      ),
    // All that was written goes where it stays, so that the file alone is the store.
    settle: () => run(() => database.exec('PRAGMA wal_checkpoint(TRUNCATE)')),
    close: async () => {
      if (database.isOpen) database.close()
    },
  }
}

type RetryRow = [scope: string, key: string, fingerprint: Uint8Array, petId: bigint, expiresAt: bigint]

function retryOf([scope, key, fingerprint, petId, expiresAt]: RetryRow): KeptRetry {
  return { scope, key, fingerprint, petId, expiresAt: new Date(Number(expiresAt)) }
}
