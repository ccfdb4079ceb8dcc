/** The components of a document of several files: those of the first file, and the targets of references in other files. */
import { parse } from 'node:path'
import { setMember } from '../shared/json.ts'
import { type ComponentKind, type Kind, mapParts } from './fields.ts'
import { isBareReference, type Target } from './file-references.ts'
import { getTypeName } from './find-operations.ts'
import type { ParsedFile } from './parse.ts'
import { parsePointer, toPointer } from './pointers.ts'
import { toObject, type Values } from './values.ts'

/** A component, with its place in a file. */
interface Component {
  readonly kind: ComponentKind
  readonly target: Target
}

/** Creates the components of a document with those of its first file, which may be targets in other files. */
export function createComponents(
  firstFile: ParsedFile,
  findTarget: ($ref: string, file: ParsedFile) => Target | string,
) {
  /** The components by their pointers in the document. */
  const components = new Map<string, Component>()
  /** The pointers to the components whose targets are in other files, by kind and target (`toTargetKey`). */
  const pointers = new Map<string, string>()
  const sections = mapParts('components', toObject(toObject(firstFile.value).components), addOwn) as Record<
    string,
    unknown
  >

  /** Adds a component of the first file. If it only refers to another file, the target replaces it. */
  function addOwn(value: unknown, kind: Kind, sectionPointer: string): unknown {
    const pointer = `/components${sectionPointer}`
    const target = isBareReference(value) ? findTarget(value.$ref, firstFile) : ''
    const isInOtherFile = typeof target !== 'string' && target.file !== firstFile
    // A second component with the same target remains a reference, which leads to the first one.
    const isReplaced = isInOtherFile && !pointers.has(toTargetKey(target, kind))
    return add(isReplaced ? target : { file: firstFile, pointer, value }, kind as ComponentKind, pointer)
  }

  /** Adds a component, and returns the value that takes its name until it is copied. */
  function add(target: Target, kind: ComponentKind, pointer: string): unknown {
    components.set(pointer, { kind, target })
    if (target.file !== firstFile) pointers.set(toTargetKey(target, kind), pointer)
    return target.value
  }

  /** Returns a section; adds it if it is missing. */
  function getSection(kind: ComponentKind): Record<string, unknown> {
    sections[kind] ??= {}
    return toObject(sections[kind]) as Record<string, unknown>
  }

  return {
    /** The Components Object. */
    sections,
    /** Iterates over the pointers to the components, also to those that are added meanwhile. */
    pointers: () => components.keys(),
    /** Returns where the component at a pointer comes from; undefined if there is none. */
    getTarget: (pointer: string): Target | undefined => components.get(pointer)?.target,
    hasSchema: (name: string): boolean => Object.hasOwn(toObject(sections.schemas), name),

    /** Returns the pointer to the component that a target in another file is, or becomes. */
    getPointer(target: Target, kind: ComponentKind): string {
      const existingPointer = pointers.get(toTargetKey(target, kind))
      if (existingPointer !== undefined) return existingPointer
      const name = chooseName(target, getSection(kind))
      const pointer = toPointer('components', kind, name)
      setMember(getSection(kind), name, add(target, kind, pointer))
      return pointer
    },

    /** Puts what `copyTarget` returns in the place of a component. */
    copy(pointer: string, copyTarget: (target: Target, kind: ComponentKind) => unknown): void {
      const { kind, target } = components.get(pointer) as Component
      setMember(getSection(kind), parsePointer(pointer).at(-1) as string, copyTarget(target, kind))
    },
  }
}

function toTargetKey({ file, pointer }: Target, kind: Kind): string {
  return `${kind} ${file.name}#${pointer}`
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
