/**
 * The store that several instances of the service share: a PostgreSQL database. The reads of one iteration of the event loop, in
 * which many requests may arrive, share a statement.
 */
import { createGroupCommit, runBatch, type Waiting } from '../batch.ts'
import { type KeyRow, type PetRow, toKey, toPet } from '../rows.ts'
import type { Pet, PetPage, Store } from '../store.ts'
import type { Query } from './connection.ts'
import { connect } from './pool.ts'
import * as sql from './statements.ts'
import { createAddOnce, createCommit } from './writes.ts'

/**
 * Opens the database at a URL. `timeoutMs` is how long a caller may wait for the server. Rejects with a StartupError.
 */
export async function openPostgres(url: string, timeoutMs: number): Promise<Store> {
  const { query, getCounts, close } = await connect(url, timeoutMs)
  const { submit, settled } = createGroupCommit(createCommit(query))
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
      find: async (hash) => (await query<KeyRow>(sql.findKey, Buffer.from(hash, 'base64url'))).map(toKey)[0],
      list: async () => (await query<KeyRow>(sql.listKeys)).map(toKey),
      revoke: async (name, at) => (await query(sql.revokeKey, name, at)).length > 0,
      touch: async (hash) => void (await query(sql.touchKey, Buffer.from(hash, 'base64url'))),
    },
    check: async () => void (await query(sql.writeNothing)),
    getConnections: getCounts,
    close: () => {
      closing ??= settled().then(close)
      return closing
    },
  }
}

/** So many share a statement at most: none waits for the rows of very many others. */
const MAX_SHARING = 16

/** Makes the function that finds an animal by its id. */
function createFind(query: Query): (id: bigint) => Promise<Pet | undefined> {
  return share(
    () => '',
    async (ids) => {
      // The server plans a statement with an array anew each time.
      const rows = await (ids.length === 1 ? query<PetRow>(sql.findPet, ids[0]) : query<PetRow>(sql.findPets, ids))
      const found = new Map(rows.map((row) => [row[0], toPet(row)]))
      return ids.map((id) => found.get(id))
    },
  )
}

/** Makes the function that reads a page. Pages of the same length and status share a statement. */
function createList(query: Query): (page: PetPage) => Promise<Pet[]> {
  return share(
    ({ limit, status }) => `${limit} ${status}`,
    async (asked) => {
      const { limit, status } = asked[0] as PetPage
      const [listOne, listAll, ...selected] =
        status === undefined ? [sql.listPets, sql.listPages] : [sql.listPetsByStatus, sql.listPagesByStatus, status]
      const starts = asked.map(({ after }) => after)
      if (asked.length === 1) return [(await query<PetRow>(listOne, starts[0], limit, ...selected)).map(toPet)]
      const pages = starts.map((): Pet[] => [])
      const rows = await query<sql.PageRow>(listAll, starts, limit, ...selected)
      for (const [place, ...row] of rows) pages[place]?.push(toPet(row))
      return pages
    },
  )
}

/** Batches reads of one iteration that have the same key. `readAll` returns one result per item, in order. */
function share<Item, Result>(
  getKey: (item: Item) => string,
  readAll: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = []

  function run(): void {
    const groups = Map.groupBy(waiting, ({ item }) => getKey(item))
    waiting = []
    for (const group of groups.values()) {
      for (let start = 0; start < group.length; start += MAX_SHARING) {
        void runBatch(group.slice(start, start + MAX_SHARING), readAll)
      }
    }
  }

  return (item) => {
    const settling = Promise.withResolvers<Result>()
    // The requests of an iteration read one after the other, before any other microtask.
    if (waiting.length === 0) queueMicrotask(run)
    waiting.push({ item, ...settling })
    return settling.promise
  }
}
