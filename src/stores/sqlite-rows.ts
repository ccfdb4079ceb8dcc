/**
 * Rows of a SQLite store: arrays, with their integers as bigint; and the statement that both pages and batches are read
 * with.
 */
import { petColumns } from './pet-rows.ts'
import type { Key } from './store.ts'

export type KeyRow = [name: string, createdAt: bigint, revokedAt: bigint | null]

export const listPets = `SELECT ${petColumns} FROM pets WHERE id > ? ORDER BY id LIMIT ?`

export function keyOf([name, createdAt, revokedAt]: KeyRow): Key {
  const key = { name, createdAt: new Date(Number(createdAt)) }
  return revokedAt === null ? key : { ...key, revokedAt: new Date(Number(revokedAt)) }
}
