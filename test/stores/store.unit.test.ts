/**
 * The interface of a store, on every database.
 */
import { createHash } from 'node:crypto'
import { setImmediate, setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openStore } from '../../src/stores/open.ts'
import type { IdempotentRequest, NewPet, Pet, PetPage, Store, StoredKey } from '../../src/stores/store.ts'
import { databases, sharedDatabases } from '../helpers/databases.ts'
import { execute } from '../helpers/sql.ts'

const minInt64 = -(2n ** 63n)
const maxInt64 = 2n ** 63n - 1n
const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' }

for (const database of databases) {
  const open = async (t: Test) => openAt(t, await database.fresh(t))

  t.test(database.name, async (t) => {
    t.test('an animal is stored as it was added, under a new id', async (t) => {
      const { pets } = await open(t)
      const added = await pets.add(rex)
      t.same(added, { id: added.id, ...rex })
      t.ok(added.id >= 1n)
      t.same(await pets.find(added.id), added)
    })

    t.test('ids ascend', async (t) => {
      const { pets } = await open(t)
      const ids = [await pets.add(rex), await pets.add(rex), await pets.add(rex)].map(({ id }) => id)
      t.same(ids, ids.toSorted(ascending))
      t.equal(new Set(ids).size, 3)
    })

    t.test('animals added at the same time each get an id of their own', async (t) => {
      const { pets } = await open(t)
      const added = await Promise.all(names(50).map((name) => pets.add({ ...rex, name })))
      t.equal(new Set(added.map(({ id }) => id)).size, 50)
      t.same(await walk(pets.list, 7), added.toSorted(byId))
    })

    t.test('category ids reach to both ends of int64', async (t) => {
      const { pets } = await open(t)
      for (const categoryId of [minInt64, -1n, 0n, 2n ** 53n + 1n, maxInt64]) {
        const { id } = await pets.add({ ...rex, categoryId })
        t.equal((await pets.find(id))?.categoryId, categoryId)
      }
    })

    t.test('a name comes back as it was, whatever its characters', async (t) => {
      const { pets } = await open(t)
      for (const name of [
        "Robert'); DROP TABLE pets; --",
        '🐕‍🦺 Łaika ',
        '"\\%_$1?',
        'e\u0301',
        'é',
        'ß'.repeat(255),
      ]) {
        const { id } = await pets.add({ ...rex, name })
        t.equal((await pets.find(id))?.name, name)
      }
    })

    t.test('an id that no animal has finds nothing, up to the ends of int64', async (t) => {
      const { pets } = await open(t)
      await pets.add(rex)
      for (const id of [minInt64, -1n, 0n, 2n ** 53n, maxInt64]) t.equal(await pets.find(id), undefined)
    })

    t.test('a list holds the first animals above an id, in ascending order', async (t) => {
      const { pets } = await open(t)
      const added: Pet[] = []
      for (const name of names(5)) added.push(await pets.add({ ...rex, name }))
      const after = added[1]?.id as bigint
      t.same(await pets.list({ after: 0n, limit: 100 }), added)
      t.same(await pets.list({ after: minInt64, limit: 2 }), added.slice(0, 2))
      t.same(await pets.list({ after, limit: 2 }), added.slice(2, 4))
      t.same(await pets.list({ after: maxInt64, limit: 2 }), [])
    })

    t.test('a list may be of one status', async (t) => {
      const { pets } = await open(t)
      const statuses = ['sold', 'available', 'sold', 'pending', 'sold'] as const
      const added: Pet[] = []
      for (const status of statuses) added.push(await pets.add({ ...rex, status }))
      const sold = added.filter(({ status }) => status === 'sold')
      t.same(await pets.list({ after: 0n, limit: 100, status: 'sold' }), sold)
      t.same(await pets.list({ after: 0n, limit: 1, status: 'sold' }), sold.slice(0, 1))
      t.same(await pets.list({ after: sold[0]?.id as bigint, limit: 1, status: 'sold' }), sold.slice(1, 2))
      t.same(await pets.list({ after: maxInt64, limit: 1, status: 'sold' }), [])
    })

    t.test('an empty store lists nothing', async (t) => {
      const { pets, keys } = await open(t)
      t.same(await pets.list({ after: 0n, limit: 100 }), [])
      t.same(await keys.list(), [])
    })

    t.test('an addition that is repeated under its idempotency key returns the first animal', async (t) => {
      const { pets } = await open(t)
      const first = await pets.addOnce(rex, retryOf(rex))
      t.match(first, { outcome: 'added', pet: rex })
      t.same(await pets.addOnce(rex, retryOf(rex)), { ...first, outcome: 'replayed' })
      t.same(await pets.addOnce(rex, retryOf(rex)), { ...first, outcome: 'replayed' })
      t.equal((await walk(pets.list, 10)).length, 1)
    })

    t.test('an idempotency key of another request is a conflict, and adds nothing', async (t) => {
      const { pets } = await open(t)
      const first = await pets.addOnce(rex, retryOf(rex))
      const mia = { ...rex, name: 'Mia' }
      t.same(await pets.addOnce(mia, retryOf(mia)), { outcome: 'conflict' })
      t.same(await pets.addOnce(rex, retryOf(rex)), { ...first, outcome: 'replayed' })
      t.equal((await walk(pets.list, 10)).length, 1)
    })

    t.test('the same key of another scope, and another key of the same scope, are other keys', async (t) => {
      const { pets } = await open(t)
      for (const other of [{}, { scope: 'other' }, { key: 'other' }, { scope: 'other', key: 'other' }]) {
        t.match(await pets.addOnce(rex, { ...retryOf(rex), ...other }), { outcome: 'added' })
      }
      t.equal((await walk(pets.list, 10)).length, 4)
    })

    t.test('a key that has expired can be used again', async (t) => {
      const { pets } = await open(t)
      const first = await pets.addOnce(rex, { ...retryOf(rex), ttlMs: 1 })
      await setTimeout(10)
      const mia = { ...rex, name: 'Mia' }
      const second = await pets.addOnce(mia, retryOf(mia))
      t.match(second, { outcome: 'added', pet: mia })
      t.match(await pets.addOnce(mia, retryOf(mia)), { ...second, outcome: 'replayed' })
      t.match(first, { outcome: 'added', pet: rex })
    })

    t.test('an animal and its idempotency key are stored both or neither', async (t) => {
      const { pets } = await open(t)
      await t.rejects(pets.addOnce(rex, { ...retryOf(rex), ttlMs: Number.NaN }))
      t.same(await walk(pets.list, 10), [])
      const impossible = { ...rex, categoryId: maxInt64 + 1n }
      await t.rejects(pets.addOnce(impossible, retryOf(impossible)))
      t.match(await pets.addOnce(rex, retryOf(rex)), { outcome: 'added' })
    })

    t.test('one of several simultaneous requests under one key adds an animal', async (t) => {
      const { pets } = await open(t)
      const results = await Promise.all(names(10).map(() => pets.addOnce(rex, retryOf(rex))))
      t.equal(results.filter(({ outcome }) => outcome === 'added').length, 1)
      t.equal(results.filter(({ outcome }) => outcome === 'conflict').length, 0)
      t.equal((await walk(pets.list, 10)).length, 1)
      t.match(await pets.addOnce(rex, retryOf(rex)), { outcome: 'replayed' })
    })

    t.test('a request whose idempotency key is in progress adds nothing', async (t) => {
      const { pets } = await open(t)
      const first = pets.addOnce(rex, retryOf(rex))
      t.same(await pets.addOnce(rex, retryOf(rex)), { outcome: 'in-progress' })
      t.match(await first, { outcome: 'added' })
    })

    t.test('a key is found by its hash until it is revoked', async (t) => {
      const { keys } = await open(t)
      const before = Date.now()
      t.equal(await keys.add('ops', keyHash('ops')), true)
      const found = await keys.find(keyHash('ops'))
      t.match(found, { name: 'ops', createdAt: Date, revokedAt: undefined })
      // The clock of the store may be another machine's.
      t.ok(Math.abs(Number(found?.createdAt) - before) < 60_000)
      t.equal(await keys.find(keyHash('another')), undefined)
      t.equal(await keys.revoke('ops'), true)
      t.equal(await keys.find(keyHash('ops')), undefined)
    })

    t.test('a name belongs to one key active at a time', async (t) => {
      const { keys } = await open(t)
      t.equal(await keys.add('ops', keyHash('first')), true)
      t.equal(await keys.add('ops', keyHash('second')), false)
      t.equal(await keys.find(keyHash('second')), undefined)
      await keys.revoke('ops')
      t.equal(await keys.add('ops', keyHash('second')), true)
      t.equal((await keys.find(keyHash('second')))?.name, 'ops')
      t.equal(await keys.find(keyHash('first')), undefined)
    })

    t.test('a key that is not active cannot be revoked', async (t) => {
      const { keys } = await open(t)
      t.equal(await keys.revoke('nobody'), false)
      await keys.add('ops', keyHash('ops'))
      await keys.revoke('ops')
      t.equal(await keys.revoke('ops'), false)
    })

    t.test('the hash of an API key is stored once', async (t) => {
      const { keys } = await open(t)
      await keys.add('ops', keyHash('ops'))
      await t.rejects(keys.add('shop', keyHash('ops')))
      t.equal((await keys.find(keyHash('ops')))?.name, 'ops')
    })

    t.test('every key is listed, revoked and expired ones too, the oldest first', async (t) => {
      const { keys } = await open(t)
      await keys.add('b', keyHash('1'))
      await keys.add('a', keyHash('2'))
      await keys.revoke('b')
      await keys.add('b', keyHash('3'))
      t.match(await keys.list(), [
        { name: 'b', revokedAt: Date },
        { name: 'a', revokedAt: undefined },
        { name: 'b', revokedAt: undefined },
      ])
    })

    t.test('a store passes a check', async (t) => {
      const store = await open(t)
      await t.resolves(store.check())
      await t.resolves(store.checkWrite())
    })

    t.test('a closed store is unavailable, and may be closed again', async (t) => {
      const store = await open(t)
      await store.close()
      await store.close()
      const uses: (() => Promise<unknown>)[] = [
        () => store.check(),
        () => store.checkWrite(),
        () => store.pets.add(rex),
        () => store.pets.addOnce(rex, retryOf(rex)),
        () => store.pets.find(1n),
        () => store.pets.list({ after: 0n, limit: 1 }),
        () => store.keys.add('ops', keyHash('ops')),
        async () => store.keys.find(keyHash('ops')),
        () => store.keys.list(),
        () => store.keys.revoke('ops'),
      ]
      for (const use of uses) await t.rejects(use(), { code: 'service_unavailable' })
    })
  })
}

