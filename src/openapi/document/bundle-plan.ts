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

/** What the references become. The keys that are texts are pointers in the document. */
export interface BundlePlan {
  /** The Components Object, with the values of files that become its components. */
  readonly sections: Values
  /** The components that are targets in other files. */
  readonly components: ReadonlyMap<string, Component>
  /** The fields of path items, with the fields of the path items in other files that they refer to. */
  readonly pathItems: ReadonlyMap<string, Values>
  /** Where the fields of path items come from. */
  readonly fieldOrigins: ReadonlyMap<string, Omit<Target, 'value'>>
  /** The members that an object has in the document in place of its own: a local `$ref`, or local URIs in a mapping. */
  readonly changes: ReadonlyMap<object, Values>
  /** References that lead to no file, or to nothing in it. */
  readonly problems: readonly Problem[]
}

/** A plan in the making. */
type Draft = ReturnType<typeof createDraft>

/** A value that becomes a part of the document, with the pointer to its place there. */
interface Part {
  readonly value: unknown
  readonly kind: Kind
  readonly file: ParsedFile
  readonly pointer: string
}

/** Plans the document of a first file and of the files to which it leads. */
export function planBundle(firstFile: ParsedFile, files: Files): BundlePlan {
  const draft = createDraft(firstFile, files)
  replaceComponents(draft)
  const document = firstFile.value as Values
  const value = 'components' in document ? { ...document, components: draft.sections } : document
  visit(draft, { value, kind: 'openapi', file: firstFile, pointer: '' })
  // The iteration includes the components that are added during it. Recursion would overflow the stack for long chains of references.
  for (const [pointer, component] of draft.components) visit(draft, { ...component, pointer })
  return draft
}

function createDraft(firstFile: ParsedFile, files: Files) {
  const { components } = toObject(firstFile.value)
  return {
    sections: mapParts('components', toObject(components), (value) => value) as Record<string, unknown>,
    components: new Map<string, Component>(),
    pathItems: new Map<string, Values>(),
    fieldOrigins: new Map<string, Omit<Target, 'value'>>(),
    changes: new Map<object, Values>(),
    problems: [] as Problem[],
    firstFile,
    findTarget: createTargetFinder(firstFile, files),
    visitedObjects: new Set<object>(),
    /** The pointers to the components, by kind and target (`toTargetKey`). */
    componentPointers: new Map<string, string>(),
    /** The pointers to the path items that became nothing but the target of their reference, by the target. */
    pathPointers: new Map<unknown, string>(),
  }
}

/**
 * Replaces each component of the first file that only refers to another file by the target. A second component with the same target
 * remains a reference, which leads to the first one.
 */
function replaceComponents(draft: Draft): void {
  mapParts('components', draft.sections, (value, kind, pointer) => {
    if (!isBareReference(value) || !isComponentKind(kind)) return
    const target = draft.findTarget(value.$ref, draft.firstFile)
    if (typeof target === 'string' || target.file === draft.firstFile) return
    if (draft.componentPointers.has(toTargetKey(target, kind))) return
    addComponent(draft, target, kind, parsePointer(pointer).at(-1) as string)
  })
}

/** Plans the references in a value, at any depth. */
function visit(draft: Draft, part: Part): void {
  const { kind, pointer } = part
  // The target is in the place of a component that is replaced.
  const { value, file } = draft.components.get(pointer) ?? part
  if (typeof value !== 'object' || value === null || kind === 'plain') return
  if (kind === 'path') {
    // Each time: path items that are aliases of one another have fields at different pointers.
    visitPathItem(draft, { value, file, pointer })
    return
  }
  if (draft.visitedObjects.has(value)) return
  draft.visitedObjects.add(value)
  if (isReferrer(value) && isComponentKind(kind)) {
    draft.changes.set(value, { $ref: toLocalReference(draft, value.$ref, kind, file, `${pointer}/$ref`) })
  }
  if (kind === 'discriminator') visitMapping(draft, toObject((value as Values).mapping), file, `${pointer}/mapping`)
  visitParts(draft, value as Values, kind, file, pointer)
}

function visitParts(draft: Draft, object: Values, kind: Kind, file: ParsedFile, pointer: string): void {
  mapParts(kind, object, (value, partKind, partPointer) => {
    visit(draft, { value, kind: partKind, file, pointer: pointer + partPointer })
  })
}

/** Plans a path item of the first file with the fields that its reference adds: of two with one name, the nearer one applies. */
function visitPathItem(draft: Draft, firstItem: Target): void {
  const { pointer } = firstItem
  let fields: Values = {}
  for (const item of listPathItems(draft, firstItem, pointer)) {
    const newEntries = Object.entries(toObject(item.value)).filter(([field]) => !Object.hasOwn(fields, field))
    for (const [field] of newEntries) {
      draft.fieldOrigins.set(pointer + toPointer(field), { file: item.file, pointer: item.pointer + toPointer(field) })
    }
    const newFields = Object.fromEntries(newEntries)
    visitParts(draft, newFields, 'path', item.file, pointer)
    fields = { ...fields, ...newFields }
  }
  draft.pathItems.set(pointer, fields)
}

