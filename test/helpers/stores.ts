/** Stores as the tests open them, and what they put into them. */
import type { Test } from 'tap'
import { hashKey } from '../../src/auth/keys.ts'
import { StartupError } from '../../src/errors.ts'
import { openStore } from '../../src/stores/open.ts'
import type { IdempotentRequest, NewPet, Pet, Store } from '../../src/stores/store.ts'

export const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' }

/** Returns a request to add Rex under an idempotency key. */
export function requestFor(key: string, others: Partial<IdempotentRequest> = {}): IdempotentRequest {
  const fingerprint = Buffer.from(hashKey('rex'), 'base64url')
  const response = { response: 'added as ID, see /pets/ID', idPlaceholder: 'ID' }
  return { scope: 'shop', key, fingerprint, ttlMs: 3_600_000, ...response, ...others }
}

interface StoreOptions {
  readonly timeoutMs?: number
}

/** Longer than a store takes on a busy machine. */
const patient: StoreOptions = { timeoutMs: 60_000 }

/** Opens the store at a URL; it is closed after the test. */
export async function openAt(t: Test, url: string, options = patient): Promise<Store> {
  const store = await openStore(url, options)
  t.teardown(() => store.close())
  return store
}

/** Opens the store at a URL, and closes it when the work is done. */
export async function using<Result>(url: string, work: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openStore(url, patient)
  return work(store).finally(() => store.close())
}

/** Lists all animals of a store. */
export function listAll({ pets }: Store): Promise<Pet[]> {
  return pets.list({ after: 0n, limit: 1_000_000 })
}

/** Passes when the store at a URL cannot be opened, and says so in one line that has the text and no password. */
export async function refuses(t: Test, url: string, text: string, options?: StoreOptions): Promise<void> {
  const error = await openStore(url, options).then(
    (store) => store.close(),
    (error: unknown) => error,
  )
  t.ok(error instanceof StartupError, text)
  const { message } = error as StartupError
  t.match(message, text)
  t.notMatch(message, /secret|\n/)
}
