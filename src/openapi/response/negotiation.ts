/** Proactive negotiation (RFC 9110, section 12.1): which of several media types a client gets. */
import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'
import Negotiator from 'negotiator'
import { isRange } from '../document/content.ts'
import type { Operation } from '../document/operations.ts'
import { HttpError } from '../shared/errors.ts'
import { addToList } from './headers.ts'

/** Finds the media types among which a client may choose: those of the successes; [] if they have only one. */
export function findNegotiated({ responses }: Operation): string[] {
  const successes = [...responses].filter(([key]) => /^2/.test(String(key)))
  const defaults = [...responses].filter(([key]) => key === 'default')
  const content = (successes.length > 0 ? successes : defaults).flatMap(([, response]) => response.content)
  const types = [...new Set(content.map(({ type }) => type))]
  // Of a range, it is not known which types the handler can return.
  return types.length < 2 || types.some(isRange) ? [] : types
}

/**
 * Returns the media type that a client prefers, and adds `Accept` to the `Vary` of the reply. Throws a 406 if the client accepts none
 * of them (RFC 9110, sections 12.5.1 and 12.5.5).
 */
export function negotiate(types: readonly string[], { headers }: IncomingMessage, reply: FastifyReply): string {
  addToList(reply, 'vary', 'Accept')
  // All texts are in UTF-8, so a client that asks for it accepts them.
  const accept = headers.accept?.replaceAll(/;[ \t]*charset="?utf-8"?(?=[ \t]*[;,]|[ \t]*$)/gi, '') || undefined
  const type = new Negotiator({ headers: { accept } }).mediaType(types)
  if (type !== undefined) return type
  throw new HttpError(406, 'not_acceptable', `this operation responds with one of: ${types.join(', ')}`)
}
