/**
 * Everything that changes a SQLite store, and the transaction that the writes of a batch share. As the entry of a thread, this
 * file runs them: the thread waits for the disk and for the locks of other processes, while the main thread goes on reading.
 */
import type { DatabaseSync } from 'node:sqlite'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { type PetRow, toPet, toValues } from '../rows.ts'
import { type AddResult, type IdempotentRequest, type KeyOptions, type NewPet, type Pet, replay } from '../store.ts'
import { assertInPlace, isTransient, type OpenFile, openExisting, prepare } from './connection.ts'
import * as sql from './statements.ts'

/** The writes. Their parameters and results can be sent to another thread. */
export type Writes = ReturnType<typeof createWrites>
type Calls = { [Name in keyof Writes]: (...parameters: Parameters<Writes[Name]>) => ReturnType<Writes[Name]> }

/** A write: the name of the function, and its parameters. */
export interface Write<Name extends keyof Writes = keyof Writes> {
  readonly name: Name
  readonly parameters: Parameters<Writes[Name]>
}

/** Runs a batch in one transaction and returns the results, in order. If it throws, nothing of the batch is stored. */
type Commit = (batch: readonly Write[]) => unknown[]

/** Makes the function that commits batches on a connection. What `check` throws prevents a commit. */
export function createCommit(database: DatabaseSync, check = () => {}): Commit {
  const writes: Calls = createWrites(database)
  const run = <Name extends keyof Writes>({ name, parameters }: Write<Name>) => writes[name](...parameters)
  const deleteExpiredIdempotencyKeys = prepare(database, sql.deleteExpiredIdempotencyKeys)

  return (batch) => {
    database.exec('BEGIN IMMEDIATE')
    try {
      // Twice as many as the batch can add: all expired keys are deleted eventually, and no batch takes long for it.
      deleteExpiredIdempotencyKeys(Date.now(), 2 * batch.length)
      const results = batch.map((write) => run(write))
      check()
      database.exec('COMMIT')
      return results
    } catch (error) {
      try {
        if (database.isTransaction) database.exec('ROLLBACK')
      } catch {
        // Closing the connection ends the transaction, too.
      }
      throw error
    }
  }
}

function createWrites(database: DatabaseSync) {
  const insertPet = database.prepare(sql.addPet)
  const findIdempotencyKey = prepare<[fingerprint: Uint8Array, ...PetRow]>(database, sql.findIdempotencyKey)
  const addIdempotencyKey = prepare(database, sql.addIdempotencyKey)
  const releaseKeyName = prepare(database, sql.releaseKeyName)
  const addKey = prepare(database, sql.addKey)
  const revokeKey = prepare(database, sql.revokeKey)

  const addPet = (pet: NewPet): Pet => ({ id: BigInt(insertPet.run(...toValues(pet)).lastInsertRowid), ...pet })

  return {
    addPet,
    addPetOnce: (pet: NewPet, request: IdempotentRequest): AddResult => {
      const { scope, key, fingerprint, ttlMs } = request
      const now = Date.now()
      const [stored] = findIdempotencyKey(scope, key, now)
      if (stored === undefined) {
        const added = addPet(pet)
        addIdempotencyKey(scope, key, fingerprint, added.id, now + ttlMs)
        return { outcome: 'added', pet: added }
      }
      const [storedFingerprint, ...row] = stored
      return replay(request, storedFingerprint, toPet(row))
    },
    addKey: (name: string, hash: Uint8Array, { expiresAt, scopes }: KeyOptions) => {
      const now = Date.now()
      releaseKeyName(name, now)
      return addKey(name, hash, now, expiresAt?.getTime() ?? null, scopes?.join(' ') ?? null).length > 0
    },
    revokeKey: (name: string, at: number) => revokeKey(at, name, at, Date.now()).length > 0,
    check: () => database.exec(sql.rewriteHeader),
  }
}

export interface ThreadData {
  readonly opened: OpenFile
  readonly timeoutMs: number
}

/** The results of a batch, or the error that prevented them. */
export type ThreadResponse =
  | { readonly results: unknown[] }
  | { readonly error: unknown; readonly isTransient: boolean }

// True in the thread that a store starts. Any other thread imports this file to open a store.
if (!isMainThread && workerData?.opened !== undefined) {
  const respond = createResponder(workerData)
  parentPort?.on('message', (batch: Write[]) => parentPort?.postMessage(respond(batch)))
  parentPort?.postMessage('ready')
}

function createResponder({ opened, timeoutMs }: ThreadData): (batch: readonly Write[]) => ThreadResponse {
  const check = () => assertInPlace(opened)
  let database: DatabaseSync | undefined
  let commit: Commit | undefined

  function connect(): Commit {
    if (database?.isOpen) database.close()
    // First, because to open another file in its place might change that file, or the WAL beside it.
    check()
    // A file that is gone may come back; a new, empty one must not take its place.
    database = openExisting(opened.file, timeoutMs)
    return createCommit(database, check)
  }

  return (batch) => {
    try {
      commit ??= connect()
      return { results: commit(batch) }
    } catch (error) {
      // A connection that was opened while the file could not be written would fail for ever.
      commit = undefined
      // An error that is sent to another thread loses its code.
      return { error, isTransient: isTransient(error) }
    }
  }
}
