/**
 * Listing animals, over HTTP and on every database.
 */
import t from 'tap'
import { sharedDatabases } from '../helpers/databases.ts'
import { animalsIn, nextOf, walkPages } from '../helpers/pages.ts'
import { type Service, startService } from '../helpers/service.ts'

for (const database of sharedDatabases) {
  t.test(database.name, async (t) => {
    t.test('an empty catalogue is an empty array, without a next page', async (t) => {
      const { call } = await startService(t, { databaseUrl: await database.fresh(t) })
      const { status, text, headers } = await call('GET', '/v1/pets')
      t.equal(status, 200)
      t.equal(text, '[]')
      t.equal(headers.link, undefined)
    })

    t.test('animals come as a bare array, in ascending order of id', async (t) => {
      const { call } = await startService(t, { databaseUrl: await database.fresh(t) })
      const added = []
      for (const name of ['Rex', 'Mia', 'Tom']) {
        added.push((await call('POST', '/v1/pets', { json: { name, categoryId: 7 } })).text)
      }
      t.equal((await call('GET', '/v1/pets')).text, `[${added.join(',')}]`)
    })

    t.test('a page has at most 20 animals, or as many as asked for, from 1 to 100', async (t) => {
      const service = await startService(t, { databaseUrl: await database.fresh(t) })
      const { call } = service
      await add(service, 102)
      for (const [query, count] of [
        ['', 20],
        ['?limit=1', 1],
        ['?limit=21', 21],
        ['?limit=100', 100],
      ] as const) {
        const page = await call('GET', `/v1/pets${query}`)
        t.equal(page.status, 200)
        t.equal(animalsIn(page).length, count, query)
      }
      for (const [query, message] of [
        ['?limit=0', 'query.limit must be at least 1'],
        ['?limit=-1', 'query.limit must be at least 1'],
        ['?limit=101', 'query.limit must be at most 100'],
        ['?limit=99999999999999999999', 'query.limit must be an integer of at most 53 bits'],
        ['?limit=', 'query.limit must be an integer'],
        ['?limit=ten', 'query.limit must be an integer'],
        ['?limit=1e1', 'query.limit must be an integer'],
        ['?limit=+5', 'query.limit must be an integer'],
        ['?limit=5.0', 'query.limit must be an integer'],
        ['?limit=05', 'query.limit must be an integer'],
        ['?limit=5&limit=5', 'query.limit is given more than once'],
      ] as const) {
        const { status, body } = await call('GET', `/v1/pets${query}`)
        t.equal(status, 400)
        t.same(body, { code: 'invalid_request', message, status: 400 }, query)
      }
    })

    t.test('with a status, only animals of that status are there, on every page', async (t) => {
      const service = await startService(t, { databaseUrl: await database.fresh(t) })
      const { call, store } = service
      for (const status of ['sold', 'pending', 'available', 'sold', 'available', 'sold'] as const) {
        await store.pets.add({ name: 'Rex', categoryId: 1n, status })
      }
      const pages = await walkPages((path) => call('GET', path), '/v1/pets?status=sold&limit=2')
      t.same(
        pages.map((page) => animalsIn(page).map(({ status }) => status)),
        [['sold', 'sold'], ['sold']],
      )
      t.equal(animalsIn(await call('GET', '/v1/pets?status=pending')).length, 1)
      t.equal(animalsIn(await call('GET', '/v1/pets?status=available')).length, 2)
    })

    t.test('an unknown status and an unknown parameter are refused by name', async (t) => {
      const { call } = await startService(t, { databaseUrl: await database.fresh(t) })
      for (const [query, message] of [
        ['?status=Sold', 'query.status must be one of available, pending, sold'],
        ['?status=', 'query.status must be one of available, pending, sold'],
        ['?stauts=sold', 'query.stauts is not allowed (did you mean "status"?); allowed are limit, status, cursor'],
        [
          '?limit=0&status=gone',
          'query.limit must be at least 1; query.status must be one of available, pending, sold',
        ],
        ['?status=%zz', 'query has a malformed percent-encoding'],
      ] as const) {
        const { status, body } = await call('GET', `/v1/pets${query}`)
        t.equal(status, 400)
        t.same(body, { code: 'invalid_request', message, status: 400 }, query)
      }
    })

    t.test('every page but the last has a link to the next one, which asks for the same', async (t) => {
      const service = await startService(t, { databaseUrl: await database.fresh(t) })
      const { call } = service
      await add(service, 6)
      const pages = await walkPages((path) => call('GET', path), '/v1/pets?limit=2&status=available')
      t.same(
        pages.map((page) => animalsIn(page).length),
        [2, 2, 2],
      )
      for (const page of pages.slice(0, -1)) {
        const next = new URL(nextOf(page) ?? '', service.origin)
        t.equal(next.origin, service.origin)
        t.equal(next.pathname, '/v1/pets')
        t.equal(next.searchParams.get('limit'), '2')
        t.equal(next.searchParams.get('status'), 'available')
        t.ok(next.searchParams.has('cursor'))
      }
      t.equal(pages.at(-1)?.headers.link, undefined)
    })

    t.test('walking the pages while others add animals yields each animal once', async (t) => {
      const service = await startService(t, { databaseUrl: await database.fresh(t) })
      const { call } = service
      await add(service, 20)
      let adding = 4
      const adders = Array.from({ length: adding }, async (_, adder) => {
        for (let count = 0; count < 15; count++) {
          await call('POST', '/v1/pets', { json: { name: `${adder}-${count}`, categoryId: adder } })
        }
        adding--
      })
      const walks: (number | bigint)[][] = []
      while (adding > 0) {
        walks.push(
          (await walkPages((path) => call('GET', path), '/v1/pets?limit=3')).flatMap((page) =>
            animalsIn(page).map(({ id }) => id),
          ),
        )
      }
      await Promise.all(adders)
      const all = animalsIn(await call('GET', '/v1/pets?limit=100')).map(({ id }) => id)
      t.equal(all.length, 80)
      t.ok(walks.length > 0)
      // Whatever is added later comes behind what has been walked: nothing is left out before it, and nothing comes twice.
      for (const ids of walks) t.same(ids, all.slice(0, ids.length))
    })

    t.test('a cursor that no next link gave is refused', async (t) => {
      const service = await startService(t, { databaseUrl: await database.fresh(t) })
      const { call } = service
      await add(service, 3)
      const cursor =
        new URL(nextOf(await call('GET', '/v1/pets?limit=2')) ?? '', service.origin).searchParams.get('cursor') ?? ''
      t.equal(animalsIn(await call('GET', `/v1/pets?cursor=${cursor}`)).length, 1)
      for (const tampered of [
        `${cursor}A`,
        cursor.slice(1),
        `${cursor}=`,
        cursor.replace(/.$/, 'J'),
        '2',
        '!',
        'a b',
      ]) {
        const { status, body } = await call('GET', `/v1/pets?cursor=${encodeURIComponent(tampered)}`)
        t.equal(status, 400, tampered)
        t.match(body, { code: 'invalid_cursor', message: 'start from the first page' })
      }
      for (const tampered of ['', cursor.repeat(6)]) {
        const { status, body } = await call('GET', `/v1/pets?cursor=${tampered}`)
        t.equal(status, 400, tampered)
        t.match(body, { code: 'invalid_request', message: /^query\.cursor must have at (least|most) / })
      }
    })
  })
}

/** Adds as many animals, the quick way. */
async function add({ store }: Service, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      store.pets.add({ name: `Rex ${index}`, categoryId: 1n, status: 'available' }),
    ),
  )
}
