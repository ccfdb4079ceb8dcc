/** The interface of a store, on every database. */
import { setImmediate, setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { hashKey } from '../../src/auth/keys.ts'
import { commits } from '../../src/stores/batch.ts'
import type { Pet, StoredKey } from '../../src/stores/store.ts'
import { stopClock } from '../helpers/clock.ts'
import { databases, sharedDatabases } from '../helpers/databases.ts'
import { collectGarbage } from '../helpers/garbage.ts'
import { execute } from '../helpers/sql.ts'
import { listAll, openAt, requestFor, rex } from '../helpers/stores.ts'

const minInt64 = -(2n ** 63n)
const maxInt64 = 2n ** 63n - 1n
const impossible = { ...rex, categoryId: maxInt64 + 1n }
const mia = { ...rex, name: 'Mia' }

for (const database of databases) {
  const open = async (t: Test) => openAt(t, await database.fresh(t))

  t.test(database.name, async (t) => {
    t.test('an animal is stored as it was added, under a larger id than all before', async (t) => {
      const { pets } = await open(t)
      const added: Pet[] = []
      for (const [name, categoryId, status] of [
        ["Robert'); DROP TABLE pets; --", minInt64, 'available'],
        ['🐕‍🦺 Łaika ', -1n, 'pending'],
        ['"\\%_$1?', 0n, 'sold'],
        ['e\u0301', 2n ** 53n + 1n, 'available'],
        ['é', maxInt64, 'available'],
        ['ß'.repeat(255), 1n, 'available'],
      ] as const) {
        const pet = await pets.add({ name, categoryId, status })
        t.same(pet, { id: pet.id, name, categoryId, status })
        t.same(await pets.find(pet.id), pet)
        t.ok(pet.id > (added.at(-1)?.id ?? 0n))
        added.push(pet)
      }
      for (const id of [minInt64, -1n, 0n, 2n ** 53n, maxInt64]) t.equal(await pets.find(id), undefined)
    })

    t.test('a list holds the first animals above an id, of one status if that is asked for', async (t) => {
      const store = await open(t)
      t.same(await listAll(store), [])
      const added: Pet[] = []
      for (const status of ['sold', 'available', 'sold', 'pending', 'sold'] as const) {
        added.push(await store.pets.add({ ...rex, status }))
      }
      const [first, second, third, fourth, fifth] = added as [Pet, Pet, Pet, Pet, Pet]
      for (const [after, limit, status, expected] of [
        [0n, 100, undefined, added],
        [minInt64, 2, undefined, [first, second]],
        [second.id, 2, undefined, [third, fourth]],
        [maxInt64, 2, undefined, []],
        [0n, 100, 'sold', [first, third, fifth]],
        [0n, 1, 'sold', [first]],
        [first.id, 1, 'sold', [third]],
        [maxInt64, 2, 'sold', []],
      ] as const) {
        t.same(await store.pets.list({ after, limit, ...(status && { status }) }), expected)
      }
    })

    t.test('animals that are added while a commit runs share the next one, each under its own id', async (t) => {
      const store = await open(t)
      const sizes: unknown[] = []
      const note = (size: unknown) => void sizes.push(size)
      commits.subscribe(note)
      t.teardown(() => commits.unsubscribe(note))
      const add = (name: string) => store.pets.add({ ...rex, name })
      const first = add('0')
      // Those of one iteration share a commit: this one has begun when the others arrive.
      await Promise.resolve()
      const others = Array.from({ length: 49 }, (_, index) => add(`${index + 1}`))
      const added = await Promise.all([first, ...others])
      t.same(sizes, [1, 49])
      t.equal(new Set(added.map(({ id }) => id)).size, 50)
      t.same(
        await listAll(store),
        added.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
      )
    })

    t.test('an addition that fails does not keep the others of its commit from being stored', async (t) => {
      const store = await open(t)
      const { addOnce, add } = store.pets
      const adding = [
        add(rex),
        add(impossible),
        add(mia),
        addOnce(rex, requestFor('1', { ttlMs: Number.NaN })),
        add(rex),
      ]
      const results = await Promise.allSettled(adding)
      t.match(
        results.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
      )
      t.match(await listAll(store), [rex, mia, rex])
    })

    t.test('a commit that fails rejects its additions alone, and closing waits for the last one', async (t) => {
      const { pets, close } = await open(t)
      const failing = t.rejects(pets.add(impossible))
      await Promise.resolve()
      const [, outcome] = await Promise.allSettled([failing, pets.add(rex), close()])
      t.match(outcome, { status: 'fulfilled', value: rex })
    })

    t.test('an addition that is repeated under its key returns the first animal and response', async (t) => {
      const store = await open(t)
      await store.pets.add(mia)
      const pet = { id: 2n, ...rex }
      t.same(await store.pets.addOnce(rex, requestFor('1')), { outcome: 'added', pet })
      const other = requestFor('1', { fingerprint: Buffer.from('mia') })
      t.same(await store.pets.addOnce(mia, other), { outcome: 'conflict' })
      t.same(await store.pets.addOnce(rex, requestFor('1')), { outcome: 'replayed', pet })
      t.equal((await listAll(store)).length, 2)
    })

    t.test('the same key of another scope, and another key of the same scope, are other keys', async (t) => {
      const { pets } = await open(t)
      for (const scope of ['1', '2']) {
        for (const key of ['1', '2']) {
          t.match(await pets.addOnce(rex, requestFor(key, { scope })), { outcome: 'added' })
        }
      }
    })

    t.test('a key that has expired can be used again', async (t) => {
      const { pets } = await open(t)
      await pets.addOnce(rex, requestFor('1', { ttlMs: 1 }))
      await setTimeout(10)
      const second = await pets.addOnce(mia, requestFor('1'))
      t.match(second, { outcome: 'added', pet: mia })
      t.match(await pets.addOnce(mia, requestFor('1')), { ...second, outcome: 'replayed' })
    })

    t.test('an animal and its idempotency key are stored both or neither', async (t) => {
      const store = await open(t)
      await t.rejects(store.pets.addOnce(rex, requestFor('1', { ttlMs: Number.NaN })))
      t.same(await listAll(store), [])
      await t.rejects(store.pets.addOnce(impossible, requestFor('1')))
      t.match(await store.pets.addOnce(rex, requestFor('1')), { outcome: 'added' })
    })

    t.test('a request whose idempotency key is in progress adds nothing', async (t) => {
      const store = await open(t)
      const results = await Promise.all([1, 2, 3].map(() => store.pets.addOnce(rex, requestFor('1'))))
      t.match(results, [{ outcome: 'added' }, { outcome: 'in-progress' }, { outcome: 'in-progress' }])
      t.equal((await listAll(store)).length, 1)
    })

    t.test('a key is found by its hash until it is revoked, and keeps its name for itself until then', async (t) => {
      const { keys } = await open(t)
      const [first, second] = [hashKey('first'), hashKey('second')]
      t.equal(await keys.revoke('ops'), false)
      t.equal(await keys.add('ops', first), true)
      const found = await keys.find(first)
      t.match(found, { name: 'ops', createdAt: Date, revokedAt: undefined })
      // The clock of the store may be another machine's.
      t.ok(Math.abs(Number(found?.createdAt) - Date.now()) < 60_000)
      await t.rejects(keys.add('shop', first), 'a hash is stored once')
      t.equal(await keys.add('ops', second), false)
      t.equal(await keys.find(second), undefined)
      t.equal(await keys.revoke('ops'), true)
      t.equal(await keys.revoke('ops'), false)
      t.equal(await keys.find(first), undefined)
      t.equal(await keys.add('ops', second), true)
      t.match(await keys.find(second), { name: 'ops' })
    })

    t.test('every key is listed with its scopes and expiry, revoked ones too, the oldest first', async (t) => {
      const { keys } = await open(t)
      t.same(await keys.list(), [])
      const options = { scopes: ['pets:read', 'pets:write'], expiresAt: new Date('2100-01-01') }
      await keys.add('b', hashKey('1'))
      await keys.add('a', hashKey('2'), options)
      await keys.revoke('b')
      await keys.add('b', hashKey('3'))
      t.match(await keys.list(), [
        { name: 'b', revokedAt: Date },
        { name: 'a', revokedAt: undefined, ...options },
        { name: 'b', revokedAt: undefined },
      ])
    })

    t.test('a store passes its check until it is closed; then it is unavailable', async (t) => {
      const store = await open(t)
      const { pets, keys } = store
      await t.resolves(store.check())
      await store.close()
      await store.close()
      const uses: (() => Promise<unknown>)[] = [
        () => store.check(),
        () => pets.add(rex),
        () => pets.addOnce(rex, requestFor('1')),
        () => pets.find(1n),
        () => pets.list({ after: 0n, limit: 1 }),
        () => keys.add('ops', hashKey('ops')),
        async () => keys.find(hashKey('ops')),
        () => keys.list(),
        () => keys.revoke('ops'),
      ]
      for (const use of uses) await t.rejects(use(), { code: 'service_unavailable' })
    })
  })
}

for (const database of sharedDatabases) {
  const openTwo = async (t: Test) => {
    const url = await database.fresh(t)
    return { url, one: await openAt(t, url), other: await openAt(t, url) }
  }

  t.test(`${database.name}, shared`, async (t) => {
    t.test('a store keeps its content when it is closed and opened', async (t) => {
      const url = await database.fresh(t)
      const first = await openAt(t, url)
      const added = [await first.pets.add(rex), await first.pets.add(mia)]
      await first.keys.add('ops', hashKey('ops'))
      await first.close()
      const second = await openAt(t, url)
      t.same(await listAll(second), added)
      t.match(await second.keys.find(hashKey('ops')), { name: 'ops' })
      t.ok((await second.pets.add(rex)).id > (added[1]?.id as bigint))
    })

    t.test('an instance accepts at once the key that another adds, and for 500 ms the one it revokes', async (t) => {
      const { one, other } = await openTwo(t)
      const elapse = stopClock(t)
      const hash = hashKey('ops')
      t.equal(await other.keys.find(hash), undefined)
      await one.keys.add('ops', hash)
      t.match(await other.keys.find(hash), { name: 'ops' })
      await one.keys.revoke('ops')
      t.match(await other.keys.find(hash), { name: 'ops' })
      elapse(500)
      t.equal(await other.keys.find(hash), undefined)
      t.equal(await one.keys.find(hash), undefined)
    })

    t.test('a key that is no longer used takes no memory once another key is found', async (t) => {
      const { keys } = await openAt(t, await database.fresh(t))
      const elapse = stopClock(t)
      for (const name of ['old', 'new']) await keys.add(name, hashKey(name))
      const key = new WeakRef((await keys.find(hashKey('old'))) as StoredKey)
      elapse(500)
      await keys.find(hashKey('new'))
      await collectGarbage()
      t.equal(key.deref(), undefined)
    })

    t.test('one of several instances with simultaneous requests under one key adds an animal', async (t) => {
      const { url, one, other } = await openTwo(t)
      const stores = [one, other, await openAt(t, url)]
      for (let round = 1; round <= 10; round++) {
        const results = await Promise.all(stores.map(({ pets }) => pets.addOnce(rex, requestFor(`${round}`))))
        t.same(results.map(({ outcome }) => outcome).sort(), ['added', 'replayed', 'replayed'])
        t.equal((await listAll(other)).length, round)
      }
    })

    t.test('expired idempotency keys are deleted when animals are added', async (t) => {
      const url = await database.fresh(t)
      const { pets } = await openAt(t, url)
      for (let index = 0; index < 10; index++) await pets.addOnce(rex, requestFor(`${index}`, { ttlMs: 1 }))
      await setTimeout(10)
      for (let index = 0; index < 5; index++) await pets.add(rex)
      t.same(await execute(url, 'SELECT key FROM idempotency_keys'), [])
    })

    t.test('walking the pages while instances add animals yields each animal once', async (t) => {
      const { url, one, other } = await openTwo(t)
      let isOver = false
      const adding = [one, other].map(async ({ pets }) => {
        for (let round = 0; round < 20; round++) await Promise.all([1, 2, 3, 4, 5].map(() => pets.add(rex)))
      })
      const added = Promise.all(adding).finally(() => {
        isOver = true
      })
      const reader = await openAt(t, url)
      const seen: bigint[] = []
      for (;;) {
        const wasOver = isOver
        const page = await reader.pets.list({ after: seen.at(-1) ?? 0n, limit: 3 })
        seen.push(...page.map(({ id }) => id))
        if (wasOver && page.length === 0) break
        await setImmediate()
      }
      await added
      t.equal(seen.length, 200)
      t.equal(new Set(seen).size, 200)
    })
  })
}
