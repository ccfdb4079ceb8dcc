/**
 * Bulk access to a PostgreSQL database.
 */
import type { Client } from 'pg'
import { StartupError } from '../../src/errors.ts'
import { type ClientOptions, createQuery, openClient } from '../../src/stores/postgres/connection.ts'
import { listPets, readClock } from '../../src/stores/postgres/statements.ts'
import { type KeyRow, keyColumns, type PetRow, petColumns, toKey, toPet } from '../../src/stores/rows.ts'
import { type ApiKeyRecord, type BulkStore, type IdempotencyKeyRecord, StoreInUseError } from './store.ts'

/** The time to wait for a connection, or for a lock that another connection holds, in milliseconds. */
const timeoutMs = 5000

const options: ClientOptions = {
  fallback_application_name: 'animal-store-script',
  connectionTimeoutMillis: timeoutMs,
  lock_timeout: timeoutMs,
}

/** Opens a database with a store of the current version. Rejects with a StartupError. */
export async function openPostgresBulk(url: string, use: 'read' | 'write'): Promise<BulkStore> {
  let client: Client | undefined
  try {
    client = await openClient(url, options)
    // A move is one long transaction with long statements, whatever the settings of the server are.
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0')
    if (use === 'read') await client.query('BEGIN; LOCK TABLE pets, keys, idempotency_keys IN SHARE MODE')
    return await createBulk(client)
  } catch (error) {
    await client?.end()
    throw new StartupError(`cannot open the store: ${(error as Error).message}`, { cause: error })
  }
}

/** True if a database has a store, of any version. Rejects if it cannot be reached. */
export async function isPostgresStore(url: string): Promise<boolean> {
  const client = await openClient(url, options)
  try {
    const { rows } = await client.query(`SELECT to_regclass('animal_store') IS NOT NULL AS exists`)
    return rows[0].exists
  } finally {
    await client.end()
  }
}

async function createBulk(client: Client): Promise<BulkStore> {
  const query = createQuery(client)

  function run<Row extends unknown[]>(text: string, ...parameters: unknown[]): Promise<Row[]> {
    return query({ text }, ...parameters)
  }

  const last = 'SELECT max(id) FROM pets'
  let [[lastPet = null] = []] = await run<[bigint | null]>(last)

  return {
    now: async () => ((await run<[Date]>(readClock.text))[0] as [Date])[0],
    lastId: async () => {
      const [[id] = [0n]] = await run<[bigint]>('SELECT last_value FROM pet_ids WHERE is_called')
      return id
    },
    skipIds: async (last) => {
      if (last > 0n) await run(`SELECT setval('pet_ids', $1) FROM pet_ids WHERE last_value < $1 OR NOT is_called`, last)
    },
    countPets: async () => Number((await run<[bigint]>('SELECT count(*) FROM pets'))[0]?.[0]),
    readPets: async (after, limit) => (await run<PetRow>(listPets.text, after, limit)).map(toPet),
    writePets: async (pets) => {
      // Others wait until it is done, and then see the animals.
      await run('BEGIN')
      await run('LOCK TABLE pets IN SHARE ROW EXCLUSIVE MODE')
      const added = await run(
        `INSERT INTO pets (${petColumns})
         SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[])
         WHERE (${last}) IS NOT DISTINCT FROM $5 RETURNING 1`,
        pets.map(({ id }) => id),
        pets.map(({ name }) => name),
        pets.map(({ categoryId }) => categoryId),
        pets.map(({ status }) => status),
        lastPet,
      )
      if (added.length < pets.length) throw new StoreInUseError()
      await run('COMMIT')
      lastPet = pets.at(-1)?.id ?? lastPet
    },
    readKeys: async () =>
      (await run<[hash: Buffer, ...KeyRow]>(`SELECT hash, ${keyColumns} FROM keys ORDER BY id`)).map(
        ([hash, ...row]): ApiKeyRecord => ({ hash, ...toKey(row) }),
      ),
    writeKeys: async (keys) => {
      await run(
        // An array of arrays would have to be rectangular, so scopes are sent as texts.
        `INSERT INTO keys (hash, ${keyColumns})
         SELECT hash, name, created_at, revoked_at, expires_at, last_used_at, string_to_array(scopes, ' ')
         FROM unnest($1::bytea[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[], $7::text[])
           WITH ORDINALITY AS input (hash, ${keyColumns}, place)
         ORDER BY place
         ON CONFLICT (hash) DO UPDATE SET
           revoked_at = excluded.revoked_at, expires_at = excluded.expires_at, last_used_at = excluded.last_used_at`,
        keys.map(({ hash }) => hash),
        keys.map(({ name }) => name),
        keys.map(({ createdAt }) => createdAt),
        keys.map(({ revokedAt }) => revokedAt),
        keys.map(({ expiresAt }) => expiresAt),
        keys.map(({ lastUsedAt }) => lastUsedAt),
        keys.map(({ scopes }) => scopes?.join(' ')),
      )
    },
    readIdempotencyKeys: async ({ after, limit, activeAt }) =>
      (
        await run<IdempotencyKeyRow>(
          // No key is empty. The database is more exact than a Date.
          `SELECT scope, key, fingerprint, pet_id, expires_at FROM idempotency_keys
           WHERE (scope, key) > ($1, $2) AND date_trunc('milliseconds', expires_at) > $3
           ORDER BY scope, key LIMIT $4`,
          after?.scope ?? '',
          after?.key ?? '',
          activeAt,
          limit,
        )
      ).map(toRecord),
    writeIdempotencyKeys: async (records) => {
      await run(
        `INSERT INTO idempotency_keys (scope, key, fingerprint, pet_id, expires_at)
         SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bigint[], $5::timestamptz[])
         ON CONFLICT (scope, key) DO UPDATE SET
           fingerprint = excluded.fingerprint, pet_id = excluded.pet_id, expires_at = excluded.expires_at`,
        records.map(({ scope }) => scope),
        records.map(({ key }) => key),
        records.map(({ fingerprint }) => fingerprint),
        records.map(({ petId }) => petId),
        records.map(({ expiresAt }) => expiresAt),
      )
    },
    // Collects statistics for the query planner; the server would do so only after a while.
    optimize: async () => void (await run('ANALYZE pets, keys, idempotency_keys')),
    close: () => client.end(),
  }
}

type IdempotencyKeyRow = [scope: string, key: string, fingerprint: Buffer, petId: bigint, expiresAt: Date]

function toRecord([scope, key, fingerprint, petId, expiresAt]: IdempotencyKeyRow): IdempotencyKeyRecord {
  return { scope, key, fingerprint, petId, expiresAt }
}
