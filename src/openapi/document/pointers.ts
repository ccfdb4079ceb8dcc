/** JSON pointers (RFC 6901). */
import querystring from 'node:querystring'
import { toObject } from './values.ts'

/** Joins tokens to a pointer: `toPointer('paths', '/pets')` is `/paths/~1pets`. */
export function toPointer(...tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Splits a pointer into its tokens: the inverse of `toPointer`. */
export function parsePointer(pointer: string): string[] {
  const [, ...tokens] = pointer.split('/')
  return tokens.map((token) => (token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token))
}

/** Returns the value at a pointer; undefined if nothing is there. */
export function getValueAt(root: unknown, pointer: string): unknown {
  let value = root
  for (const token of parsePointer(pointer)) {
    if (!Object.hasOwn(toObject(value), token)) return undefined
    value = toObject(value)[token]
  }
  return value
}

/** Returns the pointer in a reference `#/…`, which is the fragment of a URI (RFC 6901, section 6). */
export function getTargetPointer($ref: string): string {
  // Not decodeURIComponent, which throws for a malformed escape.
  return querystring.unescape($ref.slice(1))
}
