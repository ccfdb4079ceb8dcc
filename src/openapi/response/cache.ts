/**
 * Responses that need not be made or sent again (RFC 9110, section 13). An operation that declares 304 sends an ETag with
 * its 200, and responds with 304 and no body if the client has stored that response. The service itself may store it, too.
 */
import { hash } from 'node:crypto'
import type { HandlerHeaders } from './headers.ts'

/** A response with the headers that do not depend on the request, as alternating names and values. */
export interface CompleteResponse {
  readonly status: number
  readonly headers: readonly string[]
  readonly text: string | undefined
  /** Undefined if the client cannot ask whether what it has stored is still valid. */
  readonly etag?: string
}

/** A strong validator: equal texts with equal links have the same ETag, and in practice only those (section 8.8.3). */
export function computeETag(text: string, link: HandlerHeaders[string]): string {
  // The text by itself: V8 joins its pieces for the hash, and has them joined when it is written.
  const digest = hash('sha1', text, 'base64url')
  return `"${link === undefined ? digest : hash('sha1', `${digest}${link}`, 'base64url')}"`
}

/** True if `If-None-Match` names the ETag, in the weak comparison (section 13.1.2). */
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
