/**
 * Adding animals, over HTTP and on every database.
 */
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { sharedDatabases } from '../helpers/databases.ts'
import type { Animal } from '../helpers/pages.ts'
import { startService } from '../helpers/service.ts'

for (const database of sharedDatabases) {
  t.test(database.name, async (t) => {
    t.test('the response is the animal with its id, and says where to find it', async (t) => {
      const { call } = await startService(t, { databaseUrl: await database.fresh(t) })
      const { status, headers, body } = await call('POST', '/v1/pets', {
        json: { name: 'Rex', categoryId: 3, status: 'pending' },
      })
      t.equal(status, 201)
      const { id } = body as Animal
      t.same(body, { id, name: 'Rex', categoryId: 3, status: 'pending' })
      t.equal(headers.location, `/v1/pets/${id}`)
      t.same((await call('GET', String(headers.location))).body, body)
    })

    t.test('a status that is left out is the one that the contract has as default', async (t) => {
      const { call } = await startService(t, { databaseUrl: await database.fresh(t) })
      const { headers, body } = await call('POST', '/v1/pets', { json: { name: 'Rex', categoryId: 3 } })
      t.match(body, { status: 'available' })
      t.match((await call('GET', String(headers.location))).body, { status: 'available' })
    })

    t.test('ids ascend', async (t) => {
      const { call } = await startService(t, { databaseUrl: await database.fresh(t) })
      const ids = []
      for (let count = 0; count < 3; count++) {
        ids.push(Number(((await call('POST', '/v1/pets', { json: { name: 'Rex', categoryId: 3 } })).body as Animal).id))
      }
      t.same(
        ids,
        ids.toSorted((one, other) => one - other),
      )
      t.equal(new Set(ids).size, 3)
    })

    t.test('every int64 comes back with all its digits', async (t) => {
      const { call } = await startService(t, { databaseUrl: await database.fresh(t) })
      const numbers = [-(2n ** 63n), -(2n ** 53n) - 1n, -1n, 0n, 2n ** 53n + 1n, 1234567890123456789n, 2n ** 63n - 1n]
      for (const categoryId of numbers) {
        const added = await call('POST', '/v1/pets', { json: { name: 'Rex', categoryId } })
        t.equal(added.status, 201)
        t.match(added.text, `"categoryId":${categoryId},`)
        t.equal((await call('GET', String(added.headers.location))).text, added.text)
      }
      const { text } = await call('GET', '/v1/pets')
      t.same(
        [...text.matchAll(/"categoryId":(-?\d+)/g)].map(([, digits]) => BigInt(String(digits))),
        numbers,
      )
      for (const categoryId of [2n ** 63n, -(2n ** 63n) - 1n, 10n ** 30n]) {
        const { status, body } = await call('POST', '/v1/pets', { json: { name: 'Rex', categoryId } })
        t.equal(status, 400)
        t.match(body, { message: 'body.categoryId must be an int64 integer' })
      }
    })

    t.test('a name comes back as it was sent, whatever its characters', async (t) => {
      const { call } = await startService(t, { databaseUrl: await database.fresh(t) })
      for (const name of [
        'Łaika 🐕‍🦺',
        '"\\%_$1?',
        "Robert'); DROP TABLE pets; --",
        'e\u0301',
        '\u2028',
        '🐕'.repeat(255),
      ]) {
        const { headers, body } = await call('POST', '/v1/pets', { json: { name, categoryId: 1 } })
        t.match(body, { name })
        t.match((await call('GET', String(headers.location))).body, { name })
      }
    })

    t.test('a refused request stores nothing', async (t) => {
      const { call } = await startService(t, { databaseUrl: await database.fresh(t) })
      for (const [json, message] of [
        [{}, 'body.name is required; body.categoryId is required'],
        [{ name: 'Rex' }, 'body.categoryId is required'],
        [{ name: '', categoryId: 1 }, 'body.name must have at least 1 character'],
        [{ name: 'x'.repeat(256), categoryId: 1 }, 'body.name must have at most 255 characters'],
        [{ name: null, categoryId: '1' }, 'body.name must be a string; body.categoryId must be an int64 integer'],
        [{ name: 'Rex', categoryId: 1.5 }, 'body.categoryId must be an int64 integer'],
        [{ name: 'Rex', categoryId: 1, status: 'gone' }, 'body.status must be one of available, pending, sold'],
        [
          { name: 'Rex', categoryId: 1, stauts: 'sold' },
          'body.stauts is not allowed (did you mean "status"?); allowed are name, categoryId, status',
        ],
        [[], 'body must be an object'],
        [null, 'body must be an object'],
      ] as const) {
        const { status, body } = await call('POST', '/v1/pets', { json })
        t.equal(status, 400)
        t.same(body, { code: 'invalid_request', message, status: 400 })
      }
      t.equal((await call('GET', '/v1/pets')).text, '[]')
    })

    t.test('a body that is not JSON, not declared as JSON, too large or missing is refused', async (t) => {
      const { call } = await startService(t, { databaseUrl: await database.fresh(t) })
      const json = { 'content-type': 'application/json' }
      const rex = '{"name":"Rex","categoryId":1}'
      for (const [status, code, headers, body] of [
        [400, 'malformed_json', json, '{"name":"Rex",'],
        [400, 'malformed_json', json, '{"name":"Rex","categoryId":1,"name":"Mia"}'],
        [400, 'invalid_request', json, ''],
        [400, 'invalid_request', {}, undefined],
        [415, 'unsupported_media_type', { 'content-type': 'text/plain' }, rex],
        [415, 'unsupported_media_type', {}, rex],
        [415, 'unsupported_media_type', { 'content-type': 'application/json; charset=latin1' }, rex],
        [415, 'unsupported_media_type', { ...json, 'content-encoding': 'gzip' }, rex],
        [413, 'content_too_large', json, `${rex}${' '.repeat(65_536)}`],
        [201, undefined, { 'content-type': 'application/json; charset=UTF-8' }, rex],
        [201, undefined, json, `${rex}${' '.repeat(65_536 - rex.length)}`],
      ] as const) {
        const response = await call('POST', '/v1/pets', { headers, ...(body !== undefined && { body }) })
        t.equal(response.status, status, `${JSON.stringify(headers)} ${body?.slice(0, 50)}`)
        t.equal((response.body as { code?: string }).code, code)
      }
    })
  })
}

t.test('additions get 503 and reads continue while another process has locked the file', async (t) => {
  const file = `${t.testdir()}/animals.db`
  const { call } = await startService(t, { databaseUrl: `sqlite:${file}`, timeout: 20 })
  using other = new DatabaseSync(file)
  other.exec('BEGIN IMMEDIATE')
  const { status, headers, body } = await call('POST', '/v1/pets', { json: { name: 'Rex', categoryId: 1 } })
  t.equal(status, 503)
  t.equal(headers['retry-after'], '1')
  t.match(body, { code: 'service_unavailable', message: 'try again shortly' })
  t.equal((await call('GET', '/v1/pets')).text, '[]')
  other.exec('COMMIT')
  t.equal((await call('POST', '/v1/pets', { json: { name: 'Rex', categoryId: 1 } })).status, 201)
})
