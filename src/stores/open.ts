/** Opens the store that a URL names. */
import { createKeyCache } from './key-cache.ts'
import type { PetStore, Store } from './store.ts'
import { inMemory, parseStoreUrl } from './url.ts'

const TIMEOUT_MS = 5000

export interface StoreOptions {
  /** The time after which a caller that waits for the database gets a 503, in milliseconds; by default 5000. */
  readonly timeoutMs?: number
}

/**
 * Opens a store, and creates or upgrades it if necessary: `sqlite:PATH` (relative to the working directory; missing
 * folders are created), `sqlite::memory:`, or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`
 * (https://www.postgresql.org/docs/current/libpq-connect.html). Rejects with a StartupError.
 */
export async function openStore(url: string, { timeoutMs = TIMEOUT_MS }: StoreOptions = {}): Promise<Store> {
  const { file } = parseStoreUrl(url)
  // Each is imported only if it is needed: the service starts faster without the driver of the other one.
  const store =
    file === undefined
      ? await (await import('./postgres/store.ts')).openPostgres(url, timeoutMs)
      : await (await import('./sqlite/store.ts')).openSqlite(file, timeoutMs)
  const pets = { ...store.pets, addOnce: guardInFlight(store.pets.addOnce) }
  return { ...store, pets, keys: createKeyCache(store.keys) }
}

/**
 * Says what `openStore` would do to a store, and changes nothing; undefined if it would only open it. Rejects with a
 * StartupError if the store cannot be opened.
 */
export async function inspectStore(url: string): Promise<string | undefined> {
  const { file } = parseStoreUrl(url)
  if (file === inMemory) return undefined
  const versions =
    file === undefined
      ? await (await import('./postgres/connection.ts')).inspect(url, TIMEOUT_MS)
      : (await import('./sqlite/connection.ts')).inspect(file, TIMEOUT_MS)
  if (versions === undefined) return 'A start completes the store from its write-ahead log.'
  const { found, latest } = versions
  if (found === latest) return undefined
  return found === 0 ? 'A start creates the store.' : `A start upgrades the store from version ${found} to ${latest}.`
}

/** Lets one request per idempotency key through at a time, whatever the database is. */
function guardInFlight(addOnce: PetStore['addOnce']): PetStore['addOnce'] {
  const inFlight = new Set<string>()
  return async (pet, request) => {
    const id = JSON.stringify([request.scope, request.key])
    if (inFlight.has(id)) return { outcome: 'in-progress' }
    inFlight.add(id)
    return addOnce(pet, request).finally(() => inFlight.delete(id))
  }
}
