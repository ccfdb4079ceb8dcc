/** The ETags of responses. */
import { hash } from 'node:crypto'

/**
 * A strong validator: equal bodies with equal links and types have the same ETag, in practice only those (RFC 9110,
 * section 8.8.3). `type` is the media type if there are several.
 */
export function computeETag(body: string | Uint8Array, link: unknown = '', type: unknown = ''): string {
  const head = `${link}\n${type}\n`
  const data = typeof body === 'string' ? head + body : Buffer.concat([Buffer.from(head), body])
  return `"${hash('sha1', data, 'base64url')}"`
}
