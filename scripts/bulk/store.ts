/**
 * Bulk access to a store, for scripts: every table is read in pages, and written to another store as it is. Each database
 * has a file beside this one.
 */
import { keyColumns, petColumns } from '../../src/stores/rows.ts'

/** A store that one process reads or fills. It rejects with the errors of a Store; after one, it can only be closed. */
export interface BulkStore {
  /** Reads the clock by which keys expire. */
  now(): Promise<Date>
  /** The last id that was assigned, even if no animal was stored under it; 0 if there is none. */
  lastId(): Promise<bigint>
  /** Makes the store assign only ids above this one. */
  skipIds(last: bigint): Promise<void>
  count(table: TableName): Promise<number>
  /** Reads the first `limit` rows after another one, in the order of the table; by default all of them, from the first on. */
  read(table: TableName, page?: { readonly after?: Row | undefined; readonly limit?: number }): Promise<Row[]>
  /**
   * Writes rows in this order, all or none; when this resolves, they are on disk. Of API keys and idempotency keys that exist,
   * it updates the other columns. Animals have ids that no animal in the store has.
   */
  write(table: TableName, rows: readonly Row[]): Promise<void>
  /** Optimizes the database after many writes, so that it does not stay slower. */
  optimize(): Promise<void>
  /** Closes the store, if it is open. */
  close(): Promise<void>
}

/** The values of a row in the order of the columns: times in milliseconds since 1970, scopes separated by spaces. */
export type Row = readonly Value[]

export type Value = bigint | string | Uint8Array | null

/**
 * The tables that are moved: their columns, the order of their rows, and the columns that identify a row. Rows are
 * read in pages only if they are ordered by their first columns.
 */
export const tables = {
  pets: { columns: petColumns, order: 'id', identity: undefined },
  // From the oldest on; each store assigns ids of its own.
  keys: { columns: `hash, ${keyColumns}`, order: 'id', identity: 'hash' },
  idempotency_keys: {
    columns: 'scope, key, fingerprint, pet_id, expires_at',
    order: 'scope, key',
    identity: 'scope, key',
  },
} as const

export type TableName = keyof typeof tables

/** Formats the clause that updates a row that exists. */
export function formatUpdate(table: TableName): string {
  const { columns, identity } = tables[table]
  const updates = columns.split(', ').map((column) => `${column} = excluded.${column}`)
  return identity === undefined ? '' : `ON CONFLICT (${identity}) DO UPDATE SET ${updates}`
}

/** Returns the values of the row after which a page begins. */
export function getPosition(table: TableName, row: Row): Row {
  return row.slice(0, tables[table].order.split(', ').length)
}
