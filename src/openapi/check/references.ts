/** Checks what references lead to. */
import type { OpenApi, Schema } from '../document/model.ts'
import { getTargetPointer } from '../document/pointers.ts'
import type { Problem } from '../document/problems.ts'
import { getReferences } from '../document/references.ts'
import { collectReachable, getSubschemas } from '../document/subschemas.ts'
import { isObject } from '../shared/json.ts'

/** A reference with the kind that its target must have: `parameters` for `refersTo: parameters`. */
export interface CheckedReference {
  readonly $ref: string
  readonly kind: string
  readonly pointer: string
}

/**
 * Checks what each reference leads to: an object of the kind that the place of the reference demands. `isMoved` is true for the pointer
 * to an object that has another place after the conversion.
 */
export function checkReferences(
  root: OpenApi,
  references: readonly CheckedReference[],
  kinds: ReadonlyMap<string, string>,
  isMoved: (pointer: string) => boolean,
): Problem[] {
  const messages = new Map<string, string | undefined>()
  const problems: Problem[] = []
  for (const { $ref, kind, pointer } of references) {
    const key = `${kind} ${$ref}`
    const message = messages.has(key) ? messages.get(key) : findReferenceMistake($ref, kind, root, kinds, isMoved)
    messages.set(key, message)
    if (message !== undefined) problems.push({ pointer, message })
  }
  return problems
}

/** Finds the pointers to all values that contain a mistake, or lead to a mistake by a reference. */
export function findTainted(
  problems: readonly Problem[],
  references: readonly CheckedReference[],
): ReadonlySet<string> {
  const mistakes = problems.filter(({ isWarning }) => isWarning !== true)
  const tainted = new Set(mistakes.map(({ pointer }) => pointer))
  if (tainted.size === 0) return tainted
  const referrers = Map.groupBy(references, ({ $ref }) => getTargetPointer($ref))
  // The iteration includes the pointers that are added during it.
  for (const pointer of tainted) {
    if (pointer !== '') tainted.add(pointer.slice(0, pointer.lastIndexOf('/')))
    for (const referrer of referrers.get(pointer) ?? []) tainted.add(referrer.pointer)
  }
  return tainted
}

/** The kind of a reference that may lead to anything. */
const ANY_KIND = 'any'

/** All in-place applicators (JSON Schema 2020-12, section 10.2), also `not` and `if`. */
const IN_PLACE_APPLICATORS = /^(not|if|then|else|dependentSchemas|\w+Of)$/

/**
 * Returns what is wrong with a reference that leads nowhere, to an object of another kind or place, or back to itself for the same value.
 * `kinds` has the kinds of all objects by their pointers; a kind is a section of the components, such as `parameters`.
 */
function findReferenceMistake(
  $ref: string,
  kind: string,
  root: OpenApi,
  kinds: ReadonlyMap<string, string>,
  isMoved: (pointer: string) => boolean,
): string | undefined {
  const pointer = getTargetPointer($ref)
  const targetKind = kinds.get(pointer)
  if (targetKind === undefined) return `"${$ref}" does not exist; add it or correct the reference`
  if (targetKind !== kind && kind !== ANY_KIND) {
    return `"${$ref}" is something else; refer to "#/components/${kind}/NAME"`
  }
  if (isMoved(pointer)) {
    return `"${$ref}" leads into a schema that "nullable", "discriminator" or "$ref" changes; make the target a component`
  }
  const { getTarget } = getReferences(root)
  const getTargets = (reference: string) => [getTarget<unknown>(reference)].filter(isObject)
  const inPlaceSchemas = collectReachable<Schema>(getTargets($ref), (schema) => [
    ...(typeof schema.$ref === 'string' ? getTargets(schema.$ref) : []),
    ...getSubschemas(schema, IN_PLACE_APPLICATORS),
  ])
  if (inPlaceSchemas.every((schema) => schema.$ref !== $ref)) return undefined
  return `"${$ref}" refers back to itself without an object between; remove one of the references`
}
