/** Statements on a store behind the service's back. */
import { DatabaseSync } from 'node:sqlite'
import type { Test } from 'tap'
import { connect, query } from './postgres.ts'

/** Runs a statement on the store at a URL, in whatever database, on a connection of its own; returns the rows. */
export async function execute(databaseUrl: string, sql: string): Promise<Record<string, unknown>[]> {
  if (!databaseUrl.startsWith('sqlite:')) return query(databaseUrl, sql)
  // The service may be writing.
  using database = new DatabaseSync(databaseUrl.slice('sqlite:'.length), { timeout: 10_000 })
  return database.prepare(sql).all()
}

/** Keeps others from writing to the store at a URL, until what it returns is called or the test is over. */
export async function lock(t: Test, databaseUrl: string): Promise<() => Promise<void>> {
  if (databaseUrl.startsWith('sqlite:')) {
    // Others may be writing.
    const database = new DatabaseSync(databaseUrl.slice('sqlite:'.length), { timeout: 10_000 })
    t.teardown(() => database.close())
    database.exec('BEGIN IMMEDIATE')
    return async () => database.exec('COMMIT')
  }
  const client = await connect(t, databaseUrl)
  await client.query('BEGIN; LOCK TABLE pets IN EXCLUSIVE MODE')
  return async () => void (await client.query('COMMIT'))
}