/**
 * Lists a path item and the path items in other files to which it leads, each without the reference to the next one. `targets` are the
 * path items before it.
 */
function listPathItems(draft: Draft, item: Target, pointer: string, targets: readonly Target[] = []): Target[] {
  const { value, file } = item
  if (!isReferrer(value)) return [item]
  const target = findPathItem(draft, value.$ref, file, pointer, targets)
  if (typeof target === 'string') return [{ ...item, value: { ...value, $ref: target } }]
  const { $ref: _reference, ...fields } = value
  const nextItems = listPathItems(draft, target, pointer, [...targets, target])
  if (isBareReference(value)) draft.pathPointers.set(target.value, pointer)
  return [{ ...item, value: fields }, ...nextItems]
}

/**
 * Returns the path item in another file to which a reference leads, or else the reference that remains: a target in the first file has a
 * path of its own, and so has a target that another path became.
 */
function findPathItem(
  draft: Draft,
  $ref: string,
  file: ParsedFile,
  pointer: string,
  targets: readonly Target[],
): Target | string {
  if (isLocal(draft, $ref, file)) return $ref
  const target = draft.findTarget($ref, file)
  if (typeof target === 'string') return keepReference(draft, $ref, target, `${pointer}/$ref`)
  const firstPointer = target.file === draft.firstFile ? target.pointer : draft.pathPointers.get(target.value)
  if (firstPointer !== undefined) return toReference(firstPointer)
  if (targets.every(({ value }) => value !== target.value)) return target
  const message = `"${$ref}" refers back to itself without an object between; remove one of the references`
  return keepReference(draft, $ref, message, `${pointer}/$ref`)
}

/** Plans the mapping of a discriminator, whose values are names of components or URIs (OpenAPI 3.1.1, Discriminator Object). */
function visitMapping(draft: Draft, mapping: Values, file: ParsedFile, pointer: string): void {
  const toLocalUri = (uri: unknown, name: string): unknown => {
    if (typeof uri !== 'string' || isUsedName(draft, 'schemas', uri) || isLocal(draft, uri, file)) return uri
    const target = draft.findTarget(uri, file)
    if (typeof target !== 'string') return toReference(getDocumentPointer(draft, target, 'schemas'))
    // A mapping that leads nowhere has no effect.
    const isName = /^[\w.-]+$/.test(uri)
    if (!isName) draft.problems.push({ pointer: pointer + toPointer(name), message: target, isWarning: true })
    return uri
  }
  draft.changes.set(mapping, mapValues(mapping, toLocalUri))
}

/** Returns the reference within the document for a reference in a file. */
function toLocalReference(draft: Draft, $ref: string, kind: ComponentKind, file: ParsedFile, pointer: string): string {
  // `checkReferences` reports local references that lead nowhere.
  if (isLocal(draft, $ref, file)) return $ref
  const target = draft.findTarget($ref, file)
  if (typeof target === 'string') return keepReference(draft, $ref, target, pointer)
  return toReference(getDocumentPointer(draft, target, kind))
}

/** True for a reference that is local in the document already. */
function isLocal({ firstFile }: Draft, $ref: string, file: ParsedFile): boolean {
  return file === firstFile && $ref.startsWith('#')
}

/** Reports a reference that cannot be followed, and returns it as it is. */
function keepReference({ problems }: Draft, $ref: string, message: string, pointer: string): string {
  problems.push({ pointer, message })
  return $ref
}

/** Returns the pointer to a target in the document. A target in another file becomes a component. */
function getDocumentPointer(draft: Draft, target: Target, kind: ComponentKind): string {
  if (target.file === draft.firstFile) return target.pointer
  const existingPointer = draft.componentPointers.get(toTargetKey(target, kind))
  if (existingPointer !== undefined) return existingPointer
  return addComponent(
    draft,
    target,
    kind,
    chooseName(target, (name) => isUsedName(draft, kind, name)),
  )
}

/** Adds a component, or replaces the one with the name. Returns the pointer to it. */
function addComponent(draft: Draft, target: Target, kind: ComponentKind, name: string): string {
  const pointer = toPointer('components', kind, name)
  draft.components.set(pointer, { ...target, kind })
  draft.componentPointers.set(toTargetKey(target, kind), pointer)
  draft.sections[kind] ??= {}
  setMember(toObject(draft.sections[kind]) as Record<string, unknown>, name, target.value)
  return pointer
}

function toTargetKey({ file, pointer }: Target, kind: ComponentKind): string {
  return `${kind} ${file.name}#${pointer}`
}

function isUsedName({ sections }: Draft, kind: ComponentKind, name: string): boolean {
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
