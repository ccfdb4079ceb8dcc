/** The SQL of the PostgreSQL store, and the rows that it returns: arrays, with int64 as bigint. */
import {
  type IdempotencyKeyRow,
  idempotencyKeyColumns,
  keyColumns,
  newPetColumns,
  type PetRow,
  petColumns,
} from '../rows.ts'
import { additionLock, lockSpace } from './tables.ts'

/** A statement. The server keeps it prepared under its name. */
export interface Statement {
  readonly name?: string
  readonly text: string
}

const prepared = (name: string, text: string): Statement => ({ name, text })

/**
 * Configures a session; $1 is the timeout of statements in milliseconds.
 * - synchronous_commit: a commit is acknowledged when it is on disk, on a synchronous standby too, whatever the settings of the
 *   server are; `remote_apply` is stricter still.
 * - jit: compiling a statement takes longer than running it.
 * - plan_cache_mode: one plan for all parameters, because planning a statement takes as long as running it.
 * - enable_seqscan, enable_bitmapscan: this plan must use an index, because it may outlive a small table. The planner expects
 *   that a page has a tenth of the animals, and would collect and sort them.
 */
export const configureSession = `
  SELECT current_setting('transaction_read_only')::boolean AS is_read_only,
    set_config('synchronous_commit', CASE current_setting('synchronous_commit')
      WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false),
    set_config('statement_timeout', $1, false),
    set_config('jit', 'off', false),
    set_config('plan_cache_mode', 'force_generic_plan', false),
    set_config('enable_seqscan', 'off', false),
    set_config('enable_bitmapscan', 'off', false)`

export const findPets = prepared('find-pets', `SELECT ${petColumns} FROM pets WHERE id = ANY ($1::bigint[])`)

const selectPage = (after: string, limit: string) =>
  `SELECT ${petColumns} FROM pets WHERE id > ${after} ORDER BY id LIMIT ${limit}`
/**
 * Written so that only the index by status can be used: with `status = $3 ORDER BY id`, the planner may walk over all
 * animals until enough of them have the status, and there may be none ahead.
 */
const selectPageOfStatus = (after: string, limit: string, status: string) => `
  SELECT ${petColumns} FROM pets
  WHERE (status, id) > (${status}, ${after}) AND status <= ${status} ORDER BY status, id LIMIT ${limit}`
/**
 * Reads several pages: `arrays` are the parameters, an array for each of the `names`, and `pageSql` reads the page of one index. With
 * the arrays [0, 7] and [2, 2] of `after` and `length`, the rows are `0, 1, Rex…`, `0, 2, Tom…`, `1, 8, Kim…`: index and animal.
 */
const selectPages = (arrays: string, names: string, pageSql: string) => `
  SELECT ordinal::int - 1, page.*
  FROM unnest(${arrays}) WITH ORDINALITY AS request (${names}, ordinal), LATERAL (${pageSql}) AS page
  ORDER BY ordinal, id`
export const listPets = prepared('list-pets', selectPage('$1', '$2'))
export const listPetsByStatus = prepared('list-pets-by-status', selectPageOfStatus('$1', '$2', '$3'))
export const listPages = prepared(
  'list-pages',
  selectPages('$1::bigint[], $2::bigint[]', 'after, length', selectPage('request.after', 'request.length')),
)
export const listPagesByStatus = prepared(
  'list-pages-by-status',
  selectPages(
    '$1::bigint[], $2::bigint[], $3::text[]',
    'after, length, status',
    selectPageOfStatus('request.after', 'request.length', 'request.status'),
  ),
)
/** The index of a page in the arrays, and an animal of the page. */
export type PageRow = [index: number, ...PetRow]
/** Needs what an addition needs: a database that is not read-only, permission, no lock on the table, and a commit. */
export const writeNothing = prepared(
  'write-nothing',
  `WITH added AS (INSERT INTO pets (name, category_id, status) SELECT '', 0, '' WHERE false)
   SELECT pg_logical_emit_message(true, 'animal-store', '')`,
)

/** The last parameters of `addPets`: an array for each column of an animal without an id. The first four are of keys. */
const newPetInputs = newPetColumns.map(({ type }, index) => `$${5 + index}::${type}[]`).join(', ')

