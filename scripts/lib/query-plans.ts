/**
 * The query plans of the statements that a store runs.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { DatabaseSync } from 'node:sqlite'
import { Client, escapeLiteral } from 'pg'
import { getSqliteFile } from '../../src/stores/open.ts'
import { prepareSession } from '../../src/stores/postgres/statements.ts'

/** A statement as PostgreSQL receives it. */
interface Statement {
  readonly text: string
  readonly values?: unknown[]
}

/** Returns the plans, as lines, of the statements that work on the store at a URL runs on this thread. */
export async function explain(url: string, work: () => Promise<unknown>): Promise<string[]> {
  const file = getSqliteFile(url)
  return file === undefined ? explainPostgres(url, work) : explainSqlite(file, work)
}

async function explainSqlite(file: string, work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = []
  // Node reports each statement with its parameters replaced.
  const record = (message: unknown) => void statements.push((message as { sql: string }).sql)
  subscribe('sqlite.db.query', record)
  try {
    await work()
  } finally {
    unsubscribe('sqlite.db.query', record)
  }
  using database = new DatabaseSync(file, { readOnly: true })
  return statements.flatMap((sql) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail)),
  )
}

async function explainPostgres(url: string, work: () => Promise<unknown>): Promise<string[]> {
  const statements: Statement[] = []
  const { query } = Client.prototype
  Client.prototype.query = function (this: Client, ...given: unknown[]) {
    statements.push(given[0] as Statement)
    return Reflect.apply(query, this, given)
  } as typeof query
  try {
    await work()
  } finally {
    Client.prototype.query = query
  }
  const client = new Client(url)
  await client.connect()
  try {
    // Planned as in the sessions of the service.
    await client.query(prepareSession)
    const plans: string[] = []
    for (const { text, values = [] } of statements) {
      await client.query(`PREPARE explained AS ${text}`)
      const given = values.map((value) => escapeLiteral(String(value))).join(', ')
      const explain = `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF) EXECUTE explained (${given})`
      const { rows } = await client.query<[string]>({ text: explain, rowMode: 'array' })
      plans.push(...rows.map(([line]) => line))
      await client.query('DEALLOCATE explained')
    }
    return plans
  } finally {
    await client.end()
  }
}
