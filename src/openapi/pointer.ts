/**
 * JSON pointers (RFC 6901): how the engine names a place in the document.
 */

/** The pointer that leads through these tokens from the root: `pointerTo('paths', '/pets')` is `/paths/~1pets`. */
export function pointerTo(...tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The tokens of a pointer: the inverse of `pointerTo`. */
export function tokensOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}
