/**
 * Makes one document of several files. All later stages see one document, whose references are local. The names of
 * security schemes and other components are names in the first file (OpenAPI 3.1.1, "Resolving Implicit Connections").
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
import { type ComponentKind, isComponentKind, type Kind, mapParts } from './fields.ts'
import { createTargetFinder, isBareReference, isReferrer, type Target } from './file-references.ts'
import type { Files } from './files.ts'
import { getTypeName } from './find-operations.ts'
import type { ParsedFile, Problem } from './parse.ts'
import { parsePointer, toPointer } from './pointers.ts'
import { toObject, type Values } from './values.ts'

type MutableValues = Record<string, unknown>

/** A component of the document: one of the first file, or a target in another file. */
interface Component {
  readonly kind: ComponentKind
  readonly target: Target
}

/**
 * Copies the values of the first file into a document without references to other files. Returns it as `root`, the problems of
 * references, and `locate`, which returns the position, in its file, of the value at a pointer in the document.
 */
export function bundle(firstFile: ParsedFile, files: Files) {
  const document = firstFile.value as Values
  if (!mayLeadToFiles(document)) return { root: document, problems: [], locate: firstFile.locate }
  const problems: Problem[] = []
  const findTarget = createTargetFinder(firstFile, files)
  /** The components by their pointers in the document. */
  const components = new Map<string, Component>()
  /** The pointers to the components whose targets are in other files, by kind and target (`toTargetKey`). */
  const componentPointers = new Map<string, string>()
  /** Where values of other files come from, by their pointers in the document. */
  const origins = new Map<string, Omit<Target, 'value'>>()
  const copies = new Map<object, { readonly copy: object; readonly kind: Kind }>()
  /** The targets of the paths whose references are being followed. */
  const openPaths = new Set<unknown>()
  /** The pointers to the paths that became nothing but the target of their reference, by the target. */
  const pathPointers = new Map<unknown, string>()

  // First, so that the targets of components get the names of these, and not names of their own from an earlier reference.
  const sections = mapParts('components', toObject(document.components), addOwnComponent) as MutableValues
  const root = mapParts('openapi', document, (part, kind, pointer) => {
    if (kind !== 'components' || !isObject(part)) return copy(part, kind, firstFile, pointer)
    mapParts(kind, sections, (_value, _kind, sectionPointer) => copyComponent(pointer + sectionPointer))
    return sections
  }) as MutableValues
  // The copies add components. This is a loop: recursion overflows the stack for long chains of references.
  for (const pointer of components.keys()) copyComponent(pointer)
  if (components.size > 0 && !('components' in root)) root.components = sections
  return { root, problems, locate }

  /** Adds a component of the first file. If it only refers to another file, the target replaces it. */
  function addOwnComponent(value: unknown, kind: Kind, sectionPointer: string): unknown {
    const pointer = `/components${sectionPointer}`
    const target = isBareReference(value) ? findTarget(value.$ref, firstFile) : ''
    const isInOtherFile = typeof target !== 'string' && target.file !== firstFile
    // A second component with the same target remains a reference, which leads to the first one.
    const isReplaced = isInOtherFile && !componentPointers.has(toTargetKey(target, kind))
    return addComponent(isReplaced ? target : { file: firstFile, pointer, value }, kind as ComponentKind, pointer)
  }

  /** Adds a component, and returns the value that takes its name until it is copied. */
  function addComponent(target: Target, kind: ComponentKind, pointer: string): unknown {
    components.set(pointer, { kind, target })
    if (target.file !== firstFile) {
      origins.set(pointer, target)
      componentPointers.set(toTargetKey(target, kind), pointer)
    }
    return target.value
  }

  function copyComponent(pointer: string): unknown {
    const { kind, target } = components.get(pointer) as Component
    const component = copy(target.value, kind, target.file, pointer)
    setMember(getSection(kind), parsePointer(pointer).at(-1) as string, component)
    return component
  }

  /** Returns a section of the components; adds it if it is missing. */
  function getSection(kind: ComponentKind): MutableValues {
    sections[kind] ??= {}
    return toObject(sections[kind]) as MutableValues
  }

  /** Copies a value of a file with local references. The pointer leads to the copy in the document. */
  function copy(value: unknown, kind: Kind, file: ParsedFile, pointer: string): unknown {
    if (kind === 'schemaUri') return toLocalUri(value, file, pointer)
    if (typeof value !== 'object' || value === null) return value
    // The places of the fields depend on the path, so each path has its own copy.
    if (kind === 'path') return copyPath({ file, pointer, value }, pointer)
    // An alias of YAML is the same object as its anchor, so one copy stands for both.
    const earlier = copies.get(value)
    if (earlier !== undefined && (earlier.kind !== 'plain' || kind === 'plain')) return earlier.copy
    const $ref =
      isReferrer(value) && isComponentKind(kind) ? toLocal(value.$ref, kind, file, `${pointer}/$ref`) : undefined
    const parts = copyParts(value, kind, file, pointer)
    if ($ref !== undefined) parts.$ref = $ref
    // A value in an extension is copied again if a reference leads to it, which gives it a kind.
    const valueCopy = Object.assign(earlier?.copy ?? parts, parts)
    copies.set(value, { copy: valueCopy, kind })
    return valueCopy
  }

  function copyParts(value: object, kind: Kind, file: ParsedFile, pointer: string): MutableValues {
    return mapParts(kind, value as Values, (part, partKind, partPointer) =>
      copy(part, partKind, file, pointer + partPointer),
    ) as MutableValues
  }

  /** Copies a path item. Its reference to another file is replaced by the fields of the target; its other fields take precedence. */
  function copyPath(item: Target, pointer: string): Values {
    const object = toObject(item.value)
    const target = isReferrer(object) ? followPath(object.$ref, item.file, pointer) : undefined
    if (typeof target !== 'object')
      return copyFields(item, target === undefined ? object : { ...object, $ref: target }, pointer)
    const { $ref: _reference, ...fields } = object
    openPaths.add(target.value)
    const targetFields = copyPath(target, pointer)
    openPaths.delete(target.value)
    if (Object.keys(fields).length === 0) pathPointers.set(target.value, pointer)
    const ownFields = copyFields(item, fields, pointer)
    return { ...ownFields, ...targetFields, ...ownFields }
  }

  /** Copies fields of a path item, and notes where they come from. */
  function copyFields(item: Target, fields: Values, pointer: string): Values {
    for (const field of Object.keys(fields)) {
      origins.set(pointer + toPointer(field), { file: item.file, pointer: item.pointer + toPointer(field) })
    }
    return copyParts(fields, 'path', item.file, pointer)
  }

  /**
   * Returns the target of a path's reference in another file, or else the reference that the path keeps: a target in the first
   * file remains a reference, and a second reference to a target becomes one to the first path.
   */
  function followPath($ref: string, file: ParsedFile, pointer: string): Target | string {
    if (isLocal($ref, file)) return $ref
    const target = findTarget($ref, file)
    if (typeof target === 'string') return keepReference($ref, target, `${pointer}/$ref`)
    const firstPointer = target.file === firstFile ? target.pointer : pathPointers.get(target.value)
    if (firstPointer !== undefined) return toReference(firstPointer)
    if (!openPaths.has(target.value)) return target
    const message = `"${$ref}" refers back to itself without an object between; remove one of the references`
    return keepReference($ref, message, `${pointer}/$ref`)
  }

  /** Returns the reference within the document for a reference in a file. A target in another file becomes a component. */
  function toLocal($ref: string, kind: ComponentKind, file: ParsedFile, pointer: string): string {
    // `checkReferences` reports local references that lead nowhere.
    if (isLocal($ref, file)) return $ref
    const target = findTarget($ref, file)
    return typeof target === 'string'
      ? keepReference($ref, target, pointer)
      : toReference(toDocumentPointer(target, kind))
  }

  /** Makes a URI in a discriminator's mapping local. Component names are no URIs (OpenAPI 3.1.1, Discriminator Object). */
  function toLocalUri(uri: unknown, file: ParsedFile, pointer: string): unknown {
    if (typeof uri !== 'string' || Object.hasOwn(getSection('schemas'), uri) || isLocal(uri, file)) return uri
    const target = findTarget(uri, file)
    if (typeof target !== 'string') return toReference(toDocumentPointer(target, 'schemas'))
    // A mapping that leads nowhere has no effect.
    if (!COMPONENT_NAME.test(uri)) problems.push({ pointer, message: target, isWarning: true })
    return uri
  }

  /** Reports a reference that cannot be followed, and returns it as it is. */
  function keepReference($ref: string, message: string, pointer: string): string {
    problems.push({ pointer, message })
    return $ref
  }

  /** True for a reference that is local in the document already. */
  function isLocal($ref: string, file: ParsedFile): boolean {
    return file === firstFile && $ref.startsWith('#')
  }

  /** Returns the pointer to a target in the document. A target in another file is a component. */
  function toDocumentPointer(target: Target, kind: ComponentKind): string {
    if (target.file === firstFile) return target.pointer
    const componentPointer = componentPointers.get(toTargetKey(target, kind))
    if (componentPointer !== undefined) return componentPointer
    const name = chooseName(target, getSection(kind))
    const pointer = toPointer('components', kind, name)
    setMember(getSection(kind), name, addComponent(target, kind, pointer))
    return pointer
  }

  /** Returns the position of the value at a pointer in the document: in the file of the nearest value around it with an origin. */
  function locate(pointer: string): string {
    for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
      const origin = origins.get(pointer.slice(0, end))
      if (origin !== undefined) return origin.file.locate(origin.pointer + pointer.slice(end))
    }
    return firstFile.locate(pointer)
  }
}

/**
 * True if a reference, or the mapping of a discriminator, may lead to a file. Most documents have none: this takes 1 ms of the start
 * of a document of 900 lines, and a copy 4 ms.
 */
function mayLeadToFiles(document: Values): boolean {
  const isUri = (value: unknown) => typeof value === 'string' && !value.startsWith('#')
  const values = new Set<unknown>([document])
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
