import t from 'tap'
import { createKey, hashKey } from '../../src/auth/keys.ts'
import { createKeyCache, openStore } from '../../src/stores/open.ts'

t.test('a key that is revoked while it is being looked up is refused from then on', async (t) => {
  const store = await openStore('sqlite::memory:')
  t.teardown(() => store.close())
  const hash = hashKey(createKey())
  await store.keys.add('ops', hash)

  const asked = Promise.withResolvers<void>()
  const arrival = Promise.withResolvers<void>()
  const keys = createKeyCache({
    ...store.keys,
    find: async (hash) => {
      const key = await store.keys.find(hash)
      asked.resolve()
      await arrival.promise
      return key
    },
  })
  const found = keys.find(hash)
  await asked.promise
  t.equal(await keys.revoke('ops'), true)
  arrival.resolve()
  t.match(await found, { name: 'ops' })
  t.equal(await keys.find(hash), undefined)
})
