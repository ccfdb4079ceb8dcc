/** Judges a request by its headers alone, before its body is read. */
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../document/operations.ts'
import { acceptBody, checkNoBody, type FindBodyParser } from '../request/body.ts'
import { negotiate, notAcceptable } from '../response/content.ts'
import type { Accepted, Exchange } from './exchange.ts'

/**
 * Creates the step `accept`. It takes a request with its exchange, adds `Accept` to the `Vary` of the reply if the response
 * depends on it, and returns what the headers say. It throws a 403 for a caller that lacks a scope, a 400 for a body that is
 * not declared, a 406 for a client that accepts none of the media types, and a 415 or 413 for the body.
 */
export function createAccept(
  { requestBody }: Operation,
  negotiableTypes: readonly string[],
  findBodyParser: FindBodyParser | undefined,
) {
  function acceptResponseType({ headers }: IncomingMessage, reply: FastifyReply): string {
    // RFC 9110, section 12.5.5
    reply.header('vary', [reply.getHeader('vary') ?? [], 'Accept'].flat().join(', '))
    const responseType = negotiate(negotiableTypes, headers.accept)
    if (responseType === undefined) throw notAcceptable(negotiableTypes)
    return responseType
  }

  return ({ raw }: FastifyRequest, reply: FastifyReply, { denial }: Exchange): Accepted => {
    if (denial !== undefined) throw denial
    if (requestBody === undefined) checkNoBody(raw)
    const responseType = negotiableTypes.length > 0 ? acceptResponseType(raw, reply) : undefined
    const body = requestBody && findBodyParser && acceptBody(raw, requestBody, findBodyParser)
    return { body, responseType }
  }
}
