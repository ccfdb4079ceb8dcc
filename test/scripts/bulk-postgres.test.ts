/**
 * Bulk access to a PostgreSQL store while others use it.
 */
import t from 'tap'
import { openBulkStore } from '../../scripts/bulk/open.ts'
import { hashKey } from '../../src/auth/keys.ts'
import { openStore } from '../../src/stores/open.ts'
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

t.test('a PostgreSQL store that lacks a table is not opened', async (t) => {
  const url = await freshSchema(t)
  await (await openStore(url)).close()
  await query(url, 'DROP TABLE idempotency_keys')
  await t.rejects(openBulkStore(url, 'read'), {
    name: 'StartupError',
    message: /^cannot open the store: .*idempotency_keys/,
  })
})
