/** Moves a catalogue from one store to another; see `help` below. */
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isUnavailable } from '../src/errors.ts'
import { openBulkStore } from './bulk/open.ts'
import type { BulkStore, Row, TableName } from './bulk/store.ts'
import { formatError, readArguments, runCommand, UsageError } from './lib/command.ts'

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
  const now = (await from.now()).getTime()
  const keys = await from.read('keys')
  checkKeys(keys, await to.read('keys'))
  const last = await checkPets('checking what exists', from, to)
  // Before the first animal, so that no id is assigned twice even if someone uses the store before the move is complete.
  await to.skipIds(await from.lastId())
  console.error(`moving: ${await from.count('pets')} animals, ${keys.length} API keys`)
  for await (const pets of readPages(from, 'pets', last)) await to.write('pets', pets)
  // After the last animal: a store without keys rejects every request.
  await to.write('keys', keys)
  for await (const rows of readPages(from, 'idempotency_keys')) {
    const active = rows.filter(([, , , , expiresAt]) => Number(expiresAt) > now)
    await to.write('idempotency_keys', active)
  }
  await to.optimize()
  await checkPets('verifying', from, to)
  const readTotals = async (store: typeof from) => [
    await store.count('pets'),
    await store.count('keys'),
    await store.lastId(),
  ]
  if (!isDeepStrictEqual(await readTotals(from), await readTotals(to))) {
    throw new Error(`TO differs from FROM although everything was moved; ${advice}`)
  }
  console.log('TO has everything that FROM has. Start the service on TO, and no longer on FROM.')
}

/** Refuses a store with keys that the other one does not have, or that are revoked in it alone. */
function checkKeys(keys: readonly Row[], existing: readonly Row[]): void {
  const known = new Map(keys.map((key) => [formatRow(key.slice(0, 1)), key]))
  for (const key of existing) {
    const [name, revokedAt] = [JSON.stringify(key[1]), key[3]]
    const same = known.get(formatRow(key.slice(0, 1)))
    if (same === undefined) throw new Error(`TO has the API key ${name}, which FROM does not have; ${advice}`)
    if (revokedAt !== null && revokedAt !== same[3]) {
      throw new Error(`TO has been in use: the API key ${name} is revoked there; ${advice}`)
    }
  }
}

/** Refuses a store whose animals are not the first of the other one; returns the last of them. */
async function checkPets(title: string, from: BulkStore, to: BulkStore): Promise<Row | undefined> {
  console.error(`${title}: ${await to.count('pets')} animals`)
  let last: Row | undefined
  for await (const pets of readPages(to, 'pets')) {
    const same = await from.read('pets', { after: last, limit: pets.length })
    const wrong = pets.find((pet, index) => formatRow(pet) !== formatRow(same[index] ?? []))
    if (wrong) throw new Error(`TO has an animal with the id ${wrong[0]} that FROM does not have; ${advice}`)
    last = pets.at(-1)
  }
  return last
}

/** Reads page after page; each begins after the last row of the one before it. */
async function* readPages(store: BulkStore, table: TableName, last?: Row): AsyncGenerator<Row[]> {
  for (let after = last; ; ) {
    const page = await store.read(table, { after, limit: batchSize })
    if (page.length === 0) return
    yield page
    after = page.at(-1)
  }
}

/** Formats a row completely. */
function formatRow(row: Row): string {
  return JSON.stringify(
    row.map((value) => {
      if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
      return typeof value === 'bigint' ? String(value) : value
    }),
  )
}
