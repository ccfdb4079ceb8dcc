/**
 * The plan by which files become one document: which values are added, and what each reference becomes. It is made by one walk over all
 * values to which the first file leads, which changes nothing in them. `bundle.ts` has the table of cases.
 */
import { parse } from 'node:path'
import { isObject, setMember } from '../shared/json.ts'
import { type ComponentKind, forEachPart, isComponentKind, type Kind } from './fields.ts'
import { createTargetFinder, isBareReference, isReferrer, type Target } from './file-references.ts'
import type { Files } from './files.ts'
import { getTypeName } from './find-operations.ts'
import type { ParsedFile } from './parse.ts'
import { getValueAt, parsePointer, toPointer, toReference } from './pointers.ts'
import type { Problem } from './problems.ts'
import { mapValues, toObject, type Values } from './values.ts'

/** A value that becomes a part of the document, with the pointer to it in the document. */
interface Part extends Target {
  readonly kind: Kind
}

export type BundlePlan = ReturnType<typeof createPlan>

/** Plans the document of a first file and of the files to which it leads. */
export function planBundle(firstFile: ParsedFile, files: Files): BundlePlan {
  const plan = createPlan(firstFile, files)
  replaceReferences(plan, plan.root, 'openapi', '')
  visit(plan, { value: plan.root, kind: 'openapi', file: firstFile, pointer: '' })
  // The iteration includes the targets that are added during it. Recursion would overflow the stack for long chains of references.
  for (const [pointer, target] of plan.targets) visit(plan, { ...target, pointer })
  return plan
}

/** Creates an empty plan, to which the functions below add. */
function createPlan(firstFile: ParsedFile, files: Files) {
  return {
    // The result:
    /** The first file, with the values of other files in its paths, webhooks and components. `addTarget` writes to copies of these maps. */
    root: copyLevels(firstFile.value, 3) as Record<string, unknown>,
    /** The values of other files by their pointers in the document. */
    targets: new Map<string, Target & { readonly kind: ComponentKind }>(),
    /** The members that replace members of an object: a local `$ref`, or local URIs in a mapping. */
    changes: new Map<object, Values>(),
    /** References that lead to no file, or to nothing in it. */
    problems: [] as Problem[],
    // What only the functions below use:
    firstFile,
    findTarget: createTargetFinder(firstFile, files),
    /** The pointers to `targets`, by kind and target (`toTargetKey`). */
    targetPointers: new Map<string, string>(),
    visitedObjects: new Set<object>(),
  }
}

/**
 * Copies the upper levels of an object: with 3, the document, the maps in it such as the paths, and the members of these maps such as
 * the sections of the components.
 */
function copyLevels(value: unknown, levels: number): unknown {
  return levels > 0 && isObject(value) ? mapValues(value, (member) => copyLevels(member, levels - 1)) : value
}

/**
 * Replaces each path and each component of the first file that only refers to another file by the target. A second one with the same
 * target remains a reference, which leads to the first one. `map` is the document, its components or its paths.
 */
function replaceReferences(plan: BundlePlan, map: unknown, mapKind: Kind, mapPointer: string): void {
  forEachPart(mapKind, toObject(map), (part, kind, partPointer) => {
    const pointer = mapPointer + partPointer
    if (kind === 'components' || kind === 'pathMap') replaceReferences(plan, part, kind, pointer)
    if (!isComponentKind(kind) || !isBareReference(part)) return
    const target = plan.findTarget(part.$ref, plan.firstFile)
    if (typeof target === 'string' || target.file === plan.firstFile) return
    if (!plan.targetPointers.has(toTargetKey(target, kind))) addTarget(plan, target, kind, pointer)
  })
}

/** Plans the references in a value, at any depth. */
function visit(plan: BundlePlan, part: Part): void {
  const { value, kind, pointer } = part
  // `addTarget` may have put a value of another file at this pointer. The relative references in it start from that file.
  const { file } = plan.targets.get(pointer) ?? part
  if (typeof value !== 'object' || value === null || kind === 'plain') return
  if (plan.visitedObjects.has(value)) return
  plan.visitedObjects.add(value)
  if (isReferrer(value) && isComponentKind(kind)) {
    plan.changes.set(value, { $ref: toLocalReference(plan, value.$ref, kind, file, `${pointer}/$ref`) })
  }
  if (kind === 'discriminator') planMapping(plan, toObject((value as Values).mapping), file, `${pointer}/mapping`)
  forEachPart(kind, value as Values, (partValue, partKind, partPointer) => {
    visit(plan, { value: partValue, kind: partKind, file, pointer: pointer + partPointer })
  })
}

/** Returns the reference within the document for a reference in a file; reports a reference that cannot be followed. */
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
  if (typeof target !== 'string') return toReference(getDocumentPointer(plan, target, kind))
  plan.problems.push({ pointer, message: target })
  return $ref
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

/** True for a reference that is local in the document already. */
function isLocal(plan: BundlePlan, $ref: string, file: ParsedFile): boolean {
  return file === plan.firstFile && $ref.startsWith('#')
}

/** Returns the pointer to a target in the document. A target in another file becomes a component. */
function getDocumentPointer(plan: BundlePlan, target: Target, kind: ComponentKind): string {
  if (target.file === plan.firstFile) return target.pointer
  const existingPointer = plan.targetPointers.get(toTargetKey(target, kind))
  if (existingPointer !== undefined) return existingPointer
  plan.root.components ??= {}
  const components = toObject(plan.root.components) as Record<string, unknown>
  components[kind] ??= {}
  const name = chooseName(target, (usedName) => isUsedName(plan, kind, usedName))
  return addTarget(plan, target, kind, toPointer('components', kind, name))
}

/** Adds a target at a pointer, or replaces the value there. Returns the pointer. */
function addTarget(plan: BundlePlan, target: Target, kind: ComponentKind, pointer: string): string {
  plan.targets.set(pointer, { ...target, kind })
  plan.targetPointers.set(toTargetKey(target, kind), pointer)
  const owner = toObject(getValueAt(plan.root, pointer.slice(0, pointer.lastIndexOf('/'))))
  setMember(owner as Record<string, unknown>, parsePointer(pointer).at(-1) as string, target.value)
  return pointer
}

function toTargetKey({ file, pointer }: Target, kind: ComponentKind): string {
  return `${kind} ${file.name}#${pointer}`
}

function isUsedName(plan: BundlePlan, kind: ComponentKind, name: string): boolean {
  return getValueAt(plan.root, toPointer('components', kind, name)) !== undefined
}

/**
 * Chooses the name of a component: the last token of the pointer, or the file name for a whole file. If this name is used, or is only
 * digits, the file name precedes it, in the form of a type name: `CommonPet`.
 */
function chooseName({ file, pointer }: Target, isUsed: (name: string) => boolean): string {
  const fileName = parse(file.name).name
  const lastToken = parsePointer(pointer).at(-1) ?? fileName
  const name = lastToken.replaceAll(/[^\w.-]+/g, '_')
  if (!/^\d*$/.test(name) && !isUsed(name)) return name
  const longName = getTypeName(lastToken === fileName ? fileName : `${fileName}-${lastToken}`)
  let uniqueName = longName
  for (let count = 2; isUsed(uniqueName); count++) uniqueName = longName + count
  return uniqueName
}
