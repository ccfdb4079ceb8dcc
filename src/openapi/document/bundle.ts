/**
 * Makes one document of several files. All later stages see one document, whose references are local. Names, such as those of
 * security schemes, are names in the first file (OpenAPI 3.1.1, "Resolving Implicit Connections").
 *
 * | written                               | in             | becomes in the document                          |
 * |---------------------------------------|----------------|--------------------------------------------------|
 * | `/ships: { $ref: paths.yaml#/ships }` | the paths      | `/ships: { get: … }`: the fields of the target   |
 * | `Ship: { $ref: ship.yaml }`           | the components | `Ship: { type: object, … }`: the target itself   |
 * | `cargo: { $ref: cargo.yaml }`         | anything else  | `cargo: { $ref: "#/components/schemas/cargo" }`, |
 * |                                       |                | and the target is added as this component        |
 * | `escort: { $ref: "#" }`               | ship.yaml      | `escort: { $ref: "#/components/schemas/Ship" }`  |
 * | `port: { $ref: api.yaml#/x-port }`    | ship.yaml      | `port: { $ref: "#/x-port" }`                     |
 */
import { parse } from 'node:path'
import { isObject, setMember } from '../shared/json.ts'
import { COMPONENT_KINDS, type ComponentKind, findParts, type Kind, SECTIONS } from './bundle-fields.ts'
import { createOrigins } from './bundle-origins.ts'
import { createTargets, isBareReference, isReferrer, type Referrer, type Target } from './bundle-targets.ts'
import type { Files } from './files.ts'
import { getTypeName } from './find-operations.ts'
import type { ParsedFile, Problem } from './parse.ts'
import { parsePointer, toPointer } from './pointers.ts'
import { toObject, type Values } from './values.ts'

type MutableValues = Record<string, unknown>

/**
 * Changes the values of the first file, in place, to those of a document without references to other files. Returns the problems
 * of references; and `locate`, which returns the position, in its file, of the value at a pointer in the document.
 */
export function bundle(firstFile: ParsedFile, files: Files) {
  const root = firstFile.value as MutableValues
  if (!mayLeadToFiles(root)) return { problems: [], locate: firstFile.locate }
  const problems: Problem[] = []
  const { findTarget, changeReference } = createTargets(firstFile, files)
  const origins = createOrigins(firstFile)
  /** The local references to the targets that became components, by kind and target (`toTargetKey`). */
  const localReferences = new Map<string, string>()
  const visited = new WeakSet<object>()
  /** The paths whose references are being followed. */
  const openPaths = new Set<unknown>()
  /** The pointers to the paths that became nothing but the target of their reference, by the target. */
  const pathPointers = new Map<unknown, string>()
  /** The visits of the targets that became components. */
  const waitingVisits: (() => void)[] = []

  // First, so that the targets of components get the names of these, and not names of their own from an earlier reference.
  adoptTargets()
  visit(root, 'openapi', firstFile, '')
  // The visits add components, with further visits. This is a loop: recursion overflows the stack for long chains of references.
  for (const visitComponent of waitingVisits) visitComponent()
  return { problems, locate: origins.locate }

  /** Replaces each component that only refers to another file by the target. */
  function adoptTargets(): void {
    for (const kind of COMPONENT_KINDS) {
      const section = toObject(toObject(root.components)[SECTIONS[kind]])
      for (const [name, component] of Object.entries(section)) {
        if (!isBareReference(component)) continue
        const target = findTarget(component.$ref, firstFile)
        // A second component with the same target refers to the first one.
        const isAdopted = typeof target !== 'string' && localReferences.has(toTargetKey(target, kind))
        if (typeof target !== 'string' && target.file !== firstFile && !isAdopted) addComponent(target, kind, name)
      }
    }
  }

  /** Makes the references within a value local. The pointer is that of the value in the document. */
  function visit(value: unknown, kind: Kind, parentFile: ParsedFile, pointer: string): void {
    if (typeof value !== 'object' || value === null || visited.has(value)) return
    visited.add(value)
    // An adopted target is in the components of the first file, but its references are those of its own file.
    const file = origins.getFile(value) ?? parentFile
    const object = value as MutableValues
    if (isReferrer(object)) {
      if (kind === 'path') replacePath(object, file, pointer)
      else if (Object.hasOwn(SECTIONS, kind)) replaceReference(object, kind as ComponentKind, file, pointer)
    }
    if (kind === 'schema') replaceMapping(toObject(object.discriminator), file, `${pointer}/discriminator`)
    for (const part of findParts(kind, object)) visit(part.value, part.kind, file, pointer + part.pointer)
  }

  function replaceReference(referrer: Referrer, kind: ComponentKind, file: ParsedFile, pointer: string): void {
    // `checkReference` reports local references that lead nowhere.
    if (isLocal(referrer.$ref, file)) return
    const target = findTarget(referrer.$ref, file)
    if (typeof target === 'string') problems.push({ pointer: `${pointer}/$ref`, message: target })
    else changeReference(referrer, toLocalReference(target, kind))
  }

  /**
   * Replaces the reference of a path by the fields of its target. The other fields of the path take precedence. A target in the
   * first file remains a reference, and a second reference to a target becomes one to the first path.
   */
  function replacePath(item: Referrer, file: ParsedFile, pointer: string): void {
    const { $ref, ...otherFields } = item
    if (isLocal($ref, file)) return
    const target = findTarget($ref, file)
    const report = (message: string) => problems.push({ pointer: `${pointer}/$ref`, message })
    const firstPointer = typeof target === 'string' ? undefined : pathPointers.get(target.value)
    if (typeof target === 'string') {
      report(target)
    } else if (firstPointer !== undefined) {
      item.$ref = toReference(firstPointer)
    } else if (target.file === firstFile) {
      item.$ref = toLocalReference(target, 'pathItem')
    } else if (openPaths.has(target.value)) {
      report(`"${$ref}" refers back to itself without an object between; remove one of the references`)
    } else {
      openPaths.add(target.value)
      visit(target.value, 'path', target.file, pointer)
      openPaths.delete(target.value)
      Reflect.deleteProperty(item, '$ref')
      Object.assign(item, target.value, otherFields)
      origins.addPathItem(item, target, Object.keys(otherFields))
      if (Object.keys(otherFields).length === 0) pathPointers.set(target.value, pointer)
    }
  }

  /** Makes the URIs in a discriminator's mapping local. Component names are no URIs (OpenAPI 3.1.1, Discriminator Object). */
  function replaceMapping({ mapping }: Values, file: ParsedFile, pointer: string): void {
    const schemas = toObject(toObject(root.components).schemas)
    for (const [name, uri] of Object.entries(toObject(mapping))) {
      if (typeof uri !== 'string' || Object.hasOwn(schemas, uri) || isLocal(uri, file)) continue
      const target = findTarget(uri, file)
      if (typeof target !== 'string') setMember(mapping as MutableValues, name, toLocalReference(target, 'schema'))
      // A mapping that leads nowhere has no effect.
      else if (!COMPONENT_NAME.test(uri))
        problems.push({ pointer: pointer + toPointer('mapping', name), message: target, isWarning: true })
    }
  }

  /** True for a reference that is local in the document already. */
  function isLocal($ref: string, file: ParsedFile): boolean {
    return file === firstFile && $ref.startsWith('#')
  }

  /** Returns the reference to a target within the document. A target in another file becomes a component. */
  function toLocalReference(target: Target, kind: ComponentKind): string {
    if (target.file === firstFile) return toReference(target.pointer)
    const localReference = localReferences.get(toTargetKey(target, kind))
    return localReference ?? addComponent(target, kind, chooseName(target, getSection(root, kind)))
  }

  /** Adds a target to the components, or replaces the component with the name; returns the reference to it. */
  function addComponent(target: Target, kind: ComponentKind, name: string): string {
    const pointer = toPointer('components', SECTIONS[kind], name)
    setMember(getSection(root, kind), name, target.value)
    if (isObject(target.value)) origins.addTarget(target)
    const localReference = toReference(pointer)
    localReferences.set(toTargetKey(target, kind), localReference)
    waitingVisits.push(() => visit(target.value, kind, target.file, pointer))
    return localReference
  }
}

