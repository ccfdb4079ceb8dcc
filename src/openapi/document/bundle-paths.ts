/** The path items in other files to which a path item of the first file leads (OpenAPI 3.1, Path Item Object). */
import { type BundlePlan, isLocal, keepReference } from './bundle-plan.ts'
import { isBareReference, isReferrer, type Target } from './file-references.ts'
import type { ParsedFile } from './parse.ts'
import { toReference } from './pointers.ts'

/**
 * Lists a path item and the path items in other files to which it leads, over any number of steps, each without the reference to the
 * next one. `pointer` leads to the path item in the document, and `targets` are the path items before it.
 *
 * | paths                         | in another file                  | the list for `/ships`                                      |
 * |-------------------------------|----------------------------------|------------------------------------------------------------|
 * | `/ships: { $ref, get }`       | `{ post, $ref: "more.yaml" }`    | `{ get }`, `{ post }`, and what is in more.yaml            |
 * | `/ships: { $ref: "#/…/Ship" }`|                                  | the path item itself: the target is in the first file      |
 * | `/boats`, `/ships: { $ref }`  | the target of both               | `{ $ref: "#/paths/~1boats" }`: `/boats` became the target  |
 * | `/ships: { $ref }`            | a reference back, or to nothing  | the path item itself, whose reference is reported          |
 */
export function listPathItems(
  plan: BundlePlan,
  item: Target,
  pointer: string,
  targets: readonly Target[] = [],
): Target[] {
  const { value, file } = item
  if (!isReferrer(value)) return [item]
  const target = findPathItem(plan, value.$ref, file, pointer, targets)
  if (typeof target === 'string') return [{ ...item, value: { ...value, $ref: target } }]
  const { $ref: _reference, ...fields } = value
  const nextItems = listPathItems(plan, target, pointer, [...targets, target])
  if (isBareReference(value)) plan.pathPointers.set(target.value, pointer)
  return [{ ...item, value: fields }, ...nextItems]
}

/** Returns the path item in another file to which a reference leads, or else the reference that remains. */
function findPathItem(
  plan: BundlePlan,
  $ref: string,
  file: ParsedFile,
  pointer: string,
  targets: readonly Target[],
): Target | string {
  if (isLocal(plan, $ref, file)) return $ref
  const target = plan.findTarget($ref, file)
  if (typeof target === 'string') return keepReference(plan, $ref, target, `${pointer}/$ref`)
  const firstPointer = target.file === plan.firstFile ? target.pointer : plan.pathPointers.get(target.value)
  if (firstPointer !== undefined) return toReference(firstPointer)
  if (targets.every(({ value }) => value !== target.value)) return target
  const message = `"${$ref}" refers back to itself without an object between; remove one of the references`
  return keepReference(plan, $ref, message, `${pointer}/$ref`)
}
