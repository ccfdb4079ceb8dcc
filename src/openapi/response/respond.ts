/**
 * The last step of a request: the response is completed with its headers and written to the connection.
 */
import type { FastifyReply } from 'fastify'
import type { HttpError } from '../../errors.ts'
import type { HandlerResponse, Plan, ResponsePlan } from '../plan.ts'
import type { CachedResponse, ResponseCache, Revision } from './cache.ts'
import { computeETag, matchesETag } from './conditional.ts'
import { sendResponse } from './send.ts'

export interface Responder {
  /** Sends what the handler returned. Throws if the spec does not declare it. */
  respond(reply: FastifyReply, response: HandlerResponse, revision: Revision): void
  /** Sends the response to the same URL again, if it is cached; false if not. */
  respondFromCache(reply: FastifyReply): boolean
  /** Sends an error with this body. */
  fail(reply: FastifyReply, error: HttpError, body: unknown): void
}

/** Makes the responder of an operation. `addHeaders` adds the headers that depend on the request. */
export function createResponder<Caller>(
  { operation, findResponse, otherResponse }: Plan<Caller>,
  addHeaders: (reply: FastifyReply, headers: string[]) => void,
  cache: ResponseCache | undefined,
): Responder {
  const notModified = operation.responses.has(304) ? findResponse(304) : undefined

  function send(reply: FastifyReply, status: number, headers: string[], text: string | undefined): void {
    addHeaders(reply, headers)
    sendResponse(reply, status, headers, text)
  }

  /** Sends a response with an ETag, or 304 if the client has stored it. */
  function sendConditionally(reply: FastifyReply, plan: ResponsePlan, { headers, text, etag }: CachedResponse): void {
    if (matchesETag(reply.request.headers['if-none-match'], etag)) {
      send(reply, 304, mergeHeaders(plan, { ETag: etag }), undefined)
    } else {
      send(reply, 200, headers.slice(), text)
    }
  }

  return {
    respond: (reply, { status, headers: given = {}, body }, revision) => {
      const plan = findResponse(status)
      if (plan === undefined) {
        throw new Error(`${operation.id} responded with the status ${status}, which is not declared`)
      }
      const text = plan.serialize?.(body)
      const headers = plan.selectHeaders(given)
      if (status !== 200 || notModified === undefined || text === undefined) {
        send(reply, status, mergeHeaders(plan, headers), text)
        return
      }
      const etag = computeETag(text, headers.Link as string | undefined)
      const response = { headers: [...mergeHeaders(plan, headers), 'ETag', etag], text, etag }
      cache?.add(String(reply.request.raw.url), response, revision)
      sendConditionally(reply, notModified, response)
    },

    respondFromCache: (reply) => {
      const response = cache?.get(String(reply.request.raw.url))
      if (response === undefined || notModified === undefined) return false
      sendConditionally(reply, notModified, response)
      return true
    },

    fail: (reply, error, body) => {
      const plan = findResponse(error.status) ?? otherResponse
      const { serialize = JSON.stringify } = plan
      send(reply, error.status, mergeHeaders(plan, error.headers), serialize(body))
    },
  }
}

/** Adds headers to those of the plan. The links of both go together (RFC 8288, section 3). */
function mergeHeaders({ headers, link }: ResponsePlan, more: NonNullable<HandlerResponse['headers']>): string[] {
  const merged = headers.slice()
  let links = link
  for (const name of Object.keys(more)) {
    const value = more[name]
    if (value === undefined) continue
    if (name.toLowerCase() === 'link') links = link === undefined ? String(value) : `${value}, ${link}`
    else merged.push(name, String(value))
  }
  if (links !== undefined) merged.push('Link', links)
  return merged
}
