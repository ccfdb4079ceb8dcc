/**
 * References within a document (OpenAPI 3.1, Reference Object; JSON Schema 2020-12, `$ref`).
 */
import type { OpenApi, Reference } from './model.ts'
import { tokensOf } from './pointer.ts'

/** What a pointer leads to in the document, or undefined where it leads nowhere. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root
  for (const token of tokensOf(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined
    value = (value as Record<string, unknown>)[token]
  }
  return value
}

/** The object itself, or what its `$ref` leads to, over as many steps as it takes. The reference must lead somewhere. */
export function resolve<T extends object>(root: OpenApi, object: T | Reference): T {
  let found: T | Reference = object
  while (isReference(found)) found = valueAt(root, found.$ref.slice(1)) as T | Reference
  return found
}

/** Whether the object only refers to another one. */
function isReference(object: object): object is Reference {
  return '$ref' in object
}
