/** Responses that are sent again while the data that they were made of is the same, and their ETags. */
import { hash } from 'node:crypto'
import type { Input } from '../request/input.ts'
import type { HandlerHeaders } from '../response/headers.ts'

/** Identifies a state of the data: a response is valid as long as the state is the same. Undefined if it is unknown. */
export type Revision = number | undefined

/** What a handler has returned, and what follows from it. */
export interface Result {
  readonly status: number
  readonly body: unknown
  /** By names in lower case. */
  readonly headers: HandlerHeaders
  /** The media type of the body, if several are declared. */
  readonly contentType?: string | undefined
  /** The body as it is sent, once it is serialized. */
  text?: string | Uint8Array | undefined
  /** The ETag of the text and the `Link` header. */
  etag?: string | undefined
}

/** A request with its result, which is valid while the data has the revision. The input is valid at any revision. */
export interface Cached {
  readonly revision: Revision
  readonly input: Input
  readonly result: Result
}

/** The memory that a cache may use, in bytes, roughly. */
const MAX_BYTES = 8 * 1024 * 1024
/** The maximum number of URLs that are remembered after one request. */
const MAX_CANDIDATES = 1000
/** The memory of an entry besides its texts, in bytes, roughly; its body takes as much as its text. */
const ENTRY_BYTES = 1000

export type ResponseCache = ReturnType<typeof createResponseCache>

/** Creates a cache of responses by URL. */
export function createResponseCache(getRevision: () => Revision) {
  const entries = new Map<string, Cached>()
  const candidates = new Set<string>()
  let current: Revision
  let bytes = 0

  function clear(): void {
    entries.clear()
    bytes = 0
  }

  return {
    /** Returns the current revision, and drops all responses that were made at another one. */
    dropStale: (): Revision => {
      const revision = getRevision()
      if (revision !== current) clear()
      current = revision
      return revision
    },
    get: (url: string): Cached | undefined => entries.get(url),
    /**
     * Adds a response that was made of data that was read after `dropStale` returned the revision. The first time, only its
     * URL is remembered: a client that walks through all pages requests each of them once.
     */
    add: (url: string, entry: Cached): void => {
      const { result, revision } = entry
      // Another request may have found a newer revision meanwhile.
      if (revision === undefined || revision !== current) return
      // A concurrent request has added the same response. To add it again would count its bytes twice.
      if (entries.has(url)) return
      if (!candidates.delete(url)) {
        if (candidates.size >= MAX_CANDIDATES) candidates.clear()
        candidates.add(url)
        return
      }
      bytes += 2 * (url.length + 2 * Number(result.text?.length)) + ENTRY_BYTES
      if (bytes > MAX_BYTES) clear()
      else entries.set(url, freeze(entry))
    },
  }
}

/** Freezes a value with all that it contains: a hook that changed it for one caller would change it for all. */
function freeze<Value>(value: Value): Value {
  // V8 freezes no views of bytes.
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value) && !ArrayBuffer.isView(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) freeze(member)
  }
  return value
}

/**
 * A strong validator: equal bodies with equal links and types have the same ETag, in practice only those (RFC 9110,
 * section 8.8.3). `type` is the media type if there are several.
 */
export function computeETag(body: string | Uint8Array, link: unknown = '', type: unknown = ''): string {
  const head = `${link}\n${type}\n`
  const data = typeof body === 'string' ? head + body : Buffer.concat([Buffer.from(head), body])
  return `"${hash('sha1', data, 'base64url')}"`
}
