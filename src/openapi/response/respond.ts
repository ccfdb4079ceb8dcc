/** The last step of a request: the response is completed with its headers and written to the connection. */
import type { FastifyReply } from 'fastify'
import type { HttpError } from '../../errors.ts'
import { findResponse } from '../document/operations.ts'
import type { HandlerResponse, Plan, ResponsePlan } from '../plan.ts'
import { endLater } from '../turn.ts'
import { type CompleteResponse, computeETag, matchesETag } from './cache.ts'
import type { HandlerHeaders } from './headers.ts'

/** Completes what the handler returned. Throws if the spec does not declare it. */
export function completeResponse(plan: Plan, { status, headers = {}, body }: HandlerResponse): CompleteResponse {
  const declared = findResponse(plan.responses, status)
  if (declared === undefined) {
    throw new Error(`${plan.operation.id} responded with the status ${status}, which is not declared`)
  }
  const text = declared.serialize?.(body)
  declared.check?.(text, headers)
  const all = mergeHeaders(declared, headers, declared.declaredHeaders)
  if (status !== 200 || plan.notModified === undefined || text === undefined) return { status, headers: all, text }
  const etag = computeETag(text, headers.Link)
  all.push('ETag', etag)
  return { status, headers: all, text, etag }
}

/** Completes an error with this body. */
export function completeError(plan: Plan, error: HttpError, body: unknown): CompleteResponse {
  const { status } = error
  const declared = findResponse(plan.responses, status) ?? plan.otherResponse
  const { serialize = JSON.stringify, check } = declared
  const text = serialize(body)
  check?.(text, {})
  return { status, headers: mergeHeaders(declared, error.headers), text }
}

/** Sends a response, or 304 if the client has stored it. `addHeaders` adds the headers that depend on the request. */
export function respond(
  reply: FastifyReply,
  plan: Plan,
  response: CompleteResponse,
  addHeaders: (reply: FastifyReply, headers: string[]) => void,
): void {
  const { etag } = response
  const isStored = etag !== undefined && matchesETag(reply.request.headers['if-none-match'], etag)
  const notModified = isStored ? plan.notModified : undefined
  const headers = notModified ? mergeHeaders(notModified, { ETag: etag }) : response.headers.slice()
  addHeaders(reply, headers)
  if (notModified) sendResponse(reply, 304, headers, undefined)
  else sendResponse(reply, response.status, headers, response.text)
}

/** Adds headers, of which `allowed` has the names, to those of the plan. All links go together (RFC 8288, section 3). */
function mergeHeaders({ headers, link }: ResponsePlan, more: HandlerHeaders, allowed: object = more): string[] {
  const merged = headers.slice()
  let links = link
  for (const name of Object.keys(more)) {
    const value = more[name]
    if (value === undefined || !Object.hasOwn(allowed, name)) continue
    if (name.toLowerCase() === 'link') links = link === undefined ? String(value) : `${value}, ${link}`
    else merged.push(name, String(value))
  }
  if (links !== undefined) merged.push('Link', links)
  return merged
}

/**
 * Sends a response; `headers` are alternating names and values, and `text` is JSON. Fastify's own `reply.send` would copy
 * the headers several times.
 */
export function sendResponse(reply: FastifyReply, status: number, headers: string[], text: string | undefined): void {
  if (text !== undefined) {
    headers.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(Buffer.byteLength(text)))
  } else if (status !== 204 && status !== 304) {
    headers.push('Content-Length', '0')
  }
  if (status >= 400) reply.request.errorBody = text
  reply.hijack()
  endLater(reply.raw.writeHead(status, headers), text)
}
