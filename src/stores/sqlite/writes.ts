/** All writes to a SQLite store, and the transaction that the writes of a batch share. */
import type { DatabaseSync } from 'node:sqlite'
import { type IdempotencyKeyRow, replay, toValues } from '../rows.ts'
import type { AddResult, IdempotentRequest, KeyOptions, NewPet, Pet } from '../store.ts'
import { prepare } from './connection.ts'
import * as sql from './statements.ts'

/** The functions that write. Their parameters and results can be sent to another thread. */
export type WriteFunctions = ReturnType<typeof createWriteFunctions>

/** A call of one of these functions, with the parameters that it takes. */
export interface WriteCall {
  readonly name: keyof WriteFunctions
  readonly parameters: readonly unknown[]
}

/** Runs a batch in one transaction and returns the results, in order. If it throws, nothing of the batch is stored. */
export type Commit = (batch: readonly WriteCall[]) => unknown[]

/** Creates the function that commits batches on a connection. What `check` throws prevents a commit. */
export function createCommit(database: DatabaseSync, check = () => {}): Commit {
  const functions = createWriteFunctions(database)
  const run = ({ name, parameters }: WriteCall) =>
    (functions[name] as (...parameters: readonly unknown[]) => unknown)(...parameters)
  const deleteExpiredIdempotencyKeys = prepare(database, sql.deleteExpiredIdempotencyKeys)

  return (batch) => {
    database.exec('BEGIN IMMEDIATE')
    try {
      // At most twice as many as the batch can add: they are all deleted eventually, and no batch takes long for it.
      deleteExpiredIdempotencyKeys(Date.now(), 2 * batch.length)
      const results = batch.map(run)
      check()
      database.exec('COMMIT')
      return results
    } catch (error) {
      try {
        if (database.isTransaction) database.exec('ROLLBACK')
      } catch {
        // Ignored: closing the connection also ends the transaction.
      }
      throw error
    }
  }
}

function createWriteFunctions(database: DatabaseSync) {
  const insertPet = database.prepare(sql.addPet)
  const findIdempotencyKey = prepare<IdempotencyKeyRow>(database, sql.findIdempotencyKey)
  const insertIdempotencyKey = prepare(database, sql.addIdempotencyKey)
  const releaseKeyName = prepare(database, sql.releaseKeyName)
  const insertKey = prepare(database, sql.addKey)
  const setRevokedAt = prepare(database, sql.revokeKey)

  const addPet = (pet: NewPet): Pet => ({ id: BigInt(insertPet.run(...toValues(pet)).lastInsertRowid), ...pet })

  return {
    addPet,
    addPetOnce: (pet: NewPet, request: IdempotentRequest): AddResult => {
      const { scope, key, fingerprint, ttlMs } = request
      const now = Date.now()
      const [storedKey] = findIdempotencyKey(scope, key, now)
      if (storedKey !== undefined) return replay(pet, request, storedKey)
      const addedPet = addPet(pet)
      insertIdempotencyKey(scope, key, fingerprint, addedPet.id, now + ttlMs)
      return { outcome: 'added', pet: addedPet }
    },
    addKey: (name: string, hash: Uint8Array, { expiresAt, scopes }: KeyOptions) => {
      const now = Date.now()
      releaseKeyName(name, now)
      return insertKey(name, hash, now, expiresAt?.getTime() ?? null, scopes?.join(' ') ?? null).length > 0
    },
    revokeKey: (name: string, at: number) => setRevokedAt(name, at, Date.now()).length > 0,
    check: () => database.exec(sql.rewriteHeader),
  }
}
