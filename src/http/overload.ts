/**
 * Sheds load before it makes every request slow: 503, and when to come again.
 */
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HttpError } from '../errors.ts'

export interface LoadLimits {
  /** The event-loop delay above which requests are refused, in milliseconds; 0 is none. */
  readonly maxEventLoopDelay: number
  /** The number of requests in flight above which further ones are refused; 0 is none. */
  readonly maxInFlight: number
}

/** Refuses requests of the operations while there are too many of them, or the process cannot keep up. */
export async function addLoadShedding(app: FastifyInstance, limits: LoadLimits): Promise<void> {
  const { maxEventLoopDelay, maxInFlight } = limits
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
    await app.register(underPressure, {
      maxEventLoopDelay,
      sampleInterval: 250,
      pressureHandler: (request) => {
        if (isOperation(request)) throw overloaded()
      },
    })
  }
}

/** Whoever watches over an overloaded service still wants to know how it is. */
function isOperation({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.operationId !== undefined
}

function overloaded(): HttpError {
  const message = 'the service has more to do than it can; try again shortly'
  return new HttpError(503, 'service_unavailable', message, { 'Retry-After': 1 })
}
