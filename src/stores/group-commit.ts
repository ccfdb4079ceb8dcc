/** Group commit: writes that arrive while a commit runs wait, and are then committed together for the price of one. */
import { commits } from '../events.ts'
import { createBatchRunner, type Waiting } from './batch.ts'

/** Makes a group commit. `commit` stores a batch completely or not at all, and returns one result per item, in order. */
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
