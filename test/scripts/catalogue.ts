/**
 * A little of everything that a store can hold.
 */
import type { Test } from 'tap'
import { openBulkStore } from '../../scripts/bulk/open.ts'
import { hashKey } from '../../src/auth/keys.ts'
import { openStore } from '../../src/stores/open.ts'
import type { IdempotentRequest, NewPet, Pet, Store } from '../../src/stores/store.ts'

export const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' }
const hour = 60 * 60 * 1000

/** Works with the store at a URL, and lets go of it. */
export async function using<Result>(url: string, work: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openStore(url)
  return work(store).finally(() => store.close())
}

/** Puts a little of everything into a store; returns its animals. */
export async function fill(t: Test, url: string): Promise<Pet[]> {
  await using(url, async ({ pets }) => {
    await pets.addOnce(rex, retryOf('one'))
    await pets.addOnce(rex, { ...retryOf('two'), scope: 'Ö' })
    await pets.addOnce({ ...rex, name: '🐕 Łaika' }, { ...retryOf('expired'), ttlMs: 1 })
  })
  await fillKeys(url)
  const bulk = await openBulkStore(url, 'write')
  await bulk
    .write('pets', [
      [7n, 'O\'Malley \\ "{},NULL', -(2n ** 63n), 'sold'],
      [8n, 'NULL', 2n ** 63n - 1n, 'pending'],
      [2n ** 53n + 1n, 'ß'.repeat(255), 0n, 'available'],
    ])
    .then(() => bulk.skipIds(9007199254741000n))
    .finally(bulk.close)
  const animals = await using(url, ({ pets }) => pets.list({ after: 0n, limit: 100 }))
  t.equal(animals.length, 6)
  return animals
}

export async function fillKeys(url: string): Promise<void> {
  await using(url, async ({ keys }) => {
    await keys.add('shop', hashKey('old shop'))
    await keys.add('ops', hashKey('ops'), { scopes: ['pets:read'], expiresAt: new Date('2100-01-01') })
    await keys.revoke('shop')
    await keys.add('shop', hashKey('shop'))
  })
}

export function retryOf(key: string): IdempotentRequest {
  return { scope: 'shop', key, fingerprint: Buffer.from(hashKey('rex')), ttlMs: hour }
}
