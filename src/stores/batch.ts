/** Runs writes in batches, because a commit takes hardly longer for many than for one. */
import { channel } from 'node:diagnostics_channel'
import DataLoader from 'dataloader'

/** The channel with the number of writes of each commit. */
export const commits = channel('animal-store:commit')

/**
 * Makes a group commit: writes that arrive while a commit runs wait, and are then committed together for the price of one.
 * `commit` stores a batch completely or not at all, and returns one result per item, in order.
 */
export function createGroupCommit<Item, Result>(commit: (batch: readonly Item[]) => Promise<Result[]>) {
  /** Resolves when the last commit that was begun is over. */
  let running: Promise<unknown> = Promise.resolve()

  async function commitAll(batch: readonly Item[]): Promise<Result[]> {
    const results = await commit(batch)
    commits.publish(batch.length)
    return results
  }

  const loader = new DataLoader<Item, Result>(
    (batch) => {
      const committing = commitAll(batch)
      running = committing.catch(() => {})
      return committing
    },
    { cache: false, batchScheduleFn: (begin) => void running.then(begin) },
  )

  return {
    /** Commits an item together with those that wait beside it; settles when that commit is done. */
    submit: (item: Item): Promise<Result> => loader.load(item),
    /** Resolves when everything that was submitted before is committed, or cannot be. */
    settled: async (): Promise<void> => {
      await running
      // The commit of the items that waited for that one.
      await running
    },
  }
}
