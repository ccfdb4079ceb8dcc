/** Group commit: writes that arrive while a commit runs wait, and are then committed together for the price of one. */
import { isUnavailable } from '../errors.ts'
import { commits } from '../events.ts'

interface Waiting<Item, Result> extends PromiseWithResolvers<Result> {
  readonly item: Item
}

/**
 * Makes a group commit. `commit` stores a batch completely or not at all, and returns one result per item, in order.
 * An item that fails does not take the others of its batch with it.
 */
export function createGroupCommit<Item, Result>(commit: (batch: Item[]) => Promise<Result[]>) {
  let waiting: Waiting<Item, Result>[] = []
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      await commitAll(batch)
    }
    running = undefined
  }

  /** Resolves with the error of the last commit, if it has failed. */
  async function commitAll(batch: readonly Waiting<Item, Result>[]): Promise<unknown> {
    try {
      const results = await commit(batch.map(({ item }) => item))
      commits.publish(batch.length)
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
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
      else failure = await commitAll([each])
    }
    return failure
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
