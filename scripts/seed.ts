/**
 * Fills a store with animals, to see how it does when it is large:
 *
 *     npm run seed -- URL COUNT [STATUS]
 *
 * The names, categories and statuses are the same each time. Without STATUS, one animal in ten is pending, the last five
 * are sold, and the others are available: a status that is everywhere, one that is here and there, and one that is rare
 * and far from the first page.
 *
 * Exit status: 0 done, 1 not possible, 2 wrong usage.
 */
import type { BulkStore } from '../src/stores/bulk.ts'
import { openBulkStore } from '../src/stores/open-bulk.ts'
import type { Pet, PetStatus } from '../src/stores/store.ts'
import { runCommand, UsageError } from './command.ts'
import { createProgress } from './progress.ts'
import { isStatus, statuses } from './statuses.ts'

const batchSize = 10_000
const usage = 'usage: npm run seed -- URL COUNT [STATUS]'

const names = ['Rex', 'Mia', 'Bello', 'Łaika', "O'Malley", 'Minka', 'Balthasar', '小黒', 'Fluffy', 'Ida']

await runCommand(async ([url, count = '', status, ...others]) => {
  if (url === undefined || !/^[1-9][0-9]{0,9}$/.test(count) || others.length > 0) throw new UsageError(usage)
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

async function seed(store: BulkStore, count: number, status: PetStatus | undefined): Promise<void> {
  const first = (await store.lastId()) + 1n
  await store.skipIds(first + BigInt(count) - 1n)
  const progress = createProgress('animals', count)
  for (let done = 0; done < count; ) {
    const size = Math.min(batchSize, count - done)
    await store.writePets(Array.from({ length: size }, (_, index) => petAt(first, done + index, count, status)))
    done += size
    progress.reach(done)
  }
  progress.end()
  await store.settle()
}

/** The animal at a place from 0, of `count`. */
function petAt(first: bigint, place: number, count: number, status = statusAt(place, count)): Pet {
  return {
    id: first + BigInt(place),
    name: `${names[place % names.length]} ${place}`,
    categoryId: BigInt(place % 100) + 1n,
    status,
  }
}

function statusAt(place: number, count: number): PetStatus {
  if (place >= count - 5) return 'sold'
  return place % 10 === 9 ? 'pending' : 'available'
}
