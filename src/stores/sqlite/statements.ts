/**
 * The SQL of the SQLite store, and the rows that it returns: arrays, with their integers as bigint.
 */
import { petColumns } from '../rows.ts'
import type { StoredKey } from '../store.ts'
import { applicationId } from './schema.ts'

export const findPet = `SELECT ${petColumns} FROM pets WHERE id = ?`
export const listPets = `SELECT ${petColumns} FROM pets WHERE id > ? ORDER BY id LIMIT ?`
export const listPetsByStatus = `SELECT ${petColumns} FROM pets WHERE status = ? AND id > ? ORDER BY id LIMIT ?`
/** Changes whenever another connection commits (https://www.sqlite.org/pragma.html#pragma_data_version). */
export const dataVersion = 'PRAGMA data_version'
export const anyPet = 'SELECT id FROM pets LIMIT 1'
/** Writes a page, with what it has already: the version of the tables may be another one by now, this number never is. */
export const rewriteHeader = `PRAGMA application_id = ${applicationId}`
export const addPet = `INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?) RETURNING ${petColumns}`

export const findIdempotencyKey = `
  SELECT fingerprint, ${petColumns} FROM idempotency_keys JOIN pets ON id = pet_id
  WHERE scope = ? AND key = ? AND expires_at > ?`
/** Replaces a key that has expired. */
export const addIdempotencyKey = `
  INSERT OR REPLACE INTO idempotency_keys (scope, key, fingerprint, pet_id, expires_at) VALUES (?, ?, ?, ?, ?)`
/** Takes the time and the maximum number of keys to delete. */
export const deleteExpiredIdempotencyKeys = `
  DELETE FROM idempotency_keys
  WHERE (scope, key) IN (SELECT scope, key FROM idempotency_keys WHERE expires_at <= ? LIMIT ?)`

const keyColumns = 'name, created_at, revoked_at'
export const findKey = `SELECT ${keyColumns} FROM keys WHERE hash = ? AND revoked_at IS NULL`
export const listKeys = `SELECT ${keyColumns} FROM keys ORDER BY id`
export const addKey = `
  INSERT INTO keys (name, hash, created_at) VALUES (?, ?, ?)
  ON CONFLICT (name) WHERE revoked_at IS NULL DO NOTHING RETURNING name`
export const revokeKey = 'UPDATE keys SET revoked_at = ? WHERE name = ? AND revoked_at IS NULL RETURNING name'

export type KeyRow = [name: string, createdAt: bigint, revokedAt: bigint | null]

export function toKey([name, createdAt, revokedAt]: KeyRow): StoredKey {
  const key = { name, createdAt: new Date(Number(createdAt)) }
  return revokedAt === null ? key : { ...key, revokedAt: new Date(Number(revokedAt)) }
}
