/**
 * Responses that are sent again from memory, as long as what they were made of proves unchanged.
 */

/** A response with the headers that do not depend on the request, names and values in turns. */
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
   * Adds a response that was made of data that was read after `revise` returned the revision. It is kept from the second
   * time on: of the pages of a long walk, each is asked for once.
   */
  add(url: string, response: CachedResponse, revision: Revision): void
}

/** The cache uses at most about as much memory. */
const MAX_BYTES = 8 * 1024 * 1024
/** How many URLs that were asked for once are remembered. */
const MAX_CANDIDATES = 1000
/** What an entry needs besides its texts, roughly. */
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
