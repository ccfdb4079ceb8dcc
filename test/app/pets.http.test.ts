/** Adding, fetching and listing animals, over HTTP and on every database. test/abuse has the wrong requests. */
import t, { type Test } from 'tap'
import { sharedDatabases } from '../helpers/databases.ts'
import { animalsIn, nextOf, walkPages } from '../helpers/pages.ts'
import { type ServiceOptions, spec, startService } from '../helpers/service.ts'
import { openAt, rex } from '../helpers/stores.ts'

for (const database of sharedDatabases) {
  t.test(database.name, async (t) => {
    const start = async (t: Test, options: ServiceOptions = {}) => {
      const databaseUrl = await database.fresh(t)
      const service = await startService(t, { databaseUrl, ...options })
      /** Adds animals, the quick way. */
      const add = async (count: number) => {
        await Promise.all(Array.from({ length: count }, () => service.store.pets.add(rex)))
      }
      return { ...service, databaseUrl, add }
    }

    t.test('an animal is added under the next id, found at its Location, and listed last', async (t) => {
      const { call } = await start(t)
      const empty = await call('GET', '/v1/pets')
      t.match(empty, { status: 200, text: '[]', headers: { link: undefined } })
      const added: string[] = []
      for (const json of [{ name: 'Rex', categoryId: 3, status: 'pending' }, { name: 'Mia', categoryId: 7 }, rex]) {
        const { status, headers, body, text } = await call('POST', '/v1/pets', { json })
        added.push(text)
        const id = added.length
        t.equal(status, 201)
        t.same(body, { id, status: 'available', ...json }, 'the default status is the one of the contract')
        t.equal(headers.location, `/v1/pets/${id}`)
        t.match(await call('GET', `/v1/pets/${id}`), { status: 200, text })
      }
      t.equal((await call('GET', '/v1/pets')).text, `[${added.join(',')}]`)
    })

    t.test('a page has at most 20 animals, or as many as asked for, from 1 to 100', async (t) => {
      const { call, add } = await start(t)
      await add(102)
      for (const [query, count] of [
        ['', 20],
        ['?limit=1', 1],
        ['?limit=21', 21],
        ['?limit=100', 100],
      ] as const) {
        t.equal(animalsIn(await call('GET', `/v1/pets${query}`)).length, count, query)
      }
    })

    t.test('every page but the last has a link to the next one, which asks for the same', async (t) => {
      const { call, origin, store } = await start(t)
      for (const status of ['sold', 'pending', 'sold', 'available', 'sold', 'sold'] as const) {
        await store.pets.add({ ...rex, status })
      }
      const pages = await walkPages((path) => call('GET', path), '/v1/pets?limit=2&status=sold')
      t.same(
        pages.map((page) => animalsIn(page).map(({ id, status }) => [Number(id), status])),
        [
          [
            [1, 'sold'],
            [3, 'sold'],
          ],
          [
            [5, 'sold'],
            [6, 'sold'],
          ],
        ],
      )
      const next = new URL(nextOf(pages[0] as (typeof pages)[0]) ?? '', origin)
      t.same([next.origin, next.pathname], [origin, '/v1/pets'])
      const cursor = next.searchParams.get('cursor')
      t.same(Object.fromEntries(next.searchParams), { limit: '2', status: 'sold', cursor })
      t.equal(animalsIn(await call('GET', `/v1/pets?cursor=${cursor}`)).length, 3, 'the cursor alone means its place')
    })

    t.test('a limit that the spec allows to be no integer is the most that a page has', async (t) => {
      const source = spec.replace(/(name: limit\n(?: .*\n)*? +type: )integer\n +format: int32/, '$1number')
      t.not(source, spec)
      const { call, add } = await start(t, { source })
      await add(3)
      t.equal(animalsIn(await call('GET', '/v1/pets?limit=2.5')).length, 2)
    })

    t.test('what another process has added is found at once, beside other requests', async (t) => {
      const { call, databaseUrl, add } = await start(t)
      const other = await openAt(t, databaseUrl)
      await add(1)
      let isOver = false
      const others = Array.from({ length: 8 }, async () => {
        while (!isOver) await call('GET', '/v1/pets/1')
      })
      for (let count = 0; count < 50; count++) {
        const { id } = await other.pets.add(rex)
        t.equal((await call('GET', `/v1/pets/${id}`)).status, 200)
        t.equal(animalsIn(await call('GET', '/v1/pets?limit=100')).length, count + 2)
      }
      isOver = true
      await Promise.all(others)
    })
  })
}
