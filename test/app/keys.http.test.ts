/** API keys and their scopes, over HTTP and on every database. test/abuse has the wrong ways to send a key. */
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import { createKey, hashKey } from '../../src/auth/keys.ts'
import { sharedDatabases } from '../helpers/databases.ts'
import { query } from '../helpers/postgres.ts'
import { startService } from '../helpers/service.ts'
import { waitUntil } from '../helpers/wait.ts'

const challenge = 'Bearer realm="Animal Store"'

for (const database of sharedDatabases) {
  t.test(database.name, async (t) => {
    const start = async (t: Test) => {
      const service = await startService(t, { databaseUrl: await database.fresh(t) })
      const statusOf = async (key: string) => (await service.call('GET', '/v1/pets', { key })).status
      return { ...service, keys: service.store.keys, statusOf }
    }

    t.test('a key is accepted as soon as it is created, and refused as soon as it is revoked', async (t) => {
      const { call, keys, statusOf } = await start(t)
      const key = createKey()
      t.equal(await statusOf(key), 401)
      await keys.add('partner', hashKey(key))
      t.equal(await statusOf(key), 200)
      await keys.revoke('partner')
      t.match(await call('GET', '/v1/pets', { key }), {
        status: 401,
        headers: { 'www-authenticate': `${challenge}, error="invalid_token"` },
        body: { code: 'invalid_key' },
      })
    })

    t.test('a key with scopes is accepted where they suffice, and refused where they do not', async (t) => {
      const { call, keys, statusOf } = await start(t)
      const [reader, writer] = [createKey(), createKey()]
      await keys.add('reader', hashKey(reader), { scopes: ['pets:read'] })
      await keys.add('writer', hashKey(writer), { scopes: ['pets:write', 'pets:delete'] })
      const json = { name: 'Rex', categoryId: 1 }
      t.equal((await call('POST', '/v1/pets', { key: writer, json })).status, 201)
      t.equal((await call('GET', '/v1/pets/1', { key: reader })).status, 200)
      const { status, headers, body } = await call('POST', '/v1/pets', { key: reader, json })
      t.equal(status, 403)
      t.equal(headers['www-authenticate'], `${challenge}, error="insufficient_scope", scope="pets:write"`)
      t.same(body, { code: 'insufficient_scope', message: 'the API key lacks the scope pets:write', status: 403 })
      t.equal(await statusOf(writer), 403)
    })

    t.test('the keys of a store of an older version may do what they could before', async (t) => {
      const databaseUrl = await database.fresh(t)
      await restore(databaseUrl)
      const { call } = await startService(t, { databaseUrl })
      for (const [key, read, add] of [
        ['key-of-everything', 200, 201],
        ['key-of-the-reader', 200, 403],
        ['key-of-the-writer', 403, 201],
        ['key-of-both', 200, 201],
      ] as const) {
        t.equal((await call('GET', '/v1/pets/1', { key })).status, read, key)
        t.equal((await call('POST', '/v1/pets', { key, json: { name: 'Rex', categoryId: 1 } })).status, add, key)
      }
    })

    t.test('a key is refused when it has expired, and its name is free', async (t) => {
      const { keys, statusOf } = await start(t)
      const key = createKey()
      await keys.add('brief', hashKey(key), { expiresAt: new Date(Date.now() + 5000) })
      t.equal(await statusOf(key), 200)
      await waitUntil(async () => (await statusOf(key)) === 401)
      t.equal(await keys.revoke('brief'), false)
      t.equal(await keys.add('brief', hashKey(createKey())), true)
    })

    t.test('a key that is revoked from a later time on is accepted until then, and its name is free', async (t) => {
      const { keys, statusOf } = await start(t)
      const [old, replacement] = [createKey(), createKey()]
      await keys.add('shop', hashKey(old))
      t.equal(await keys.revoke('shop', new Date(Date.now() + 5000)), true)
      t.equal(await keys.add('shop', hashKey(replacement)), true)
      t.same([await statusOf(old), await statusOf(replacement)], [200, 200])
      await waitUntil(async () => (await statusOf(old)) === 401)
      t.equal(await statusOf(replacement), 200)
    })
  })
}

/** Makes the store that an older version left behind. */
async function restore(url: string): Promise<void> {
  const read = (name: string) => readFileSync(new URL(`version-3/${name}.sql`, import.meta.url), 'utf8')
  if (!url.startsWith('sqlite:')) return void (await query(url, read('postgres')))
  using file = new DatabaseSync(url.slice('sqlite:'.length))
  file.exec(read('sqlite'))
}
