/** Bulk access to a SQLite file. */
import { StartupError } from '../../src/errors.ts'
import { isBusy, openConnection, prepare, toStoreError } from '../../src/stores/sqlite/connection.ts'
import { type BulkStore, formatUpdate, getPosition, type Row, tables, type Value } from './store.ts'

/** The time to wait for a process that is about to close the file, in milliseconds. */
const timeoutMs = 1000

/** Opens a file with a store of the current version, for this process alone. Throws a StartupError. */
export function openSqliteBulk(file: string): BulkStore {
  const database = openConnection(file, timeoutMs)
  try {
    // In WAL mode, the first write transaction takes a lock that is held until the connection is closed; other connections
    // prevent it, even idle ones (https://www.sqlite.org/pragma.html#pragma_locking_mode).
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT')
  } catch (error) {
    database.close()
    throw isBusy(error)
      ? new StartupError(`another process has sqlite:${file} open; stop the service and every script that uses it`)
      : toStoreError(error)
  }

  /** Runs a function, and maps its errors as a Store does. */
  async function attempt<Result>(work: () => Result): Promise<Result> {
    try {
      return work()
    } catch (error) {
      throw toStoreError(error)
    }
  }

  /** Runs a statement with each list of parameters, in one transaction; returns the rows of the last one. */
  function run<Result extends unknown[] = Value[]>(sql: string, ...lists: Row[]): Promise<Result[]> {
    return attempt(() => {
      const statement = prepare<Result>(database, sql)
      database.exec('BEGIN')
      const rows = lists.map((parameters) => statement(...parameters))
      database.exec('COMMIT')
      return rows.at(-1) ?? []
    })
  }

  const update = `UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'pets' RETURNING seq`
  const insert = `INSERT INTO sqlite_sequence (name, seq) VALUES ('pets', ?)`

  return {
    now: async () => new Date(),
    lastId: async () => {
      const [[id] = [0n]] = await run<[bigint]>(`SELECT seq FROM sqlite_sequence WHERE name = 'pets'`, [])
      return id
    },
    skipIds: async (last) => {
      if ((await run(update, [last])).length === 0) await run(insert, [last])
    },
    count: async (table) => Number((await run<[bigint]>(`SELECT count(*) FROM ${table}`, []))[0]?.[0]),
    read: (table, { after, limit = -1 } = {}) => {
      const { columns, order } = tables[table]
      const position = after === undefined ? [] : getPosition(table, after)
      const where = after === undefined ? '' : `WHERE (${order}) > (${position.map(() => '?')})`
      const sql = `SELECT ${columns} FROM ${table} ${where} ORDER BY ${order} LIMIT ?`
      return run<Value[]>(sql, [...position, BigInt(limit)])
    },
    write: async (table, rows) => {
      const { columns } = tables[table]
      const values = columns.split(', ').map(() => '?')
      await run(`INSERT INTO ${table} (${columns}) VALUES (${values}) ${formatUpdate(table)}`, ...rows)
    },
    // Moves everything from the WAL into the file, so that the file alone is the store.
    optimize: () => attempt(() => database.exec('PRAGMA wal_checkpoint(TRUNCATE)')),
    close: async () => {
      if (database.isOpen) database.close()
    },
  }
}
