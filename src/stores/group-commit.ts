/**
 * Group commit: what arrives while a commit runs waits, and is then committed together, at the price of one.
 */

export interface GroupCommit<Item, Result> {
  /** Commits the item with those that wait beside it; settles when that commit is done. */
  submit(item: Item): Promise<Result>
  /** Resolves when nothing is under way. */
  settled(): Promise<void>
}

/** `commit` gives a result for each item of a batch, in order; when it rejects, so does every item of the batch. */
export function createGroupCommit<Item, Result>(
  commit: (batch: Item[]) => Promise<Result[]>,
): GroupCommit<Item, Result> {
  let waiting: { item: Item; resolve(result: Result | PromiseLike<Result>): void }[] = []
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      const results = commit(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results.then((all) => all[index] as Result))
      await results.catch(() => {})
    }
    running = undefined
  }

  return {
    submit: (item) =>
      new Promise((resolve) => {
        waiting.push({ item, resolve })
        running ??= run()
      }),
    settled: async () => running,
  }
}
