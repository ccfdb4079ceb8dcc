/** Bulk access to a PostgreSQL database. */
import type { Client } from 'pg'
import { openClient, run } from '../../src/stores/postgres/client.ts'
import { TIMEOUT_MS } from '../../src/stores/store.ts'
import { type BulkStore, getPosition, pageSize, tables, type Value } from './store.ts'

/** Opens a database with a store of the current version. Until it is closed, others can only read it. */
export async function openPostgresBulk(url: string): Promise<BulkStore> {
  const client = await openClient(url)
  try {
    // A move is one long transaction, whatever the settings of the server are.
    await client.query(`SET lock_timeout = ${TIMEOUT_MS}; SET idle_in_transaction_session_timeout = 0`)
    await client.query(`BEGIN; LOCK TABLE ${Object.keys(tables)} IN SHARE ROW EXCLUSIVE MODE`)
    return await createBulk(client)
  } catch (error) {
    await client.end()
    throw error
  }
}

/** The column types whose values a `Row` has in another type: that type, and the SQL that writes and reads it. */
const conversions: Readonly<Record<string, { type: string; write: string; read: string }>> = {
  // In a row in milliseconds; the database has microseconds.
  'timestamp with time zone': {
    type: 'bigint',
    write: 'to_timestamp(COLUMN / 1000.0)',
    read: 'floor(extract(epoch FROM COLUMN) * 1000)::bigint',
  },
  'text[]': { type: 'text', write: `string_to_array(COLUMN, ' ')`, read: `array_to_string(COLUMN, ' ')` },
}

async function createBulk(client: Client): Promise<BulkStore> {
  const query = <Result extends unknown[] = Value[]>(text: string, ...parameters: unknown[]) =>
    run<Result>(client, { text }, parameters)

  const types = new Map(
    await query<[column: string, type: string]>(
      `SELECT attname::text, format_type(atttypid, NULL) FROM pg_attribute
       WHERE attrelid = ANY ('{${Object.keys(tables)}}'::regclass[])`,
    ),
  )

  function describe(column: string) {
    const type = types.get(column) ?? ''
    const { write, read, ...input } = conversions[type] ?? { type, write: 'COLUMN', read: 'COLUMN' }
    return { ...input, write: write.replace('COLUMN', column), read: read.replace('COLUMN', column) }
  }

  return {
    lastId: async () => (await query<[bigint]>('SELECT last_value FROM pet_ids WHERE is_called'))[0]?.[0] ?? 0n,
    read: async (table, after) => {
      const { columns, order } = tables[table]
      const position = getPosition(table, after)
      // In the order of the bytes, as in SQLite, whatever the collation of the database is.
      const sorted = order
        .split(', ')
        .map((column) => (types.get(column) === 'text' ? `${column} COLLATE "C"` : column))
      const where = after === undefined ? '' : `WHERE (${sorted}) > (${position.map((_, index) => `$${index + 1}`)})`
      const values = columns.split(', ').map((column) => describe(column).read)
      const sql = `SELECT ${values} FROM ${table} ${where} ORDER BY ${sorted} LIMIT ${pageSize}`
      // pg returns bytes as a Buffer, and SQLite as a Uint8Array.
      const toValue = (value: Value) => (value instanceof Uint8Array ? new Uint8Array(value) : value)
      return (await query(sql, ...position)).map((row) => row.map(toValue))
    },
    write: async (table, rows) => {
      const { columns } = tables[table]
      const all = columns.split(', ').map(describe)
      const inputs = all.map(({ type }, index) => `$${index + 1}::${type}[]`)
      await query(
        `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${all.map(({ write }) => write)}
         FROM unnest(${inputs}) AS input (${columns})`,
        ...all.map((_, index) => rows.map((row) => row[index])),
      )
    },
    commit: async (lastId) => {
      if (lastId > 0n) await query(`SELECT setval('pet_ids', $1)`, lastId)
      await query(`SELECT setval(pg_get_serial_sequence('keys', 'id'), max(id)) FROM keys`)
      // Collects statistics for the query planner; the server would do so only after a while.
      await query(`ANALYZE ${Object.keys(tables)}`)
      await query('COMMIT')
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}
