/** Bulk access to a store: every table is read in pages, and written to another store as it is. */
import { keyColumns, petColumns } from '../../src/stores/rows.ts'

/** A store that is read or filled in one transaction. Disposing of it discards what was not committed. */
export interface BulkStore extends AsyncDisposable {
  /** The last id that was assigned, even if no animal was stored under it; 0 if there is none. */
  lastId(): Promise<bigint>
  /** Reads a page of rows in the order of the table: those after another row, or the first ones. */
  read(table: TableName, after?: Row): Promise<Row[]>
  /** Writes rows that the table does not have. */
  write(table: TableName, rows: readonly Row[]): Promise<void>
  /** Makes the store assign only ids above `lastId`, and commits. When this resolves, everything is on disk. */
  commit(lastId: bigint): Promise<void>
}

/** The values of a row in the order of the columns: times in milliseconds since 1970, scopes separated by spaces. */
export type Row = readonly Value[]

export type Value = bigint | string | Uint8Array | null

/** The tables that are moved: their columns, the first of which are the order of their rows. */
export const tables = {
  pets: { columns: petColumns, order: 'id' },
  keys: { columns: `id, hash, ${keyColumns}`, order: 'id' },
  idempotency_keys: {
    columns: 'scope, key, fingerprint, pet_id, response_pet_id, response, expires_at',
    order: 'scope, key',
  },
} as const

export type TableName = keyof typeof tables

/** The largest number of rows in a page. */
export const pageSize = 10_000

/** Returns the values of a row by which its table is ordered; none without a row. */
export function getPosition(table: TableName, row: Row = []): Row {
  return row.slice(0, tables[table].order.split(', ').length)
}
