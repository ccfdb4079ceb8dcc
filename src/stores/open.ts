/**
 * From the URL of a store to the store.
 */
import { engineOf } from './engine.ts'
import { openSqlite } from './sqlite.ts'
import { type Store, StoreOpenError } from './store.ts'

export interface StoreOptions {
  /** How long the store may keep a caller waiting before it counts as unavailable, in milliseconds. */
  readonly timeout?: number
}

const defaultTimeout = 5000

/**
 * Opens the store that a URL names, and makes it or brings it up to date where that is needed: `sqlite:PATH` (relative
 * to the working directory; missing folders are made), `sqlite::memory:` (gone when it is closed), or
 * `postgres://USER:PASSWORD@HOST:PORT/DATABASE` (https://www.postgresql.org/docs/current/libpq-connect.html).
 * Rejects with a StoreOpenError.
 */
export async function openStore(url: string, { timeout = defaultTimeout }: StoreOptions = {}): Promise<Store> {
  const { engine, file } = engineOf(url)
  if (engine === 'postgres') {
    // Imported when it is needed: who uses the embedded store does not wait for it at start.
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres(url, timeout)
  }
  // In other programs' URLs, what follows two slashes is a host here and a relative path there.
  if (file !== '' && !file.startsWith('//')) return openSqlite(file, timeout)
  throw new StoreOpenError(`the store ${url} cannot be opened: it names no file; name one as sqlite:PATH`)
}
