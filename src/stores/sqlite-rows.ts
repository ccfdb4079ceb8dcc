/**
 * Rows of a SQLite store: arrays, with their integers as bigint; and the statement that both pages and batches are read
 * with. Literals are made of the rows, because those are faster to serialise than the objects that SQLite makes.
 */
import type { Key, Pet, PetStatus } from './store.ts'

export type PetRow = [id: bigint, name: string, categoryId: bigint, status: PetStatus]
export type KeyRow = [name: string, createdAt: bigint, revokedAt: bigint | null]

export const listPets = 'SELECT id, name, category_id, status FROM pets WHERE id > ? ORDER BY id LIMIT ?'

export function petOf([id, name, categoryId, status]: PetRow): Pet {
  return { id, name, categoryId, status }
}

export function keyOf([name, createdAt, revokedAt]: KeyRow): Key {
  const key = { name, createdAt: new Date(Number(createdAt)) }
  return revokedAt === null ? key : { ...key, revokedAt: new Date(Number(revokedAt)) }
}
