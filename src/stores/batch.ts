/** Runs calls in batches, because a commit or a statement takes hardly longer for many than for one. */
import { channel } from 'node:diagnostics_channel'
import DataLoader from 'dataloader'
import { isUnavailable, toError } from '../errors.ts'

/** The channel with the number of writes of each commit. */
export const commits = channel('animal-store:commit')

/**
 * Makes batches, one at a time: items that arrive while one runs wait, and are the next one. `run` returns a result, or an
 * Error, for each item, in order.
 */
export function createBatches<Item, Result>(run: (batch: readonly Item[]) => Promise<(Result | Error)[]>) {
  /** Resolves when the last batch that was begun is over. */
  let running: Promise<unknown> = Promise.resolve()

  const loader = new DataLoader<Item, Result>(
    (batch) => {
      const results = run(batch)
      running = results.catch(() => {})
      return results
    },
    { cache: false, batchScheduleFn: (begin) => void running.then(begin) },
  )

  return {
    /** Runs an item together with those that wait beside it; settles when that batch is over. */
    submit: (item: Item): Promise<Result> => loader.load(item),
    /** Resolves when everything that was submitted before is done, or cannot be. */
    settled: async (): Promise<void> => {
      await running
      // By now, `running` is the batch of the items that waited for that one.
      await running
    },
  }
}

/**
 * Makes a group commit: the writes of a batch share a commit. `commit` returns a result for each item, in order. If it
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
      // An item that cannot be stored does not prevent the others.
      const results: (Result | Error)[] = []
      for (const item of batch) results.push(...(await commitAll([item]).catch((reason) => [toError(reason)])))
      return results
    }
  }

  return createBatches(commitAll)
}
