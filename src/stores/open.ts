/** Opens the store that a URL names. */
import { StartupError } from '../errors.ts'
import { guardInFlight } from './idempotency.ts'
import { createKeyCache } from './key-cache.ts'
import type { Store } from './store.ts'

const TIMEOUT_MS = 5000

export interface StoreOptions {
  /** How long a caller may wait for the database before the store counts as unavailable, in milliseconds; by default 5000. */
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
  const { found, latest } =
    file === undefined
      ? await (await import('./postgres/connection.ts')).inspect(url, TIMEOUT_MS)
      : (await import('./sqlite/connection.ts')).inspect(file, TIMEOUT_MS)
  if (found === latest) return undefined
  return found === 0 ? 'A start creates the store.' : `A start upgrades the store from version ${found} to ${latest}.`
}

/** A database and, for SQLite, the file: a path, or `inMemory`. */
export type StoreUrl =
  | { readonly database: 'sqlite'; readonly file: string }
  | { readonly database: 'postgres'; readonly file?: undefined }

/** The file of a SQLite store that lives in memory and is gone when it is closed. */
export const inMemory = ':memory:'

/** Reads the URL of a store. Throws a StartupError if it names none. */
export function parseStoreUrl(url: string): StoreUrl {
  const [, scheme, file = ''] = /^([a-z][a-z0-9+.-]*:)(.*)$/s.exec(url) ?? []
  if (scheme === 'postgres:' || scheme === 'postgresql:') return { database: 'postgres' }
  // The rest may contain a password.
  if (scheme !== 'sqlite:') {
    const what = scheme === undefined ? 'a store URL without a scheme' : `a store URL with the scheme ${scheme}`
    throw new StartupError(`${what} is not supported; use sqlite:PATH or postgres://…`)
  }
  // In URLs of other programs, two slashes begin a host here and a relative path there.
  if (file !== '' && !file.startsWith('//')) return { database: 'sqlite', file }
  const shown = url.replace(/\/\/.*@/s, '//[redacted]@')
  throw new StartupError(`cannot open the store ${shown}: the URL names no file; use sqlite:PATH`)
}
