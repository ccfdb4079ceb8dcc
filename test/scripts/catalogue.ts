/** A little of everything that a store can hold. */
import type { Test } from 'tap'
import { openBulkStore } from '../../scripts/bulk/open.ts'
import { hashKey } from '../../src/auth/keys.ts'
import type { Pet } from '../../src/stores/store.ts'
import { listAll, requestFor, rex, using } from '../helpers/stores.ts'

/** Puts a little of everything that a store can hold into a store; returns its animals. */
export async function fill(t: Test, url: string): Promise<Pet[]> {
  await using(url, async ({ pets }) => {
    // Databases sort it before or after "expired", by their collation.
    await pets.addOnce(rex, requestFor('One'))
    await pets.addOnce(rex, requestFor('two', { scope: 'Ö' }))
    await pets.addOnce({ ...rex, name: '🐕 Łaika' }, requestFor('expired', { ttlMs: 1 }))
  })
  await fillKeys(url)
  const bulk = await openBulkStore(url)
  await bulk.write('pets', [
    [7n, 'O\'Malley \\ "{},NULL', -(2n ** 63n), 'sold'],
    [8n, 'NULL', 2n ** 63n - 1n, 'pending'],
    [2n ** 53n + 1n, 'ß'.repeat(255), 0n, 'available'],
  ])
  await bulk.commit(9007199254741000n).finally(bulk[Symbol.asyncDispose])
  const animals = await using(url, listAll)
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
