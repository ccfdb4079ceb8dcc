/**
 * Makes one document of several files. The target of a reference into another file becomes a component; a path item replaces the
 * reference to it. All later stages see one document, whose references are local. Names, such as those of security schemes, are
 * names in the first file (OpenAPI 3.1.1, "Resolving Implicit Connections").
 */
import { parse } from 'node:path'
import { isObject, setMember } from '../shared/json.ts'
import type { Files } from './files.ts'
import { getTypeName } from './find-operations.ts'
import { METHODS } from './model.ts'
import type { ParsedFile, Problem } from './parse.ts'
import { getTargetPointer, getValueAt, parsePointer, toPointer } from './pointers.ts'
import { SUBSCHEMA_KEYWORDS } from './subschemas.ts'
import { toObject, type Values } from './values.ts'

/** The sections of the components, by the kinds of their objects. */
const SECTIONS = {
  schema: 'schemas',
  response: 'responses',
  parameter: 'parameters',
  example: 'examples',
  requestBody: 'requestBodies',
  header: 'headers',
  securityScheme: 'securitySchemes',
  link: 'links',
  callback: 'callbacks',
  pathItem: 'pathItems',
  mediaType: 'mediaTypes',
} as const

type ComponentKind = keyof typeof SECTIONS
type Kind = ComponentKind | 'openapi' | 'components' | 'operation' | 'encoding'

/** The kind of a field's value; in brackets, the value is a list or map, whose members have the kind. */
type FieldKind = Kind | readonly [Kind]

const COMPONENT_KINDS = Object.keys(SECTIONS) as ComponentKind[]

/** The fields that may contain references, at any depth and in any version of OpenAPI, by the kind of their object. */
const FIELDS: Readonly<Record<Kind, Readonly<Record<string, FieldKind>>>> = {
  openapi: { components: 'components', paths: ['pathItem'], webhooks: ['pathItem'] },
  components: Object.fromEntries(COMPONENT_KINDS.map((kind) => [SECTIONS[kind], [kind]])),
  pathItem: {
    ...Object.fromEntries(METHODS.map((method) => [method, 'operation'])),
    additionalOperations: ['operation'],
    parameters: ['parameter'],
  },
  operation: {
    parameters: ['parameter'],
    requestBody: 'requestBody',
    responses: ['response'],
    callbacks: ['callback'],
  },
  parameter: { schema: 'schema', content: ['mediaType'], examples: ['example'] },
  header: { schema: 'schema', content: ['mediaType'], examples: ['example'] },
  requestBody: { content: ['mediaType'] },
  response: { content: ['mediaType'], headers: ['header'], links: ['link'] },
  mediaType: {
    schema: 'schema',
    itemSchema: 'schema',
    examples: ['example'],
    encoding: ['encoding'],
    prefixEncoding: ['encoding'],
    itemEncoding: 'encoding',
  },
  encoding: { headers: ['header'], encoding: ['encoding'], prefixEncoding: ['encoding'], itemEncoding: 'encoding' },
  schema: {
    ...Object.fromEntries([...SUBSCHEMA_KEYWORDS.single, 'contentSchema'].map((keyword) => [keyword, 'schema'])),
    ...Object.fromEntries(
      [...SUBSCHEMA_KEYWORDS.list, ...SUBSCHEMA_KEYWORDS.map, '$defs'].map((keyword) => [keyword, ['schema']]),
    ),
  },
  // `getFieldKind` knows the fields, which are path items with any names.
  callback: {},
  example: {},
  link: {},
  securityScheme: {},
}

/** A value in a file. */
interface Target {
  readonly file: ParsedFile
  readonly pointer: string
  readonly value: unknown
}

type MutableValues = Record<string, unknown>
type Referrer = MutableValues & { $ref: string }

/**
 * Changes the values of the first file, in place, to those of a document without references to other files. Returns the problems
 * of references; and `locate`, which returns the position, in its file, of the value at a pointer in the document.
 */
