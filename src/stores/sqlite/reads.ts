/**
 * Everything that reads a SQLite store. Reads are short and never wait for a write (https://www.sqlite.org/wal.html), so
 * they run on the caller's thread.
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { type PetRow, toPet } from '../rows.ts'
import type { Pet, PetPage, StoredKey } from '../store.ts'
import { prepare } from './connection.ts'
import { toStoreError } from './errors.ts'
import * as sql from './statements.ts'

export interface Reads {
  findPet(id: bigint): Pet | undefined
  listPets(page: PetPage): Pet[]
  findKey(hash: Uint8Array): StoredKey | undefined
  listKeys(): StoredKey[]
  /** Throws if the store cannot be read. */
  check(): void
}

/** Prepares the reads on a connection. They throw `storeUnavailable` for transient errors. */
export function createReads(database: DatabaseSync): Reads {
  function query<Row extends unknown[]>(text: string): (...parameters: SQLInputValue[]) => Row[] {
    const run = prepare<Row>(database, text)
    return (...parameters) => {
      try {
        return run(...parameters)
      } catch (error) {
        throw toStoreError(error)
      }
    }
  }

  const findPet = query<PetRow>(sql.findPet)
  const listPets = query<PetRow>(sql.listPets)
  const listPetsByStatus = query<PetRow>(sql.listPetsByStatus)
  const findKey = query<sql.KeyRow>(sql.findKey)
  const listKeys = query<sql.KeyRow>(sql.listKeys)
  const anyPet = query(sql.anyPet)

  return {
    findPet: (id) => findPet(id).map(toPet)[0],
    listPets: ({ after, limit, status }) =>
      (status === undefined ? listPets(after, limit) : listPetsByStatus(status, after, limit)).map(toPet),
    findKey: (hash) => findKey(hash).map(sql.toKey)[0],
    listKeys: () => listKeys().map(sql.toKey),
    check: () => void anyPet(),
  }
}
