/**
 * One operation as a Fastify route.
 */
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { BoundOperation, HandlerAnswer } from './bindings.ts'
import type { Operation, Response } from './operations.ts'
import { contentFault, undeclaredBody } from './request/content.ts'
import { inputSchemas } from './request/input.ts'
import type { Serialiser } from './response/serialiser.ts'
import { mapValues } from './schemas.ts'
import type { createUrlOf } from './urls.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation that the route serves. */
    operationId?: string
  }
  interface FastifyRequest {
    /** Who sends the request, once that is known: one caller is told from another by the id, to people by the name. */
    caller: { readonly id: string; readonly name: string } | undefined
  }
}

/**
 * The route: first who sends the request, then what is in it, then the handler. The headers of the operation's lifecycle
 * go with every answer, and those that the document states as constants with each status that has them.
 */
export function routeOf<Caller extends NonNullable<FastifyRequest['caller']>>(
  operation: BoundOperation<Caller>,
  prefix: string,
  lifecycle: Readonly<Record<string, string>>,
  urlOf: ReturnType<typeof createUrlOf>,
): RouteOptions {
  const { id, authenticate, handler, readInput, requestBody, responses, serialisers } = operation
  const constants = new Map([...responses].map(([status, response]) => [status, constantHeaders(response)]))

  return {
    method: operation.method,
    url: fastifyPath(prefix + operation.path),
    config: { operationId: id },
    schema: { ...inputSchemas(operation), response: bodySchemas(responses) },
    // Fastify would stop at the first part that is not valid; `readInput` names everything in all of them at once.
    validatorCompiler: () => () => true,
    serializerCompiler: ({ httpStatus }) => serialisers.get(Number(httpStatus)) as Serialiser,
    ...(requestBody && { bodyLimit: requestBody['x-max-bytes'] }),

    onRequest: async (request, reply) => {
      if (hasEmptySegment(request)) return reply.callNotFound()
      if (authenticate !== undefined) request.caller = await authenticate(request)
      if (operation.lifecycle !== undefined) {
        request.log.info({ operationId: id, key: request.caller?.name }, 'deprecated operation used')
      }
    },
    preParsing: (request, _reply, _payload, done) => {
      done(requestBody === undefined ? undeclaredBody(request.raw) : contentFault(request.raw))
    },
    handler: async (request, reply) => {
      const caller = request.caller as Caller | undefined
      const answer = await handler({ ...readInput(request), caller, retryWindow: operation.retryWindow, urlOf })
      return send(reply, operation, answer)
    },
    onSend: (request, reply, _payload, done) => {
      // A path without a text for its parameter is no path of the operation.
      if (hasEmptySegment(request)) return done()
      // The links of the answer and those of the operation go together (RFC 8288, section 3).
      const links = [reply.getHeader('link') ?? [], lifecycle.Link ?? []].flat()
      reply.headers(lifecycle).headers(constants.get(reply.statusCode) ?? {})
      if (links.length > 0) reply.header('Link', links.join(', '))
      done()
    },
  }
}

/** A path template in the way of Fastify's router: `/pets/:petId`. */
export function fastifyPath(template: string): string {
  return template.replaceAll(':', '::').replaceAll(/\{(\w+)\}/g, ':$1')
}

/** Whether a parameter of the path has no text: Fastify's router takes `/pets/` for `/pets/{petId}`, a client does not. */
export function hasEmptySegment({ params }: FastifyRequest): boolean {
  return Object.values(params as object).includes('')
}

function send(reply: FastifyReply, { id, responses }: Operation, answer: HandlerAnswer): FastifyReply {
  const response = responses.get(answer.status)
  if (response === undefined) throw new Error(`${id} answered with the status ${answer.status}, which is not declared`)
  reply.code(answer.status).headers(mapValues(answer.headers ?? {}, String))
  if (response.body === undefined) return reply.send()
  // Fastify would send a text as it is; as JSON it has to be serialised like everything else.
  return reply.header('content-type', 'application/json; charset=utf-8').send(reply.serialize(answer.body as object))
}

function bodySchemas(responses: ReadonlyMap<number, Response>): Record<string, unknown> {
  return Object.fromEntries(
    [...responses].flatMap(([status, { body }]) => (body === undefined ? [] : [[status, body]])),
  )
}

/** The headers of which the document allows one value alone. */
function constantHeaders({ headers }: Response): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, { schema }]) => {
      const { const: constant, enum: values = [constant] } = schema
      return values.length === 1 && values[0] !== undefined ? [[name, String(values[0])]] : []
    }),
  )
}
