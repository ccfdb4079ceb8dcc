/** Conditional requests and pages from memory, over HTTP and on every database. */
import t from 'tap'
import { sharedDatabases } from '../helpers/databases.ts'
import { type Service, startService } from '../helpers/service.ts'
import { execute } from '../helpers/sql.ts'
import { rex, using } from '../helpers/stores.ts'

const paths = ['/v1/pets', '/v1/pets?limit=1', '/v1/pets?status=available', '/v1/pets/1']

t.test('a response that the client has stored is 304, without a body, also to HEAD', async (t) => {
  const service = await startService(t)
  await add(service, 2)
  for (const path of paths) {
    const { etag, text, headers } = await get(service, path)
    t.match(etag, /^"[\w-]+"$/, path)
    t.match(await service.call('HEAD', path), { status: 200, text: '', headers: { etag } })
    const { 'cache-control': caching, deprecation } = headers
    const same = { etag, 'cache-control': caching, deprecation, 'content-length': undefined }
    for (const ifNoneMatch of [etag, '*', `W/${etag}`, `"other", ${etag}`, `W/"other",${etag}`]) {
      const stored = { status: 304, text: '', headers: same }
      t.match(await get(service, path, ifNoneMatch), stored, ifNoneMatch)
      t.match(await service.call('HEAD', path, { headers: { 'if-none-match': ifNoneMatch } }), stored)
    }
    for (const ifNoneMatch of ['', '"other"', etag.slice(1, -1), `"${etag}"`]) {
      t.match(await get(service, path, ifNoneMatch), { status: 200, text, etag }, ifNoneMatch)
    }
  }
})

t.test('a page that gets a next link has another ETag, although its animals are the same', async (t) => {
  const service = await startService(t)
  await add(service, 1)
  const alone = await get(service, '/v1/pets?limit=1')
  await add(service, 1)
  const followed = await get(service, '/v1/pets?limit=1', alone.etag)
  t.match(followed, { status: 200, text: alone.text, headers: { link: /rel="next"/ } })
})

for (const database of sharedDatabases) {
  t.test(`the same page is up to date, whoever changes the animals: ${database.name}`, async (t) => {
    const databaseUrl = await database.fresh(t)
    const service = await startService(t, { databaseUrl })
    const list = async () => (await get(service, '/v1/pets')).text
    t.equal(await list(), '[]')
    await service.call('POST', '/v1/pets', { json: rex })
    t.match(await list(), /^\[\{"id":1,[^}]*\}\]$/)

    await using(databaseUrl, ({ pets }) => pets.add(rex))
    t.match(await list(), /"id":2,/)

    await list()
    await execute(databaseUrl, `UPDATE pets SET name = 'Renamed' WHERE id = 1`)
    t.match(await list(), '"name":"Renamed"')
    await execute(databaseUrl, 'DELETE FROM pets WHERE id = 2')
    t.notMatch(await list(), '"id":2,')
  })

  t.test(`a stored page, and one in memory, still need a key: ${database.name}`, async (t) => {
    const service = await startService(t, { databaseUrl: await database.fresh(t) })
    const { etag } = await get(service, '/v1/pets')
    for (let count = 0; count < 2; count++) t.equal((await get(service, '/v1/pets')).status, 200)
    t.match(await service.call('GET', '/v1/pets', { key: null, headers: { 'if-none-match': etag } }), { status: 401 })
    await service.store.keys.revoke('tests')
    t.match(await service.call('GET', '/v1/pets'), { status: 401 })
  })
}

t.test('the same page has the headers of its own request', async (t) => {
  const service = await startService(t, { rateLimit: { count: 3, seconds: 60 } })
  const responses = [await get(service, '/v1/pets'), await get(service, '/v1/pets'), await get(service, '/v1/pets')]
  t.equal(new Set(responses.map(({ headers }) => headers['x-request-id'])).size, 3)
  t.same(
    responses.map(({ headers }) => /r=(\d)/.exec(headers.ratelimit ?? '')?.[1]),
    ['2', '1', '0'],
  )
  t.match(await service.call('GET', '/v1/pets'), { status: 429 })
})

t.test('an error has no ETag, and an addition neither', async (t) => {
  const { call } = await startService(t)
  const headers = { 'if-none-match': '*' }
  for (const [status, response] of [
    [400, await call('GET', '/v1/pets?limit=0', { headers })],
    [404, await call('GET', '/v1/pets/7', { headers })],
    [201, await call('POST', '/v1/pets', { json: rex, headers })],
  ] as const) {
    t.match(response, { status, headers: { etag: undefined } })
  }
})

async function get({ call }: Service, path: string, ifNoneMatch?: string) {
  const headers = ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }
  const response = await call('GET', path, { headers })
  return { ...response, etag: String(response.headers.etag) }
}

async function add({ store }: Service, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await store.pets.add(rex)
}