export function bundle(firstFile: ParsedFile, files: Files) {
  const root = firstFile.value as MutableValues
  const problems: Problem[] = []
  /** The local references to the components that were made of targets, by kind and target (`toTargetKey`). */
  const localReferences = new Map<string, string>()
  /** The targets that became components, by their values. */
  const targets = new Map<unknown, Target>()
  /** The targets whose fields were copied to a path item, by the path item; `otherFields` are those that it had before. */
  const inlineTargets = new Map<unknown, Target & { readonly otherFields: readonly string[] }>()
  /** The references before they became local, by the objects that have them. */
  const originalReferences = new Map<unknown, string>()
  const visited = new WeakSet<object>()
  const openPathItems = new Set<unknown>()
  const waitingVisits: (() => void)[] = []

  adoptComponents()
  visit(root, 'openapi', firstFile, '')
  visitComponents()
  return { problems, locate }

  /** Replaces components that only refer to another file, such as `Pet: { $ref: pet.yaml }`, by the target: it gets their name. */
  function adoptComponents(): void {
    for (const kind of COMPONENT_KINDS) {
      const section = toObject(toObject(root.components)[SECTIONS[kind]])
      for (const [name, component] of Object.entries(section)) {
        if (kind === 'pathItem' || !isBareReference(component)) continue
        const target = findTarget(component.$ref, firstFile)
        if (typeof target === 'string' || target.file === firstFile || localReferences.has(toTargetKey(target, kind)))
          continue
        addComponent(target, kind, name)
      }
    }
  }

  /** Visits the added components, and those that the visits add. This is a loop: recursion overflows the stack for long chains. */
  function visitComponents(): void {
    // The iteration includes what is added during it.
    for (const visitComponent of waitingVisits) visitComponent()
    waitingVisits.length = 0
  }

  /** Makes the references within a value local. The pointer is that of the value in the document. */
  function visit(value: unknown, kind: Kind, parentFile: ParsedFile, pointer: string): void {
    if (typeof value !== 'object' || value === null || visited.has(value)) return
    visited.add(value)
    const file = targets.get(value)?.file ?? parentFile
    const object = value as MutableValues
    if (isReferrer(object)) {
      if (kind === 'pathItem') replacePathItem(object, file, pointer)
      else if (Object.hasOwn(SECTIONS, kind)) replaceReference(object, kind as ComponentKind, file, pointer)
    }
    if (kind === 'schema') replaceMapping(toObject(object.discriminator), file, `${pointer}/discriminator`)
    for (const [field, member] of Object.entries(object)) {
      const fieldKind = getFieldKind(kind, field)
      const fieldPointer = pointer + toPointer(field)
      if (typeof fieldKind === 'string') visit(member, fieldKind, file, fieldPointer)
      if (typeof fieldKind !== 'object') continue
      for (const [name, part] of Object.entries(toObject(member))) {
        if (!isExtension(kind, field, name)) visit(part, fieldKind[0], file, fieldPointer + toPointer(name))
      }
    }
  }

  function replaceReference(referrer: Referrer, kind: ComponentKind, file: ParsedFile, pointer: string): void {
    const { $ref } = referrer
    // Local already. `checkReference` reports local references that lead nowhere.
    if (file === firstFile && $ref.startsWith('#')) return
    originalReferences.set(referrer, $ref)
    const target = findTarget($ref, file)
    if (typeof target === 'string') problems.push({ pointer: `${pointer}/$ref`, message: target })
    else referrer.$ref = toLocalReference(target, kind)
  }

  /** Copies the fields of the path item that `item` refers to. The other fields of `item` take precedence. */
  function replacePathItem(item: Referrer, file: ParsedFile, pointer: string): void {
    const { $ref, ...otherFields } = item
    const target = file === firstFile && $ref.startsWith('#') ? undefined : findTarget($ref, file)
    if (target === undefined) return
    const report = (message: string) => problems.push({ pointer: `${pointer}/$ref`, message })
    if (typeof target === 'string') {
      report(target)
    } else if (target.file === firstFile) {
      item.$ref = toLocalReference(target, 'pathItem')
    } else if (openPathItems.has(target.value)) {
      report(`"${$ref}" leads back to itself through callbacks; refer to the callback, as a component`)
    } else {
      openPathItems.add(target.value)
      visit(target.value, 'pathItem', target.file, pointer)
      openPathItems.delete(target.value)
      Reflect.deleteProperty(item, '$ref')
      Object.assign(item, target.value, otherFields)
      inlineTargets.set(item, { ...target, otherFields: Object.keys(otherFields) })
    }
  }

  /** Makes the URIs in a discriminator's mapping local. Component names are no URIs (OpenAPI 3.1.1, Discriminator Object). */
  function replaceMapping({ mapping }: Values, file: ParsedFile, pointer: string): void {
    const schemas = toObject(toObject(root.components).schemas)
    for (const [name, uri] of Object.entries(toObject(mapping))) {
      if (typeof uri !== 'string' || Object.hasOwn(schemas, uri) || (file === firstFile && uri.startsWith('#')))
        continue
      const target = findTarget(uri, file)
      if (typeof target !== 'string') setMember(mapping as MutableValues, name, toLocalReference(target, 'schema'))
      // Validation does not depend on the mapping.
      else if (!NAME.test(uri))
        problems.push({ pointer: pointer + toPointer('mapping', name), message: target, isWarning: true })
    }
  }

  /** Returns the reference to a target within the document. */
  function toLocalReference(target: Target, kind: ComponentKind): string {
    if (target.file === firstFile) return toReference(target.pointer)
    const localReference = localReferences.get(toTargetKey(target, kind))
    if (localReference !== undefined) return localReference
    const section = getMember(getMember(root, 'components'), SECTIONS[kind])
    return addComponent(target, kind, chooseName(target, section))
  }

  /** Adds a target to the components; returns the reference to it. */
  function addComponent(target: Target, kind: ComponentKind, name: string): string {
    const pointer = toPointer('components', SECTIONS[kind], name)
    setMember(getMember(getMember(root, 'components'), SECTIONS[kind]), name, target.value)
    if (isObject(target.value)) targets.set(target.value, target)
    const localReference = toReference(pointer)
    localReferences.set(toTargetKey(target, kind), localReference)
    waitingVisits.push(() => visit(target.value, kind, target.file, pointer))
    return localReference
  }

  /** Finds the target of a reference, over any number of references; returns `what is wrong; what to do` without a target. */
  function findTarget($ref: string, file: ParsedFile): Target | string {
    let target = findNextTarget($ref, file)
    const referrers = new Set<unknown>()
    while (typeof target !== 'string' && isBareReference(target.value) && !referrers.has(target.value)) {
      // Stop: the value has a pointer in the document already.
      if (target.file === firstFile) break
      referrers.add(target.value)
      const nextTarget = findNextTarget(originalReferences.get(target.value) ?? target.value.$ref, target.file)
      // Stop at the broken reference: its own visit reports it.
      if (typeof nextTarget === 'string') break
      target = nextTarget
    }
    return target
  }

  function findNextTarget($ref: string, file: ParsedFile): Target | string {
    const [uri = ''] = $ref.split('#', 1)
    const targetFile = uri === '' ? file : files.open(uri, file)
    if (typeof targetFile === 'string') return targetFile
    const pointer = getTargetPointer($ref.slice(uri.length))
    if (!/^(\/|$)/.test(pointer)) return `"${$ref}" is not supported here; write a JSON pointer, as "FILE#/NAME"`
    const value = getValueAt(targetFile.value, pointer)
    if (isObject(value) || typeof value === 'boolean') return { file: targetFile, pointer, value }
    if (value !== undefined) return `"${$ref}" does not lead to an object; change the value or correct the reference`
    const isInFirstFile = uri === '' && getValueAt(root, pointer) !== undefined
    const advice = isInFirstFile
      ? `refer to "${files.getUri(firstFile, file)}${$ref}"`
      : 'add it or correct the reference'
    return `"${$ref}" does not exist${uri === '' ? ' in this file' : ''}; ${advice}`
  }

  /**
   * Returns the position of the value at a pointer in the document. Follows the pointer, and switches to another file at each value
   * that comes from it.
   */
  function locate(pointer: string): string {
    let value: unknown = root
    let file = firstFile
    let filePointer = ''
    for (const token of parsePointer(pointer)) {
      const inlineTarget = inlineTargets.get(value)
      if (inlineTarget?.otherFields.includes(token) === false) ({ file, pointer: filePointer } = inlineTarget)
      filePointer += toPointer(token)
      value = getValueAt(value, toPointer(token))
      const target = targets.get(value)
      if (target !== undefined) ({ file, pointer: filePointer } = target)
    }
    return file.locate(filePointer)
  }
}

/** Matches the name of a component. */
const NAME = /^[\w.-]+$/

function getFieldKind(kind: Kind, field: string): FieldKind | undefined {
  if (kind === 'callback') return field.startsWith('x-') ? undefined : 'pathItem'
  return Object.hasOwn(FIELDS[kind], field) ? FIELDS[kind][field] : undefined
}

/** True for members of the Paths and the Responses Object that are extensions. */
function isExtension(kind: Kind, field: string, name: string): boolean {
  return kind !== 'components' && /^(paths|responses)$/.test(field) && name.startsWith('x-')
}

function isReferrer(object: Values): object is Referrer {
  return typeof object.$ref === 'string'
}

/** True for an object whose only member is `$ref`. */
function isBareReference(value: unknown): value is Referrer {
  return isObject(value) && isReferrer(value) && Object.keys(value).length === 1
}

function toTargetKey({ file, pointer }: Target, kind: Kind): string {
  return `${kind} ${file.name}#${pointer}`
}

/** Returns the reference with a pointer as its fragment: the inverse of `getTargetPointer`. */
function toReference(pointer: string): string {
  return `#${encodeURI(pointer).replaceAll('#', '%23')}`
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
