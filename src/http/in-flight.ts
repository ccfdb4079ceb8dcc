/** The requests in flight: from their first hook until their response is made, or their stream or their client has ended. */
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { unavailable } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { isHealthCheck } from './health.ts'
import { logRequest, type RequestBegin } from './request-log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined before the request begins, and when it is no longer in flight. */
    inFlight: RequestInFlight | undefined
  }
}

interface RequestInFlight extends RequestBegin {
  /** The load of the caller, with this request; undefined until the caller is known. */
  callerLoad?: CallerLoad
}

/** The requests in flight of one caller. */
interface CallerLoad {
  readonly callerId: string
  count: number
}

/** The largest part of the requests in flight that one caller may have. Otherwise, a caller that sends slowly blocks all others. */
const MAX_CALLER_FRACTION = 0.9

export type RequestsInFlight = ReturnType<typeof createRequestsInFlight>

/** Creates the object that counts the requests in flight, rejects those that are too many (0 for no limit), and logs each at its end. */
export function createRequestsInFlight(maxInFlight: number, logger: Logger) {
  // A number and not a set of requests, so that a request which never leaves is not kept in memory.
  let count = 0
  const callerLoads = new Map<string, CallerLoad>()

  const rejectIf = (isOverloaded: boolean) =>
    isOverloaded && maxInFlight > 0 ? unavailable('the server is overloaded; try again shortly') : undefined

  /** Must be called when the response is made, and when the client disconnects. Only the first call counts. */
  function leave(request: FastifyRequest): void {
    const { inFlight } = request
    if (inFlight === undefined) return
    request.inFlight = undefined
    count--
    const { callerLoad } = inFlight
    if (callerLoad !== undefined && --callerLoad.count === 0) callerLoads.delete(callerLoad.callerId)
  }

  return {
    /** Begins a request: counts it, sends its id, and logs its line when the connection is done with it. */
    begin(request: FastifyRequest, reply: FastifyReply): void {
      const inFlight: RequestInFlight = { startedAt: performance.now(), remoteAddress: request.ip }
      request.inFlight = inFlight
      count++
      reply.header('x-request-id', request.id)
      // Fastify's `onResponse` hooks do not run for a client that has disconnected.
      reply.raw.on('close', () => {
        leave(request)
        logRequest(logger, request, reply, inFlight)
      })
    },
    /** Throws a 503 for a request above the limit, except for health checks. */
    check({ raw }: FastifyRequest): void {
      const error = rejectIf(count > maxInFlight && !isHealthCheck(raw.url))
      if (error !== undefined) throw error
    },
    /** A hook: counts the requests in flight of each caller, and rejects those above `MAX_CALLER_FRACTION` with a 503. */
    checkCallerLoad({ inFlight, openapi }: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction) {
      const caller = openapi?.caller
      if (caller === undefined || inFlight === undefined) return done()
      const load = callerLoads.get(caller.id) ?? { callerId: caller.id, count: 0 }
      if (load.count++ === 0) callerLoads.set(caller.id, load)
      inFlight.callerLoad = load
      done(rejectIf(load.count > Math.ceil(maxInFlight * MAX_CALLER_FRACTION)))
    },
    leave,
    getCount: () => count,
  }
}
