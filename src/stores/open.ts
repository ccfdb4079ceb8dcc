/**
 * Opens the store that a URL names.
 */
import { StartupError } from '../errors.ts'
import { createKeyCache } from './key-cache.ts'
import type { Store } from './store.ts'
import { parseStoreUrl } from './url.ts'

export interface StoreOptions {
  /** How long a caller may wait for the database before the store counts as unavailable, in milliseconds. */
  readonly timeoutMs?: number
}

/**
 * Opens a store, and creates or upgrades it if necessary: `sqlite:PATH` (relative to the working directory; missing
 * folders are created), `sqlite::memory:`, or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`
 * (https://www.postgresql.org/docs/current/libpq-connect.html). Rejects with a StartupError.
 */
export async function openStore(url: string, { timeoutMs = 5000 }: StoreOptions = {}): Promise<Store> {
  const store = await openDatabase(url, timeoutMs)
  return { ...store, keys: createKeyCache(store.keys) }
}

async function openDatabase(url: string, timeoutMs: number): Promise<Store> {
  const { database, file } = parseStoreUrl(url)
  // Each is imported only if it is needed: the service starts faster without the driver of the other one.
  if (database === 'postgres') {
    const { openPostgres } = await import('./postgres/store.ts')
    return openPostgres(url, timeoutMs)
  }
  // In URLs of other programs, two slashes begin a host here and a relative path there.
  if (file !== '' && !file.startsWith('//')) {
    const { openSqlite } = await import('./sqlite/store.ts')
    return openSqlite(file, timeoutMs)
  }
  throw new StartupError(`cannot open the store ${url}: the URL names no file; use sqlite:PATH`)
}
