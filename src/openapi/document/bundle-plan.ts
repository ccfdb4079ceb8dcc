/**
 * The plan by which files become one document: what each reference becomes, and which values are added. It is made by one walk over
 * all values to which the first file leads, which changes nothing in them. `bundle.ts` has the table of cases.
 */
import { parse } from 'node:path'
import { setMember } from '../shared/json.ts'
import { type ComponentKind, isComponentKind, type Kind, mapParts } from './fields.ts'
import { createTargetFinder, isBareReference, isReferrer, type Target } from './file-references.ts'
import type { Files } from './files.ts'
import { getTypeName } from './find-operations.ts'
import type { ParsedFile } from './parse.ts'
import { parsePointer, toPointer, toReference } from './pointers.ts'
import type { Problem } from './problems.ts'
import { mapValues, toObject, type Values } from './values.ts'

/** A target in another file that is a component of the document. */
type Component = Target & { readonly kind: ComponentKind }

/** A value that becomes a part of the document, with the pointer to its place there. */
interface Part {
  readonly value: unknown
  readonly kind: Kind
  readonly file: ParsedFile
  readonly pointer: string
}

export type BundlePlan = ReturnType<typeof createPlan>

/** Plans the document of a first file and of the files to which it leads. The plan does not change when it is returned. */
export function planBundle(firstFile: ParsedFile, files: Files): BundlePlan {
  const plan = createPlan(firstFile, files)
  replaceComponents(plan)
  const document = firstFile.value as Values
  const value = 'components' in document ? { ...document, components: plan.sections } : document
  visit(plan, { value, kind: 'openapi', file: firstFile, pointer: '' })
  // The iteration includes the components that are added during it. Recursion would overflow the stack for long chains of references.
  for (const [pointer, component] of plan.components) visit(plan, { ...component, pointer })
  return plan
}

/** Creates an empty plan. The keys of maps that are texts are pointers in the document. */
function createPlan(firstFile: ParsedFile, files: Files) {
  const { components } = toObject(firstFile.value)
  return {
    /** The Components Object, with the values of files that become its components. */
    sections: mapParts('components', toObject(components), (value) => value) as Record<string, unknown>,
    /** The components that are targets in other files. */
    components: new Map<string, Component>(),
    /** The fields of path items, with the fields of the path items in other files that they refer to. */
    pathItems: new Map<string, Values>(),
    /** Where the fields of path items come from. */
    fieldOrigins: new Map<string, Omit<Target, 'value'>>(),
    /** The members that an object has in the document in place of its own: a local `$ref`, or local URIs in a mapping. */
    changes: new Map<object, Values>(),
    /** References that lead to no file, or to nothing in it. */
    problems: [] as Problem[],
    firstFile,
    findTarget: createTargetFinder(firstFile, files),
    visitedObjects: new Set<object>(),
    /** The pointers to `components` by kind and target (`toTargetKey`). */
    componentPointers: new Map<string, string>(),
    /** The pointers to the path items that became nothing but the target of their reference, by the target. */
    pathPointers: new Map<unknown, string>(),
  }
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
    if (plan.componentPointers.has(toTargetKey(target, kind))) return
    addComponent(plan, target, kind, parsePointer(pointer).at(-1) as string)
  })
}

/** Plans the references in a value, at any depth. */
function visit(plan: BundlePlan, part: Part): void {
  const { kind, pointer } = part
  // The target is in the place of a component that is replaced.
  const { value, file } = plan.components.get(pointer) ?? part
  if (typeof value !== 'object' || value === null || kind === 'plain') return
  if (kind === 'path') {
    // Each time: path items that are aliases of one another have fields at different pointers.
    visitPathItem(plan, { value, file, pointer })
    return
  }
  if (plan.visitedObjects.has(value)) return
  plan.visitedObjects.add(value)
  if (isReferrer(value) && isComponentKind(kind)) {
    plan.changes.set(value, { $ref: toLocalReference(plan, value.$ref, kind, file, `${pointer}/$ref`) })
  }
  if (kind === 'discriminator') visitMapping(plan, toObject((value as Values).mapping), file, `${pointer}/mapping`)
  visitParts(plan, value as Values, kind, file, pointer)
}

