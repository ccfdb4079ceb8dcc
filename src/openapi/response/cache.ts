/**
 * A cache of responses, which are sent again as long as the data that they were made of has not changed.
 */

/** A response with the headers that do not depend on the request, as alternating names and values. */
export interface CachedResponse {
  readonly headers: readonly string[]
  readonly text: string
  readonly etag: string
}

/** Identifies a state of the data: a response is valid as long as the state is the same. Undefined if it is unknown. */
export type Revision = number | undefined

export interface ResponseCache {
  /** Returns the current revision, and drops all responses that were made at another one. */
  revise(): Revision
  get(url: string): CachedResponse | undefined
  /**
   * Adds a response that was made of data that was read after `revise` returned the revision. The first time, only its URL
   * is remembered: a client that walks through all pages requests each of them once.
   */
  add(url: string, response: CachedResponse, revision: Revision): void
}

/** The memory that a cache may use, in bytes, roughly. */
const MAX_BYTES = 8 * 1024 * 1024
/** The maximum number of URLs that are remembered after one request. */
const MAX_CANDIDATES = 1000
/** The memory of an entry besides its texts, in bytes, roughly. */
const ENTRY_BYTES = 500

export function createResponseCache(getRevision: () => Revision): ResponseCache {
  const responses = new Map<string, CachedResponse>()
  const candidates = new Set<string>()
  let current: Revision
  let bytes = 0

  function clear(): void {
    responses.clear()
    bytes = 0
  }

  return {
    revise: () => {
      const revision = getRevision()
      if (revision !== current) clear()
      current = revision
      return revision
    },
    get: (url) => responses.get(url),
    add: (url, response, revision) => {
      // Another request may have found a newer revision meanwhile.
      if (revision === undefined || revision !== current) return
      if (!candidates.delete(url)) {
        if (candidates.size >= MAX_CANDIDATES) candidates.clear()
        candidates.add(url)
        return
      }
      bytes += 2 * (url.length + response.text.length) + ENTRY_BYTES
      if (bytes > MAX_BYTES) clear()
      else responses.set(url, response)
    },
  }
}
