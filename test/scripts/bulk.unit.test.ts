/**
 * Bulk access to a store, on every database.
 */
import { createHash } from 'node:crypto'
import t from 'tap'
import { openBulkStore } from '../../scripts/bulk/open.ts'
import type { IdempotencyKeyRecord } from '../../scripts/bulk/store.ts'
import { StartupError } from '../../src/errors.ts'
import { openStore } from '../../src/stores/open.ts'
import type { Pet } from '../../src/stores/store.ts'
import { sharedDatabases } from '../helpers/databases.ts'
import { execute } from '../helpers/sql.ts'

for (const database of sharedDatabases) {
  t.test(database.name, async (t) => {
    t.test('animals are read in pages', async (t) => {
      const store = await openBulkStore(await database.fresh(t), 'write')
      t.teardown(store.close)
      t.equal(await store.countPets(), 0)
      t.same(await store.readPets(0n, 10), [])
      const pets = [petOf(3n), petOf(4n), petOf(2n ** 62n)]
      await store.writePets(pets.slice(0, 2))
      await store.writePets(pets.slice(2))
      await store.writePets([])
      t.equal(await store.countPets(), 3)
      t.same(await store.readPets(0n, 2), pets.slice(0, 2))
      t.same(await store.readPets(4n, 2), pets.slice(2))
    })

    t.test('animals are written all or none', async (t) => {
      const url = await database.fresh(t)
      const store = await openBulkStore(url, 'write')
      await store.writePets([petOf(1n)])
      await t.rejects(store.writePets([petOf(2n), petOf(2n)]).finally(store.close))
      const again = await openBulkStore(url, 'read')
      t.teardown(again.close)
      t.same(await again.readPets(0n, 10), [petOf(1n)])
    })

    t.test('ids are given out above the last one, which never goes back', async (t) => {
      const url = await database.fresh(t)
      const store = await openBulkStore(url, 'write')
      t.equal(await store.lastId(), 0n)
      const ids: bigint[] = []
      for (const last of [0n, 1n, 50n, 20n]) {
        await store.skipIds(last)
        ids.push(await store.lastId())
      }
      t.same(ids, [0n, 1n, 50n, 50n])
      await store.close()
      const { pets, close } = await openStore(url)
      t.teardown(close)
      t.match(await pets.add({ name: 'Rex', categoryId: 1n, status: 'sold' }), { id: 51n })
    })

    t.test('API keys are written again only as far as they have been revoked since', async (t) => {
      const store = await openBulkStore(await database.fresh(t), 'write')
      t.teardown(store.close)
      const key = (name: string) => ({ name, hash: hash(name), createdAt: new Date(1_700_000_000_123) })
      await store.writeKeys([])
      await store.writeKeys([key('b'), key('a')])
      t.same((await store.readKeys()).map(plain), [key('b'), key('a')])
      const revoked = { ...key('b'), revokedAt: new Date(1_700_000_000_456) }
      await store.writeKeys([revoked, key('a'), { ...key('b'), hash: hash('new') }])
      t.same((await store.readKeys()).map(plain), [revoked, key('a'), { ...key('b'), hash: hash('new') }])
    })

    t.test('idempotency keys are read in pages, without those that have expired', async (t) => {
      const store = await openBulkStore(await database.fresh(t), 'write')
      t.teardown(store.close)
      await store.writePets([petOf(1n)])
      const retry = (scope: string, key: string, expiresAt = 2000): IdempotencyKeyRecord => ({
        scope,
        key,
        fingerprint: hash(key),
        petId: 1n,
        expiresAt: new Date(expiresAt),
      })
      const kept = [retry('a', '1'), retry('a', '2'), retry('b', '1'), retry('b', '2', 1001)]
      await store.writeIdempotencyKeys([...kept, retry('b', '0', 1000), retry('c', '1', 500)])
      const read: IdempotencyKeyRecord[] = []
      for (;;) {
        const page = await store.readIdempotencyKeys({ after: read.at(-1), limit: 2, activeAt: new Date(1000) })
        if (page.length === 0) break
        t.equal(page.length, 2)
        read.push(...page.map(plain))
      }
      t.same(read, kept)
      await store.writeIdempotencyKeys([retry('a', '1', 3000)])
      t.same((await store.readIdempotencyKeys({ limit: 10, activeAt: new Date(2500) })).map(plain), [
        retry('a', '1', 3000),
      ])
    })

    t.test('a store can be optimized at any time', async (t) => {
      const store = await openBulkStore(await database.fresh(t), 'write')
      t.teardown(store.close)
      await store.optimize()
      await store.writePets([petOf(1n)])
      await store.optimize()
      t.equal(await store.countPets(), 1)
    })

    t.test('a store that is damaged is not opened', async (t) => {
      const url = await database.fresh(t)
      await (await openStore(url)).close()
      await execute(url, 'DROP TABLE idempotency_keys')
      await t.rejects(openBulkStore(url, 'read'), { message: /idempotency_keys/ })
    })
  })
}

t.test('a SQLite store with bulk access cannot be opened by others', async (t) => {
  const url = `sqlite:${t.testdir()}/animals.db`
  const store = await openBulkStore(url, 'write')
  t.teardown(store.close)
  await store.writePets([petOf(1n)])
  await t.rejects(openStore(url, { timeoutMs: 100 }), StartupError)
  await store.close()
  const service = await openStore(url)
  t.teardown(() => service.close())
  await t.rejects(
    openBulkStore(url, 'read'),
    new StartupError(`another process has ${url} open; stop the service and every script that uses it`),
  )
  t.same(await service.pets.find(1n), petOf(1n))
})

function petOf(id: bigint): Pet {
  return { id, name: `Rex ${id}`, categoryId: -1n, status: 'pending' }
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** With the bytes in what one database gives them in. */
function plain<Item extends { hash: Uint8Array } | { fingerprint: Uint8Array }>(item: Item): Item {
  const [name, bytes] = 'hash' in item ? ['hash', item.hash] : ['fingerprint', item.fingerprint]
  return { ...item, [name as string]: Buffer.from(bytes as Uint8Array) }
}
