/**
 * A PostgreSQL database as a whole.
 */
import type { Client, ClientConfig } from 'pg'
import { type BulkStore, type KeptKey, type KeptRetry, StoreInUseError } from './bulk.ts'
import { type PetRow, petOf } from './pet-rows.ts'
import { createClient, runOn } from './postgres-connection.ts'
import { type KeyRow, keyOf, listPets } from './postgres-rows.ts'
import { StoreOpenError } from './store.ts'

/** How long to wait for a connection, or for a lock that another connection holds, in milliseconds. */
const patience = 5000

const options: ClientConfig = {
  fallback_application_name: 'animal-store-script',
  connectionTimeoutMillis: patience,
  lock_timeout: patience,
}

/** Opens a database that holds a store up to date. Rejects with a StoreOpenError. */
export async function openPostgresBulk(url: string, use: 'read' | 'write'): Promise<BulkStore> {
  const client = createClient(url, options)
  try {
    await client.connect()
    // Whatever the server's settings say: a transaction that lasts as long as a move, and the statements that it needs.
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0')
    if (use === 'read') await client.query('BEGIN; LOCK TABLE pets, keys, retries IN SHARE MODE')
    return await createBulk(client)
  } catch (error) {
    await client.end()
    throw new StoreOpenError(`the store cannot be opened: ${(error as Error).message}`, { cause: error })
  }
}

/** Whether a database holds a store, of whatever version. Rejects when it cannot be asked. */
export async function isPostgresStore(url: string): Promise<boolean> {
  const client = createClient(url, options)
  try {
    await client.connect()
    const { rows } = await client.query(`SELECT to_regclass('animal_store') IS NOT NULL AS made`)
    return rows[0].made
  } finally {
    await client.end()
  }
}

async function createBulk(client: Client): Promise<BulkStore> {
  function run<Row extends unknown[]>(text: string, ...values: unknown[]): Promise<Row[]> {
    return runOn(client, { text }, values)
  }

  const last = 'SELECT max(id) FROM pets'
  let [[lastPet = null] = []] = await run<[bigint | null]>(last)

  return {
    lastId: async () => {
      const [[id] = [0n]] = await run<[bigint]>('SELECT last_value FROM pet_ids WHERE is_called')
      return id
    },
    skipIds: async (last) => {
      if (last > 0n) await run(`SELECT setval('pet_ids', $1) FROM pet_ids WHERE last_value < $1 OR NOT is_called`, last)
    },
    countPets: async () => Number((await run<[bigint]>('SELECT count(*) FROM pets'))[0]?.[0]),
    readPets: async (after, limit) => (await run<PetRow>(listPets.text, after, limit)).map(petOf),
    writePets: async (pets) => {
      // Others wait until it is done, and then see it.
      await run('BEGIN')
      await run('LOCK TABLE pets IN SHARE ROW EXCLUSIVE MODE')
      const added = await run(
        `INSERT INTO pets (id, name, category_id, status)
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
      (await run<[hash: Buffer, ...KeyRow]>('SELECT hash, name, created_at, revoked_at FROM keys ORDER BY id')).map(
        ([hash, ...row]): KeptKey => ({ hash, ...keyOf(row) }),
      ),
    writeKeys: async (keys) => {
      await run(
        `INSERT INTO keys (hash, name, created_at, revoked_at)
         SELECT hash, name, created_at, revoked_at
         FROM unnest($1::bytea[], $2::text[], $3::timestamptz[], $4::timestamptz[])
           WITH ORDINALITY AS input (hash, name, created_at, revoked_at, place)
         ORDER BY place
         ON CONFLICT (hash) DO UPDATE SET revoked_at = excluded.revoked_at`,
        keys.map(({ hash }) => hash),
        keys.map(({ name }) => name),
        keys.map(({ createdAt }) => createdAt),
        keys.map(({ revokedAt }) => revokedAt),
      )
    },
    readRetries: async ({ after, limit, inForceAt }) =>
      (
        await run<RetryRow>(
          // No key is empty. What is kept is more exact than what is read.
          `SELECT scope, key, fingerprint, pet_id, expires_at FROM retries
           WHERE (scope, key) > ($1, $2) AND date_trunc('milliseconds', expires_at) > $3
           ORDER BY scope, key LIMIT $4`,
          after?.scope ?? '',
          after?.key ?? '',
          inForceAt,
          limit,
        )
      ).map(retryOf),
    writeRetries: async (retries) => {
      await run(
        `INSERT INTO retries (scope, key, fingerprint, pet_id, expires_at)
         SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bigint[], $5::timestamptz[])
         ON CONFLICT (scope, key) DO UPDATE SET
           fingerprint = excluded.fingerprint, pet_id = excluded.pet_id, expires_at = excluded.expires_at`,
        retries.map(({ scope }) => scope),
        retries.map(({ key }) => key),
        retries.map(({ fingerprint }) => fingerprint),
        retries.map(({ petId }) => petId),
        retries.map(({ expiresAt }) => expiresAt),
      )
    },
    // Statistics for the planner of queries; the server would gather them only after a while.
    settle: async () => void (await run('ANALYZE pets, keys, retries')),
    close: () => client.end(),
  }
}

type RetryRow = [scope: string, key: string, fingerprint: Buffer, petId: bigint, expiresAt: Date]

function retryOf([scope, key, fingerprint, petId, expiresAt]: RetryRow): KeptRetry {
  return { scope, key, fingerprint, petId, expiresAt }
}
