/** The clock of what runs in the process of the test: the service, a store. */
import type { Test } from 'tap'

/** Stops `performance.now` until the test ends. The returned function lets milliseconds elapse. */
export function stopClock(t: Test): (ms: number) => void {
  // Whole, so that sums are exact.
  let now = Math.ceil(performance.now())
  t.intercept(performance, 'now', { value: () => now })
  return (ms) => {
    now += ms
  }
}
