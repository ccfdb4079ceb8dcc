/**
 * Group commit: writes that arrive while a commit runs wait, and are then committed together for the price of one.
 */
import { isUnavailable } from '../errors.ts'
import { commits } from '../events.ts'

export interface GroupCommit<Item, Result> {
  /** Commits an item together with those that wait beside it; settles when that commit is done. */
  submit(item: Item): Promise<Result>
  /** Resolves when no commit is running and no item waits. */
  settled(): Promise<void>
}

interface Waiting<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Makes a group commit. `commit` stores a batch completely or not at all, and returns one result per item, in order.
 * An item that fails does not take the others of its batch with it.
 */
export function createGroupCommit<Item, Result>(
  commit: (batch: Item[]) => Promise<Result[]>,
): GroupCommit<Item, Result> {
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

  async function commitAll(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await commit(batch.map(({ item }) => item))
      commits.publish(batch.length)
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      if (batch.length > 1 && !isUnavailable(error)) await commitEach(batch)
      else for (const { reject } of batch) reject(error)
    }
  }

  /** Isolates the failing item. Once the store is out of reach, the rest fails without waiting for more timeouts. */
  async function commitEach(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    let failure: unknown
    for (const { item, resolve, reject } of batch) {
      if (isUnavailable(failure)) {
        reject(failure)
        continue
      }
      try {
        const [result] = await commit([item])
        commits.publish(1)
        resolve(result as Result)
      } catch (error) {
        failure = error
        reject(error)
      }
    }
  }

  return {
    submit: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        running ??= run()
      }),
    settled: async () => running,
  }
}
