/**
 * Everything that reads a PostgreSQL store.
 */
import { type PetRow, toPet } from '../rows.ts'
import type { Pet, PetPage, StoredKey } from '../store.ts'
import type { Query } from './connection.ts'
import * as sql from './statements.ts'

export interface Reads {
  findPet(id: bigint): Promise<Pet | undefined>
  listPets(page: PetPage): Promise<Pet[]>
  findKey(hash: Uint8Array): Promise<StoredKey | undefined>
  listKeys(): Promise<StoredKey[]>
  /** Rejects if the store cannot be read. */
  check(): Promise<void>
}

export function createReads(query: Query): Reads {
  return {
    findPet: async (id) => (await query<PetRow>(sql.findPet, id)).map(toPet)[0],
    listPets: async ({ after, limit, status }) =>
      (status === undefined
        ? await query<PetRow>(sql.listPets, after, limit)
        : await query<PetRow>(sql.listPetsByStatus, after, limit, status)
      ).map(toPet),
    findKey: async (hash) => (await query<sql.KeyRow>(sql.findKey, hash)).map(sql.toKey)[0],
    listKeys: async () => (await query<sql.KeyRow>(sql.listKeys)).map(sql.toKey),
    check: async () => void (await query(sql.anyPet)),
  }
}
