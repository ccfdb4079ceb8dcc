/**
 * Bulk access to a store, on every database.
 */
import { createHash } from 'node:crypto'
import t from 'tap'
import { openBulkStore } from '../../scripts/bulk/open.ts'
import type { Row } from '../../scripts/bulk/store.ts'
import { StartupError } from '../../src/errors.ts'
import { openStore } from '../../src/stores/open.ts'
import { sharedDatabases } from '../helpers/databases.ts'

for (const database of sharedDatabases) {
  t.test(database.name, async (t) => {
    t.test('rows are read in pages, as they were written', async (t) => {
      const store = await openBulkStore(await database.fresh(t), 'write')
      t.teardown(store.close)
      t.equal(await store.count('pets'), 0)
      t.same(await store.read('pets'), [])
      const pets = [petOf(3n), petOf(4n), petOf(2n ** 62n)]
      await store.write('pets', pets.slice(0, 2))
      await store.write('pets', pets.slice(2))
      await store.write('pets', [])
      t.equal(await store.count('pets'), 3)
      t.same(await store.read('pets', { limit: 2 }), pets.slice(0, 2))
      t.same(await store.read('pets', { after: petOf(4n), limit: 2 }), pets.slice(2))
    })

    t.test('rows are written all or none', async (t) => {
      const url = await database.fresh(t)
      const store = await openBulkStore(url, 'write')
      await store.write('pets', [petOf(1n)])
      await t.rejects(store.write('pets', [petOf(2n), petOf(2n)]).finally(store.close))
      const again = await openBulkStore(url, 'read')
      t.teardown(again.close)
      t.same(await again.read('pets'), [petOf(1n)])
    })

    t.test('ids are assigned above the last one, which never becomes smaller', async (t) => {
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

    t.test('API keys that exist are updated, and keep their order', async (t) => {
      const store = await openBulkStore(await database.fresh(t), 'write')
      t.teardown(store.close)
      const createdAt = 1_700_000_000_123n
      const key = (name: string, revokedAt: bigint | null = null, scopes: string | null = null): Row => {
        return [hash(name + scopes), name, createdAt, revokedAt, 4_102_444_800_007n, null, scopes]
      }
      await store.write('keys', [key('b'), key('a')])
      t.same((await store.read('keys')).map(plain), [key('b'), key('a')])
      const revoked = key('b', 1_700_000_000_456n)
      await store.write('keys', [revoked, key('a'), key('b', null, 'pets:read pets:write')])
      t.same((await store.read('keys')).map(plain), [revoked, key('a'), key('b', null, 'pets:read pets:write')])
    })

    t.test('idempotency keys are read in pages, and those that exist are replaced', async (t) => {
      const store = await openBulkStore(await database.fresh(t), 'write')
      t.teardown(store.close)
      const retry = (scope: string, key: string, expiresAt = 2000n): Row => [scope, key, hash(key), 1n, expiresAt]
      const all = [retry('a', '1'), retry('a', '2'), retry('b', '1')]
      await store.write('idempotency_keys', all)
      const first = await store.read('idempotency_keys', { limit: 2 })
      const rest = await store.read('idempotency_keys', { after: first.at(-1), limit: 2 })
      t.same([...first, ...rest].map(plain), all)
      await store.write('idempotency_keys', [retry('a', '1', 3000n)])
      t.same((await store.read('idempotency_keys', { limit: 1 })).map(plain), [retry('a', '1', 3000n)])
    })
  })
}

t.test('a SQLite store with bulk access cannot be opened by others', async (t) => {
  const url = `sqlite:${t.testdir()}/animals.db`
  const store = await openBulkStore(url, 'write')
  t.teardown(store.close)
  await store.write('pets', [petOf(1n)])
  await t.rejects(openStore(url, { timeoutMs: 100 }), StartupError)
  await store.close()
  const service = await openStore(url)
  t.teardown(() => service.close())
  await t.rejects(
    openBulkStore(url, 'read'),
    new StartupError(`another process has ${url} open; stop the service and every script that uses it`),
  )
  t.match(await service.pets.find(1n), { id: 1n, name: 'Rex 1' })
})

function petOf(id: bigint): Row {
  return [id, `Rex ${id}`, -1n, 'pending']
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** With the bytes in what one database gives them in. */
function plain(row: Row): Row {
  return row.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value))
}
