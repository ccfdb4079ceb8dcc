/** The tables of the PostgreSQL store, version by version. */
import type { ClientBase } from 'pg'
import { StartupError } from '../../errors.ts'
import { type Migrations, planMigration, type UpgradeOptions } from '../migrations.ts'

/** The first half of every advisory lock of a store ("ANML"), so that they differ from the locks of other programs. */
export const lockSpace = 0x414e4d4c
const migrationLock = 1
export const additionLock = 2

export const migrations: Migrations = {
  3: `CREATE TABLE animal_store AS SELECT 0 AS version;
   CREATE SEQUENCE pet_ids AS bigint;
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
     revoked_at timestamptz,
     scopes text[],
     expires_at timestamptz
   );
   CREATE UNIQUE INDEX active_keys ON keys (name) WHERE revoked_at IS NULL;
   -- An animal never changes, so the animal that a request added is all that its first response needs.
   CREATE TABLE idempotency_keys (
     scope text NOT NULL,
     key text NOT NULL,
     fingerprint bytea NOT NULL,
     pet_id bigint NOT NULL,
     expires_at timestamptz NOT NULL,
     PRIMARY KEY (scope, key)
   );
   CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);`,
  // Written by earlier programs of this version alone. They stay, because such programs may still run beside this one.
  4: `ALTER TABLE idempotency_keys ADD COLUMN response text;
   ALTER TABLE idempotency_keys ADD COLUMN response_pet_id bigint;`,
}

/**
 * Creates or upgrades the tables in one transaction. If several instances start at once, one does it and the others wait
 * until its client is closed. Rejects with a StartupError as `checkDatabase` does, and with the errors of the server.
 */
export async function migrate(client: ClientBase, options: UpgradeOptions = {}): Promise<void> {
  // Returns before the lock, so that a user who may not create tables can open a store that is up to date.
  if ((await checkDatabase(client, options)).steps.length === 0) return
  // Lock before the transaction begins, so that the transaction sees everything that another instance did under the lock.
  await client.query('SELECT pg_advisory_lock($1, $2)', [lockSpace, migrationLock])
  await client.query('BEGIN')
  const { version, latest, steps } = await checkDatabase(client, options)
  for (const sql of steps) await client.query(sql)
  if (steps.length > 0) await client.query('UPDATE animal_store SET version = $1', [latest])
  await client.query('COMMIT')
  if (version > 0 && steps.length > 0) options.onUpgrade?.(version, latest)
}

/** The rights that the statements need, in the words of GRANT. The owner of the tables has all of them. */
export const rights: readonly (readonly [right: string, object: string])[] = [
  ['SELECT', 'TABLE animal_store'],
  ['SELECT', 'TABLE pets'],
  ['INSERT', 'TABLE pets'],
  ['USAGE', 'SEQUENCE pet_ids'],
  ['SELECT', 'TABLE keys'],
  ['INSERT', 'TABLE keys'],
  ['UPDATE', 'TABLE keys'],
  ['SELECT', 'TABLE idempotency_keys'],
  ['INSERT', 'TABLE idempotency_keys'],
  ['UPDATE', 'TABLE idempotency_keys'],
  ['DELETE', 'TABLE idempotency_keys'],
]

/**
 * Reads what a start depends on; $1 and $2 are the rights and their objects. A privilege function returns null for an object
 * that does not exist yet, so its right is not missing.
 */
const describeDatabase = `
  WITH needed AS (
    SELECT needed_right, object, to_regclass(split_part(object, ' ', 2)) AS id
    FROM unnest($1::text[], $2::text[]) AS input (needed_right, object)
  )
  SELECT current_setting('server_encoding') AS encoding, current_setting('fsync') AS fsync,
    to_regclass('animal_store') IS NOT NULL AS exists,
    has_schema_privilege(current_schema(), 'CREATE') AS "mayCreate",
    (SELECT bool_and(pg_has_role(relowner, 'USAGE')) FROM pg_class WHERE oid IN (SELECT id FROM needed)) AS "mayAlter",
    ARRAY (
      SELECT needed_right || ' ON ' || object FROM needed
      WHERE NOT CASE needed_right
        WHEN 'USAGE' THEN has_sequence_privilege(id, needed_right) ELSE has_table_privilege(id, needed_right) END
    ) AS "missingRights"`

/**
 * Plans the migration of a database. Rejects with a StartupError if it cannot hold every name, would lose data in a crash,
 * has tables of an unsupported version, or gives its user no right to the migration or a statement.
 */
export async function checkDatabase(client: ClientBase, options: UpgradeOptions = {}) {
  const { rows } = await client.query(describeDatabase, [
    rights.map(([right]) => right),
    rights.map(([, object]) => object),
  ])
  const [{ encoding, fsync, exists, mayCreate, mayAlter, missingRights }] = rows
  if (encoding !== 'UTF8') {
    throw new StartupError(`its encoding is ${encoding}; name a database with the encoding UTF8`)
  }
  if (fsync === 'off') {
    throw new StartupError('fsync is off, so a crash of its machine would lose acknowledged animals; set it to on')
  }
  if (exists && missingRights.length > 0) {
    throw new StartupError(`its user lacks rights; GRANT ${missingRights.join(', ')}`)
  }
  const version = exists ? (await client.query('SELECT version FROM animal_store')).rows[0].version : 0
  const plan = planMigration(version, migrations, options)
  if (plan.steps.length > 0 && !mayCreate) {
    throw new StartupError('its user may create no tables; grant CREATE on the schema')
  }
  if (plan.steps.length > 0 && exists && !mayAlter) {
    throw new StartupError('its user may not upgrade the tables; start once as the user who owns them')
  }
  return plan
}
