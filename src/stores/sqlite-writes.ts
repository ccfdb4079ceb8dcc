/**
 * Everything that changes a SQLite store, and the transaction that several changes share.
 */
import type { DatabaseSync } from 'node:sqlite'
import { answerAgain } from './once.ts'
import { type PetRow, petColumns, petOf } from './pet-rows.ts'
import { prepare } from './sqlite-connection.ts'
import { isPassing } from './sqlite-errors.ts'
import type { AddedOnce, NewPet, Pet, RetryKey } from './store.ts'

/** The changes, as functions that run within a transaction. What goes in and out can be sent to another thread. */
export interface Writes {
  addPet(pet: NewPet): Pet
  addPetOnce(pet: NewPet, retry: RetryKey): AddedOnce
  addKey(name: string, hash: Uint8Array): boolean
  revokeKey(name: string): boolean
}

/** A change to make: the name of the function, and what to call it with. */
export interface Write<Name extends keyof Writes = keyof Writes> {
  readonly name: Name
  readonly values: Parameters<Writes[Name]>
}

/** What came of a change: what its function returned, or why nothing of it is in the store. */
export type Outcome = { readonly value: unknown } | { readonly error: unknown; readonly passing: boolean }

/** A function that makes changes in one transaction: when it returns, those that succeeded are on disk. */
export type Commit = (batch: readonly Write[]) => Outcome[]

/** `open` gives the connection to write on; it is asked for another one when a batch could not be committed on it. */
export function createCommit(open: () => DatabaseSync): Commit {
  let transact: Commit | undefined

  function commit(batch: readonly Write[]): Outcome[] {
    try {
      transact ??= createTransaction(open())
      return transact(batch)
    } catch (error) {
      // SQLite goes on refusing on a connection that was opened while the file could not be written.
      transact = undefined
      const passing = isPassing(error)
      if (batch.length > 1 && !passing) return commitEach(batch)
      return batch.map(() => ({ error, passing }))
    }
  }

  /** One change may have spoilt it for the others: made one by one, only that one fails. */
  function commitEach(batch: readonly Write[]): Outcome[] {
    const outcomes: Outcome[] = []
    let latest: Outcome[] = []
    for (const write of batch) {
      // Once the file is out of reach, nobody waits for another time-out to be told the same.
      if (!latest.some(isUnavailable)) latest = commit([write])
      outcomes.push(...latest)
    }
    return outcomes
  }

  return commit
}

function isUnavailable(outcome: Outcome): boolean {
  return 'passing' in outcome && outcome.passing
}

/** A function that makes changes in one transaction; throws when one of them fails, and then makes none. */
function createTransaction(database: DatabaseSync): Commit {
  const writes = createWrites(database)
  const dropExpired = prepare(
    database,
    'DELETE FROM retries WHERE (scope, key) IN (SELECT scope, key FROM retries WHERE expires_at <= ? LIMIT ?)',
  )

  return (batch) => {
    database.exec('BEGIN IMMEDIATE')
    try {
      // More than the batch can add, so that what has expired goes in the end; never so much that anyone waits for it.
      dropExpired(Date.now(), 2 * batch.length)
      const outcomes = batch.map(({ name, values }) => ({
        value: (writes[name] as (...values: Write['values']) => unknown)(...values),
      }))
      database.exec('COMMIT')
      return outcomes
    } finally {
      if (database.isTransaction) database.exec('ROLLBACK')
    }
  }
}

function createWrites(database: DatabaseSync): Writes {
  const insertPet = prepare<PetRow>(
    database,
    `INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?) RETURNING ${petColumns}`,
  )
  const findRetry = prepare<[fingerprint: Uint8Array, ...PetRow]>(
    database,
    `SELECT fingerprint, ${petColumns} FROM retries JOIN pets ON id = pet_id
     WHERE scope = ? AND key = ? AND expires_at > ?`,
  )
  // In place of one that has expired.
  const keepRetry = prepare(
    database,
    'INSERT OR REPLACE INTO retries (scope, key, fingerprint, pet_id, expires_at) VALUES (?, ?, ?, ?, ?)',
  )
  const insertKey = prepare(
    database,
    `INSERT INTO keys (name, hash, created_at) VALUES (?, ?, ?)
     ON CONFLICT (name) WHERE revoked_at IS NULL DO NOTHING RETURNING name`,
  )
  const revokeKey = prepare(
    database,
    'UPDATE keys SET revoked_at = ? WHERE name = ? AND revoked_at IS NULL RETURNING name',
  )

  const addPet = ({ name, categoryId, status }: NewPet): Pet => {
    const [row] = insertPet(name, categoryId, status)
    return petOf(row as PetRow)
  }
  return {
    addPet,
    addPetOnce: (pet, retry) => {
      const { scope, key, keptFor } = retry
      const now = Date.now()
      const [found] = findRetry(scope, key, now)
      if (found === undefined) {
        const added = addPet(pet)
        keepRetry(scope, key, retry.fingerprint, added.id, now + keptFor)
        return { outcome: 'added', pet: added }
      }
      const [fingerprint, ...row] = found
      return answerAgain(retry, fingerprint, petOf(row))
    },
    addKey: (name, hash) => insertKey(name, hash, Date.now()).length > 0,
    revokeKey: (name) => revokeKey(Date.now(), name).length > 0,
  }
}
