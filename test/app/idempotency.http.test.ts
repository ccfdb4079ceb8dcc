/** Repeating an addition with the same Idempotency-Key, over HTTP and on every database. */
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { createKey, hashKey } from '../../src/auth/keys.ts'
import { sharedDatabases } from '../helpers/databases.ts'
import { type Animal, animalsIn } from '../helpers/pages.ts'
import { type Service, startService } from '../helpers/service.ts'
import { execute, lock } from '../helpers/sql.ts'

const rex = { name: 'Rex', categoryId: 1n }

for (const database of sharedDatabases) {
  t.test(database.name, async (t) => {
    t.test('the same request gets the first response again, marked, and adds no second animal', async (t) => {
      const service = await startService(t, { databaseUrl: await database.fresh(t) })
      const first = await add(service, '"a"', rex)
      t.match(first, { status: 201, headers: { 'idempotent-replayed': undefined } })
      for (const json of [rex, { categoryId: 1, name: 'Rex' }, { ...rex, status: 'available' }]) {
        const { location } = first.headers
        const replayed = { status: 201, text: first.text, headers: { location, 'idempotent-replayed': 'true' } }
        t.match(await add(service, '"a"', json), replayed)
      }
      t.equal(animalsIn(await service.call('GET', '/v1/pets')).length, 1)
    })

    for (const [what, sql] of [
      ['its animal is deleted', 'DELETE FROM pets'],
      ['its animal is changed', "UPDATE pets SET name = 'Mia', status = 'sold'"],
      ['a program of version 3 stored its key', 'UPDATE idempotency_keys SET response = NULL'],
    ] as const) {
      t.test(`the first response is sent again if ${what}`, async (t) => {
        const databaseUrl = await database.fresh(t)
        const service = await startService(t, { databaseUrl })
        const first = await add(service, '"a"', rex)
        await execute(databaseUrl, sql)
        const { location } = first.headers
        const replayed = { status: 201, text: first.text, headers: { location, 'idempotent-replayed': 'true' } }
        t.match(await add(service, '"a"', rex), replayed)
        const refused = await add(service, '"a"', { ...rex, name: 'Mia' })
        t.match(refused, { status: 422, body: { code: 'idempotency_key_reused' } })
        t.equal(((await add(service, '"b"', rex)).body as Animal).id, 2)
      })
    }

    t.test('a key means the same with and without quotes, and another key adds another animal', async (t) => {
      const service = await startService(t, { databaseUrl: await database.fresh(t) })
      const keys = ['"a/b:c=1"', 'a/b:c=1', '"b"', 'b', '"a\\"b"', '"a\\\\b"', undefined, undefined]
      const ids: unknown[] = []
      for (const key of keys) ids.push(((await add(service, key, rex)).body as Animal).id)
      t.same(ids, [1, 1, 2, 2, 3, 4, 5, 6])
    })

    t.test('another animal under the same key is refused', async (t) => {
      const service = await startService(t, { databaseUrl: await database.fresh(t) })
      await add(service, '"a"', rex)
      for (const change of [{ name: 'Mia' }, { categoryId: 2n ** 53n + 1n }, { status: 'sold' }]) {
        const refused = await add(service, '"a"', { ...rex, ...change })
        t.match(refused, { status: 422, body: { code: 'idempotency_key_reused' } })
      }
      t.equal(animalsIn(await service.call('GET', '/v1/pets')).length, 1)
    })

    t.test('callers have idempotency keys of their own, also those whose API keys have one name', async (t) => {
      const [other, environment, renewed] = [createKey(), createKey(), createKey()]
      const apiKeys = [{ name: 'tests', key: environment }]
      const service = await startService(t, { databaseUrl: await database.fresh(t), apiKeys })
      await service.store.keys.add('partner', hashKey(other))
      const responses = [
        await add(service, '"a"', rex),
        await add(service, '"a"', { ...rex, name: 'Mia' }, other),
        await add(service, '"a"', rex, environment),
      ]
      await service.store.keys.revoke('tests')
      await service.store.keys.add('tests', hashKey(renewed))
      responses.push(await add(service, '"a"', { ...rex, name: 'Tom' }, renewed))
      t.same(
        responses.map(({ status, body }) => [status, (body as Animal).id]),
        [1, 2, 3, 4].map((id) => [201, id]),
      )
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
      const service = await startService(t, { databaseUrl: await database.fresh(t) })
      const key = randomBytes(127).toString('hex')
      const first = await add(service, `${key}0`, rex)
      t.equal(first.status, 201)
      t.equal((await add(service, `"${key}0"`, rex)).text, first.text)
      t.not((await add(service, `${key}1`, rex)).text, first.text)
    })
  })
}

function add({ call }: Service, idempotencyKey: string | undefined, json: object, key?: string) {
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
  return call('POST', '/v1/pets', { json, headers, key })
}
