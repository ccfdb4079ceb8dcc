/**
 * Bulk access to a PostgreSQL store while others use it.
 */
import t from 'tap'
import { openBulkStore } from '../../scripts/bulk/open.ts'
import { type BulkStore, type Row, StoreInUseError } from '../../scripts/bulk/store.ts'
import { hashKey } from '../../src/auth/keys.ts'
import { openStore } from '../../src/stores/open.ts'
import type { Pet } from '../../src/stores/store.ts'
import { freshSchema, query } from '../helpers/postgres.ts'

t.test('a PostgreSQL store with bulk access can be read by others, and written afterwards', async (t) => {
  const url = await freshSchema(t)
  const service = await openStore(url, { timeoutMs: 4000 })
  t.teardown(() => service.close())
  const rex = await service.pets.add({ name: 'Rex', categoryId: 1n, status: 'available' })
  const store = await openBulkStore(url, 'read')
  t.teardown(store.close)
  t.same(await service.pets.find(rex.id), rex)
  await t.rejects(service.pets.add(rex), { code: 'service_unavailable' })
  await t.rejects(service.keys.add('shop', hashKey('shop')), { code: 'service_unavailable' })
  t.same(await store.read('pets'), [[rex.id, rex.name, rex.categoryId, rex.status]])
  await store.close()
  t.match(await service.pets.add(rex), { name: 'Rex' })
})

t.test('a PostgreSQL store to which something else adds animals is not filled any further', async (t) => {
  const url = await freshSchema(t)
  const store = await openBulkStore(url, 'write')
  t.teardown(store.close)
  await store.skipIds(100n)
  await store.write('pets', [petOf(1n), petOf(2n)].map(toRow))
  const service = await openStore(url)
  t.teardown(() => service.close())
  const added = await service.pets.add({ name: 'Rex', categoryId: 1n, status: 'available' })
  t.equal(added.id, 101n)
  await t.rejects(store.write('pets', [toRow(petOf(3n))]), StoreInUseError)
  await store.close()
  t.same(await service.pets.list({ after: 0n, limit: 10 }), [petOf(1n), petOf(2n), added])
})

t.test('a PostgreSQL store that lacks a table is not opened', async (t) => {
  const url = await freshSchema(t)
  await (await openStore(url)).close()
  await query(url, 'DROP TABLE idempotency_keys')
  await t.rejects(openBulkStore(url, 'read'), {
    name: 'StartupError',
    message: /^cannot open the store: .*idempotency_keys/,
  })
})

t.test('one of two processes that fill a PostgreSQL store at the same time is refused', async (t) => {
  const url = await freshSchema(t)
  const stores: [BulkStore, BulkStore] = [await openBulkStore(url, 'write'), await openBulkStore(url, 'write')]
  for (const store of stores) t.teardown(store.close)
  await stores[0].write('pets', [toRow(petOf(1n))])
  await t.rejects(stores[1].write('pets', [toRow(petOf(1n))]), StoreInUseError)
})

function toRow({ id, name, categoryId, status }: Pet): Row {
  return [id, name, categoryId, status]
}

function petOf(id: bigint): Pet {
  return { id, name: `Rex ${id}`, categoryId: -1n, status: 'pending' }
}