for (const database of sharedDatabases) {
  t.test(`${database.name}, shared`, async (t) => {
    t.test('a store keeps its content when it is closed and opened', async (t) => {
      const url = await database.fresh(t)
      const first = await openAt(t, url)
      const added = [await first.pets.add(rex), await first.pets.add(rex)]
      await first.keys.add('ops', keyHash('ops'))
      await first.close()
      const second = await openAt(t, url)
      t.same(await walk(second.pets.list, 10), added)
      t.equal((await second.keys.find(keyHash('ops')))?.name, 'ops')
      t.ok((await second.pets.add(rex)).id > (added[1]?.id as bigint))
    })

    t.test('instances that start at the same time on an empty store all succeed', async (t) => {
      const url = await database.fresh(t)
      const stores = await Promise.all(names(4).map(() => openAt(t, url)))
      await Promise.all(stores.map(({ pets }) => pets.add(rex)))
      for (const { pets } of stores) t.equal((await walk(pets.list, 10)).length, 4)
    })

    t.test('an instance sees what another has added', async (t) => {
      const url = await database.fresh(t)
      const [one, other] = [await openAt(t, url), await openAt(t, url)]
      const added = await one.pets.add(rex)
      t.same(await other.pets.find(added.id), added)
      t.same(await other.pets.list({ after: 0n, limit: 10 }), [added])
    })

    t.test('an instance accepts the key that another has just added, even if it has refused it before', async (t) => {
      const url = await database.fresh(t)
      const [one, other] = [await openAt(t, url), await openAt(t, url)]
      t.equal(await other.keys.find(keyHash('ops')), undefined)
      await one.keys.add('ops', keyHash('ops'))
      t.equal((await other.keys.find(keyHash('ops')))?.name, 'ops')
    })

    t.test('an instance refuses within a second the key that another has revoked', async (t) => {
      const url = await database.fresh(t)
      const [one, other] = [await openAt(t, url), await openAt(t, url)]
      await one.keys.add('ops', keyHash('ops'))
      t.ok(await other.keys.find(keyHash('ops')))
      await one.keys.revoke('ops')
      const revoked = performance.now()
      let asked: number
      let found: StoredKey | undefined
      do {
        await setImmediate()
        asked = performance.now()
        found = await other.keys.find(keyHash('ops'))
      } while (found !== undefined && asked - revoked < 1000)
      t.equal(found, undefined)
      t.equal(await one.keys.find(keyHash('ops')), undefined)
    })

    t.test('another instance replays a result that did not arrive', async (t) => {
      const url = await database.fresh(t)
      const [one, other] = [await openAt(t, url), await openAt(t, url)]
      const first = await one.pets.addOnce(rex, retryOf(rex))
      await one.close()
      t.same(await other.pets.addOnce(rex, retryOf(rex)), { ...first, outcome: 'replayed' })
    })

    t.test('one of several instances with simultaneous requests under one key adds an animal', async (t) => {
      const url = await database.fresh(t)
      const stores = await Promise.all(names(3).map(() => openAt(t, url)))
      for (const key of names(10)) {
        const results = await Promise.all(stores.map(({ pets }) => pets.addOnce(rex, { ...retryOf(rex), key })))
        t.equal(results.filter(({ outcome }) => outcome === 'added').length, 1)
        t.equal(results.filter(({ outcome }) => outcome === 'conflict').length, 0)
      }
      for (const { pets } of stores) t.equal((await walk(pets.list, 100)).length, 10)
    })

    t.test('a repeated request adds another animal if the first one was deleted', async (t) => {
      const url = await database.fresh(t)
      const { pets } = await openAt(t, url)
      const first = await pets.addOnce(rex, retryOf(rex))
      await execute(url, 'DELETE FROM pets')
      const second = await pets.addOnce(rex, retryOf(rex))
      t.match(second, { outcome: 'added', pet: rex })
      t.notSame(second, first)
      t.same(await pets.addOnce(rex, retryOf(rex)), { ...second, outcome: 'replayed' })
      t.equal((await walk(pets.list, 10)).length, 1)
    })

    t.test('walking the pages while instances add animals yields each animal once', async (t) => {
      const url = await database.fresh(t)
      const stores = [await openAt(t, url), await openAt(t, url)]
      const adding = stores.map(async ({ pets }) => {
        for (let turn = 0; turn < 20; turn++) await Promise.all(names(5).map((name) => pets.add({ ...rex, name })))
      })
      const reader = await openAt(t, url)
      const seen: bigint[] = []
      const follow = async () => {
        const page = await reader.pets.list({ after: seen.at(-1) ?? 0n, limit: 3 })
        seen.push(...page.map(({ id }) => id))
        return page.length
      }
      let done = false
      const added = Promise.all(adding).finally(() => {
        done = true
      })
      while (!done) {
        await follow()
        await setImmediate()
      }
      await added
      while ((await follow()) > 0);
      t.equal(seen.length, 200)
      t.equal(new Set(seen).size, 200)
    })
  })
}

/** The store at a URL, closed after the test. */
async function openAt(t: Test, url: string): Promise<Store> {
  const store = await openStore(url)
  t.teardown(() => store.close())
  return store
}

/** Every animal, page by page. */
async function walk(list: (page: PetPage) => Promise<Pet[]>, limit: number): Promise<Pet[]> {
  const all: Pet[] = []
  for (;;) {
    const page = await list({ after: all.at(-1)?.id ?? 0n, limit })
    all.push(...page)
    if (page.length < limit) return all
  }
}

function hash(key: string): Uint8Array {
  return createHash('sha256').update(key).digest()
}

/** A request to add this animal, under a key that is always the same. */
function retryOf(pet: NewPet): IdempotentRequest {
  const fingerprint = hash(JSON.stringify([pet.name, String(pet.categoryId), pet.status]))
  return { scope: 'shop', key: 'e3b0c442', fingerprint, ttlMs: 60_000 }
}

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `Rex ${index}`)
}

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : 1
}

function byId(a: Pet, b: Pet): number {
  return ascending(a.id, b.id)
}

/** The hash of an API key, as stores know it. */
function keyHash(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
