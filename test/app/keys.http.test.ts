/**
 * Authentication and scopes, over HTTP and on every database.
 */
import { request } from 'node:http'
import t from 'tap'
import { createKey, hashKey } from '../../src/auth/keys.ts'
import { sharedDatabases } from '../helpers/databases.ts'
import { readResponse } from '../helpers/http.ts'
import { startService } from '../helpers/service.ts'
import { waitUntil } from '../helpers/wait.ts'

const challenge = 'Bearer realm="Animal Store"'
const invalid = `${challenge}, error="invalid_token"`

const operations = [
  ['GET', '/v1/pets'],
  ['POST', '/v1/pets'],
  ['GET', '/v1/pets/1'],
] as const

for (const database of sharedDatabases) {
  t.test(database.name, async (t) => {
    t.test('every operation refuses a request without a key, and says how to authenticate', async (t) => {
      const { call } = await startService(t, { databaseUrl: await database.fresh(t) })
      for (const [method, path] of operations) {
        const { status, headers, body } = await call(method, path, { key: null })
        t.equal(status, 401)
        t.equal(headers['www-authenticate'], challenge)
        t.match(body, { code: 'missing_key', message: 'Authorization: Bearer <API_KEY>' })
      }
    })

    t.test('an unknown key is refused with invalid_token', async (t) => {
      const { call } = await startService(t, { databaseUrl: await database.fresh(t) })
      for (const [method, path] of operations) {
        const { status, headers, body } = await call(method, path, { key: createKey() })
        t.equal(status, 401)
        t.equal(headers['www-authenticate'], invalid)
        t.same(body, { code: 'invalid_key', message: 'the API key is not valid; use an active key', status: 401 })
      }
    })

    t.test('a key with scopes is accepted where they suffice, and refused where they do not', async (t) => {
      const { call, store } = await startService(t, { databaseUrl: await database.fresh(t) })
      const [reader, writer] = [createKey(), createKey()]
      await store.keys.add('reader', hashKey(reader), { scopes: ['pets:read'] })
      await store.keys.add('writer', hashKey(writer), { scopes: ['pets:write', 'pets:delete'] })
      const rex = { name: 'Rex', categoryId: 1 }
      t.equal((await call('POST', '/v1/pets', { key: writer, json: rex })).status, 201)
      t.equal((await call('GET', '/v1/pets/1', { key: reader })).status, 200)
      const refused = await call('POST', '/v1/pets', { key: reader, json: rex })
      t.equal(refused.status, 403)
      t.equal(refused.headers['www-authenticate'], `${challenge}, error="insufficient_scope", scope="pets:write"`)
      t.same(refused.body, {
        code: 'insufficient_scope',
        message: 'the API key lacks the scope pets:write',
        status: 403,
      })
      t.equal((await call('GET', '/v1/pets', { key: writer })).status, 403)
    })

    t.test('a key is refused when it has expired', async (t) => {
      const { call, store } = await startService(t, { databaseUrl: await database.fresh(t) })
      const key = createKey()
      await store.keys.add('brief', hashKey(key), { expiresAt: new Date(Date.now() + 1000) })
      t.equal((await call('GET', '/v1/pets', { key })).status, 200)
      await waitUntil(async () => (await call('GET', '/v1/pets', { key })).status === 401)
      t.equal(await store.keys.revoke('brief'), false)
      t.equal(await store.keys.add('brief', hashKey(createKey())), true)
    })

    t.test('a key that is revoked from a later time on is accepted until then, and its name is free', async (t) => {
      const { call, store } = await startService(t, { databaseUrl: await database.fresh(t) })
      const [old, replacement] = [createKey(), createKey()]
      await store.keys.add('shop', hashKey(old))
      t.equal(await store.keys.revoke('shop', new Date(Date.now() + 1500)), true)
      t.equal(await store.keys.add('shop', hashKey(replacement)), true)
      t.equal((await call('GET', '/v1/pets', { key: old })).status, 200)
      t.equal((await call('GET', '/v1/pets', { key: replacement })).status, 200)
      await waitUntil(async () => (await call('GET', '/v1/pets', { key: old })).status === 401)
      t.equal((await call('GET', '/v1/pets', { key: replacement })).status, 200)
    })

    t.test('the last use of a key is stored to the minute', async (t) => {
      const { call, store, key } = await startService(t, { databaseUrl: await database.fresh(t) })
      const hash = hashKey(key)
      t.equal((await store.keys.find(hash))?.lastUsedAt, undefined)
      const start = Date.now()
      await call('GET', '/v1/pets')
      const used = await waitUntil(
        async () => (await store.keys.list()).find(({ name }) => name === 'tests')?.lastUsedAt,
      )
      t.ok(used.getTime() >= start - 60_000 && used.getTime() <= Date.now())
    })

    t.test('only a single Authorization header with one bearer key is accepted', async (t) => {
      const { call, key } = await startService(t, { databaseUrl: await database.fresh(t) })
      const sending = (authorization: string | string[]) =>
        call('GET', '/v1/pets', { key: null, headers: { authorization } as Record<string, string> })
      for (const authorization of [`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key}`]) {
        t.equal((await sending(authorization)).status, 200, authorization.replace(key, 'KEY'))
      }
      for (const [authorization, code] of [
        ['', 'missing_key'],
        [key, 'missing_key'],
        [`Basic ${btoa(`tests:${key}`)}`, 'missing_key'],
        [`Bearer${key}`, 'missing_key'],
        ['Bearer', 'invalid_key'],
        ['Bearer ', 'invalid_key'],
        [`Bearer ${key} `, 200],
        [`Bearer ${key} ${key}`, 'invalid_key'],
        [`Bearer ${key},`, 'invalid_key'],
        [`Bearer "${key}"`, 'invalid_key'],
        [`Bearer ${key.slice(0, -1)}`, 'invalid_key'],
        [`Bearer ${key}=`, 'invalid_key'],
        [`Bearer\t${key}`, 'invalid_key'],
        [[`Bearer ${key}`, `Bearer ${key}`], 'invalid_key'],
        [[`Bearer ${createKey()}`, `Bearer ${key}`], 'invalid_key'],
      ] as const) {
        const { status, headers, body } = await sending(authorization as string)
        const shown = JSON.stringify(authorization).replaceAll(key, 'KEY')
        t.equal(status, code === 200 ? 200 : 401, shown)
        if (code === 200) continue
        t.match(body, { code }, shown)
        t.equal(headers['www-authenticate'], code === 'missing_key' ? challenge : invalid)
      }
    })

    t.test('a key in the query is not accepted', async (t) => {
      const { call, key, logged } = await startService(t, { databaseUrl: await database.fresh(t) })
      for (const name of ['access_token', 'api_key', 'key']) {
        const { status, body } = await call('GET', `/v1/pets?${name}=${key}`, { key: null })
        t.equal(status, 401)
        t.match(body, { code: 'missing_key' })
      }
      t.notMatch(JSON.stringify(logged()), key)
    })

    t.test('a key is accepted as soon as it is created, and refused as soon as it is revoked', async (t) => {
      const { call, store } = await startService(t, { databaseUrl: await database.fresh(t) })
      const key = createKey()
      t.equal((await call('GET', '/v1/pets', { key })).status, 401)
      await store.keys.add('partner', hashKey(key))
      t.equal((await call('GET', '/v1/pets', { key })).status, 200)
      await store.keys.revoke('partner')
      const { status, headers, body } = await call('GET', '/v1/pets', { key })
      t.equal(status, 401)
      t.equal(headers['www-authenticate'], invalid)
      t.match(body, { code: 'invalid_key' })
    })

    t.test('the keys of the configuration are accepted besides those of the store', async (t) => {
      const apiKeys = [{ name: 'ci', key: 'a-key-of-the-environment' }]
      const { call, logged } = await startService(t, { databaseUrl: await database.fresh(t), apiKeys })
      t.equal((await call('GET', '/v1/pets')).status, 200)
      t.equal((await call('GET', '/v1/pets', { key: 'a-key-of-the-environment' })).status, 200)
      t.equal((await call('GET', '/v1/pets', { key: 'a-key-of-the-environmen' })).status, 401)
      t.same(
        logged().flatMap(({ operationId, key }) => (operationId === undefined ? [] : [key])),
        ['tests', 'ci', undefined],
      )
    })

    t.test('the key is checked before the body', async (t) => {
      const { call } = await startService(t, { databaseUrl: await database.fresh(t) })
      for (const [headers, body] of [
        [{ 'content-type': 'application/json' }, '{"name":'],
        [{ 'content-type': 'text/html' }, '<p>'],
        [{}, '{}'],
        [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }, '{}'],
        [{ 'content-type': 'application/json' }, '{}'],
      ] as const) {
        t.equal((await call('POST', '/v1/pets', { key: null, headers, body })).status, 401)
        t.equal((await call('POST', '/v1/pets', { key: 'wrong', headers, body })).status, 401)
      }
      for (const path of ['/v1/pets?limit=0', '/v1/pets?unknown=1', '/v1/pets/abc']) {
        t.equal((await call('GET', path, { key: null })).status, 401)
      }
    })

    t.test('without a key, a body that is too large or never ends is not waited for', async (t) => {
      const { origin, contract } = await startService(t, { databaseUrl: await database.fresh(t) })
      for (const framing of [{ 'content-length': '1000000000' }, { 'transfer-encoding': 'chunked' }]) {
        const headers = { 'content-type': 'application/json', ...framing }
        const sent = request(origin, { method: 'POST', path: '/v1/pets', headers, agent: false })
        t.teardown(() => sent.destroy())
        sent.write('{"name":"Rex",')
        const response = await readResponse(sent)
        contract.check({ method: 'POST', path: '/v1/pets', ...response })
        t.equal(response.status, 401)
      }
    })
  })
}
