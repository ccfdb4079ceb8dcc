/**
 * Upgrades of stores with earlier versions of the tables.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { openStore } from '../../src/stores/open.ts'
import type { NewPet } from '../../src/stores/store.ts'
import { sharedDatabases, sqlite } from '../helpers/databases.ts'
import { execute } from '../helpers/sql.ts'

/** What each fixture in version-1/ holds; those in version-2/ add an idempotency key. */
const pets = [
  { id: 1n, name: 'Rex', categoryId: 1n, status: 'available' },
  { id: 2n, name: '🐕 Łaika', categoryId: -(2n ** 63n), status: 'sold' },
  { id: 3n, name: "O'Malley", categoryId: 2n ** 63n - 1n, status: 'pending' },
]
const day = new Date('2026-11-20T22:05:20.524Z')
const keys = [
  { name: 'ops', createdAt: day, revokedAt: day },
  { name: 'shop', createdAt: day },
]
const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' }

for (const database of sharedDatabases) {
  const storeOf = async (t: Test, version: 1 | 2) => {
    const url = await database.fresh(t)
    const file = database === sqlite ? 'sqlite.sql' : 'postgres.sql'
    await execute(url, fixture(`version-1/${file}`))
    if (version === 2) await execute(url, fixture(`version-2/${file}`))
    return url
  }

  t.test(`${database.name}: a store of version 1 is brought up to date with all that it holds`, async (t) => {
    const url = await storeOf(t, 1)
    // The second time there is nothing left to do.
    for (const id of [4n, 5n]) {
      const store = await openStore(url)
      t.teardown(() => store.close())
      t.same((await store.pets.list({ after: 0n, limit: 10 })).slice(0, 3), pets)
      t.match(await store.keys.list(), keys)
      t.match(await store.keys.find(keyHash('shop')), keys[1])
      t.equal(await store.keys.find(keyHash('ops')), undefined)
      const retry = { scope: 'shop', key: String(id), fingerprint: hash('rex'), ttlMs: 60_000 }
      t.same(await store.pets.addOnce(rex, retry), { outcome: 'added', pet: { id, ...rex } })
      t.same(await store.pets.addOnce(rex, retry), { outcome: 'replayed', pet: { id, ...rex } })
    }
  })

  t.test(`${database.name}: a store of version 2 keeps its idempotency keys`, async (t) => {
    const store = await openStore(await storeOf(t, 2))
    t.teardown(() => store.close())
    t.match(await store.keys.list(), keys)
    const request = { scope: 'shop', key: 'kept', fingerprint: hash('rex'), ttlMs: 60_000 }
    t.same(await store.pets.addOnce(rex, request), { outcome: 'replayed', pet: pets[1] })
    t.same(await store.pets.addOnce(rex, { ...request, fingerprint: hash('mia') }), { outcome: 'conflict' })
    t.same(await store.pets.add(rex), { id: 4n, ...rex })
  })

  t.test(`${database.name}: instances that start at once on a store of version 1 all come up`, async (t) => {
    const url = await storeOf(t, 1)
    const stores = await Promise.all([1, 2, 3].map(() => openStore(url)))
    for (const store of stores) {
      t.teardown(() => store.close())
      t.same(await store.pets.list({ after: 0n, limit: 10 }), pets)
    }
  })
}

function fixture(file: string): string {
  return readFileSync(new URL(`./${file}`, import.meta.url), 'utf8')
}

function hash(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** The hash of an API key, as stores know it. */
function keyHash(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
