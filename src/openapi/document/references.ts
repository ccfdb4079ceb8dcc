/**
 * JSON pointers (RFC 6901), references within a document (OpenAPI 3.1, Reference Object; JSON Schema 2020-12, `$ref`), and
 * the values of a document that may be wrong in any way.
 */
import { METHODS, type OpenApi, type Reference } from './model.ts'

export type Values = Readonly<Record<string, unknown>>

/** Makes the pointer that leads through these tokens: `toPointer('paths', '/pets')` is `/paths/~1pets`. */
export function toPointer(...tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Splits a pointer into its tokens: the inverse of `toPointer`. */
export function parsePointer(pointer: string): string[] {
  const [, ...tokens] = pointer.split('/')
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Returns the value at a pointer; undefined if there is none. */
export function getValueAt(root: unknown, pointer: string): unknown {
  let value = root
  for (const token of parsePointer(pointer)) {
    if (!Object.hasOwn(toObject(value), token)) return undefined
    value = toObject(value)[token]
  }
  return value
}

/** Returns the object itself, or what its `$ref` leads to, over any number of steps. The reference must be resolvable. */
export function resolve<T extends object>(root: OpenApi, object: T | Reference): T {
  return dereference(root, object) as T
}

/** Returns an object, or what its `$ref` leads to; undefined where that is no object, or after too many steps. */
export function dereference(root: OpenApi, value: unknown): Values | undefined {
  let found = value
  for (let step = 0; step < 100 && typeof toObject(found).$ref === 'string'; step++) {
    const { $ref } = found as Reference
    found = $ref.startsWith('#') ? getValueAt(root, $ref.slice(1)) : undefined
  }
  return typeof found === 'object' && found !== null && !('$ref' in found) ? (found as Values) : undefined
}

/** Returns the entries of an object or the items of an array; none for anything else. */
export function getEntries(value: unknown): [string, unknown][] {
  return Object.entries(toObject(value))
}

/** Returns an object or array itself, and an empty object for anything else. */
export function toObject(value: unknown): Values {
  return typeof value === 'object' && value !== null ? (value as Values) : {}
}

/** The value in the place of an operation, with the parameters of its path and its own. */
export interface FoundOperation {
  readonly path: string
  readonly method: string
  readonly pointer: string
  readonly operation: Values
  /** `parameter` is undefined where its reference leads nowhere. */
  readonly parameters: readonly { readonly pointer: string; readonly parameter: Values | undefined }[]
}

/** Finds every operation, in the order of the document. */
export function findOperations(root: OpenApi): FoundOperation[] {
  return getEntries(root.paths).flatMap(([path, item]) =>
    getEntries(item).flatMap(([method, operation]) => {
      if (!METHODS.some((known) => known === method)) return []
      const pointer = toPointer('paths', path, method)
      const parameters = [toPointer('paths', path), pointer].flatMap((owner) =>
        getEntries(getValueAt(root, `${owner}/parameters`)).map(([index, parameter]) => ({
          pointer: `${owner}/parameters/${index}`,
          parameter: dereference(root, parameter),
        })),
      )
      return { path, method, pointer, operation: toObject(operation), parameters }
    }),
  )
}
