/**
 * The plan by which files become one document: what each reference becomes, and which values are added. `bundle-walk.ts` fills it, and
 * `bundle.ts` copies the files by it. The keys of its maps that are texts are pointers in the document.
 */
import { parse } from 'node:path'
import { setMember } from '../shared/json.ts'
import { type ComponentKind, mapParts } from './fields.ts'
import { createTargetFinder, type Target } from './file-references.ts'
import type { Files } from './files.ts'
import { getTypeName } from './find-operations.ts'
import type { ParsedFile } from './parse.ts'
import { parsePointer, toPointer } from './pointers.ts'
import type { Problem } from './problems.ts'
import { toObject, type Values } from './values.ts'

/** A target in another file that is a component of the document. */
export type Component = Target & { readonly kind: ComponentKind }

export type BundlePlan = ReturnType<typeof createPlan>

/** Creates an empty plan. */
export function createPlan(firstFile: ParsedFile, files: Files) {
  const { components } = toObject(firstFile.value)
  return {
    /** The Components Object, with the values of files that become its components. */
    sections: mapParts('components', toObject(components), (value) => value) as Record<string, unknown>,
    /** The components that are targets in other files. */
    components: new Map<string, Component>(),
    /** The pointers to `components` by kind and target (`toTargetKey`). */
    componentPointers: new Map<string, string>(),
    /** The fields of path items, with the fields of the path items in other files that they refer to. */
    pathItems: new Map<string, Values>(),
    /** Where the fields of path items come from. */
    fieldOrigins: new Map<string, Omit<Target, 'value'>>(),
    /** The pointers to the path items that became nothing but the target of their reference, by the target. */
    pathPointers: new Map<unknown, string>(),
    /** The members that an object has in the document in place of its own: a local `$ref`, or local URIs in a mapping. */
    changes: new Map<object, Values>(),
    /** References that lead to no file, or to nothing in it. */
    problems: [] as Problem[],
    firstFile,
    findTarget: createTargetFinder(firstFile, files),
  }
}

/** True for a reference that is local in the document already. */
export function isLocal({ firstFile }: BundlePlan, $ref: string, file: ParsedFile): boolean {
  return file === firstFile && $ref.startsWith('#')
}

/** Reports a reference that cannot be followed, and returns it as it is. */
export function keepReference({ problems }: BundlePlan, $ref: string, message: string, pointer: string): string {
  problems.push({ pointer, message })
  return $ref
}

/** Returns the pointer to a target in the document. A target in another file becomes a component. */
export function getDocumentPointer(plan: BundlePlan, target: Target, kind: ComponentKind): string {
  if (target.file === plan.firstFile) return target.pointer
  return findComponentPointer(plan, target, kind) ?? addComponent(plan, target, kind, chooseName(plan, target, kind))
}

export function findComponentPointer(plan: BundlePlan, target: Target, kind: ComponentKind): string | undefined {
  return plan.componentPointers.get(toTargetKey(target, kind))
}

/** Adds a component, or replaces the one with the name. Returns the pointer to it. */
export function addComponent(plan: BundlePlan, target: Target, kind: ComponentKind, name: string): string {
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

/**
 * Chooses the name of a component: the last token of the pointer, or the file name for a whole file. If this name is used, or is only
 * digits, the file name precedes it: `CommonPet`.
 */
function chooseName(plan: BundlePlan, { file, pointer }: Target, kind: ComponentKind): string {
  const fileName = parse(file.name).name
  const lastToken = parsePointer(pointer).at(-1) ?? fileName
  const name = lastToken.replaceAll(/[^\w.-]+/g, '_')
  if (!/^\d*$/.test(name) && !isUsedName(plan, kind, name)) return name
  const longName = getTypeName(lastToken === fileName ? fileName : `${fileName}-${lastToken}`)
  let uniqueName = longName
  for (let count = 2; isUsedName(plan, kind, uniqueName); count++) uniqueName = longName + count
  return uniqueName
}

export function isUsedName({ sections }: BundlePlan, kind: ComponentKind, name: string): boolean {
  return Object.hasOwn(toObject(sections[kind]), name)
}
