/**
 * A load balancer, as far as the clients of several instances need one.
 */
import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'
import { send } from '../helpers/http.ts'
import { waitUntil } from '../helpers/wait.ts'

/** How often instances are asked how they are, and for how long what they say is believed, in milliseconds. */
const interval = 50
const validity = 500

export interface Balancer {
  /** Asks an instance for its health from now on, until the test is over; resolves when it is to be used. */
  add(origin: string): Promise<void>
  /** Returns the ready instances in rotation; waits while there is none. */
  next(): Promise<string>
}

export function createBalancer(t: Test): Balancer {
  const healthy = new Map<string, number>()
  let over = false
  t.teardown(() => {
    over = true
  })

  async function watch(origin: string): Promise<void> {
    while (!over) {
      const asked = performance.now()
      const isHealthy = await send(origin, 'GET', '/health').then(
        ({ status }) => status === 200,
        () => false,
      )
      if (isHealthy) healthy.set(origin, asked)
      else healthy.delete(origin)
      await setTimeout(interval)
    }
  }

  const usable = () =>
    [...healthy].filter(([, asked]) => performance.now() - asked < validity).map(([origin]) => origin)
  let turn = 0
  return {
    add: async (origin) => {
      void watch(origin)
      await waitUntil(() => healthy.has(origin))
    },
    next: () =>
      waitUntil(() => {
        const origins = usable()
        return origins[turn++ % origins.length]
      }),
  }
}
