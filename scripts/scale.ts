/**
 * Measures the cost of a large catalogue; see `help` below.
 */
import { openStore } from '../src/stores/open.ts'
import type { NewPet, PetStatus, Store } from '../src/stores/store.ts'
import { openBulkStore } from './bulk/open.ts'
import { readArguments, runCommand, UsageError } from './lib/command.ts'
import { median } from './lib/measure.ts'
import { createProgress } from './lib/progress.ts'
import { explain } from './lib/query-plans.ts'
import { statuses } from './lib/statuses.ts'

/** A store, and the number of animals in it, under ids from 1. */
interface Subject {
  readonly url: string
  readonly store: Store
  readonly pets: number
}

interface Operation {
  readonly name: string
  /** The number of times that it runs in a round. */
  readonly times: number
  readonly run: (subject: Subject) => Promise<unknown>
}

/** The number of animals that the service reads for a page of 20: one more shows whether there is a next page. */
const limit = 21
const rex: NewPet = { name: 'Rex', categoryId: 1n, status: 'available' }

/** Positions are random: a store caches what is read again and again. */
const reads: readonly Operation[] = [
  { name: 'list, first page', times: 200, run: list(0, 0) },
  { name: 'list, page in the middle', times: 200, run: list(0.4, 0.6) },
  { name: 'list, page near the end', times: 200, run: list(0.95, 0.97) },
  ...statuses.flatMap((status) => [
    { name: `list ${status}, first page`, times: 200, run: list(0, 0, status) },
    { name: `list ${status}, page in the middle`, times: 200, run: list(0.4, 0.6, status) },
  ]),
  { name: 'fetch', times: 200, run: (subject) => subject.store.pets.find(randomId(subject, 0, 1)) },
  { name: 'fetch, no such animal', times: 200, run: ({ store }) => store.pets.find(2n ** 62n) },
]

const writes: readonly Operation[] = [
  { name: 'add', times: 10, run: ({ store }) => store.pets.add(rex) },
  {
    name: 'add 50 at once',
    times: 1,
    run: ({ store }) => Promise.all(Array.from({ length: 50 }, () => store.pets.add(rex))),
  },
]

const help = `usage: npm run scale -- SMALL_URL LARGE_URL [ROUNDS]

Measures the cost of a large catalogue: the operations of a store, on a small one and on a large one. The two take
turns, so that a change of the machine's speed affects both, and the ratio stays exact. Then it prints the query
plans of the large one. It adds animals to both stores.

Arguments:
  SMALL_URL    a store of 100 animals or more: sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE
  LARGE_URL    another one, with many more
  ROUNDS       how often each operation is measured, from 1 to 9999; the median counts (default: 30)

Options:
  -h, --help   prints this

Example:
  npm run seed -- sqlite:small.db 1000
  npm run seed -- sqlite:large.db 10000000
  npm run scale -- sqlite:small.db sqlite:large.db

Exit status: 0 done, 1 not possible, 2 wrong usage.`

await runCommand(async (args) => {
  const names = ['SMALL_URL', 'LARGE_URL', '[ROUNDS]'] as const
  const [smallUrl, largeUrl, rounds = '30'] = readArguments(args, { command: 'npm run scale', help, names }).texts
  if (!/^[1-9][0-9]{0,3}$/.test(rounds)) {
    throw new UsageError(`${JSON.stringify(rounds)} is not a number of ROUNDS; use an integer from 1 to 9999`)
  }
  const small = await openSubject(smallUrl)
  try {
    const large = await openSubject(largeUrl)
    try {
      printTable(await measureAll(small, large, Number(rounds)))
      await printPlans(large)
    } finally {
      await large.store.close()
    }
  } finally {
    await small.store.close()
  }
})

async function openSubject(url: string): Promise<Subject> {
  const bulk = await openBulkStore(url, 'read')
  const pets = await bulk.countPets().finally(bulk.close)
  if (pets < 100) throw new Error('a store needs at least 100 animals; add them with: npm run seed')
  return { url, store: await openStore(url), pets }
}

type Row = readonly [operation: string, small: string, large: string, ratio: string]

async function measureAll(small: Subject, large: Subject, rounds: number): Promise<Row[]> {
  const operations = [...reads, ...writes]
  const progress = createProgress('measuring', operations.length)
  const rows: Row[] = []
  for (const operation of operations) {
    const pairs = await measure(operation, small, large, rounds)
    rows.push([
      operation.name,
      `${median(pairs.map(([time]) => time)).toFixed(3)} ms`,
      `${median(pairs.map(([, time]) => time)).toFixed(3)} ms`,
      median(pairs.map(([time, other]) => other / time)).toFixed(2),
    ])
    progress.update(rows.length)
  }
  progress.end()
  return [['median', `${small.pets} animals`, `${large.pets} animals`, 'ratio'], ...rows]
}

/** Measures an operation on each of the two, round by round. */
async function measure(operation: Operation, small: Subject, large: Subject, rounds: number) {
  const pairs: [small: number, large: number][] = []
  // The first round only warms up.
  for (let round = 0; round <= rounds; round++) {
    const one = await measureOnce(operation, small)
    const other = await measureOnce(operation, large)
    if (round > 0) pairs.push([one, other])
  }
  return pairs
}

/** Returns how long an operation takes, in milliseconds. */
async function measureOnce({ times, run }: Operation, subject: Subject): Promise<number> {
  const start = performance.now()
  for (let time = 0; time < times; time++) await run(subject)
  return (performance.now() - start) / times
}

function printTable(rows: readonly Row[]): void {
  for (const [operation, ...cells] of rows) {
    console.log(operation.padEnd(36) + cells.map((cell) => cell.padStart(20)).join(''))
  }
}

async function printPlans(large: Subject): Promise<void> {
  for (const { name, run } of reads) {
    console.log(`\n${name}:`)
    for (const line of await explain(large.url, () => run(large))) console.log(`  ${line}`)
  }
}

function list(from: number, to: number, status?: PetStatus): Operation['run'] {
  return (subject) => subject.store.pets.list({ after: randomId(subject, from, to), limit, status })
}

/** A random id in a part of the store, given as two fractions of it. */
function randomId({ pets }: Subject, from: number, to: number): bigint {
  return BigInt(Math.floor(pets * (from + Math.random() * (to - from))))
}
