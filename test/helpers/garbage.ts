/** The memory of the test's own process. */
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects what nothing refers to any more; a `WeakRef` keeps its target until the current job is over. */
export async function collectGarbage(): Promise<void> {
  await setImmediate()
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}
