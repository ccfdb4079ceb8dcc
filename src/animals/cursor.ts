/**
 * Cursors: where a page ends, in a form that clients hand back and do not make up.
 */

/** The cursor behind an id: its 64 bits in base64url (RFC 4648, section 5). */
export function writeCursor(id: bigint): string {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(id)
  return bytes.toString('base64url')
}

/** The id that a cursor stands behind; undefined where the text is no cursor. */
export function readCursor(cursor: string): bigint | undefined {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length !== 8) return undefined
  const id = bytes.readBigInt64BE()
  // Decoding is lenient; each id has one cursor all the same.
  return writeCursor(id) === cursor ? id : undefined
}