function visitParts(plan: BundlePlan, object: Values, kind: Kind, file: ParsedFile, pointer: string): void {
  mapParts(kind, object, (value, partKind, partPointer) => {
    visit(plan, { value, kind: partKind, file, pointer: pointer + partPointer })
  })
}

/** Plans a path item of the first file with the fields that its reference adds: of two with one name, the nearer one applies. */
function visitPathItem(plan: BundlePlan, firstItem: Target): void {
  const { pointer } = firstItem
  let fields: Values = {}
  for (const item of listPathItems(plan, firstItem, pointer)) {
    const newEntries = Object.entries(toObject(item.value)).filter(([field]) => !Object.hasOwn(fields, field))
    for (const [field] of newEntries) {
      plan.fieldOrigins.set(pointer + toPointer(field), { file: item.file, pointer: item.pointer + toPointer(field) })
    }
    const newFields = Object.fromEntries(newEntries)
    visitParts(plan, newFields, 'path', item.file, pointer)
    fields = { ...fields, ...newFields }
  }
  plan.pathItems.set(pointer, fields)
}

/**
 * Lists a path item and the path items in other files to which it leads, each without the reference to the next one. `targets` are the
 * path items before it.
 */
function listPathItems(plan: BundlePlan, item: Target, pointer: string, targets: readonly Target[] = []): Target[] {
  const { value, file } = item
  if (!isReferrer(value)) return [item]
  const target = findPathItem(plan, value.$ref, file, pointer, targets)
  if (typeof target === 'string') return [{ ...item, value: { ...value, $ref: target } }]
  const { $ref: _reference, ...fields } = value
  const nextItems = listPathItems(plan, target, pointer, [...targets, target])
  if (isBareReference(value)) plan.pathPointers.set(target.value, pointer)
  return [{ ...item, value: fields }, ...nextItems]
}

/**
 * Returns the path item in another file to which a reference leads, or else the reference that remains: a target in the first file has a
 * path of its own, and so has a target that another path became.
 */
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

/** Plans the mapping of a discriminator, whose values are names of components or URIs (OpenAPI 3.1.1, Discriminator Object). */
function visitMapping(plan: BundlePlan, mapping: Values, file: ParsedFile, pointer: string): void {
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

/** True for a reference that is local in the document already. */
function isLocal({ firstFile }: BundlePlan, $ref: string, file: ParsedFile): boolean {
  return file === firstFile && $ref.startsWith('#')
}

/** Reports a reference that cannot be followed, and returns it as it is. */
function keepReference({ problems }: BundlePlan, $ref: string, message: string, pointer: string): string {
  problems.push({ pointer, message })
  return $ref
}

/** Returns the pointer to a target in the document. A target in another file becomes a component. */
function getDocumentPointer(plan: BundlePlan, target: Target, kind: ComponentKind): string {
  if (target.file === plan.firstFile) return target.pointer
  const existingPointer = plan.componentPointers.get(toTargetKey(target, kind))
  if (existingPointer !== undefined) return existingPointer
  const name = chooseName(target, (usedName) => isUsedName(plan, kind, usedName))
  return addComponent(plan, target, kind, name)
}

/** Adds a component, or replaces the one with the name. Returns the pointer to it. */
function addComponent(plan: BundlePlan, target: Target, kind: ComponentKind, name: string): string {
  const pointer = toPointer('components', kind, name)
  plan.components.set(pointer, { ...target, kind })
  plan.componentPointers.set(toTargetKey(target, kind), pointer)
  plan.sections[kind] ??= {}
  setMember(toObject(plan.sections[kind]) as Record<string, unknown>, name, target.value)
  return pointer
}

function toTargetKey({ file, pointer }: Target, kind: ComponentKind): string {
  return `${kind} ${file.name}#${pointer}`
}

function isUsedName({ sections }: BundlePlan, kind: ComponentKind, name: string): boolean {
  return Object.hasOwn(toObject(sections[kind]), name)
}

/**
 * Chooses the name of a component: the last token of the pointer, or the file name for a whole file. If this name is used, or is only
 * digits, the file name precedes it: `CommonPet`.
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
