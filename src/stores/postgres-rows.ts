/**
 * Rows of a PostgreSQL store: arrays, with int64 as bigint; and the statement that both pages and batches are read with.
 */
import { petColumns } from './pet-rows.ts'
import type { Statement } from './postgres-connection.ts'
import type { Key } from './store.ts'

export type KeyRow = [name: string, createdAt: Date, revokedAt: Date | null]

export const listPets: Statement = {
  name: 'list-pets',
  text: `SELECT ${petColumns} FROM pets WHERE id > $1 ORDER BY id LIMIT $2`,
}

export function keyOf([name, createdAt, revokedAt]: KeyRow): Key {
  return revokedAt === null ? { name, createdAt } : { name, createdAt, revokedAt }
}
