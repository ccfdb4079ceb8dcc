/** The tables of the SQLite store, version by version. */
import type { DatabaseSync } from 'node:sqlite'
import { StartupError } from '../../errors.ts'
import { type Migrations, planMigration, type UpgradeOptions } from '../migrations.ts'

/** Marks the file as an animal store ("ANML"; https://www.sqlite.org/pragma.html#pragma_application_id). */
export const applicationId = 0x414e4d4c

export const migrations: Migrations = {
  3: `CREATE TABLE pets (
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
     revoked_at INTEGER,
     scopes TEXT,
     expires_at INTEGER
   ) STRICT;
   CREATE UNIQUE INDEX active_keys ON keys (name) WHERE revoked_at IS NULL;
   -- An animal never changes, so the animal that a request added is all that its first response needs.
   CREATE TABLE idempotency_keys (
     scope TEXT NOT NULL,
     key TEXT NOT NULL,
     fingerprint BLOB NOT NULL,
     pet_id INTEGER NOT NULL,
     expires_at INTEGER NOT NULL,
     PRIMARY KEY (scope, key)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);
   PRAGMA application_id = ${applicationId};`,
  // Written by earlier programs of this version alone. They stay, because such programs may still run beside this one.
  4: `ALTER TABLE idempotency_keys ADD COLUMN response TEXT;
   ALTER TABLE idempotency_keys ADD COLUMN response_pet_id INTEGER;`,
}

/**
 * Creates or upgrades the tables in one transaction. If several processes start at once, one does it and the others wait.
 * Throws as `checkFile` does.
 */
export function migrate(database: DatabaseSync, options: UpgradeOptions = {}): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    const { version, latest, steps } = checkFile(database, options)
    for (const sql of steps) database.exec(sql)
    if (steps.length > 0) database.exec(`PRAGMA user_version = ${latest}`)
    // Fails at start if the file cannot be written: SQLite opens such a file and reports nothing until the first write.
    database.exec('DELETE FROM pets WHERE false')
    database.exec('COMMIT')
    if (version > 0 && steps.length > 0) options.onUpgrade?.(version, latest)
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK')
  }
}

/**
 * Plans the migration of a file. Throws a StartupError if the file contains something else, or tables of a version that is not
 * supported.
 */
export function checkFile(database: DatabaseSync, options: UpgradeOptions = {}) {
  const read = (sql: string) => Number(Object.values({ ...database.prepare(sql).get() })[0])
  const version = read('PRAGMA user_version')
  const isEmpty = version === 0 && read('SELECT count(*) FROM sqlite_schema') === 0
  if (!isEmpty && read('PRAGMA application_id') !== applicationId) {
    throw new StartupError('it is a database of something else; name another file')
  }
  return planMigration(version, migrations, options)
}
