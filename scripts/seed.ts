/** Fills a store with animals; see `help` below. */
import { toValues } from '../src/stores/rows.ts'
import type { PetStatus } from '../src/stores/store.ts'
import { openBulkStore } from './bulk/open.ts'
import type { BulkStore, Row } from './bulk/store.ts'
import { readArguments, runCommand, UsageError } from './lib/command.ts'

const batchSize = 10_000

const names = ['Rex', 'Mia', 'Bello', 'Łaika', "O'Malley", 'Minka', 'Balthasar', '小黒', 'Fluffy', 'Ida']

const help = `usage: npm run seed -- URL COUNT

Fills a store with animals, to test it when it is large. Names, categories and statuses are the same each time.
One animal in ten is pending, the last five are sold, and the others are available: a frequent status, a less
frequent one, and a rare one that is far from the first page.

Arguments:
  URL          the store: sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE
  COUNT        how many animals to add, from 1 to 9999999999

Options:
  -h, --help   prints this

Example:
  npm run seed -- sqlite:large.db 10000000

Exit status: 0 done, 1 not possible, 2 wrong usage.`

await runCommand(async (args) => {
  const { texts } = readArguments(args, { command: 'npm run seed', help, names: ['URL', 'COUNT'] })
  const [url, count] = texts
  if (!/^[1-9][0-9]{0,9}$/.test(count)) {
    throw new UsageError(`${JSON.stringify(count)} is not a COUNT; use an integer from 1 to 9999999999`)
  }
  const store = await openBulkStore(url, 'write')
  try {
    await seed(store, Number(count))
  } finally {
    await store.close()
  }
})

async function seed(store: BulkStore, count: number): Promise<void> {
  const first = (await store.lastId()) + 1n
  await store.skipIds(first + BigInt(count) - 1n)
  for (let done = 0; done < count; done += batchSize) {
    const places = Array.from({ length: Math.min(batchSize, count - done) }, (_, index) => done + index)
    await store.write(
      'pets',
      places.map((place) => createPet(first, place, count)),
    )
  }
  await store.optimize()
}

/** Makes the row of the animal at a position from 0, of `count`. */
function createPet(first: bigint, place: number, count: number): Row {
  const name = `${names[place % names.length]} ${place}`
  const status: PetStatus = place >= count - 5 ? 'sold' : place % 10 === 9 ? 'pending' : 'available'
  return [first + BigInt(place), ...toValues({ name, categoryId: BigInt(place % 100) + 1n, status })]
}
