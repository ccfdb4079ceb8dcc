/** Checks what references lead to. */
import type { OpenApi, Schema } from '../document/model.ts'
import { getTargetPointer } from '../document/pointers.ts'
import { isMistake, type Problem } from '../document/problems.ts'
import { collectReachable } from '../document/reachable.ts'
import { getReferences } from '../document/references.ts'
import { getSubschemas } from '../document/subschemas.ts'
import { isObject } from '../shared/json.ts'

/** A reference with the kind that its target must have: `parameters` for `refersTo: parameters`. */
export interface CheckedReference {
  readonly $ref: string
  readonly kind: string
  readonly pointer: string
}

/**
 * Checks what each reference leads to: an object of the kind that the place of the reference demands, where `any` stands for all kinds.
 * `kinds` has the kinds of all objects by their pointers; a kind is a section of the components, such as `parameters`.
 */
export function* checkReferences(
  root: OpenApi,
  references: readonly CheckedReference[],
  kinds: ReadonlyMap<string, string>,
): Iterable<Problem> {
  const circularReferences = findCircularReferences(root, references)
  for (const { $ref, kind, pointer } of references) {
    const targetKind = kinds.get(getTargetPointer($ref))
    if (targetKind === undefined) {
      yield { pointer, message: `"${$ref}" does not exist; add it or correct the reference` }
    } else if (targetKind !== kind && kind !== 'any') {
      yield { pointer, message: `"${$ref}" is something else; refer to "#/components/${kind}/NAME"` }
    } else if (circularReferences.has($ref)) {
      const message = `"${$ref}" refers back to itself without an object between; remove one of the references`
      yield { pointer, message }
    }
  }
}

/** Finds the pointers to all values that contain a mistake, or lead to a mistake by a reference. */
export function findTainted(
  problems: readonly Problem[],
  references: readonly CheckedReference[],
): ReadonlySet<string> {
  const tainted = new Set(problems.filter(isMistake).map(({ pointer }) => pointer))
  if (tainted.size === 0) return tainted
  const referrers = Map.groupBy(references, ({ $ref }) => getTargetPointer($ref))
  // The iteration includes the pointers that are added during it.
  for (const pointer of tainted) {
    if (pointer !== '') tainted.add(pointer.slice(0, pointer.lastIndexOf('/')))
    for (const referrer of referrers.get(pointer) ?? []) tainted.add(referrer.pointer)
  }
  return tainted
}

/** All in-place applicators (JSON Schema 2020-12, section 10.2), also `not` and `if`. */
const IN_PLACE_APPLICATORS = /^(not|if|then|else|dependentSchemas|\w+Of)$/

/**
 * Finds references that lead back to themselves for the same value, at least one of each circle. Follows each reference once: otherwise,
 * long chains take quadratic time. The recursion ends at some 8,000 references, which `withDepthLimit` reports.
 */
function findCircularReferences(root: OpenApi, references: readonly CheckedReference[]): ReadonlySet<string> {
  const { getTarget } = getReferences(root)
  const circularReferences = new Set<string>()
  const followed = new Set<string>()
  /** The references from the first one to the current one. */
  const path = new Set<string>()
  const follow = ($ref: string): void => {
    if (path.has($ref)) circularReferences.add($ref)
    if (followed.has($ref)) return
    followed.add($ref)
    path.add($ref)
    const inPlaceSchemas = collectReachable([getTarget($ref)].filter(isObject), (schema: Schema) =>
      getSubschemas(schema, IN_PLACE_APPLICATORS),
    )
    for (const schema of inPlaceSchemas) if (typeof schema.$ref === 'string') follow(schema.$ref)
    path.delete($ref)
  }
  for (const { $ref } of references) if (!followed.has($ref)) follow($ref)
  return circularReferences
}
