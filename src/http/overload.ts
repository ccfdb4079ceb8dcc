/**
 * Sheds load before it makes every request slow: 503, and when to come again.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type HttpError, unavailable } from '../errors.ts'

export interface LoadLimits {
  /** The event-loop delay above which requests are refused, in milliseconds; 0 is none. */
  readonly maxEventLoopDelay: number
  /** The number of requests in flight above which further ones are refused; 0 is none. */
  readonly maxInFlight: number
}

/** How often the event-loop delay is measured, in milliseconds, and thus how long a refusal lasts at least. */
const SAMPLE = 250

/** Refuses requests of the operations while there are too many of them, or the process cannot keep up. */
export function addLoadShedding(app: FastifyInstance, { maxEventLoopDelay, maxInFlight }: LoadLimits): void {
  if (maxInFlight > 0) {
    let inFlight = 0
    app.addHook('onRequest', (request, reply, done) => {
      if (!isOperation(request)) return done()
      inFlight++
      // Unlike the hooks of Fastify, this happens also when the client has gone away.
      reply.raw.once('close', () => inFlight--)
      done(inFlight > maxInFlight ? overloaded() : undefined)
    })
  }
  if (maxEventLoopDelay > 0) {
    const delay = measureDelay(app)
    app.addHook('onRequest', (request, _reply, done) => {
      done(isOperation(request) && delay() > maxEventLoopDelay ? overloaded() : undefined)
    })
  }
}

/** By how many milliseconds the event loop was late when it was last looked at; a start that takes long does not count. */
function measureDelay(app: FastifyInstance): () => number {
  let delay = 0
  let timer: NodeJS.Timeout | undefined
  app.addHook('onListen', (done) => {
    let due = performance.now() + SAMPLE
    timer = setInterval(() => {
      const now = performance.now()
      delay = now - due
      due = now + SAMPLE
    }, SAMPLE).unref()
    done()
  })
  app.addHook('onClose', async () => clearInterval(timer))
  return () => delay
}

/** Whoever watches over an overloaded service still wants to know how it is. */
function isOperation({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.operationId !== undefined
}

function overloaded(): HttpError {
  return unavailable('the service has more to do than it can; try again shortly')
}
