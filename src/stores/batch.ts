/** Runs calls in batches, for work that takes hardly longer for many than for one. */
import { isUnavailable } from '../errors.ts'

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
