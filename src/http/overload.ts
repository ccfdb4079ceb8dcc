/**
 * Overload protection: refuses requests before overload makes every request slow.
 */
import type { FastifyInstance } from 'fastify'
import { unavailable } from '../errors.ts'

export interface LoadLimits {
  /** The event-loop delay above which requests are refused, in milliseconds; 0 is no limit. */
  readonly maxEventLoopDelay: number
  /** The number of requests in flight above which further ones are refused; 0 is no limit. */
  readonly maxInFlight: number
}

export interface OverloadGuard {
  /** Counts a request that begins; throws a 503 if it is one too many, or the event loop is late. */
  enter(): void
  /** Counts a request that ends. */
  leave(): void
}

/** How often the event-loop delay is measured, in milliseconds: a refusal lasts at least as long. */
const SAMPLE_MS = 250

export function createOverloadGuard(
  app: FastifyInstance,
  { maxEventLoopDelay, maxInFlight }: LoadLimits,
): OverloadGuard {
  const getDelay = maxEventLoopDelay > 0 ? measureEventLoopDelay(app) : () => 0
  let inFlight = 0
  return {
    enter: () => {
      inFlight++
      const isOverloaded = (maxInFlight > 0 && inFlight > maxInFlight) || getDelay() > maxEventLoopDelay
      if (isOverloaded) throw unavailable('the server is overloaded; try again shortly')
    },
    leave: () => {
      inFlight--
    },
  }
}

/** Returns how late the event loop was when it was last measured, in milliseconds. A slow start does not count. */
function measureEventLoopDelay(app: FastifyInstance): () => number {
  let delay = 0
  let timer: NodeJS.Timeout | undefined
  app.addHook('onListen', (done) => {
    let due = performance.now() + SAMPLE_MS
    timer = setInterval(() => {
      const now = performance.now()
      delay = now - due
      due = now + SAMPLE_MS
    }, SAMPLE_MS).unref()
    done()
  })
  app.addHook('onClose', async () => clearInterval(timer))
  return () => delay
}