/** True if a reference, or the mapping of a discriminator, may lead to a file: most documents have none. */
function mayLeadToFiles(root: Values): boolean {
  const isUri = (value: unknown) => typeof value === 'string' && !value.startsWith('#')
  const values = new Set<unknown>([root])
  // The iteration includes the values that are added during it.
  for (const value of values) {
    if (typeof value !== 'object' || value === null) continue
    const { $ref, mapping } = value as Values
    if (($ref !== undefined && isUri($ref)) || (mapping !== undefined && Object.values(toObject(mapping)).some(isUri)))
      return true
    for (const member of Object.values(value)) values.add(member)
  }
  return false
}

/** Matches the name of a component. */
const COMPONENT_NAME = /^[\w.-]+$/

function toTargetKey({ file, pointer }: Target, kind: Kind): string {
  return `${kind} ${file.name}#${pointer}`
}

/** Returns the reference with a pointer as its fragment: the inverse of `getTargetPointer`. */
function toReference(pointer: string): string {
  return `#${encodeURI(pointer).replaceAll('#', '%23')}`
}

/** Returns a section of the components; adds it if it is missing. */
function getSection(root: MutableValues, kind: ComponentKind): MutableValues {
  return getMember(getMember(root, 'components'), SECTIONS[kind])
}

/** Returns a member of an object; adds an empty object as the member if it is missing. */
function getMember(object: MutableValues, name: string): MutableValues {
  const { [name]: member = {} } = object
  object[name] = member
  return toObject(member) as MutableValues
}

/**
 * Chooses the name of a component: the last token of the pointer, or the file name for a whole file. If the section has this name,
 * or it is only digits, the file name precedes it: `CommonPet`.
 */
function chooseName({ file, pointer }: Target, section: Values): string {
  const fileName = parse(file.name).name
  const lastToken = parsePointer(pointer).at(-1) ?? fileName
  const name = lastToken.replaceAll(/[^\w.-]+/g, '_')
  if (!/^\d*$/.test(name) && !Object.hasOwn(section, name)) return name
  const longName = getTypeName(lastToken === fileName ? fileName : `${fileName}-${lastToken}`)
  let uniqueName = longName
  for (let count = 2; Object.hasOwn(section, uniqueName); count++) uniqueName = longName + count
  return uniqueName
}
