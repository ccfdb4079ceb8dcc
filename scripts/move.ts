/**
 * Moves a catalogue from one store to another; see `help` below.
 */

import { resolve } from 'node:path'
import { isUnavailable } from '../src/errors.ts'
import type { Pet } from '../src/stores/store.ts'
import { openBulkStore } from './bulk/open.ts'
import type { ApiKeyRecord, BulkStore, IdempotencyKeyRecord } from './bulk/store.ts'
import { formatError, readArguments, runCommand, UsageError } from './lib/command.ts'
import { type Content, createContent, type Digest, formatPet } from './lib/content.ts'
import { createProgress } from './lib/progress.ts'

const batchSize = 10_000
const advice = 'name an empty store, or one that only this command has changed'

const help = `usage: npm run move -- FROM_URL TO_URL

Moves a catalogue from one store to another, of the same or another database: animals with their ids, API keys, active
idempotency keys, and the last id, so that no id is ever assigned twice.

Stop every instance of the service first, and start it on the new store when the move is done. A SQLite file that
another process has open is refused; programs that use a PostgreSQL store can read it meanwhile, but not write to
it.

If the command is interrupted, run it again: it continues where it stopped. It moves into an empty store, or into
one that contains the beginning of what is moved and nothing else; any other is refused. It does not change the
store that it moves from, except that it upgrades it as the service would.

Arguments:
  FROM_URL     the store that has the catalogue: sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE
  TO_URL       the store that it moves to; leave a password out, and put it into PGPASSWORD, to keep it to yourself

Options:
  -h, --help   prints this

Example:
  npm run move -- sqlite:data/animal-store.db postgres://animals@db.example.com/animals

Exit status: 0 both stores have the same content, 1 not possible, 2 wrong usage.`

await runCommand(async (args) => {
  const { texts } = readArguments(args, { command: 'npm run move', help, names: ['FROM_URL', 'TO_URL'] })
  const [fromUrl, toUrl] = texts
  const [fromStore, toStore] = texts.map((url) => url.replace(/^sqlite:(.*)/s, (_match, path: string) => resolve(path)))
  if (fromStore === toStore) throw new UsageError('FROM_URL and TO_URL are the same; name two stores')
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
    throw new Error(`${store}: ${formatError(error)}`)
  }
}

function failWithAdvice(error: unknown): never {
  if (!isUnavailable(error)) throw error
  throw new Error(
    `a store became unavailable (${formatError(error.cause)}); run the command again: it continues where it stopped`,
  )
}

async function move(from: BulkStore, to: BulkStore): Promise<void> {
  const activeAt = await from.now()
  const keys = await from.readKeys()
  const source = createContent()
  const target = createContent()

  checkKeys(keys, await to.readKeys())
  const last = await checkPets(from, to, source.pets)
  // Before the first animal, so that no id is assigned twice even if someone uses the store before the move is complete.
  await to.skipIds(await from.lastId())
  const total = await from.countPets()
  await pass('moving', total, readPets(from, last), source.pets, (pets) => to.writePets(pets))
  // After the last animal: a store without keys refuses every request.
  await to.writeKeys(keys)
  source.keys.add(keys)
  for await (const records of readIdempotencyKeys(from, activeAt)) {
    await to.writeIdempotencyKeys(records)
    source.idempotencyKeys.add(records)
  }
  await to.optimize()

  await pass('verifying', total, readPets(to, 0n), target.pets)
  target.keys.add(await to.readKeys())
  for await (const records of readIdempotencyKeys(to, activeAt)) target.idempotencyKeys.add(records)
  report(source, await from.lastId(), target, await to.lastId())
}

/** Refuses a store with keys that the other one does not have, or that are revoked in it alone. */
function checkKeys(keys: readonly ApiKeyRecord[], existing: readonly ApiKeyRecord[]): void {
  const known = new Map(keys.map((key) => [toHex(key), key]))
  for (const key of existing) {
    const name = JSON.stringify(key.name)
    const same = known.get(toHex(key))
    if (same === undefined) throw new Error(`TO has the API key ${name}, which FROM does not have; ${advice}`)
    if (key.revokedAt !== undefined && key.revokedAt.getTime() !== same.revokedAt?.getTime()) {
      throw new Error(`TO has been in use: the API key ${name} is revoked there; ${advice}`)
    }
  }
}

/** Refuses a store whose animals are not the first of the other one; returns the id of its last animal. */
async function checkPets(from: BulkStore, to: BulkStore, digest: Digest<Pet>): Promise<bigint> {
  let last = 0n
  await pass('checking what exists', await to.countPets(), readPets(to, 0n), digest, async (pets) => {
    const same = await from.readPets(last, pets.length)
    for (const [index, pet] of pets.entries()) {
      const other = same[index]
      if (other === undefined || formatPet(other) !== formatPet(pet)) {
        throw new Error(`TO has an animal with the id ${pet.id} that FROM does not have; ${advice}`)
      }
      last = pet.id
    }
  })
  return last
}

/** Works on animals page by page, adds them to the digest, and shows the progress. */
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
    progress.update(digest.count())
  }
  progress.end()
}

function readPets(store: BulkStore, after: bigint): AsyncIterable<Pet[]> {
  return readPages<Pet>((last) => store.readPets(last?.id ?? after, batchSize))
}

function readIdempotencyKeys(store: BulkStore, activeAt: Date): AsyncIterable<IdempotencyKeyRecord[]> {
  return readPages<IdempotencyKeyRecord>((after) => store.readIdempotencyKeys({ after, limit: batchSize, activeAt }))
}

/** Reads page after page; each begins after the last item of the one before it. */
async function* readPages<Item>(read: (last: Item | undefined) => Promise<Item[]>): AsyncGenerator<Item[]> {
  for (let page = await read(undefined); page.length > 0; page = await read(page.at(-1))) yield page
}

/** Prints the content of both stores; throws if it differs. */
function report(source: Content, sourceId: bigint, target: Content, targetId: bigint): void {
  const rows = [
    ['', 'FROM', 'TO'],
    ['animals', ...formatDigests(source.pets, target.pets)],
    ['API keys', ...formatDigests(source.keys, target.keys)],
    ['idempotency keys', ...formatDigests(source.idempotencyKeys, target.idempotencyKeys)],
    ['last id', String(sourceId), String(targetId)],
  ] as const
  for (const [what, here, there] of rows) console.log(`${what.padEnd(18)}${here.padEnd(36)}${there}`.trimEnd())
  const same = rows.slice(1, 4).every(([, here, there]) => here === there) && targetId >= sourceId
  if (!same) throw new Error(`TO differs from FROM although everything was moved; ${advice}`)
  console.log('TO has everything that FROM has. Start the service on TO, and no longer on FROM.')
}

function formatDigests<Item>(...digests: [Digest<Item>, Digest<Item>]): [string, string] {
  const [source, target] = digests.map((digest) => `${digest.count()} (${digest.text().slice(0, 16)})`)
  return [source as string, target as string]
}

function toHex({ hash }: ApiKeyRecord): string {
  return Buffer.from(hash).toString('hex')
}
