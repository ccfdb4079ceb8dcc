/**
 * Bulk access to a SQLite file.
 */
import type { DatabaseSync } from 'node:sqlite'
import { StartupError } from '../../src/errors.ts'
import { type KeyRow, keyColumns, type PetRow, petColumns, toKey, toPet, toValues } from '../../src/stores/rows.ts'
import { prepare, reconnect } from '../../src/stores/sqlite/connection.ts'
import { isBusy, toStoreError } from '../../src/stores/sqlite/errors.ts'
import { listPets } from '../../src/stores/sqlite/statements.ts'
import type { ApiKeyRecord, BulkStore, IdempotencyKeyRecord } from './store.ts'

/** The time to wait for a process that is about to close the file, in milliseconds. */
const timeoutMs = 1000

/** Opens a file with a store of the current version, for this process alone. Throws a StartupError. */
export function openSqliteBulk(file: string): BulkStore {
  const database = reconnect(file, timeoutMs)
  try {
    lockExclusively(database)
    return createBulk(database)
  } catch (error) {
    database.close()
    throw isBusy(error)
      ? new StartupError(`another process has sqlite:${file} open; stop the service and every script that uses it`)
      : toStoreError(error)
  }
}

/** Takes a lock that is held until the connection is closed. Other connections prevent it, even idle ones. */
function lockExclusively(database: DatabaseSync): void {
  // In WAL mode, the first write transaction takes it (https://www.sqlite.org/pragma.html#pragma_locking_mode).
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
  const writePet = prepare(database, `INSERT INTO pets (${petColumns}) VALUES (?, ?, ?, ?)`)
  const readKeys = prepare<[hash: Uint8Array, ...KeyRow]>(database, `SELECT hash, ${keyColumns} FROM keys ORDER BY id`)
  const writeKey = prepare(
    database,
    `INSERT INTO keys (hash, ${keyColumns}) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (hash) DO UPDATE SET
       revoked_at = excluded.revoked_at, expires_at = excluded.expires_at, last_used_at = excluded.last_used_at`,
  )
  // No scope is empty. The plus rules out the index by expiry, which has another order.
  const readIdempotencyKeys = prepare<IdempotencyKeyRow>(
    database,
    `SELECT scope, key, fingerprint, pet_id, expires_at FROM idempotency_keys
     WHERE (scope, key) > (?, ?) AND +expires_at > ? ORDER BY scope, key LIMIT ?`,
  )
  const writeIdempotencyKey = prepare(
    database,
    'INSERT OR REPLACE INTO idempotency_keys (scope, key, fingerprint, pet_id, expires_at) VALUES (?, ?, ?, ?, ?)',
  )

  /** Runs a function, and maps its errors as a Store does. */
  async function run<Result>(work: () => Result): Promise<Result> {
    try {
      return work()
    } catch (error) {
      throw toStoreError(error)
    }
  }

  /** Runs a function for each item, in one transaction. */
  function runAll<Item>(items: readonly Item[], work: (item: Item) => unknown): Promise<void> {
    return run(() => {
      database.exec('BEGIN')
      for (const item of items) work(item)
      database.exec('COMMIT')
    })
  }

  return {
    now: async () => new Date(),
    lastId: () => run(() => lastId()[0]?.[0] ?? 0n),
    skipIds: (last) => runAll([last], () => updateLastId(last).length > 0 || insertLastId(last)),
    countPets: () => run(() => Number(countPets()[0]?.[0])),
    readPets: (after, limit) => run(() => readPets(after, limit).map(toPet)),
    writePets: (pets) => runAll(pets, (pet) => writePet(pet.id, ...toValues(pet))),
    readKeys: () => run(() => readKeys().map(([hash, ...row]): ApiKeyRecord => ({ hash, ...toKey(row) }))),
    writeKeys: (keys) =>
      runAll(keys, ({ hash, name, createdAt, revokedAt, expiresAt, lastUsedAt, scopes }) => {
        const times = [createdAt, revokedAt, expiresAt, lastUsedAt].map((time) => time?.getTime() ?? null)
        writeKey(hash, name, ...times, scopes?.join(' ') ?? null)
      }),
    readIdempotencyKeys: ({ after, limit, activeAt }) =>
      run(() => readIdempotencyKeys(after?.scope ?? '', after?.key ?? '', activeAt.getTime(), limit).map(toRecord)),
    writeIdempotencyKeys: (records) =>
      runAll(records, ({ scope, key, fingerprint, petId, expiresAt }) =>
        writeIdempotencyKey(scope, key, fingerprint, petId, expiresAt.getTime()),
      ),
    // Moves everything from the WAL into the file, so that the file alone is the store.
    optimize: () => run(() => database.exec('PRAGMA wal_checkpoint(TRUNCATE)')),
    close: async () => {
      if (database.isOpen) database.close()
    },
  }
}

type IdempotencyKeyRow = [scope: string, key: string, fingerprint: Uint8Array, petId: bigint, expiresAt: bigint]

function toRecord([scope, key, fingerprint, petId, expiresAt]: IdempotencyKeyRow): IdempotencyKeyRecord {
  return { scope, key, fingerprint, petId, expiresAt: new Date(Number(expiresAt)) }
}
