/**
 * Fills a store with animals; see `help` below.
 */
import { toValues } from '../src/stores/rows.ts'
import type { PetStatus } from '../src/stores/store.ts'
import { openBulkStore } from './bulk/open.ts'
import type { BulkStore, Row } from './bulk/store.ts'
import { readArguments, runCommand, UsageError } from './lib/command.ts'
import { createProgress } from './lib/progress.ts'

const batchSize = 10_000

const names = ['Rex', 'Mia', 'Bello', 'Łaika', "O'Malley", 'Minka', 'Balthasar', '小黒', 'Fluffy', 'Ida']

/** The statuses of the spec. This does not compile if the spec has others. */
const allStatuses: Record<PetStatus, true> = { available: true, pending: true, sold: true }
const statuses = Object.keys(allStatuses)

const help = `usage: npm run seed -- URL COUNT [STATUS]

Fills a store with animals, to test it when it is large. Names, categories and statuses are the same each time.
Without STATUS, one animal in ten is pending, the last five are sold, and the others are available: a frequent
status, a less frequent one, and a rare one that is far from the first page.

Arguments:
  URL          the store: sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE
  COUNT        how many animals to add, from 1 to 9999999999
  STATUS       the status of all of them: ${statuses.join(', ')}

Options:
  -h, --help   prints this

Example:
  npm run seed -- sqlite:large.db 10000000

Exit status: 0 done, 1 not possible, 2 wrong usage.`

await runCommand(async (args) => {
  const { texts } = readArguments(args, { command: 'npm run seed', help, names: ['URL', 'COUNT', '[STATUS]'] })
  const [url, count, status] = texts
  if (!/^[1-9][0-9]{0,9}$/.test(count)) {
    throw new UsageError(`${JSON.stringify(count)} is not a COUNT; use an integer from 1 to 9999999999`)
  }
  if (status !== undefined && !isStatus(status)) {
    throw new UsageError(`${JSON.stringify(status)} is not a status; use one of ${statuses.join(', ')}`)
  }
  const store = await openBulkStore(url, 'write')
  try {
    await seed(store, Number(count), status)
  } finally {
    await store.close()
  }
})

function isStatus(text: string): text is PetStatus {
  return statuses.includes(text)
}

async function seed(store: BulkStore, count: number, status: PetStatus | undefined): Promise<void> {
  const first = (await store.lastId()) + 1n
  await store.skipIds(first + BigInt(count) - 1n)
  const update = createProgress('animals', count)
  for (let done = 0; done < count; ) {
    const size = Math.min(batchSize, count - done)
    await store.write(
      'pets',
      Array.from({ length: size }, (_, index) => createPet(first, done + index, count, status)),
    )
    done += size
    update(done)
  }
  await store.optimize()
}

/** Makes the row of the animal at a position from 0, of `count`. */
function createPet(first: bigint, place: number, count: number, status = getStatus(place, count)): Row {
  const name = `${names[place % names.length]} ${place}`
  return [first + BigInt(place), ...toValues({ name, categoryId: BigInt(place % 100) + 1n, status })]
}

function getStatus(place: number, count: number): PetStatus {
  if (place >= count - 5) return 'sold'
  return place % 10 === 9 ? 'pending' : 'available'
}
