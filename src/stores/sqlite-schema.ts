/**
 * The tables of the SQLite store, version by version.
 */
import type { DatabaseSync } from 'node:sqlite'
import { StoreOpenError } from './store.ts'

/** Marks the file as an animal store's ("ANML"; SQLite, `PRAGMA application_id`). */
const applicationId = 0x414e4d4c

/**
 * Each entry takes a store from the version of its index to the next; what has been published is never edited.
 * The contract alone decides what an animal may be, so no limit and no list of values stands here.
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
  // An animal never changes, so the first answer to a request is the animal that it added.
  `CREATE TABLE retries (
     scope TEXT NOT NULL,
     key TEXT NOT NULL,
     fingerprint BLOB NOT NULL,
     pet_id INTEGER NOT NULL,
     expires_at INTEGER NOT NULL,
     PRIMARY KEY (scope, key)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX retries_by_expiry ON retries (expires_at);`,
]

/**
 * Makes the tables or brings them up to date, in one transaction: of several processes that start at once, one does it
 * and the others wait. Throws a StoreOpenError when the file holds something else, or is newer than this program.
 */
export function migrate(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    const version = versionOf(database)
    for (const [index, sql] of migrations.entries()) {
      if (index >= version) database.exec(`${sql} PRAGMA user_version = ${index + 1}`)
    }
    // A file that cannot be written is found out at start: SQLite would begin to read it, and say nothing until a change.
    database.exec('DELETE FROM pets WHERE false')
    database.exec('COMMIT')
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK')
  }
}

function versionOf(database: DatabaseSync): number {
  const read = (sql: string) => Number((database.prepare(sql).all() as unknown[]).flat()[0])
  const version = read('PRAGMA user_version')
  const empty = version === 0 && read('SELECT count(*) FROM sqlite_schema') === 0
  if (!empty && read('PRAGMA application_id') !== applicationId) {
    throw new StoreOpenError('it holds something other than animals; name another file')
  }
  if (version > migrations.length) {
    throw new StoreOpenError(
      `it is of version ${version}, and this program knows versions up to ${migrations.length}; use a newer program`,
    )
  }
  return version
}
