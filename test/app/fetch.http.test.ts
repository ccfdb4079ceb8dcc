/**
 * Fetching one animal, an operation that is deprecated, over HTTP and on every database.
 */
import t from 'tap'
import { openStore } from '../../src/stores/open.ts'
import { sharedDatabases } from '../helpers/databases.ts'
import { startService } from '../helpers/service.ts'
import { execute } from '../helpers/sql.ts'
import { waitUntil } from '../helpers/wait.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const

const lifecycle = {
  deprecation: '@1795132800', // 2026-11-20T00:00:00Z
  sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  link: '</docs#/Animals/getPet>; rel="deprecation"; type="text/html", </v1/pets>; rel="successor-version"',
}

for (const database of sharedDatabases) {
  t.test(database.name, async (t) => {
    t.test('an animal is found by its id', async (t) => {
      const { call, store } = await startService(t, { databaseUrl: await database.fresh(t) })
      const { id } = await store.pets.add(rex)
      const { status, body } = await call('GET', `/v1/pets/${id}`)
      t.equal(status, 200)
      t.same(body, { id: Number(id), name: 'Rex', categoryId: 1, status: 'available' })
    })

    t.test('an id that no animal has is 404, up to the ends of int64', async (t) => {
      const { call, store } = await startService(t, { databaseUrl: await database.fresh(t) })
      const { id } = await store.pets.add(rex)
      for (const other of [-(2n ** 63n), -1n, 0n, id + 1n, 2n ** 53n + 1n, 2n ** 63n - 1n]) {
        const { status, body } = await call('GET', `/v1/pets/${other}`)
        t.equal(status, 404)
        t.same(body, { code: 'animal_not_found', message: `no animal has the id ${other}`, status: 404 })
      }
    })

    t.test('an id that is not written as an int64 is 400', async (t) => {
      const { call } = await startService(t, { databaseUrl: await database.fresh(t) })
      for (const id of [
        'abc',
        '1.0',
        '1e2',
        '+1',
        '01',
        '-0x1',
        '%201',
        '9223372036854775808',
        '-9223372036854775809',
        '١',
      ]) {
        const { status, body } = await call('GET', `/v1/pets/${encodeURI(decodeURI(id))}`)
        t.equal(status, 400)
        t.same(body, { code: 'invalid_request', message: 'path.petId must be an int64 integer', status: 400 }, id)
      }
      const { status, body } = await call('GET', '/v1/pets/1?status=sold')
      t.equal(status, 400)
      t.match(body, { message: 'query.status is not allowed; none is allowed' })
    })

    t.test('each response of a deprecated operation has its deprecation, sunset and replacement', async (t) => {
      const { call, store } = await startService(t, { databaseUrl: await database.fresh(t) })
      const { id } = await store.pets.add(rex)
      for (const [expected, response] of [
        [200, await call('GET', `/v1/pets/${id}`)],
        [200, await call('HEAD', `/v1/pets/${id}`)],
        [400, await call('GET', '/v1/pets/abc')],
        [401, await call('GET', `/v1/pets/${id}`, { key: null })],
        [401, await call('GET', '/v1/pets/abc', { key: 'wrong' })],
        [404, await call('GET', '/v1/pets/0')],
      ] as const) {
        const { status, headers } = response
        t.equal(status, expected)
        const { deprecation, sunset, link } = headers
        t.same({ deprecation, sunset, link }, lifecycle, String(status))
      }
      const { headers } = await call('GET', '/v1/pets')
      t.same([headers.deprecation, headers.sunset, headers.link], [undefined, undefined, undefined])
    })

    t.test('its uses are logged with the name of the key', async (t) => {
      const { call, logged } = await startService(t, { databaseUrl: await database.fresh(t) })
      const uses = () => logged().filter(({ deprecated, key }) => deprecated && key)
      await call('GET', '/v1/pets')
      await call('GET', '/v1/pets/1', { key: null })
      t.same(uses(), [])
      const { headers } = await call('GET', '/v1/pets/1')
      await waitUntil(() => uses().length > 0)
      t.match(uses(), [{ operationId: 'getPet', key: 'tests', reqId: headers['x-request-id'] }])
    })
  })
}

for (const database of sharedDatabases) {
  t.test(`what another process has added is found at once, beside other requests: ${database.name}`, async (t) => {
    const databaseUrl = await database.fresh(t)
    const { call, store } = await startService(t, { databaseUrl })
    const other = await openStore(databaseUrl)
    const { id: first } = await store.pets.add(rex)
    let isOver = false
    const others = Array.from({ length: 8 }, async () => {
      while (!isOver) await call('GET', `/v1/pets/${first}`)
    })
    for (let count = 0; count < 50; count++) {
      const { id } = await other.pets.add(rex)
      t.equal((await call('GET', `/v1/pets/${id}`)).status, 200)
      t.match((await call('GET', '/v1/pets?limit=100')).body, { length: count + 2 })
    }
    isOver = true
    await Promise.all(others)
    await other.close()
  })

  t.test(`an id above 2^53 is found with all its digits, and so is the next page: ${database.name}`, async (t) => {
    const databaseUrl = await database.fresh(t)
    const { call, store } = await startService(t, { databaseUrl })
    const { id } = await store.pets.add(rex)
    await store.pets.add(rex)
    await execute(databaseUrl, `UPDATE pets SET id = 9007199254740993 WHERE id = ${id}`)
    await execute(databaseUrl, `UPDATE pets SET id = 9223372036854775807 WHERE id = ${id + 1n}`)
    const { status, text } = await call('GET', '/v1/pets/9007199254740993')
    t.equal(status, 200)
    t.equal(text, '{"id":9007199254740993,"name":"Rex","categoryId":1,"status":"available"}')
    t.equal((await call('GET', '/v1/pets/9007199254740992')).status, 404)
    const { headers } = await call('GET', '/v1/pets?limit=1')
    const [, next] = /<(.*)>/.exec(headers.link ?? '') ?? []
    t.match((await call('GET', String(next))).text, '"id":9223372036854775807,')
  })
}
