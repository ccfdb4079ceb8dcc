/** Runs calls in batches, because a commit or a statement for many calls takes hardly longer than one for a single call. */
import { channel } from 'node:diagnostics_channel'
import { toError } from 'fastify-openapi-first/shared'
import { isUnavailable } from '../errors.ts'

/** The channel with the number of writes of each commit. */
export const commits = channel('animal-store:commit')

/**
 * Runs batches one at a time: items that arrive while a batch runs are the next batch. `run` returns a result, or an Error, for
 * each item, in order.
 */
export function createBatches<Item, Result>(run: (batch: readonly Item[]) => Promise<(Result | Error)[]>) {
  /** The items of the next batch, each with the promise of its result. */
  let nextBatch: { readonly item: Item; readonly call: PromiseWithResolvers<Result> }[] = []
  /** Resolves when no item is left; undefined while no batch runs. */
  let running: Promise<void> | undefined

  async function runBatches(): Promise<void> {
    while (nextBatch.length > 0) {
      const batch = nextBatch
      nextBatch = []
      // An error of the whole batch is that of each item.
      const results = await run(batch.map(({ item }) => item)).catch((error) => batch.map(() => toError(error)))
      for (const [index, { call }] of batch.entries()) {
        const result = results[index]
        if (result instanceof Error) call.reject(result)
        else call.resolve(result as Result)
      }
    }
    running = undefined
  }

  return {
    /** Adds an item to the next batch; settles with the result of the item when that batch is over. */
    submit(item: Item): Promise<Result> {
      const call = Promise.withResolvers<Result>()
      nextBatch.push({ item, call })
      // Not at once, so that items that are submitted together are one batch.
      running ??= Promise.resolve().then(runBatches)
      return call.promise
    },
    /** Resolves when the results of all items submitted before are known. */
    waitForBatches: async (): Promise<void> => running,
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
