/** The waits of the tests: that they end. */
import { EventEmitter } from 'node:events'
import t from 'tap'
import { waitForEvent, waitUntil, within } from './wait.ts'

t.test('a wait in vain gives up after a minute, and says what it waited for and where', async (t) => {
  const { setTimeout } = globalThis
  const delays: number[] = []
  t.intercept(globalThis, 'setTimeout', {
    value: (callback: () => void, ms: number, ...args: []) => {
      delays.push(ms)
      return setTimeout(callback, 1, ...args)
    },
  })
  for (const [wait, what] of [
    [() => waitUntil(() => 1 > 2), 'true result of () => 1 > 2'],
    [() => waitForEvent(new EventEmitter(), 'spring'), 'event "spring" of EventEmitter'],
    [() => within(() => 'end', new Promise(() => {})), 'end'],
  ] as const) {
    const error = await wait().then(String, (error: Error) => error)
    t.match(error, { message: `after 60 s, there is no ${what}`, stack: /wait\.unit\.test\.ts:\d+/ })
  }
  t.strictSame(delays, [60_000, 60_000, 60_000])
})
