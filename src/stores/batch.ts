/** Runs calls in batches, for work that takes hardly longer for many than for one. */
import { channel } from 'node:diagnostics_channel'

/** The channel with the number of writes of each commit. */
export const commits = channel('animal-store:commit')

/** A call that waits for its result. */
export interface Waiting<Item, Result> extends PromiseWithResolvers<Result> {
  readonly item: Item
}

/**
 * Does the work of a batch and settles its calls. `work` succeeds for all items or for none, and resolves with one result per
 * item, in order.
 */
export async function runBatch<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  work: (items: Item[]) => Promise<readonly Result[]>,
): Promise<void> {
  try {
    const results = await work(batch.map(({ item }) => item))
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

/**
 * Makes a group commit: writes that arrive while a commit runs wait, and are then committed together for the price of one.
 * `commit` stores a batch completely or not at all, and returns one result per item, in order.
 */
export function createGroupCommit<Item, Result>(commit: (batch: Item[]) => Promise<Result[]>) {
  let waiting: Waiting<Item, Result>[] = []
  let running: Promise<void> | undefined

  async function commitAll(items: Item[]): Promise<Result[]> {
    const results = await commit(items)
    commits.publish(items.length)
    return results
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      await runBatch(batch, commitAll)
    }
    running = undefined
  }

  return {
    /** Commits an item together with those that wait beside it; settles when that commit is done. */
    submit: (item: Item): Promise<Result> => {
      const settling = Promise.withResolvers<Result>()
      waiting.push({ item, ...settling })
      running ??= run()
      return settling.promise
    },
    /** Resolves when no commit is running and no item waits. */
    settled: async () => running,
  }
}
