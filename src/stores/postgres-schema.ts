/**
 * The tables of the PostgreSQL store, version by version.
 */
import { type ClientBase, DatabaseError } from 'pg'
import { StoreOpenError } from './store.ts'

/** The first half of every advisory lock of a store ("ANML"), so that other users of the database have others. */
export const lockSpace = 0x414e4d4c
const migrationLock = 1

/**
 * Each entry takes a store from the version of its index to the next; what has been published is never edited.
 * The contract alone decides what an animal may be, so no limit and no list of values stands here.
 */
const migrations: readonly string[] = [
  `CREATE SEQUENCE pet_ids AS bigint;
   CREATE TABLE pets (
     id bigint PRIMARY KEY DEFAULT nextval('pet_ids'),
     name text NOT NULL,
     category_id bigint NOT NULL,
     status text NOT NULL
   );
   ALTER SEQUENCE pet_ids OWNED BY pets.id;
   CREATE INDEX pets_by_status ON pets (status, id);
   CREATE TABLE keys (
     id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
     name text NOT NULL,
     hash bytea NOT NULL UNIQUE,
     created_at timestamptz NOT NULL DEFAULT now(),
     revoked_at timestamptz
   );
   CREATE UNIQUE INDEX keys_in_force ON keys (name) WHERE revoked_at IS NULL;`,
  // An animal never changes, so the first answer to a request is the animal that it added.
  `CREATE TABLE retries (
     scope text NOT NULL,
     key text NOT NULL,
     fingerprint bytea NOT NULL,
     pet_id bigint NOT NULL,
     expires_at timestamptz NOT NULL,
     PRIMARY KEY (scope, key)
   );
   CREATE INDEX retries_by_expiry ON retries (expires_at);`,
]

/**
 * Makes the tables or brings them up to date, in one transaction: of several instances that start at once, one does it
 * and the others wait, until the client is closed. Rejects with a StoreOpenError when the store cannot hold every
 * name, would not hold it through a crash, holds something else, or is newer than this program.
 */
export async function migrate(client: ClientBase): Promise<void> {
  const encoding = await settingOf(client, 'server_encoding')
  if (encoding !== 'UTF8') {
    throw new StoreOpenError(`its encoding is ${encoding}; name a database with the encoding UTF8`)
  }
  if ((await settingOf(client, 'synchronous_commit')) === 'off') {
    throw new StoreOpenError(
      'synchronous_commit is off there, so a crash would lose acknowledged animals; set it to on',
    )
  }
  if ((await versionOf(client)) === migrations.length) return
  // Taken before the transaction begins, so that this sees all that another one has done under the lock.
  await client.query('SELECT pg_advisory_lock($1, $2)', [lockSpace, migrationLock])
  await client.query('BEGIN')
  const version = await versionOf(client)
  const steps = migrations.slice(version)
  if (version === 0) steps.unshift('CREATE TABLE animal_store AS SELECT 0 AS version')
  for (const sql of steps) await client.query(sql).catch(failAsForeign)
  await client.query('UPDATE animal_store SET version = $1', [migrations.length])
  await client.query('COMMIT')
}

async function settingOf(client: ClientBase, name: string): Promise<string> {
  const { rows } = await client.query('SELECT current_setting($1) AS setting', [name])
  return rows[0].setting
}

/** The version of the tables; 0 when there are none. */
async function versionOf(client: ClientBase): Promise<number> {
  // A user who may not make tables can open a store that is up to date.
  const { rows: tables } = await client.query(`SELECT to_regclass('animal_store') IS NOT NULL AS made`)
  if (!tables[0].made) return 0
  const { rows } = await client.query('SELECT * FROM animal_store LIMIT 2')
  const version: unknown = rows[0]?.version
  if (rows.length !== 1 || !isVersion(version)) throw foreignError()
  if (version > migrations.length) {
    throw new StoreOpenError(
      `it is of version ${version}, and this program knows versions up to ${migrations.length}; use a newer program`,
    )
  }
  return version
}

function isVersion(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0
}

/** Names that a table of the store needs and that something else has: duplicate_table, duplicate_object. */
const taken = new Set<string | undefined>(['42P07', '42710'])

function failAsForeign(error: unknown): never {
  throw error instanceof DatabaseError && taken.has(error.code) ? foreignError() : error
}

function foreignError(): StoreOpenError {
  return new StoreOpenError('it holds something other than animals; name another database')
}
