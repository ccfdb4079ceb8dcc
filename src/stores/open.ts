/** Opens the store that a URL names, and adds what both databases need: the in-flight guard and the cache of API keys. */
import { resolve } from 'node:path'
import { StartupError } from '../errors.ts'
import { createExpiringMap } from '../expiring-map.ts'
import type { UpgradeOptions } from './migrations.ts'
import { inMemory, type KeyHash, type KeyStore, type PetStore, type Store, type StoredKey } from './store.ts'

/**
 * Opens a store, and creates or upgrades it if necessary: `sqlite:PATH` (relative to the working directory; missing
 * folders are created), `sqlite::memory:`, or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`
 * (https://www.postgresql.org/docs/current/libpq-connect.html). Rejects with a StartupError.
 */
export async function openStore(url: string, upgrade: UpgradeOptions = {}): Promise<Store> {
  const file = getSqliteFile(url)
  // Imports the driver of one database alone, which makes a start faster.
  const store =
    file === undefined
      ? await (await import('./postgres/store.ts')).openPostgres(url, upgrade)
      : await (await import('./sqlite/store.ts')).openSqlite(file, upgrade)
  const pets = { ...store.pets, addOnce: guardInFlight(store.pets.addOnce) }
  return { ...store, pets, keys: createKeyCache(store.keys) }
}

/**
 * Checks the store at a URL as `openStore` does, and changes and creates nothing. Returns false if there is no store yet. Rejects
 * with a StartupError.
 */
export async function checkStore(url: string): Promise<boolean> {
  const file = getSqliteFile(url)
  if (file === undefined) return (await import('./postgres/connection.ts')).check(url)
  if (file === inMemory) return false
  const { check, hasContent } = await import('./sqlite/connection.ts')
  check(file)
  return hasContent(file)
}

/**
 * Rejects with a StartupError unless there is a store at a URL: a SQLite file that is not empty, or a PostgreSQL database with
 * the tables. Creates nothing.
 */
export async function assertStoreExists(url: string): Promise<void> {
  if (!(await hasStore(url)))
    throw new StartupError(`the store ${formatStoreName(url)} does not exist; name one that does`)
}

/** True if there is a store at a URL, of any version. Creates nothing. Rejects with a StartupError if it cannot be reached. */
export async function hasStore(url: string): Promise<boolean> {
  const file = getSqliteFile(url)
  if (file === undefined) return (await import('./postgres/connection.ts')).hasTables(url)
  return file !== inMemory && (await import('./sqlite/connection.ts')).hasContent(file)
}

/**
 * Returns the file that each backup of the SQLite store at a URL writes when it is complete, so that its time is that of the last
 * backup. Undefined for a store in memory and for PostgreSQL, whose own tools make backups.
 */
export function getBackupRecord(url: string): string | undefined {
  const file = getSqliteFile(url)
  return file === undefined || file === inMemory ? undefined : `${file}.last-backup`
}

/** Formats the URL of a store for people: the whole path of a file, and no user, password or parameter. */
export function formatStoreName(url: string): string {
  const file = getSqliteFile(url)
  if (file === undefined) return url.replace(/(?<=:\/\/)[^/?#]*@|[?#].*$/gs, '')
  return `sqlite:${file === inMemory ? file : resolve(file)}`
}

/** Wraps `addOnce` so that a request whose idempotency key is in use in this process is `in-progress`. */
function guardInFlight(addOnce: PetStore['addOnce']): PetStore['addOnce'] {
  const inFlight = new Set<string>()
  return async (pet, request) => {
    const id = JSON.stringify([request.scope, request.key])
    if (inFlight.has(id)) return { outcome: 'in-progress' }
    inFlight.add(id)
    return addOnce(pet, request).finally(() => inFlight.delete(id))
  }
}

/** Returns the file that a URL names; undefined for PostgreSQL. Throws a StartupError if the URL names no store. */
export function getSqliteFile(url: string): string | undefined {
  if (/^postgres(ql)?:\/\//.test(url)) return undefined
  // After two slashes, some programs read a host, and others a relative path.
  const file = /^sqlite:(?!\/\/)(.+)$/s.exec(url)?.[1]
  if (file !== undefined) return file
  // The URL is not shown, because it may contain a password.
  throw new StartupError('the store URL names no store; use sqlite:PATH, sqlite::memory: or postgres://…')
}

/** The longest time for which a key is accepted after it has expired, or another process has revoked it, in milliseconds. */
export const KEY_CACHE_MS = 500

/**
 * Wraps a key store so that `find` returns an active key for `KEY_CACHE_MS` without asking the database. An unknown key is looked
 * up each time, so that a new key is accepted immediately.
 */
function createKeyCache(keys: KeyStore): KeyStore {
  const activeKeys = createExpiringMap<StoredKey>(KEY_CACHE_MS)

  async function lookUp(hash: KeyHash): Promise<StoredKey | undefined> {
    // The entry starts before the query, because the key may be revoked while its result is in transit.
    const startedAt = performance.now()
    const key = await keys.find(hash)
    if (key === undefined) activeKeys.delete(hash)
    else activeKeys.set(hash, key, startedAt)
    return key
  }

  return {
    ...keys,
    find: (hash) => activeKeys.get(hash)?.value ?? lookUp(hash),
    revoke: (name, at) => keys.revoke(name, at).finally(() => activeKeys.clear()),
  }
}
