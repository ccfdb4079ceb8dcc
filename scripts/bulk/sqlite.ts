/** Bulk access to a SQLite file. */
import { StartupError } from '../../src/errors.ts'
import { openConnection, prepare } from '../../src/stores/sqlite/connection.ts'
import { isBusy } from '../../src/stores/sqlite/errors.ts'
import { type BulkStore, getPosition, pageSize, tables, type Value } from './store.ts'

/** The time to wait for a process that is about to close the file, in milliseconds. */
const timeoutMs = 1000

/** Opens a file with a store of the current version, for this process alone. Throws a StartupError. */
export function openSqliteBulk(file: string): BulkStore {
  const database = openConnection(file, timeoutMs)
  try {
    // In WAL mode, the first write transaction takes a lock that is held until the connection is closed; other connections
    // prevent it, even idle ones (https://www.sqlite.org/pragma.html#pragma_locking_mode).
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE')
  } catch (error) {
    database.close()
    throw isBusy(error)
      ? new StartupError(`another process has sqlite:${file} open; stop the service and every script that uses it`)
      : error
  }

  return {
    lastId: async () =>
      prepare<[bigint]>(database, `SELECT seq FROM sqlite_sequence WHERE name = 'pets'`)()[0]?.[0] ?? 0n,
    read: async (table, after) => {
      const { columns, order } = tables[table]
      const position = getPosition(table, after)
      const where = after === undefined ? '' : `WHERE (${order}) > (${position.map(() => '?')})`
      const sql = `SELECT ${columns} FROM ${table} ${where} ORDER BY ${order} LIMIT ${pageSize}`
      return prepare<Value[]>(database, sql)(...position)
    },
    write: async (table, rows) => {
      const { columns } = tables[table]
      const values = columns.split(', ').map(() => '?')
      const insert = prepare(database, `INSERT INTO ${table} (${columns}) VALUES (${values})`)
      for (const row of rows) insert(...row)
    },
    commit: async (lastId) => {
      database.exec(`DELETE FROM sqlite_sequence WHERE name = 'pets'`)
      prepare(database, `INSERT INTO sqlite_sequence (name, seq) VALUES ('pets', ?)`)(lastId)
      database.exec('COMMIT')
    },
    // Moves everything from the WAL into the file, so that the file alone is the store.
    [Symbol.asyncDispose]: async () => database.close(),
  }
}
