/** Waits of the tests. Each one gives up after a minute or, for commands, after five; and says what it waited for. */
import { type EventEmitter, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** The longest wait, in milliseconds: longer than a step of a test takes on a busy machine. */
export const TIMEOUT_MS = 60_000
/** The same for the end of a command: compilers and installations take longer, while other tests run. */
export const COMMAND_TIMEOUT_MS = 5 * TIMEOUT_MS

const EXPIRED = Symbol('expired')

/**
 * Resolves or rejects as the promise does, and rejects if that takes longer, by default, than a minute. `what` completes the sentence
 * "there is no …"; a function is called after that time, so that its text can say what there is instead.
 */
export async function within<Value>(
  what: string | (() => string),
  promise: Promise<Value>,
  timeoutMs = TIMEOUT_MS,
): Promise<Value> {
  const { promise: expired, resolve } = Promise.withResolvers<typeof EXPIRED>()
  const timer = setTimeout(resolve, timeoutMs, EXPIRED)
  try {
    const result = await Promise.race([promise, expired])
    if (result !== EXPIRED) return result
  } finally {
    clearTimeout(timer)
  }
  // Thrown here and not by the timer, so that the stack has the line of the test.
  throw new Error(`after ${timeoutMs / 1000} s, there is no ${typeof what === 'string' ? what : what()}`)
}

/** Resolves with the arguments of the next event of this name. Rejects with an `error` event, or after a minute. */
export async function waitForEvent(emitter: EventEmitter, event: string) {
  return await within(`event "${event}" of ${emitter.constructor.name}`, once(emitter, event))
}

/**
 * Resolves with the result of `look` as soon as that is truthy. Rejects if `look` throws or rejects, or after a minute,
 * with the source text of `look`.
 */
export async function waitUntil<Value>(look: () => Value | Promise<Value>): Promise<NonNullable<Value>> {
  let isOver = false
  async function poll(): Promise<NonNullable<Value>> {
    for (;;) {
      const value = await look()
      if (value || isOver) return value as NonNullable<Value>
      await sleep(10)
    }
  }
  try {
    return await within(`true result of ${look}`, poll())
  } finally {
    isOver = true
  }
}