/**
 * Adds a batch of animals, some of them under idempotency keys; returns one `AddedRow` per animal, in order. Its parts:
 *
 * - `locked` takes the lock under which ids are assigned (writes.ts), until the commit.
 * - `numbered` has the animals of the batch, each with its id. It joins `locked`, so that ids are assigned under the lock.
 * - `stored` stores the idempotency keys. A key that is stored already and has not expired is not stored again. A key must not be
 *   in a batch twice, or the statement fails: the in-flight guard lets one request per key through.
 * - `added` adds the animals without a key, and those whose key was stored. The rows of the others are null.
 * - `deleted` deletes at most twice as many expired keys as the batch has animals: they are all deleted eventually, and no batch
 *   takes long for it. Expiry is tested twice, because another instance may have renewed a key meanwhile.
 */
export const addPets = prepared(
  'add-pets',
  `
    WITH locked AS MATERIALIZED (
      SELECT pg_advisory_xact_lock(${lockSpace}, ${additionLock})
    ), numbered AS MATERIALIZED (
      SELECT nextval('pet_ids') AS id, input.*
      FROM locked, unnest($1::text[], $2::text[], $3::bytea[], $4::float8[], ${newPetInputs})
        WITH ORDINALITY AS input (
          scope, key, fingerprint, ttl_ms, ${newPetColumns.map(({ column }) => column)}, ordinal
        )
    ), stored AS (
      INSERT INTO idempotency_keys (scope, key, fingerprint, pet_id, expires_at)
      SELECT scope, key, fingerprint, id, now() + ttl_ms * interval '1 millisecond'
      FROM numbered WHERE scope IS NOT NULL
      ON CONFLICT (scope, key) DO UPDATE SET
        fingerprint = excluded.fingerprint, pet_id = excluded.pet_id, expires_at = excluded.expires_at
        WHERE idempotency_keys.expires_at <= now()
      RETURNING pet_id
    ), added AS (
      INSERT INTO pets (${petColumns})
      SELECT ${petColumns} FROM numbered
      WHERE scope IS NULL OR id IN (SELECT pet_id FROM stored)
      RETURNING ${petColumns}
    ), deleted AS (
      DELETE FROM idempotency_keys WHERE expires_at <= now() AND ctid = ANY (ARRAY (
        SELECT ctid FROM idempotency_keys
        WHERE expires_at <= now() AND (scope, key) NOT IN (SELECT scope, key FROM numbered WHERE scope IS NOT NULL)
        ORDER BY expires_at LIMIT (SELECT 2 * count(*) FROM numbered)
      ))
    )
    SELECT added.* FROM numbered LEFT JOIN added ON added.id = numbered.id ORDER BY ordinal`,
)
/** An added animal; nulls if its idempotency key is taken. */
export type AddedRow = PetRow | [id: null, ...null[]]

/**
 * Finds a stored idempotency key, and commits something: `pg_logical_emit_message`. The commit waits for the synchronous standby.
 * Otherwise, the response could acknowledge an animal that is lost with this server: the key may not be on the standby yet, if the
 * wait for it was cancelled or the server is about to stop.
 */
export const findIdempotencyKey = prepared(
  'find-idempotency-key',
  `SELECT ${idempotencyKeyColumns}, pg_logical_emit_message(true, 'animal-store', '')
   FROM idempotency_keys WHERE scope = $1 AND key = $2 AND expires_at > now()`,
)
/** A stored idempotency key, and the position of the commit. */
export type FoundIdempotencyKeyRow = [...IdempotencyKeyRow, position: string]

export const readClock = prepared('read-clock', 'SELECT now()')
export const findKeys = prepared(
  'find-keys',
  `SELECT hash, ${keyColumns} FROM keys
   WHERE hash = ANY ($1::bytea[]) AND (revoked_at IS NULL OR revoked_at > now()) AND (expires_at IS NULL OR expires_at > now())`,
)
export const listKeys = prepared('list-keys', `SELECT ${keyColumns} FROM keys ORDER BY id`)
/** Frees the name of a key that has expired. */
export const releaseKeyName = prepared(
  'release-key-name',
  'UPDATE keys SET revoked_at = expires_at WHERE name = $1 AND revoked_at IS NULL AND expires_at <= now()',
)
export const addKey = prepared(
  'add-key',
  `INSERT INTO keys (name, hash, expires_at, scopes) VALUES ($1, $2, $3, $4)
   ON CONFLICT (name) WHERE revoked_at IS NULL DO NOTHING RETURNING name`,
)
export const revokeKey = prepared(
  'revoke-key',
  `UPDATE keys SET revoked_at = coalesce($2, now())
   WHERE name = $1 AND (revoked_at IS NULL OR revoked_at > coalesce($2, now()))
     AND (expires_at IS NULL OR expires_at > now()) RETURNING name`,
)
