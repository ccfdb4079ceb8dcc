/** Runs calls in batches, because a commit or a statement for many calls takes hardly longer than one for a single call. */
import { channel } from 'node:diagnostics_channel'
import DataLoader from 'dataloader'
import { toError } from 'fastify-openapi-first/shared'
import { isUnavailable } from '../errors.ts'

/** The channel with the number of writes of each commit. */
export const commits = channel('animal-store:commit')

/**
 * Runs batches one at a time: items that arrive while a batch runs are the next batch. `run` returns a result, or an Error, for
 * each item, in order.
 */
export function createBatches<Item, Result>(run: (batch: readonly Item[]) => Promise<(Result | Error)[]>) {
  /** Resolves when the batch that began last is over. */
  let lastBatch: Promise<unknown> = Promise.resolve()

  const loader = new DataLoader<Item, Result>(
    (batch) => {
      const results = run(batch)
      lastBatch = results.catch(() => {})
      return results
    },
    { cache: false, batchScheduleFn: (begin) => void lastBatch.then(begin) },
  )

  return {
    /** Adds an item to the next batch; settles with the result of the item when that batch is over. */
    submit: (item: Item): Promise<Result> => loader.load(item),
    /** Resolves when the results of all items submitted before are known. */
    waitForBatches: async (): Promise<void> => {
      // The batch that runs.
      await lastBatch
      // The batch that has begun since, with all items that waited.
      await lastBatch
    },
  }
}

/**
 * Creates a group commit: the writes of a batch share a commit. `commit` returns a result for each item, in order. If it
 * rejects with anything but a 503, nothing of the batch is stored.
 */
export function createGroupCommit<Item, Result>(commit: (batch: readonly Item[]) => Promise<Result[]>) {
  async function commitAll(batch: readonly Item[]): Promise<(Result | Error)[]> {
    try {
      const results = await commit(batch)
      commits.publish(batch.length)
      return results
    } catch (error) {
      if (batch.length === 1 || isUnavailable(error)) throw error
      // Commits each item alone, so that an item that cannot be stored does not prevent the others.
      const results: (Result | Error)[] = []
      for (const item of batch) results.push(...(await commitAll([item]).catch((reason) => [toError(reason)])))
      return results
    }
  }

  return createBatches(commitAll)
}
