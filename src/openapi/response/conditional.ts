/**
 * Conditional requests (RFC 9110, section 13). An operation that declares 304 sends an ETag with its 200, and responds with
 * 304 and no body if the client has stored that response.
 */
import { hash } from 'node:crypto'

/** A strong validator: equal texts with equal links have the same ETag, and in practice only those (section 8.8.3). */
export function computeETag(text: string, link: string | undefined): string {
  // The text by itself: V8 joins its pieces for the hash, and has them joined when it is written.
  const digest = hash('sha1', text, 'base64url')
  return `"${link === undefined ? digest : hash('sha1', digest + link, 'base64url')}"`
}

/** True if `If-None-Match` names the ETag, in the weak comparison (section 13.1.2). */
export function matchesETag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((each) => each.trim().replace(/^W\//, '') === etag)
}
