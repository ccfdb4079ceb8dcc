/** The SQL of the SQLite store, and the rows that it returns: arrays, with their integers as bigint. */
import { idempotencyKeyColumns, keyColumns, newPetColumns, petColumns } from '../rows.ts'
import { applicationId } from './tables.ts'

// With `LIMIT ?`, SQLite would plan the statement anew for each value; with a sum, it plans it once.

export const findPet = `SELECT ${petColumns} FROM pets WHERE id = ?`
export const listPets = `SELECT ${petColumns} FROM pets WHERE id > ? ORDER BY id LIMIT ? + 0`
export const listPetsByStatus = `SELECT ${petColumns} FROM pets WHERE status = ? AND id > ? ORDER BY id LIMIT ? + 0`
/**
 * Changes with each commit of another connection, the check of writing included
 * (https://www.sqlite.org/pragma.html#pragma_data_version).
 */
export const dataVersion = 'PRAGMA data_version'
/** Writes the header of the file, and changes nothing: it has this number already. */
export const rewriteHeader = `PRAGMA application_id = ${applicationId}`
export const addPet = `
  INSERT INTO pets (${newPetColumns.map(({ column }) => column)}) VALUES (${newPetColumns.map(() => '?')})`

export const findIdempotencyKey = `
  SELECT ${idempotencyKeyColumns} FROM idempotency_keys
  WHERE scope = ? AND key = ? AND expires_at > ?`
/** Replaces a key that has expired. */
export const addIdempotencyKey = `
  INSERT OR REPLACE INTO idempotency_keys (scope, key, fingerprint, pet_id, expires_at)
  VALUES (?, ?, ?, ?, ?)`
/** The parameters are the time, and the largest number of keys to delete. */
export const deleteExpiredIdempotencyKeys = `
  DELETE FROM idempotency_keys
  WHERE (scope, key) IN (SELECT scope, key FROM idempotency_keys WHERE expires_at <= ? LIMIT ? + 0)`

/** ?2 is the present time. */
export const findKey = `
  SELECT ${keyColumns} FROM keys
  WHERE hash = ?1 AND (revoked_at IS NULL OR revoked_at > ?2) AND (expires_at IS NULL OR expires_at > ?2)`
export const listKeys = `SELECT ${keyColumns} FROM keys ORDER BY id`
/** Frees the name of a key that has expired. */
export const releaseKeyName = `
  UPDATE keys SET revoked_at = expires_at WHERE name = ? AND revoked_at IS NULL AND expires_at <= ?`
export const addKey = `
  INSERT INTO keys (name, hash, created_at, expires_at, scopes) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (name) WHERE revoked_at IS NULL DO NOTHING RETURNING name`
/** ?2 is the time of the revocation, and ?3 the present time. */
export const revokeKey = `
  UPDATE keys SET revoked_at = ?2 WHERE name = ?1 AND (revoked_at IS NULL OR revoked_at > ?2)
    AND (expires_at IS NULL OR expires_at > ?3) RETURNING name`
