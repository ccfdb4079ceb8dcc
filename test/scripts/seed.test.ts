import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openStore } from '../../src/stores/open.ts'
import type { PetStatus } from '../../src/stores/store.ts'
import { sharedDatabases } from '../helpers/databases.ts'
import { runScript } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

for (const database of sharedDatabases) {
  t.test(
    `${database.name}: as many animals as were asked for, most available, some pending, the last few sold`,
    async (t) => {
      const url = await database.fresh(t)
      const { status, stdout, stderr } = await runScript(t, 'seed', [url, '30'], { coverage: true })
      t.strictSame([status, stdout], [0, ''])
      t.match(stderr, /^animals: 30 of 30\n$/)

      const { pets, close } = await openStore(url)
      t.teardown(close)
      const all = await pets.list({ after: 0n, limit: 100 })
      t.same(
        all.map(({ id }) => id),
        Array.from({ length: 30 }, (_, index) => BigInt(index) + 1n),
      )
      const idsOf = (status: PetStatus) => all.filter((pet) => pet.status === status).map(({ id }) => Number(id))
      t.same(idsOf('pending'), [10, 20])
      t.same(idsOf('sold'), [26, 27, 28, 29, 30])
      t.equal((await pets.add({ name: 'Rex', categoryId: 1n, status: 'sold' })).id, 31n)
    },
  )

  t.test(`${database.name}: further animals come behind those that are there`, async (t) => {
    const url = await database.fresh(t)
    const { pets, close } = await openStore(url)
    t.teardown(close)
    await pets.add({ name: 'Rex', categoryId: 1n, status: 'available' })
    await close()
    t.equal((await runScript(t, 'seed', [url, '12345'])).status, 0)

    const store = await openStore(url)
    t.teardown(() => store.close())
    const found = await store.pets.list({ after: 0n, limit: 20_000 })
    t.equal(found.length, 12_346)
    t.equal(found.at(-1)?.id, 12_346n)
  })
}

t.test('a store that cannot be opened is reported in one line, with the exit status 1', async (t) => {
  const file = join(temporaryFolder(t), 'note.txt')
  writeFileSync(file, 'not a store, but long enough to be looked at as one; '.repeat(100))
  const { status, stdout, stderr } = await runScript(t, 'seed', [`sqlite:${file}`, '1'])
  t.strictSame([status, stdout], [1, ''])
  t.match(stderr, /^cannot open the store sqlite:[^\n]+: [^\n]+\n$/)
})

t.test('wrong usage is reported with the right usage and the exit status 2', async (t) => {
  const url = `sqlite:${join(temporaryFolder(t), 'animals.db')}`
  for (const [args, stderr] of [
    [[url], 'COUNT is missing; see npm run seed -- --help\n'],
    [[url, '0'], '"0" is not a COUNT; use an integer from 1 to 9999999999\n'],
    [[url, '1e3'], '"1e3" is not a COUNT; use an integer from 1 to 9999999999\n'],
    [[url, '1', 'sold'], 'there are too many arguments; see npm run seed -- --help\n'],
  ] as const) {
    t.strictSame(await runScript(t, 'seed', args, { coverage: true }), { status: 2, stdout: '', stderr })
  }
})
