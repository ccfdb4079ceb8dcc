/**
 * Makes one document of several files. All later stages see one document, whose references are local. The plan (`bundle-plan.ts`) says
 * what each reference becomes. When it is complete, the values are copied by it.
 */
import { type BundlePlan, planBundle } from './bundle-plan.ts'
import type { Files } from './files.ts'
import type { ParsedFile } from './parse.ts'
import { createCopy, toObject, type Values } from './values.ts'

/**
 * Copies the values of the first file into a document without references to other files. Returns it as `root`, the problems of
 * references, and `locate`, which returns the position, in its file, of the value at a pointer in the document. The names of
 * security schemes and other components are names in the first file (OpenAPI 3.1.1, "Resolving Implicit Connections").
 *
 * | written                                      | in             | becomes in the document                         |
 * |----------------------------------------------|----------------|-------------------------------------------------|
 * | `/ships: { $ref: paths.yaml#/ships }`        | the paths      | `/ships: { get: … }`: the target itself         |
 * | `Ship: { $ref: ship.yaml }`                  | the components | `Ship: { type: object, … }`: the target itself  |
 * | `cargo: { $ref: cargo.yaml }`                | anything else  | `cargo: { $ref: "#/components/schemas/cargo" }`,|
 * |                                              |                | and the target is added as this component       |
 * | `escort: { $ref: "#" }`                      | ship.yaml      | `escort: { $ref: "#/components/schemas/Ship" }` |
 * | `{ $ref: api.yaml#/components/schemas/Port }`| ship.yaml      | `{ $ref: "#/components/schemas/Port" }`         |
 */
export function bundle(firstFile: ParsedFile, files: Files) {
  const document = firstFile.value as Values
  if (!hasReferenceToFile(document)) return { root: document, problems: [], locate: firstFile.locate }
  const plan = planBundle(firstFile, files)
  const { copyValue } = createCopy((object) => ({ ...object, ...plan.changes.get(object) }))
  return {
    root: copyValue<Values>(plan.root),
    problems: plan.problems,
    locate: (pointer: string) => locateInFiles(pointer, firstFile, plan),
  }
}

/** True if a reference, or the mapping of a discriminator, may lead to a file. Most documents have none, so they need no plan and copy. */
function hasReferenceToFile(document: Values): boolean {
  const isUri = (value: unknown) => typeof value === 'string' && !value.startsWith('#')
  const values = new Set<unknown>([document])
  // The iteration includes the values that are added during it.
  for (const value of values) {
    if (typeof value !== 'object' || value === null) continue
    const { $ref, mapping } = value as Values
    if (typeof $ref === 'string' && !$ref.startsWith('#')) return true
    if (mapping !== undefined && Object.values(toObject(mapping)).some(isUri)) return true
    for (const member of Object.values(value)) values.add(member)
  }
  return false
}

/** Returns the position of the value at a pointer in the document: in the file of the nearest value around it that is from another file. */
function locateInFiles(pointer: string, firstFile: ParsedFile, { targets }: BundlePlan): string {
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
    const target = targets.get(pointer.slice(0, end))
    if (target !== undefined) return target.file.locate(target.pointer + pointer.slice(end))
  }
  return firstFile.locate(pointer)
}
