/**
 * The last step of a request: the response is completed with its headers and written to the connection, unless that is not
 * necessary (RFC 9110, section 13). An operation that declares 304 sends an ETag with its 200, and responds with 304 and no
 * body if the client has stored that response. The service itself may store it, too.
 */
import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { HttpError } from '../../errors.ts'
import { findResponse } from '../document/operations.ts'
import type { HandlerResponse, Plan, ResponsePlan } from '../plan.ts'
import { endLater } from '../turn.ts'
import type { HandlerHeaders } from './headers.ts'

/** A response with the headers that do not depend on the request, as alternating names and values. */
export interface CompleteResponse {
  readonly status: number
  readonly headers: readonly string[]
  readonly text: string | undefined
  /** Undefined if the client cannot ask whether what it has stored is still valid. */
  readonly etag?: string
}

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

/** True if `If-None-Match` names the ETag, in the weak comparison (RFC 9110, section 13.1.2). */
export function matchesETag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((each) => each.trim().replace(/^W\//, '') === etag)
}

/** Identifies a state of the data: a response is valid as long as the state is the same. Undefined if it is unknown. */
export type Revision = number | undefined

/** The memory that a cache may use, in bytes, roughly. */
const MAX_BYTES = 8 * 1024 * 1024
/** The maximum number of URLs that are remembered after one request. */
const MAX_CANDIDATES = 1000
/** The memory of an entry besides its texts, in bytes, roughly. */
const ENTRY_BYTES = 500

/** Makes a cache of responses, which are sent again as long as the data that they were made of has not changed. */
export function createResponseCache(getRevision: () => Revision) {
  const responses = new Map<string, CompleteResponse>()
  const candidates = new Set<string>()
  let current: Revision
  let bytes = 0

  function clear(): void {
    responses.clear()
    bytes = 0
  }

  return {
    /** Returns the current revision, and drops all responses that were made at another one. */
    revise: (): Revision => {
      const revision = getRevision()
      if (revision !== current) clear()
      current = revision
      return revision
    },
    get: (url: string): CompleteResponse | undefined => responses.get(url),
    /**
     * Adds a response that was made of data that was read after `revise` returned the revision. The first time, only its
     * URL is remembered: a client that walks through all pages requests each of them once.
     */
    add: (url: string, response: CompleteResponse, revision: Revision): void => {
      // Another request may have found a newer revision meanwhile.
      if (revision === undefined || revision !== current) return
      if (!candidates.delete(url)) {
        if (candidates.size >= MAX_CANDIDATES) candidates.clear()
        candidates.add(url)
        return
      }
      bytes += 2 * (url.length + String(response.text).length) + ENTRY_BYTES
      if (bytes > MAX_BYTES) clear()
      else responses.set(url, response)
    },
  }
}

/** A strong validator: equal texts with equal links have the same ETag, in practice only those (RFC 9110, section 8.8.3). */
function computeETag(text: string, link: HandlerHeaders[string]): string {
  // The text by itself: V8 joins its pieces for the hash, and has them joined when it is written.
  const digest = hash('sha1', text, 'base64url')
  return `"${link === undefined ? digest : hash('sha1', `${digest}${link}`, 'base64url')}"`
}
