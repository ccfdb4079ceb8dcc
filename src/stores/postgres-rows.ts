/**
 * Rows of a PostgreSQL store: arrays, with int64 as bigint; and the statement that both pages and batches are read with.
 */
import type { Statement } from './postgres-connection.ts'
import type { Key, Pet, PetStatus } from './store.ts'

export type PetRow = [id: bigint, name: string, categoryId: bigint, status: PetStatus]
export type KeyRow = [name: string, createdAt: Date, revokedAt: Date | null]

export const listPets: Statement = {
  name: 'list-pets',
  text: 'SELECT id, name, category_id, status FROM pets WHERE id > $1 ORDER BY id LIMIT $2',
}

export function petOf([id, name, categoryId, status]: PetRow): Pet {
  return { id, name, categoryId, status }
}

export function keyOf([name, createdAt, revokedAt]: KeyRow): Key {
  return revokedAt === null ? { name, createdAt } : { name, createdAt, revokedAt }
}
