/** References (OpenAPI 3.1, Reference Object), which lead to values in the document. */
import { isObject } from '../shared/json.ts'
import type { OpenApi, PathItem, Reference, Schema } from './model.ts'
import { getTargetPointer, getValueAt } from './pointers.ts'

/** Returns the value that a reference leads to in one step; it may be another reference. */
export function getTarget<T = Schema>(root: OpenApi, $ref: string): T {
  return getValueAt(root, getTargetPointer($ref)) as T
}

/**
 * Returns the object itself, or what its `$ref` leads to, over any number of steps. The references must be resolvable. Of a
 * schema, the keywords beside `$ref` are lost.
 */
export function resolve<T extends object>(root: OpenApi, object: T | Reference): T {
  // A target may be a boolean schema.
  return isObject(object) && '$ref' in object ? resolve(root, getTarget<T>(root, String(object.$ref))) : (object as T)
}

/** Returns a path item with the fields of the one that it refers to (OpenAPI 3.1, Path Item Object). */
export function resolvePathItem(root: OpenApi, { $ref, ...fields }: PathItem): PathItem {
  return $ref === undefined ? fields : { ...resolvePathItem(root, getTarget<PathItem>(root, $ref)), ...fields }
}
