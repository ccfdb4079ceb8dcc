/**
 * Conditional requests and pages from memory, over HTTP and on every database.
 */
import t from 'tap'
import { openStore } from '../../src/stores/open.ts'
import { sharedDatabases } from '../helpers/databases.ts'
import { type Service, startService } from '../helpers/service.ts'
import { execute } from '../helpers/sql.ts'

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const
const paths = ['/v1/pets', '/v1/pets?limit=1', '/v1/pets?status=available', '/v1/pets/1']

for (const database of sharedDatabases) {
  t.test(database.name, async (t) => {
    const start = async (options = {}) => startService(t, { databaseUrl: await database.fresh(t), ...options })

    t.test('a response that the client has stored is 304, without a body', async (t) => {
      const service = await start()
      await add(service, 2)
      for (const path of paths) {
        const { etag, ...full } = await get(service, path)
        t.match(etag, /^"[\w-]+"$/, path)
        t.equal(full.status, 200)
        for (const ifNoneMatch of [etag, '*', `W/${etag}`, `"other", ${etag}`, `W/"other",${etag}`]) {
          const stored = await get(service, path, ifNoneMatch)
          t.match(stored, { status: 304, text: '', etag }, ifNoneMatch)
          t.equal(stored.headers['content-length'], undefined)
          t.equal(stored.headers['cache-control'], full.headers['cache-control'])
          t.equal(stored.headers.deprecation, full.headers.deprecation)
        }
        for (const ifNoneMatch of ['', '"other"', etag.slice(1, -1), `"${etag}"`]) {
          t.match(await get(service, path, ifNoneMatch), { status: 200, text: full.text, etag }, ifNoneMatch)
        }
      }
    })

    t.test('HEAD has the ETag of GET, and 304 where GET has it', async (t) => {
      const service = await start()
      await add(service, 1)
      for (const path of paths) {
        const { etag } = await get(service, path)
        const head = await service.call('HEAD', path)
        t.match(head, { status: 200, text: '', headers: { etag } })
        const headers = { 'if-none-match': etag }
        t.match(await service.call('HEAD', path, { headers }), { status: 304, text: '', headers: { etag } })
      }
    })

    t.test('a page that gets a next link has another ETag, although its animals are the same', async (t) => {
      const service = await start()
      await add(service, 1)
      const alone = await get(service, '/v1/pets?limit=1')
      await add(service, 1)
      const followed = await get(service, '/v1/pets?limit=1', alone.etag)
      t.equal(followed.status, 200)
      t.equal(followed.text, alone.text)
      t.match(followed.headers.link, 'rel="next"')
    })

    t.test('the same page is up to date, whoever changes the animals', async (t) => {
      const databaseUrl = await database.fresh(t)
      const service = await startService(t, { databaseUrl })
      const list = async () => (await get(service, '/v1/pets')).text
      t.equal(await list(), '[]')
      await service.call('POST', '/v1/pets', { json: rex })
      t.match(await list(), /^\[\{"id":1,[^}]*\}\]$/)

      const other = await openStore(databaseUrl)
      t.teardown(() => other.close())
      await other.pets.add(rex)
      t.match(await list(), /"id":2,/)

      await list()
      await execute(databaseUrl, `UPDATE pets SET name = 'Renamed' WHERE id = 1`)
      t.match(await list(), '"name":"Renamed"')
      await execute(databaseUrl, 'DELETE FROM pets WHERE id = 2')
      t.notMatch(await list(), '"id":2,')
    })

    t.test('the same page has the headers of its own request', async (t) => {
      const service = await start({ rateLimit: { count: 3, seconds: 60 } })
      const responses = [await get(service, '/v1/pets'), await get(service, '/v1/pets'), await get(service, '/v1/pets')]
      t.equal(new Set(responses.map(({ headers }) => headers['x-request-id'])).size, 3)
      t.same(
        responses.map(({ headers }) => /r=(\d)/.exec(headers.ratelimit ?? '')?.[1]),
        ['2', '1', '0'],
      )
      t.match(await service.call('GET', '/v1/pets'), { status: 429 })
    })

    t.test('a stored page, and one in memory, still need a key', async (t) => {
      const service = await start()
      const { etag } = await get(service, '/v1/pets')
      t.match(await service.call('GET', '/v1/pets', { key: null, headers: { 'if-none-match': etag } }), { status: 401 })
      await service.store.keys.revoke('tests')
      t.match(await service.call('GET', '/v1/pets'), { status: 401 })
    })

    t.test('an error has no ETag, and an addition neither', async (t) => {
      const service = await start()
      for (const response of [
        await service.call('GET', '/v1/pets?limit=0'),
        await service.call('GET', '/v1/pets/7', { headers: { 'if-none-match': '*' } }),
        await service.call('POST', '/v1/pets', { json: rex, headers: { 'if-none-match': '*' } }),
      ]) {
        t.equal(response.headers.etag, undefined)
        t.not(response.status, 304)
      }
    })
  })
}

async function get({ call }: Service, path: string, ifNoneMatch?: string) {
  const response = await call(
    'GET',
    path,
    ifNoneMatch === undefined ? {} : { headers: { 'if-none-match': ifNoneMatch } },
  )
  return { ...response, etag: String(response.headers.etag) }
}

async function add({ store }: Service, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await store.pets.add(rex)
}
