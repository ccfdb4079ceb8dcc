/** The tables of the SQLite store, version by version. */
import type { DatabaseSync } from 'node:sqlite'
import { StartupError } from '../../errors.ts'
import { compareVersions, type Versions } from '../store.ts'

/** Marks the file as an animal store ("ANML"; https://www.sqlite.org/pragma.html#pragma_application_id). */
export const applicationId = 0x414e4d4c

/**
 * Each entry upgrades a store from the version of its index to the next. A published entry is never edited.
 * The spec alone limits what an animal may be, so the tables have no limits and no lists of values.
 */
const migrations: readonly string[] = [
  `CREATE TABLE pets (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     name TEXT NOT NULL,
     category_id INTEGER NOT NULL,
     status TEXT NOT NULL
   ) STRICT;
   CREATE INDEX pets_by_status ON pets (status, id);
   CREATE TABLE keys (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     name TEXT NOT NULL,
     hash BLOB NOT NULL UNIQUE,
     created_at INTEGER NOT NULL,
     revoked_at INTEGER
   ) STRICT;
   CREATE UNIQUE INDEX keys_in_force ON keys (name) WHERE revoked_at IS NULL;
   PRAGMA application_id = ${applicationId};`,
  // An animal never changes, so the animal that a request added is all that its first response needs.
  `CREATE TABLE retries (
     scope TEXT NOT NULL,
     key TEXT NOT NULL,
     fingerprint BLOB NOT NULL,
     pet_id INTEGER NOT NULL,
     expires_at INTEGER NOT NULL,
     PRIMARY KEY (scope, key)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX retries_by_expiry ON retries (expires_at);`,
  `ALTER TABLE retries RENAME TO idempotency_keys;
   DROP INDEX retries_by_expiry;
   CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);
   DROP INDEX keys_in_force;
   CREATE UNIQUE INDEX active_keys ON keys (name) WHERE revoked_at IS NULL;
   ALTER TABLE keys ADD COLUMN scopes TEXT;
   ALTER TABLE keys ADD COLUMN expires_at INTEGER;
   ALTER TABLE keys ADD COLUMN last_used_at INTEGER;`,
]

/**
 * Creates or upgrades the tables in one transaction. If several processes start at once, one does it and the others wait.
 * Throws a StartupError if the file contains something else, or is newer than this program.
 */
export function migrate(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    const { found, latest } = readVersions(database)
    for (const sql of migrations.slice(found)) database.exec(sql)
    if (found < latest) database.exec(`PRAGMA user_version = ${latest}`)
    // Fails at start if the file cannot be written: SQLite opens such a file and reports nothing until the first write.
    database.exec('DELETE FROM pets WHERE false')
    database.exec('COMMIT')
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK')
  }
}

/** Reads the version of a file. Throws as `migrate` does. */
export function readVersions(database: DatabaseSync): Versions {
  const read = (sql: string) => Number(Object.values({ ...database.prepare(sql).get() })[0])
  const version = read('PRAGMA user_version')
  const isEmpty = version === 0 && read('SELECT count(*) FROM sqlite_schema') === 0
  if (!isEmpty && read('PRAGMA application_id') !== applicationId) {
    throw new StartupError('it is a database of something else; name another file')
  }
  return compareVersions(version, migrations.length)
}
