/**
 * Fills the plan of a bundle, by one walk over all values to which the first file leads. The walk changes nothing in them. `bundle.ts`
 * has the table of what references become.
 */
import { listPathItems } from './bundle-paths.ts'
import {
  addComponent,
  type BundlePlan,
  createPlan,
  findComponentPointer,
  getDocumentPointer,
  isLocal,
  isUsedName,
  keepReference,
} from './bundle-plan.ts'
import { type ComponentKind, isComponentKind, type Kind, mapParts } from './fields.ts'
import { isBareReference, isReferrer, type Target } from './file-references.ts'
import type { Files } from './files.ts'
import type { ParsedFile } from './parse.ts'
import { parsePointer, toPointer, toReference } from './pointers.ts'
import { mapValues, toObject, type Values } from './values.ts'

/** A value that becomes a part of the document, with the pointer to its place there. */
interface Part {
  readonly value: unknown
  readonly kind: Kind
  readonly file: ParsedFile
  readonly pointer: string
}

/** Plans one part after another, and visits each object once. */
interface Walk {
  readonly plan: BundlePlan
  readonly visitedObjects: Set<object>
}

/** Plans the document of a first file and of the files to which it leads. The plan does not change when it is returned. */
export function planBundle(firstFile: ParsedFile, files: Files): BundlePlan {
  const plan = createPlan(firstFile, files)
  const walk: Walk = { plan, visitedObjects: new Set() }
  replaceComponents(plan)
  const document = firstFile.value as Values
  const value = 'components' in document ? { ...document, components: plan.sections } : document
  visit(walk, { value, kind: 'openapi', file: firstFile, pointer: '' })
  // The iteration includes the components that are added during it. Recursion would overflow the stack for long chains of references.
  for (const [pointer, component] of plan.components) visit(walk, { ...component, pointer })
  return plan
}

/**
 * Replaces each component of the first file that only refers to another file by the target. A second component with the same target
 * remains a reference, which leads to the first one.
 */
function replaceComponents(plan: BundlePlan): void {
  mapParts('components', plan.sections, (value, kind, pointer) => {
    if (!isBareReference(value) || !isComponentKind(kind)) return
    const target = plan.findTarget(value.$ref, plan.firstFile)
    if (typeof target === 'string' || target.file === plan.firstFile) return
    if (findComponentPointer(plan, target, kind) !== undefined) return
    addComponent(plan, target, kind, parsePointer(pointer).at(-1) as string)
  })
}

/** Plans the references in a value, at any depth. */
function visit(walk: Walk, part: Part): void {
  const { plan, visitedObjects } = walk
  const { kind, pointer } = part
  // The target is in the place of a component that is replaced.
  const { value, file } = plan.components.get(pointer) ?? part
  if (typeof value !== 'object' || value === null || kind === 'plain') return
  if (kind === 'path') {
    // Each time: path items that are aliases of one another have fields at different pointers.
    visitPathItem(walk, { value, file, pointer })
    return
  }
  if (visitedObjects.has(value)) return
  visitedObjects.add(value)
  if (isReferrer(value) && isComponentKind(kind)) {
    plan.changes.set(value, { $ref: toLocalReference(plan, value.$ref, kind, file, `${pointer}/$ref`) })
  }
  if (kind === 'discriminator') planMapping(plan, toObject((value as Values).mapping), file, `${pointer}/mapping`)
  visitParts(walk, value as Values, kind, file, pointer)
}

function visitParts(walk: Walk, object: Values, kind: Kind, file: ParsedFile, pointer: string): void {
  mapParts(kind, object, (value, partKind, partPointer) => {
    visit(walk, { value, kind: partKind, file, pointer: pointer + partPointer })
  })
}

/** Plans a path item of the first file with the fields that its reference adds: of two with one name, the nearer one applies. */
function visitPathItem(walk: Walk, firstItem: Target): void {
  const { plan } = walk
  const { pointer } = firstItem
  let fields: Values = {}
  for (const item of listPathItems(plan, firstItem, pointer)) {
    const newEntries = Object.entries(toObject(item.value)).filter(([field]) => !Object.hasOwn(fields, field))
    for (const [field] of newEntries) {
      plan.fieldOrigins.set(pointer + toPointer(field), { file: item.file, pointer: item.pointer + toPointer(field) })
    }
    const newFields = Object.fromEntries(newEntries)
    visitParts(walk, newFields, 'path', item.file, pointer)
    fields = { ...fields, ...newFields }
  }
  plan.pathItems.set(pointer, fields)
}

/** Plans the mapping of a discriminator, whose values are names of components or URIs (OpenAPI 3.1.1, Discriminator Object). */
function planMapping(plan: BundlePlan, mapping: Values, file: ParsedFile, pointer: string): void {
  const toLocalUri = (uri: unknown, name: string): unknown => {
    if (typeof uri !== 'string' || isUsedName(plan, 'schemas', uri) || isLocal(plan, uri, file)) return uri
    const target = plan.findTarget(uri, file)
    if (typeof target !== 'string') return toReference(getDocumentPointer(plan, target, 'schemas'))
    // A mapping that leads nowhere has no effect.
    const isName = /^[\w.-]+$/.test(uri)
    if (!isName) plan.problems.push({ pointer: pointer + toPointer(name), message: target, isWarning: true })
    return uri
  }
  plan.changes.set(mapping, mapValues(mapping, toLocalUri))
}

/** Returns the reference within the document for a reference in a file. */
function toLocalReference(
  plan: BundlePlan,
  $ref: string,
  kind: ComponentKind,
  file: ParsedFile,
  pointer: string,
): string {
  // `checkReferences` reports local references that lead nowhere.
  if (isLocal(plan, $ref, file)) return $ref
  const target = plan.findTarget($ref, file)
  if (typeof target === 'string') return keepReference(plan, $ref, target, pointer)
  return toReference(getDocumentPointer(plan, target, kind))
}
