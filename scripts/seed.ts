/** Fills a store with animals; see `help` below. */

import { readArguments, runCommand, UsageError } from '../src/command.ts'
import { getSqliteFile, openStore } from '../src/stores/open.ts'
import { inMemory, type NewPet } from '../src/stores/store.ts'

/** The number of animals that are added at once; the store commits them together. */
const batchSize = 1000

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
  if (getSqliteFile(url) === inMemory) throw new UsageError('a store in memory is gone when this ends; name a file')
  const store = await openStore(url)
  try {
    for (let place = 0; place < Number(count); place += batchSize) {
      const length = Math.min(batchSize, Number(count) - place)
      const pets = Array.from({ length }, (_, index) => createPet(place + index, Number(count)))
      await Promise.all(pets.map((pet) => store.pets.add(pet)))
    }
  } finally {
    await store.close()
  }
})

/** Makes the animal at a position from 0, of `count`. */
function createPet(place: number, count: number): NewPet {
  const status = place >= count - 5 ? 'sold' : place % 10 === 9 ? 'pending' : 'available'
  return { name: `${names[place % names.length]} ${place}`, categoryId: BigInt(place % 100) + 1n, status }
}
