/**
 * JSON pointers (RFC 6901) and references within a document (OpenAPI 3.1, Reference Object; JSON Schema 2020-12, `$ref`).
 */
import type { OpenApi, Reference } from './model.ts'

/** Makes the pointer that leads through these tokens: `toPointer('paths', '/pets')` is `/paths/~1pets`. */
export function toPointer(...tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Splits a pointer into its tokens: the inverse of `toPointer`. */
export function parsePointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Returns the value at a pointer; undefined if there is none. */
export function getValueAt(root: unknown, pointer: string): unknown {
  let value = root
  for (const token of parsePointer(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined
    value = (value as Record<string, unknown>)[token]
  }
  return value
}

/** Returns the object itself, or what its `$ref` leads to, over any number of steps. The reference must be resolvable. */
export function resolve<T extends object>(root: OpenApi, object: T | Reference): T {
  let found: T | Reference = object
  while (isReference(found)) found = getValueAt(root, found.$ref.slice(1)) as T | Reference
  return found
}

function isReference(object: object): object is Reference {
  return '$ref' in object
}
