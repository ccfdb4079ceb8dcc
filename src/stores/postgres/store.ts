/**
 * The store that several instances of the service share: a PostgreSQL database. The reads of one iteration of the event loop, in
 * which many requests may arrive, share a statement.
 */
import DataLoader from 'dataloader'
import { createBatches, createGroupCommit } from '../batch.ts'
import type { UpgradeOptions } from '../migrations.ts'
import { type KeyRow, type PetRow, toPet } from '../rows.ts'
import type { KeyHash, Pet, PetPage, Store, StoredKey } from '../store.ts'
import { connect, type Query } from './connection.ts'
import * as sql from './statements.ts'
import { createAddOnce, createCommit } from './writes.ts'

/** Opens the database at a URL. Rejects with a StartupError. */
export async function openPostgres(url: string, upgrade: UpgradeOptions): Promise<Store> {
  const { query, getCounts, close } = await connect(url, upgrade)
  const { submit, waitForBatches } = createGroupCommit(createCommit(query))
  let closing: Promise<void> | undefined

  return {
    pets: {
      // Without an idempotency key, an animal is always added.
      add: async (pet) => (await submit({ pet })) as Pet,
      addOnce: createAddOnce(query, submit),
      find: createFind(query),
      revision: () => undefined,
      list: createList(query),
    },
    keys: {
      now: async () => ((await query<[Date]>(sql.readClock))[0] as [Date])[0],
      add: async (name, hash, { expiresAt, scopes } = {}) => {
        await query(sql.releaseKeyName, name)
        return (await query(sql.addKey, name, Buffer.from(hash, 'base64url'), expiresAt, scopes)).length > 0
      },
      find: createFindKey(query),
      list: async () => (await query<PostgresKeyRow>(sql.listKeys)).map(toStoredKey),
      revoke: async (name, at) => (await query(sql.revokeKey, name, at)).length > 0,
    },
    check: async () => void (await query(sql.writeNothing)),
    getConnections: getCounts,
    close: () => {
      closing ??= waitForBatches().then(close)
      return closing
    },
  }
}

/** The package pg has a Date for a time, and an array for the scopes. */
type PostgresKeyRow = KeyRow<Date, readonly string[]>

function toStoredKey([name, createdAt, revokedAt, expiresAt, scopes]: PostgresKeyRow): StoredKey {
  return {
    name,
    createdAt,
    revokedAt: revokedAt ?? undefined,
    expiresAt: expiresAt ?? undefined,
    scopes: scopes ?? undefined,
  }
}

/** At most 16 reads share a statement, so that no read waits for the rows of many others. */
const loaderOptions = { cache: false, maxBatchSize: 16 }

/** Creates the function that finds an animal by its id. */
function createFind(query: Query): (id: bigint) => Promise<Pet | undefined> {
  const loader = new DataLoader<bigint, Pet | undefined>(async (ids) => {
    const rows = await query<PetRow>(sql.findPets, ids)
    const pets = new Map(rows.map((row) => [row[0], toPet(row)]))
    return ids.map((id) => pets.get(id))
  }, loaderOptions)
  return (id) => loader.load(id)
}

/**
 * Creates the function that finds an active key. One statement at a time looks up all keys of the requests that wait, so that
 * clients with wrong keys occupy one connection, however many they are.
 */
function createFindKey(query: Query): (hash: KeyHash) => Promise<StoredKey | undefined> {
  const { submit } = createBatches(async (hashes: readonly KeyHash[]) => {
    const rows = await query<[hash: Buffer, ...PostgresKeyRow]>(
      sql.findKeys,
      hashes.map((hash) => Buffer.from(hash, 'base64url')),
    )
    const keys = new Map(rows.map(([hash, ...row]) => [hash.toString('base64url'), toStoredKey(row)]))
    return hashes.map((hash) => keys.get(hash))
  })
  return submit
}

/** Creates the function that reads a page. */
function createList(query: Query): (page: PetPage) => Promise<Pet[]> {
  const anyStatus = createPageLoader(query, ['after', 'limit'], sql.listPets, sql.listPages)
  const byStatus = createPageLoader(query, ['after', 'limit', 'status'], sql.listPetsByStatus, sql.listPagesByStatus)
  return (page) => (page.status === undefined ? anyStatus : byStatus).load(page)
}

/**
 * Creates a loader of pages. `names` are the members of a request that the statements need: `listOne` has a parameter for each, and
 * `listMany` an array for each, with the values of all requests.
 */
function createPageLoader(query: Query, names: (keyof PetPage)[], listOne: sql.Statement, listMany: sql.Statement) {
  return new DataLoader<PetPage, Pet[]>(async (requests) => {
    const [request] = requests
    if (request !== undefined && requests.length === 1) {
      return [(await query<PetRow>(listOne, ...names.map((name) => request[name]))).map(toPet)]
    }
    const pages = requests.map((): Pet[] => [])
    const rows = await query<sql.PageRow>(listMany, ...names.map((name) => requests.map((page) => page[name])))
    for (const [index, ...row] of rows) pages[index]?.push(toPet(row))
    return pages
  }, loaderOptions)
}
