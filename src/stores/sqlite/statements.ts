/** The SQL of the SQLite store, and the rows that it returns: arrays, with their integers as bigint. */
import { keyColumns, newPetColumns, petColumns } from '../rows.ts'
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
export const anyPet = 'SELECT id FROM pets LIMIT 1'
/** Writes the header of the file, and changes nothing: it has this number already. */
export const rewriteHeader = `PRAGMA application_id = ${applicationId}`
export const addPet = `
  INSERT INTO pets (${newPetColumns.map(({ column }) => column)}) VALUES (${newPetColumns.map(() => '?')})`

export const findIdempotencyKey = `
  SELECT fingerprint, ${petColumns} FROM idempotency_keys JOIN pets ON id = pet_id
  WHERE scope = ? AND key = ? AND expires_at > ?`
/** Replaces a key that has expired. */
export const addIdempotencyKey = `
  INSERT OR REPLACE INTO idempotency_keys (scope, key, fingerprint, pet_id, expires_at) VALUES (?, ?, ?, ?, ?)`
/** Takes the time and the maximum number of keys to delete. */
export const deleteExpiredIdempotencyKeys = `
  DELETE FROM idempotency_keys
  WHERE (scope, key) IN (SELECT scope, key FROM idempotency_keys WHERE expires_at <= ? LIMIT ? + 0)`

/** Takes the hash, and the time twice. */
export const findKey = `
  SELECT ${keyColumns} FROM keys
  WHERE hash = ? AND (revoked_at IS NULL OR revoked_at > ?) AND (expires_at IS NULL OR expires_at > ?)`
export const listKeys = `SELECT ${keyColumns} FROM keys ORDER BY id`
/** Frees the name of a key that has expired. */
export const releaseKeyName = `
  UPDATE keys SET revoked_at = expires_at WHERE name = ? AND revoked_at IS NULL AND expires_at <= ?`
export const addKey = `
  INSERT INTO keys (name, hash, created_at, expires_at, scopes) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (name) WHERE revoked_at IS NULL DO NOTHING RETURNING name`
/** Takes the time of the revocation twice, with the name between, and the time. */
export const revokeKey = `
  UPDATE keys SET revoked_at = ? WHERE name = ? AND (revoked_at IS NULL OR revoked_at > ?)
    AND (expires_at IS NULL OR expires_at > ?) RETURNING name`
