/** References (OpenAPI 3.1, Reference Object), which lead to values in the document. */
import type { OpenApi, PathItem, Reference, Schema } from './model.ts'
import { getTargetPointer, getValueAt } from './pointers.ts'
import { toObject } from './values.ts'

/** The references of a document. Each is followed once, because most targets have many references. */
export type References = ReturnType<typeof createReferences>

const cachedReferences = new WeakMap<object, References>()

/** Returns the references of a document. The document must not change. */
export function getReferences(root: OpenApi): References {
  const references = cachedReferences.get(root) ?? createReferences(root)
  cachedReferences.set(root, references)
  return references
}

function createReferences(root: OpenApi) {
  const targets = new Map<string, unknown>()
  const pathItems = new Map<PathItem, PathItem>()

  /**
   * Returns the value that a reference leads to in one step; it may be another reference. Returns undefined if nothing is there. The
   * caller knows the type by the place of the reference: `checkReferences` checks that the target has it.
   */
  function getTarget<T = Schema>($ref: string): T {
    const target = targets.get($ref) ?? getValueAt(root, getTargetPointer($ref))
    targets.set($ref, target)
    return target as T
  }

  /**
   * Returns the object itself, or what its `$ref` leads to, over any number of steps. Only for references that `checkReferences` has
   * accepted, because a circle has no end. Of a schema, the keywords beside `$ref` are lost.
   */
  function resolve<T extends object>(object: T | Reference): T {
    let target: unknown = object
    // A target may be a boolean schema.
    while (typeof target === 'object' && target !== null && '$ref' in target) target = getTarget(String(target.$ref))
    return target as T
  }

  /** Returns a path item with the fields of the one that it refers to (OpenAPI 3.1, Path Item Object). */
  function resolvePathItem(item: PathItem): PathItem {
    const { $ref, ...fields } = item
    const resolvedItem =
      pathItems.get(item) ?? ($ref === undefined ? item : { ...resolvePathItem(getTarget<PathItem>($ref)), ...fields })
    pathItems.set(item, resolvedItem)
    return resolvedItem
  }

  /** Returns the pointer itself, or the pointer to what a reference there leads to, over any number of steps. */
  function resolvePointer(pointer: string): string {
    const { $ref } = toObject(getValueAt(root, pointer))
    return $ref === undefined ? pointer : resolvePointer(getTargetPointer(String($ref)))
  }

  return { getTarget, resolve, resolvePathItem, resolvePointer }
}
