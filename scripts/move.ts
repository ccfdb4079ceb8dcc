/** Moves a catalogue from one store to another; see `help` below. */
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { formatError, readArguments, runCommand, UsageError } from '../src/command.ts'
import { openBulkStore } from './bulk/open.ts'
import { type BulkStore, type Row, type TableName, tables } from './bulk/store.ts'

const help = `usage: npm run move -- FROM_URL TO_URL

Moves a catalogue from one store to another, of the same or another database: animals with their ids, API keys,
idempotency keys, and the last id, so that no id is ever assigned twice.

Stop every instance of the service first, and start it on the new store when the move is done. A SQLite file that
another process has open is refused; programs that use a PostgreSQL store can read it meanwhile, but not write to
it.

It moves into an empty store, in one transaction: if the command is interrupted, that store is either complete, or
still empty, and the command can be run again. It does not change the store that it moves from, except that it
upgrades it as the service would.

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
  await using from = await openBulkStore(fromUrl, { mustExist: true }).catch(failAs('FROM'))
  await using to = await openBulkStore(toUrl).catch(failAs('TO'))
  if (await isEmpty(from)) throw new Error('FROM is empty; name the store that has the catalogue')
  if (!(await isEmpty(to))) throw new Error('TO is not empty; name an empty store')
  const animals = await copy(from, to, 'pets')
  const keys = await copy(from, to, 'keys')
  await copy(from, to, 'idempotency_keys')
  await to.commit(await from.lastId())
  console.error(`moved: ${animals} animals, ${keys} API keys`)
  console.log('TO has everything that FROM has. Start the service on TO, and no longer on FROM.')
})

function failAs(store: string): (error: unknown) => never {
  return (error) => {
    throw new Error(`${store}: ${formatError(error)}`)
  }
}

/**
 * True if no table of a store has a row. The last id does not count: PostgreSQL keeps the one that an interrupted move has set,
 * because its sequences are not part of a transaction.
 */
async function isEmpty(store: BulkStore): Promise<boolean> {
  for (const table of Object.keys(tables) as TableName[]) {
    if ((await store.read(table)).length > 0) return false
  }
  return true
}

/** Copies a table page by page, and reads back what was written. Returns the number of rows. */
async function copy(from: BulkStore, to: BulkStore, table: TableName): Promise<number> {
  let [count, last]: [number, Row | undefined] = [0, undefined]
  for (;;) {
    const rows = await from.read(table, last)
    if (rows.length === 0) return count
    await to.write(table, rows)
    if (!isDeepStrictEqual(await to.read(table, last), rows)) {
      throw new Error(`TO does not store ${table} as they are in FROM; look for triggers and rules in TO`)
    }
    count += rows.length
    last = rows.at(-1)
  }
}
