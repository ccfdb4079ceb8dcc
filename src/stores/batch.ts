/** Runs calls in batches, for work that takes hardly longer for many than for one. */
import { channel } from 'node:diagnostics_channel'
import { isUnavailable } from '../errors.ts'

/** The channel with the number of writes of each commit. */
export const commits = channel('animal-store:commit')

/** A call that waits for its result. */
export interface Waiting<Item, Result> extends PromiseWithResolvers<Result> {
  readonly item: Item
}

/**
 * Makes the function that does the work of a batch and settles its calls. `work` succeeds for all items or for none, and
 * returns one result per item, in order. An item that fails does not fail the others of its batch. The function
 * resolves with the error of the last attempt, if that has failed.
 */
export function createBatchRunner<Item, Result>(work: (items: Item[]) => Promise<readonly Result[]>) {
  return async function run(batch: readonly Waiting<Item, Result>[]): Promise<unknown> {
    try {
      const results = await work(batch.map(({ item }) => item))
      for (const [index, result] of results.entries()) batch[index]?.resolve(result)
      for (const { reject } of batch.slice(results.length)) reject(new Error('the store returned no result'))
      return undefined
    } catch (error) {
      if (batch.length === 1 || isUnavailable(error)) {
        for (const { reject } of batch) reject(error)
        return error
      }
    }
    // Isolates the failing item. Once the store is out of reach, the rest fails without waiting for more timeouts.
    let failure: unknown
    for (const each of batch) {
      if (isUnavailable(failure)) each.reject(failure)
      else failure = await run([each])
    }
    return failure
  }
}

/**
 * Makes a group commit: writes that arrive while a commit runs wait, and are then committed together for the price of one.
 * `commit` stores a batch completely or not at all, and returns one result per item, in order.
 */
export function createGroupCommit<Item, Result>(commit: (batch: Item[]) => Promise<Result[]>) {
  let waiting: Waiting<Item, Result>[] = []
  let running: Promise<void> | undefined

  const commitAll = createBatchRunner(async (batch: Item[]) => {
    const results = await commit(batch)
    commits.publish(batch.length)
    return results
  })

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      await commitAll(batch)
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
