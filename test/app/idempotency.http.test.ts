/**
 * Repeating an addition with the same Idempotency-Key, over HTTP and on every database.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { createKey, hashKey } from '../../src/auth/keys.ts'
import { sharedDatabases } from '../helpers/databases.ts'
import { type Animal, animalsIn } from '../helpers/pages.ts'
import { contractFile, type Service, startService } from '../helpers/service.ts'
import { lock } from '../helpers/sql.ts'

const rex = { name: 'Rex', categoryId: 1n }

for (const database of sharedDatabases) {
  t.test(database.name, async (t) => {
    t.test('the same request gets the first response again, and adds no second animal', async (t) => {
      const service = await startService(t, { databaseUrl: await database.fresh(t) })
      const first = await add(service, '"a"', rex)
      t.equal(first.status, 201)
      for (const json of [rex, { categoryId: 1, name: 'Rex' }, { ...rex, status: 'available' }]) {
        const again = await add(service, '"a"', json)
        t.equal(again.status, 201)
        t.equal(again.text, first.text)
        t.equal(again.headers.location, first.headers.location)
      }
      t.equal(animalsIn(await service.call('GET', '/v1/pets')).length, 1)
    })

    t.test('a replayed response is marked', async (t) => {
      const service = await startService(t, { databaseUrl: await database.fresh(t) })
      t.equal((await add(service, '"a"', rex)).headers['idempotent-replayed'], undefined)
      t.equal((await add(service, '"a"', rex)).headers['idempotent-replayed'], 'true')
    })

    t.test('a key means the same with and without quotes', async (t) => {
      const service = await startService(t, { databaseUrl: await database.fresh(t) })
      for (const [one, other] of [
        ['8e03978e-40d5-43e8-bc93-6894a57f9324', '"8e03978e-40d5-43e8-bc93-6894a57f9324"'],
        ['"a/b:c=1"', 'a/b:c=1'],
      ] as const) {
        const first = await add(service, one, rex)
        const again = await add(service, other, rex)
        t.equal(again.text, first.text)
      }
      t.not((await add(service, '"a\\"b"', rex)).text, (await add(service, '"a\\\\b"', rex)).text)
    })

    t.test('another key, or none, adds another animal', async (t) => {
      const service = await startService(t, { databaseUrl: await database.fresh(t) })
      const responses = [
        await add(service, '"a"', rex),
        await add(service, '"b"', rex),
        await add(service, undefined, rex),
      ]
      t.equal(new Set(responses.map(({ body }) => (body as Animal).id)).size, 3)
    })

    t.test('another animal under the same key is refused', async (t) => {
      const service = await startService(t, { databaseUrl: await database.fresh(t) })
      await add(service, '"a"', rex)
      for (const json of [
        { ...rex, name: 'Mia' },
        { ...rex, categoryId: 2n ** 53n + 1n },
        { ...rex, status: 'sold' },
      ]) {
        const { status, body } = await add(service, '"a"', json)
        t.equal(status, 422)
        t.match(body, { code: 'idempotency_key_reused' })
      }
      t.equal(animalsIn(await service.call('GET', '/v1/pets')).length, 1)
    })

    t.test('the idempotency keys of different callers are independent', async (t) => {
      const service = await startService(t, { databaseUrl: await database.fresh(t) })
      const other = createKey()
      await service.store.keys.add('partner', hashKey(other))
      await add(service, '"a"', rex)
      const { status, body } = await add(service, '"a"', { ...rex, name: 'Mia' }, other)
      t.equal(status, 201)
      t.match(body, { name: 'Mia' })
    })

    t.test('a key that has the name of another one is another caller', async (t) => {
      const [environment, renewed] = [createKey(), createKey()]
      const service = await startService(t, {
        databaseUrl: await database.fresh(t),
        apiKeys: [{ name: 'tests', key: environment }],
      })
      const first = await add(service, '"a"', rex)
      const second = await add(service, '"a"', rex, environment)
      await service.store.keys.revoke('tests')
      await service.store.keys.add('tests', hashKey(renewed))
      const third = await add(service, '"a"', { ...rex, name: 'Mia' }, renewed)
      t.same([first.status, second.status, third.status], [201, 201, 201])
      t.equal(new Set([first, second, third].map(({ body }) => (body as Animal).id)).size, 3)
    })

    t.test('a repeated request gets 409 while the first one is in progress', async (t) => {
      const databaseUrl = await database.fresh(t)
      const service = await startService(t, { databaseUrl })
      const release = await lock(t, databaseUrl)
      const both = [add(service, '"a"', rex), add(service, '"a"', rex)]
      const { status, body } = await Promise.race(both)
      t.equal(status, 409)
      t.match(body, { code: 'request_in_progress', message: 'try again shortly' })
      await release()
      t.same((await Promise.all(both)).map((response) => response.status).toSorted(), [201, 409])
      t.equal((await add(service, '"a"', rex)).status, 201)
      t.equal(animalsIn(await service.call('GET', '/v1/pets')).length, 1)
    })

    t.test('keys may be as long as the spec allows', async (t) => {
      const source = readFileSync(contractFile, 'utf8').replaceAll('{1,255}', '{1,9000}')
      const service = await startService(t, { databaseUrl: await database.fresh(t), source })
      const key = randomBytes(4000).toString('hex')
      const first = await add(service, key, rex)
      t.equal(first.status, 201)
      t.equal((await add(service, `"${key}"`, rex)).text, first.text)
      t.not((await add(service, `${key}0`, rex)).text, first.text)
    })

    t.test('a malformed idempotency key is refused by name', async (t) => {
      const service = await startService(t, { databaseUrl: await database.fresh(t) })
      for (const key of ['', '""', 'a"b', `"${'x'.repeat(1000)}"`, '"ä"']) {
        const { status, body } = await add(service, key, rex)
        t.equal(status, 400, key)
        t.match(body, { code: 'invalid_request', message: /^header\.Idempotency-Key must / })
      }
      t.equal((await service.call('GET', '/v1/pets')).text, '[]')
    })
  })
}

function add({ call }: Service, retryKey: string | undefined, json: object, key?: string) {
  return call('POST', '/v1/pets', {
    json,
    ...(retryKey !== undefined && { headers: { 'idempotency-key': retryKey } }),
    ...(key !== undefined && { key }),
  })
}
