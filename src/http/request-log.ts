/**
 * One line in the log for each request, when it has been answered.
 */
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'

/** For Fastify's `logController`. */
export function createRequestLog(): LogController {
  return new RequestLog()
}

class RequestLog extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const { operationId } = request.routeOptions.config
    const ms = Math.round(reply.elapsedTime * 1000) / 1000
    const line = { req: request, res: reply, operationId, caller: request.caller?.name, ms }
    if (error) request.log.warn({ ...line, err: error }, 'request not answered')
    else request.log.info(line, 'request')
  }
}
