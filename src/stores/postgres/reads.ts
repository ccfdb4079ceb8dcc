/** Reads that share a statement: those of one turn of the event loop, in which many requests may arrive. */
import { type PetRow, toPet } from '../rows.ts'
import type { Pet, PetPage } from '../store.ts'
import * as sql from './statements.ts'

/** So many share a statement at most: none waits for the rows of very many others. */
const MAX_SHARING = 16

interface Waiting<Item, Result> extends PromiseWithResolvers<Result> {
  readonly item: Item
}

/** Makes the function that finds an animal by its id. */
export function createFind(query: sql.Query): (id: bigint) => Promise<Pet | undefined> {
  return share(async (ids) => {
    const rows = await query<PetRow>(sql.findPets, ids)
    const found = new Map(rows.map((row) => [row[0], toPet(row)]))
    return ids.map((id) => found.get(id))
  })
}

/** Makes the function that reads a page of the animals that have a status. */
export function createListByStatus(query: sql.Query): (page: Required<PetPage>) => Promise<Pet[]> {
  return share(async (asked) => {
    const columns = [
      asked.map(({ after }) => after),
      asked.map(({ limit }) => limit),
      asked.map(({ status }) => status),
    ]
    const rows = await query<sql.PageRow>(sql.listPages, ...columns)
    const pages = asked.map((): Pet[] => [])
    for (const [id, name, categoryId, status, place] of rows) pages[place]?.push({ id, name, categoryId, status })
    return pages
  })
}

/** Makes a read that shares a statement with others. `readAll` returns one result per item, in order. */
function share<Item, Result>(readAll: (items: readonly Item[]) => Promise<readonly Result[]>) {
  let waiting: Waiting<Item, Result>[] = []

  async function run(): Promise<void> {
    const batch = waiting
    waiting = []
    // A batch that was full did not wait for the end of the turn.
    if (batch.length === 0) return
    try {
      const results = await readAll(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (item: Item): Promise<Result> => {
    const settling = Promise.withResolvers<Result>()
    if (waiting.length === 0) setImmediate(run)
    waiting.push({ item, ...settling })
    if (waiting.length === MAX_SHARING) void run()
    return settling.promise
  }
}
