/**
 * All writes to a SQLite store, and the transaction that the writes of a batch share. This file is also the entry of the thread
 * that runs them: it waits for the disk and for the locks of other processes, while the main thread goes on reading.
 */
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { type IdempotencyKeyRow, replay, toValues } from '../rows.ts'
import type { AddResult, IdempotentRequest, KeyOptions, NewPet, Pet } from '../store.ts'
import { assertInPlace, isTransient, type OpenFile, openConnection, prepare } from './connection.ts'
import * as sql from './statements.ts'

/** The functions that write. Their parameters and results can be sent to another thread. */
export type Writes = ReturnType<typeof createWrites>

/** A call of one of these functions, with the parameters that it takes. */
export interface Write {
  readonly name: keyof Writes
  readonly parameters: readonly unknown[]
}

/** Runs a batch in one transaction and returns the results, in order. If it throws, nothing of the batch is stored. */
type Commit = (batch: readonly Write[]) => unknown[]

/** Makes the function that commits batches on a connection. What `check` throws prevents a commit. */
export function createCommit(database: DatabaseSync, check = () => {}): Commit {
  const writes = createWrites(database)
  const run = ({ name, parameters }: Write) =>
    (writes[name] as (...parameters: readonly unknown[]) => unknown)(...parameters)
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

function createWrites(database: DatabaseSync) {
  const insertPet = database.prepare(sql.addPet)
  const findIdempotencyKey = prepare<IdempotencyKeyRow>(database, sql.findIdempotencyKey)
  const addIdempotencyKey = prepare(database, sql.addIdempotencyKey)
  const releaseKeyName = prepare(database, sql.releaseKeyName)
  const addKey = prepare(database, sql.addKey)
  const revokeKey = prepare(database, sql.revokeKey)

  const addPet = (pet: NewPet): Pet => ({ id: BigInt(insertPet.run(...toValues(pet)).lastInsertRowid), ...pet })

  return {
    addPet,
    addPetOnce: (pet: NewPet, request: IdempotentRequest): AddResult => {
      const { scope, key, fingerprint, ttlMs, response, idPlaceholder } = request
      const now = Date.now()
      const [storedKey] = findIdempotencyKey(scope, key, now)
      if (storedKey !== undefined) return replay(pet, request, storedKey)
      const addedPet = addPet(pet)
      const storedResponse = response.replaceAll(idPlaceholder, String(addedPet.id))
      addIdempotencyKey(scope, key, fingerprint, addedPet.id, storedResponse, now + ttlMs)
      return { outcome: 'added', pet: addedPet }
    },
    addKey: (name: string, hash: Uint8Array, { expiresAt, scopes }: KeyOptions) => {
      const now = Date.now()
      releaseKeyName(name, now)
      return addKey(name, hash, now, expiresAt?.getTime() ?? null, scopes?.join(' ') ?? null).length > 0
    },
    revokeKey: (name: string, at: number) => revokeKey(name, at, Date.now()).length > 0,
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

// True only in the thread that a store starts, and not in another thread that imports this file.
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
    // Checks first, because opening another file in its place may change that file, or the WAL beside it.
    check()
    // SQLite must not create a missing file, which may come back (https://www.sqlite.org/uri.html).
    const url = pathToFileURL(opened.file)
    url.searchParams.set('mode', 'rw')
    database = openConnection(url, timeoutMs)
    return createCommit(database, check)
  }

  return (batch) => {
    try {
      commit ??= connect()
      return { results: commit(batch) }
    } catch (error) {
      // Makes the next batch open a connection: one that was opened while the file could not be written fails for ever.
      commit = undefined
      // Tells here whether the error is transient, because an error that is sent to another thread loses its code.
      return { error, isTransient: isTransient(error) }
    }
  }
}
