/**
 * One line in the log for each request.
 */
import { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'

/** For Fastify's `logController`: a request is logged when it has been answered. */
export function createRequestLog(): LogController {
  return new RequestLog()
}

/** Logs the requests whose client goes away before they are answered; the status is the one that others use for it. */
export function addAbortLog(app: FastifyInstance): void {
  app.addHook('onRequestAbort', (request, done) => {
    request.log.info({ ...lineOf(request), res: { statusCode: 499 } }, 'request aborted by the client')
    done()
  })
}

/** Logs a request that Fastify's router refused, for which Fastify logs nothing. */
export function logRefused(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info({ req: request, res: reply }, 'request')
}

class RequestLog extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(_error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const ms = Math.round(reply.elapsedTime * 1000) / 1000
    request.log.info({ ...lineOf(request), res: reply, ms }, 'request')
  }
}

function lineOf(request: FastifyRequest) {
  const { caller, routeOptions } = request
  return { req: request, operationId: routeOptions.config.operationId, key: caller?.name }
}
