/** Bulk access to a PostgreSQL database. */
import type { Client } from 'pg'
import { StartupError } from '../../src/errors.ts'
import { type ClientOptions, openClient, run, toStoreError } from '../../src/stores/postgres/connection.ts'
import { readClock } from '../../src/stores/postgres/statements.ts'
import { type BulkStore, formatUpdate, getPosition, tables, type Value } from './store.ts'

/** The time to wait for a connection, or for a lock that another connection holds, in milliseconds. */
const timeoutMs = 5000

const options: ClientOptions = {
  fallback_application_name: 'animal-store-script',
  connectionTimeoutMillis: timeoutMs,
}

/** Opens a database with a store of the current version. Rejects with a StartupError. */
export async function openPostgresBulk(url: string, use: 'read' | 'write'): Promise<BulkStore> {
  let client: Client | undefined
  try {
    client = await openClient(url, options)
    // A move is one long transaction, whatever the settings of the server are.
    await client.query(`SET lock_timeout = ${timeoutMs}; SET idle_in_transaction_session_timeout = 0`)
    if (use === 'read') await client.query(`BEGIN; LOCK TABLE ${Object.keys(tables)} IN SHARE MODE`)
    return await createBulk(client)
  } catch (error) {
    await client?.end()
    throw new StartupError(`cannot open the store: ${(error as Error).message}`, { cause: error })
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
  async function query<Result extends unknown[] = Value[]>(text: string, ...parameters: unknown[]): Promise<Result[]> {
    try {
      return await run(client, { text }, parameters)
    } catch (error) {
      throw toStoreError(error)
    }
  }

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
    now: async () => ((await query<[Date]>(readClock.text))[0] as [Date])[0],
    lastId: async () => {
      const [[id] = [0n]] = await query<[bigint]>('SELECT last_value FROM pet_ids WHERE is_called')
      return id
    },
    skipIds: async (last) => {
      if (last > 0n)
        await query(`SELECT setval('pet_ids', $1) FROM pet_ids WHERE last_value < $1 OR NOT is_called`, last)
    },
    count: async (table) => Number((await query<[bigint]>(`SELECT count(*) FROM ${table}`))[0]?.[0]),
    read: (table, { after, limit } = {}) => {
      const { columns, order } = tables[table]
      const position = after === undefined ? [] : getPosition(table, after)
      const where = after === undefined ? '' : `WHERE (${order}) > (${position.map((_, index) => `$${index + 2}`)})`
      const values = columns.split(', ').map((column) => describe(column).read)
      return query<Value[]>(`SELECT ${values} FROM ${table} ${where} ORDER BY ${order} LIMIT $1`, limit, ...position)
    },
    write: async (table, rows) => {
      const { columns } = tables[table]
      const all = columns.split(', ').map(describe)
      const inputs = all.map(({ type }, index) => `$${index + 1}::${type}[]`)
      // The server would complete a single statement of a process that is killed, while the next one begins.
      await query('BEGIN')
      await query(
        `INSERT INTO ${table} (${columns}) SELECT ${all.map(({ write }) => write)}
         FROM unnest(${inputs}) WITH ORDINALITY AS input (${columns}, place) ORDER BY place ${formatUpdate(table)}`,
        ...all.map((_, index) => rows.map((row) => row[index])),
      )
      await query('COMMIT')
    },
    // Collects statistics for the query planner; the server would do so only after a while.
    optimize: async () => void (await query(`ANALYZE ${Object.keys(tables)}`)),
    close: () => client.end(),
  }
}
