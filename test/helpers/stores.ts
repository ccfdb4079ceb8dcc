/** Stores as the tests open them, and what they put into them. */
import { DatabaseSync } from 'node:sqlite'
import type { Test } from 'tap'
import { hashKey } from '../../src/auth/keys.ts'
import { StartupError } from '../../src/errors.ts'
import type { UpgradeOptions } from '../../src/stores/migrations.ts'
import { openStore } from '../../src/stores/open.ts'
import { migrations as postgresMigrations } from '../../src/stores/postgres/tables.ts'
import { migrations as sqliteMigrations } from '../../src/stores/sqlite/tables.ts'
import type { IdempotentRequest, NewPet, Pet, Store } from '../../src/stores/store.ts'
import { query } from './postgres.ts'

export const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' }

/** Returns a request to add Rex under an idempotency key. */
export function requestFor(key: string, others: Partial<IdempotentRequest> = {}): IdempotentRequest {
  const fingerprint = Buffer.from(hashKey('rex'), 'base64url')
  return { scope: 'shop', key, fingerprint, ttlMs: 3_600_000, ...others }
}

/** Opens the store at a URL; it is closed after the test. */
export async function openAt(t: Test, url: string, options?: UpgradeOptions): Promise<Store> {
  const store = await openStore(url, options)
  t.teardown(() => store.close())
  return store
}

/** Opens the store at a URL, and closes it when the work is done. */
export async function using<Result>(url: string, work: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openStore(url)
  return work(store).finally(() => store.close())
}

/** Creates an empty store of version 3, the first that was released. */
export async function createVersion3(url: string): Promise<void> {
  if (!url.startsWith('sqlite:')) {
    await query(url, `${postgresMigrations[3]}; UPDATE animal_store SET version = 3`)
    return
  }
  using database = new DatabaseSync(url.slice('sqlite:'.length))
  database.exec(`${sqliteMigrations[3]}; PRAGMA user_version = 3`)
}

/** Lists all animals of a store. */
export function listAll({ pets }: Store): Promise<Pet[]> {
  return pets.list({ after: 0n, limit: 1_000_000 })
}

/** Passes when the store at a URL cannot be opened, and says so in one line that has the text and no password. */
export async function refuses(t: Test, url: string, text: string | RegExp, options?: UpgradeOptions): Promise<void> {
  const error = await openStore(url, options).then(
    (store) => store.close(),
    (error: unknown) => error,
  )
  t.ok(error instanceof StartupError, String(text))
  const { message } = error as StartupError
  t.match(message, text)
  t.notMatch(message, /secret|\n/)
}
