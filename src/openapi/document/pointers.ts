/** JSON pointers (RFC 6901). */
import querystring from 'node:querystring'
import type { Values } from './values.ts'

/** Joins tokens to a pointer: `toPointer('paths', '/pets')` is `/paths/~1pets`. */
export function toPointer(...tokens: readonly (string | number)[]): string {
  let pointer = ''
  for (const token of tokens) pointer += `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`
  return pointer
}

/** Splits a pointer into its tokens: the inverse of `toPointer`. A text without a slash, such as `foo` of `#foo`, has none. */
export function parsePointer(pointer: string): string[] {
  const [, ...tokens] = pointer.split('/')
  return pointer.includes('~') ? tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')) : tokens
}

/** Returns the value at a pointer; undefined if nothing is there. */
export function getValueAt(root: unknown, pointer: string): unknown {
  let value = root
  for (const token of parsePointer(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined
    value = (value as Values)[token]
  }
  return value
}

/** Returns the pointer in a reference `#/…`, which is the fragment of a URI (RFC 6901, section 6). */
export function getTargetPointer($ref: string): string {
  // Not decodeURIComponent, which throws for a malformed escape.
  return querystring.unescape($ref.slice(1))
}

/** Returns the reference to a pointer: the inverse of `getTargetPointer`. */
export function toReference(pointer: string): string {
  return `#${encodeURI(pointer).replaceAll('#', '%23')}`
}
