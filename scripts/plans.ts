/**
 * How an engine goes about what a store asks of it: the plans of the very statements that the store runs.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { engineOf } from '../src/stores/engine.ts'

/** A statement as it was given to PostgreSQL. */
interface Statement {
  readonly text: string
  readonly values?: unknown[]
}

/** The plans, a line each, of what work on the store at a URL asks of its engine on this thread, one after the other. */
export async function plansOf(url: string, work: () => Promise<unknown>): Promise<string[]> {
  const { engine, file } = engineOf(url)
  return engine === 'sqlite' ? sqlitePlans(file, work) : postgresPlans(url, work)
}

async function sqlitePlans(file: string, work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = []
  // Node tells of each statement with its values in place.
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

async function postgresPlans(url: string, work: () => Promise<unknown>): Promise<string[]> {
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
    const plans: string[] = []
    for (const { text, values = [] } of statements) {
      const explain = `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF) ${text}`
      const { rows } = await client.query<[string]>({ text: explain, values, rowMode: 'array' })
      plans.push(...rows.map(([line]) => line))
    }
    return plans
  } finally {
    await client.end()
  }
}
