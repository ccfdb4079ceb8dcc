/**
 * Moves a catalogue from one store into another, in whatever engines: animals with their ids, API keys, retry keys that
 * are in force, and the last id, so that no id is ever given out twice:
 *
 *     npm run move -- FROM_URL TO_URL
 *
 * Stop the service first, every instance, and start it on the new store when the move is done. A SQLite file that
 * something has open is refused; what runs on a PostgreSQL store can read it meanwhile, and cannot write to it.
 *
 * However the script ends, what it has moved stays moved: run it again, and it goes on from there. It moves into an empty
 * store, or into one that holds the beginning of what is moved and nothing else; any other is refused. It changes nothing
 * in the store that it moves from, except that it brings it up to date as the service would.
 *
 * Exit status: 0 both hold the same, 1 not possible, 2 wrong usage.
 */
import type { BulkStore, KeptKey, KeptRetry } from '../src/stores/bulk.ts'
import { openBulkStore } from '../src/stores/open-bulk.ts'
import { type Pet, StoreUnavailableError } from '../src/stores/store.ts'
import { messageOf, runCommand, UsageError } from './command.ts'
import { type Content, createContent, type Digest, petText } from './content.ts'
import { createProgress } from './progress.ts'

const batchSize = 10_000
const advice = 'name an empty store, or one that nothing but this script has changed'

await runCommand(async ([fromUrl, toUrl, ...others]) => {
  if (fromUrl === undefined || toUrl === undefined || fromUrl === toUrl || others.length > 0) {
    throw new UsageError('usage: npm run move -- FROM_URL TO_URL')
  }
  const from = await openBulkStore(fromUrl, 'read').catch(failAs('FROM'))
  try {
    const to = await openBulkStore(toUrl, 'write').catch(failAs('TO'))
    try {
      await move(from, to).catch(failWithAdvice)
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
})

function failAs(store: string): (error: unknown) => never {
  return (error) => {
    throw new Error(`${store}: ${messageOf(error)}`)
  }
}

function failWithAdvice(error: unknown): never {
  if (!(error instanceof StoreUnavailableError)) throw error
  throw new Error(`${messageOf(error)}; when it is, run the same again: it goes on from there`)
}

async function move(from: BulkStore, to: BulkStore): Promise<void> {
  const inForceAt = new Date()
  const keys = await from.readKeys()
  const source = createContent()
  const target = createContent()

  checkKeys(keys, await to.readKeys())
  const last = await checkPets(from, to, source.pets)
  // Before the first animal, so that no id is given out twice even by someone who uses what has been moved half.
  await to.skipIds(await from.lastId())
  const total = await from.countPets()
  await pass('moving', total, petPages(from, last), source.pets, (pets) => to.writePets(pets))
  // After the last animal: a store without its keys lets nobody in.
  await to.writeKeys(keys)
  source.keys.add(keys)
  for await (const retries of retryPages(from, inForceAt)) {
    await to.writeRetries(retries)
    source.retries.add(retries)
  }
  await to.settle()

  await pass('verifying', total, petPages(to, 0n), target.pets)
  target.keys.add(await to.readKeys())
  for await (const retries of retryPages(to, inForceAt)) target.retries.add(retries)
  report(source, await from.lastId(), target, await to.lastId())
}

/** Refuses a store whose keys are not those of the other one, or have been revoked in it alone. */
function checkKeys(keys: readonly KeptKey[], there: readonly KeptKey[]): void {
  const known = new Map(keys.map((key) => [hexOf(key), key]))
  for (const key of there) {
    const name = JSON.stringify(key.name)
    const same = known.get(hexOf(key))
    if (same === undefined) throw new Error(`TO holds the API key ${name}, which FROM does not; ${advice}`)
    if (key.revokedAt !== undefined && key.revokedAt.getTime() !== same.revokedAt?.getTime()) {
      throw new Error(`TO has been in use: the API key ${name} was revoked there; ${advice}`)
    }
  }
}

/** Refuses a store that holds other animals than the first of the other one; returns the id of the last that it holds. */
async function checkPets(from: BulkStore, to: BulkStore, digest: Digest<Pet>): Promise<bigint> {
  let last = 0n
  await pass('checking what is there', await to.countPets(), petPages(to, 0n), digest, async (pets) => {
    const same = await from.readPets(last, pets.length)
    for (const [index, pet] of pets.entries()) {
      const other = same[index]
      if (other === undefined || petText(other) !== petText(pet)) {
        throw new Error(`TO holds an animal with the id ${pet.id} that FROM does not; ${advice}`)
      }
      last = pet.id
    }
  })
  return last
}

/** Hands on animals that come page by page, takes them down, and shows how many of how many have come. */
async function pass(
  name: string,
  total: number,
  pages: AsyncIterable<Pet[]>,
  digest: Digest<Pet>,
  work = async (_pets: Pet[]) => {},
): Promise<void> {
  const progress = createProgress(name, total, digest.count())
  for await (const pets of pages) {
    await work(pets)
    digest.add(pets)
    progress.reach(digest.count())
  }
  progress.end()
}

function petPages(store: BulkStore, after: bigint): AsyncIterable<Pet[]> {
  return pagesOf<Pet>((last) => store.readPets(last?.id ?? after, batchSize))
}

function retryPages(store: BulkStore, inForceAt: Date): AsyncIterable<KeptRetry[]> {
  return pagesOf<KeptRetry>((after) => store.readRetries({ after, limit: batchSize, inForceAt }))
}

/** Page after page, each read by the last item of the one before it. */
async function* pagesOf<Item>(read: (last: Item | undefined) => Promise<Item[]>): AsyncGenerator<Item[]> {
  for (let page = await read(undefined); page.length > 0; page = await read(page.at(-1))) yield page
}

/** Prints what both stores hold; throws when that is not the same. */
function report(source: Content, sourceId: bigint, target: Content, targetId: bigint): void {
  const rows = [
    ['', 'FROM', 'TO'],
    ['animals', ...textsOf(source.pets, target.pets)],
    ['API keys', ...textsOf(source.keys, target.keys)],
    ['retry keys', ...textsOf(source.retries, target.retries)],
    ['last id', String(sourceId), String(targetId)],
  ] as const
  for (const [what, here, there] of rows) console.log(`${what.padEnd(12)}${here.padEnd(36)}${there}`.trimEnd())
  const same = rows.slice(1, 4).every(([, here, there]) => here === there) && targetId >= sourceId
  if (!same) throw new Error(`TO does not hold what FROM does, although all was moved; ${advice}`)
  console.log('TO holds all that FROM does. Start the service on TO, and not on FROM any more.')
}

function textsOf<Item>(...digests: [Digest<Item>, Digest<Item>]): [string, string] {
  const [source, target] = digests.map((digest) => `${digest.count()} (${digest.text().slice(0, 16)})`)
  return [source as string, target as string]
}

function hexOf({ hash }: KeptKey): string {
  return Buffer.from(hash).toString('hex')
}
