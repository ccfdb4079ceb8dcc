/**
 * Statements on a store behind the service's back.
 */
import { DatabaseSync } from 'node:sqlite'
import { query } from './postgres.ts'

/** Runs a statement on the store at a URL, in whatever engine, on a connection of its own. */
export async function execute(databaseUrl: string, sql: string): Promise<void> {
  if (databaseUrl.startsWith('sqlite:')) {
    using database = new DatabaseSync(databaseUrl.slice('sqlite:'.length))
    database.exec(sql)
  } else {
    await query(databaseUrl, sql)
  }
}
