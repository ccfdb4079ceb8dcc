/**
 * Cursors: the position of a page, opaque to clients.
 */

/** Formats the cursor of the page that begins after an id: its 64 bits in base64url (RFC 4648, section 5). */
export function formatCursor(id: bigint): string {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(id)
  return bytes.toString('base64url')
}

/** Parses a cursor; returns undefined if it is not one. */
export function parseCursor(cursor: string): bigint | undefined {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length !== 8) return undefined
  const id = bytes.readBigInt64BE()
  // Decoding is lenient, but each id has only one cursor.
  return formatCursor(id) === cursor ? id : undefined
}
