/**
 * Loads a document, and checks it in three stages, each of which relies on values in which the stages before found no mistake:
 *
 * 1. each value by itself (`supported.yaml`),
 * 2. what each reference leads to (`checkReference`),
 * 3. other relations between values (`CHECKS` in objects.ts), in a copy of the document with the schemas of OpenAPI 3.1.
 *
 * A value is tainted if a mistake is in it, or in what it refers to. Relations of tainted values are not checked, so one report has
 * as many mistakes as possible, and no mistake that follows from another.
 */
import { createRequire } from 'node:module'
import type { ErrorObject } from 'ajv'
import type { ReadOptions } from '../document/files.ts'
import { findSentRequests } from '../document/find-operations.ts'
import type { OpenApi, Schema } from '../document/model.ts'
import { type Operation, readOperations } from '../document/operations.ts'
import { type ParsedDocument, type Problem, throwProblems, withDepthLimit } from '../document/parse.ts'
import { getTargetPointer, parsePointer, toPointer } from '../document/pointers.ts'
import { type NamedDocument, readDocument } from '../document/read.ts'
import { convertDocument, hasVersion } from '../document/version.ts'
import { createSchemaCompiler, type SchemaCompiler, type SchemaOptions } from '../schema/compiler.ts'
import { TEXT_FORMATS } from '../schema/formats.ts'
import { didYouMean } from '../schema/violations.ts'
import { getType, isObject } from '../shared/json.ts'
import { isPattern } from '../shared/patterns.ts'
import { CHECKS, checkFormats, createContext, findReferenceMistake } from './objects.ts'

/** A checked document: all of it is supported, and its values do not contradict each other. */
export interface OpenApiDocument extends ParsedDocument {
  /** The document with its schemas converted to OpenAPI 3.1, and discriminators written into their branches. */
  readonly root: OpenApi
  /** The operations, in the order of the document. */
  readonly operations: readonly Operation[]
  /** The requests of webhooks and callbacks, which the app sends. */
  readonly sentRequests: readonly Operation[]
  /** Returns the JSON pointer to a Schema Object of `root`; undefined for other schemas. */
  findPointer(schema: Schema): string | undefined
  /** Compiles the schemas into validators. */
  readonly compile: SchemaCompiler
  /** Lines `file:LINE:COL: what is wrong; what to do` about values that have no effect. The plugin logs them. */
  readonly warnings: readonly string[]
}

/** How a document is read, and what the app decides about its schemas. */
export interface LoadOptions extends ReadOptions, SchemaOptions {}

/**
 * Loads the document in a YAML 1.2 (or JSON) file and in those that it refers to, or an object. Rejects with a DocumentError that
 * has a line `file:LINE:COL: what is wrong; what to do` for everything that is not YAML, or else not supported, or else
 * inconsistent.
 */
export async function loadDocument(
  source: string | NamedDocument,
  options: LoadOptions = {},
): Promise<OpenApiDocument> {
  const document = readDocument(source, options)
  return withDepthLimit(document.locate(''), () => checkDocument(document, options))
}

function checkDocument(document: ParsedDocument, options: SchemaOptions): OpenApiDocument {
  const { checkedValues, kinds, references, problems } = checkValues(document)
  const schemas = new Map<string, Schema>()
  for (const { name, value, pointer } of checkedValues) {
    if (name === 'schema' && isObject(value)) schemas.set(pointer, value)
  }
  const { root, copies } = convertDocument(document.root, schemas, { namesBranches: problems.length === 0 })
  problems.push(...checkReferences(root, references, kinds))
  const tainted = findTainted(problems, references)
  const compile = createSchemaCompiler(root, options)
  const context = createContext(root, compile, tainted, options.formats)
  for (const { name, value, pointer } of checkedValues) {
    // `checkPaths` itself leaves out the tainted parts.
    if (tainted.has(pointer) && name !== 'paths') continue
    problems.push(...(CHECKS[name]?.((copies.get(value) ?? value) as never, pointer, context) ?? []))
  }
  problems.push(...checkFormats(schemas, options.formats))
  const warnings = throwProblems(document, problems)
  const servedRoot = root.paths === undefined ? { ...root, paths: {} } : root
  const findPointer = (schema: Schema) =>
    schemas.entries().find(([, original]) => (copies.get(original) ?? original) === schema)?.[0]
  const operations = readOperations(servedRoot)
  const sentRequests = readOperations(servedRoot, findSentRequests(servedRoot))
  return { ...document, root: servedRoot, operations, sentRequests, compile, findPointer, warnings }
}

/** Checks each value by itself. Returns the problems, and the values whose relations to other values are checked next. */
function checkValues({ root, problems }: ParsedDocument): Relations & { readonly problems: Problem[] } {
  const supported = loadSupported()
  const relations: Relations = { checkedValues: [], kinds: new Map(), references: [] }
  supported.call({ ...relations, formats: new Map([...TEXT_FORMATS, ['regex', isPattern]]) }, root)
  // Since 3.2, a response needs no description (OpenAPI 3.2, Response Object).
  const isOptional = ({ params }: ErrorObject) => params.missingProperty === 'description' && hasVersion(root, '3.2')
  const errors = formatErrors((supported.errors ?? []).filter((error) => !isOptional(error)))
  // The problems so far are about references to other files. They remain in the document, where they would be reported again.
  const brokenReferences = new Set(problems.map(({ pointer }) => pointer))
  const allProblems = [...problems, ...errors.filter(({ pointer }) => !brokenReferences.has(pointer))]
  if (allProblems.length === 0) return { ...relations, problems: [] }
  // Of references, check those that are texts, as their type demands.
  const mistakenPointers = new Set(allProblems.map(({ pointer }) => pointer))
  const references = relations.references.filter(({ pointer }) => !mistakenPointers.has(pointer))
  return { ...relations, references, problems: allProblems }
}

/** Checks what each reference leads to: an object of the kind that the place of the reference demands. */
function checkReferences(
  root: OpenApi,
  references: readonly CheckedReference[],
  kinds: ReadonlyMap<string, string>,
): Problem[] {
  const messages = new Map<string, string | undefined>()
  const problems: Problem[] = []
  for (const { $ref, kind, pointer } of references) {
    const key = `${kind} ${$ref}`
    const message = messages.has(key) ? messages.get(key) : findReferenceMistake($ref, kind, root, kinds)
    messages.set(key, message)
    if (message !== undefined) problems.push({ pointer, message })
  }
  return problems
}

/** Finds the pointers to all values that contain a mistake, or lead to a mistake by a reference. */
function findTainted(problems: readonly Problem[], references: readonly CheckedReference[]): ReadonlySet<string> {
  const mistakes = problems.filter(({ isWarning }) => isWarning !== true)
  const tainted = new Set(mistakes.map(({ pointer }) => pointer))
  if (tainted.size === 0) return tainted
  const referrers = Map.groupBy(references, ({ $ref }) => getTargetPointer($ref))
  // The iteration includes the pointers that are added during it.
  for (const pointer of tainted) {
    if (pointer !== '') tainted.add(pointer.slice(0, pointer.lastIndexOf('/')))
    for (const referrer of referrers.get(pointer) ?? []) tainted.add(referrer.pointer)
  }
  return tainted
}

/** The validator of `supported.yaml`. It adds the values that relate to others to the relations. */
interface Supported {
  (this: Relations & { readonly formats: typeof TEXT_FORMATS }, root: OpenApi): boolean
  readonly errors?: readonly ErrorObject[] | null
}

/** What supported.yaml says of values that relate to others. */
interface Relations {
  /** The values with a function in CHECKS, which `name` names: `schema` for `check: schema`. */
  readonly checkedValues: { readonly name: string; readonly value: object; readonly pointer: string }[]
  /** The kinds of objects by their pointers: `parameters` for `kind: parameters`. */
  readonly kinds: Map<string, string>
  readonly references: CheckedReference[]
}

/** A reference with the kind that its target must have: `parameters` for `refersTo: parameters`. */
interface CheckedReference {
  readonly $ref: string
  readonly kind: string
  readonly pointer: string
}

/** Loads the validator on demand: the program that writes the file imports this module before the file exists. */
const loadSupported = () => createRequire(import.meta.url)('./supported.js').default as Supported

/**
 * The extensions of this layer. In an object where supported.yaml does not have them, they are errors; `x-stability-level` is not
 * among them, because it has no effect on the server.
 */
const OWN_EXTENSIONS = /^x-(deprecated-since|extensible-enum|max-bytes|max-depth|replaced-by|stream|sunset)$/

/** Converts the errors of the validator to problems, with messages `what is wrong; what to do`. */
function formatErrors(errors: readonly ErrorObject[]): Problem[] {
  return errors.flatMap((error): Problem[] => {
    const { keyword, instancePath: pointer, params, propertyName } = error
    const { title, advice, ignored, properties = {} } = error.parentSchema ?? {}
    // Skip: the errors of their subschemas are reported.
    if (keyword === 'if' || keyword === 'propertyNames') return []
    if (keyword === 'required') return [{ pointer, message: `${title} needs "${params.missingProperty}"; add it` }]
    if (keyword === 'additionalProperties') {
      const name: string = params.additionalProperty
      const isExtension = name.startsWith('x-')
      const hint = didYouMean(
        name,
        Object.keys(properties).filter((memberName) => memberName.startsWith('x-') === isExtension),
      )
      // Ignore the extensions of other tools (OpenAPI 3.1, Specification Extensions).
      if (isExtension && hint === '' && !OWN_EXTENSIONS.test(name)) return []
      if (ignored !== undefined && hint === '') {
        return [{ pointer: pointer + toPointer(name), message: `"${name}" ${ignored}; remove it`, isWarning: true }]
      }
      const message = `"${name}" is not supported in ${title}${hint}; ${advice ?? 'remove or correct it'}`
      return [{ pointer: pointer + toPointer(name), message }]
    }
    if (propertyName === undefined) return [{ pointer, message: formatError(error, advice) }]
    const message = `the name "${propertyName}" is not supported here; ${advice}`
    return [{ pointer: pointer + toPointer(propertyName), message }]
  })
}

function formatError({ keyword, params, data, schema, instancePath }: ErrorObject, advice?: string): string {
  if (keyword === 'type') {
    const typeAdvice =
      params.type === 'string' && typeof data !== 'object' ? 'put it in quotes' : (advice ?? 'change it')
    return `this must be of type ${params.type}, but is ${formatValue(data)}; ${typeAdvice}`
  }
  // Numbers have no type in supported.yaml, which excludes the other types.
  if (keyword === 'not' && isObject(schema) && 'type' in schema) {
    return `this must be of type number, but is ${formatValue(data)}; ${advice}`
  }
  if (keyword === 'uniqueItems') return `this has the same item twice; ${advice}`
  if (/^min(Items|Properties)$/.test(keyword)) return `this is empty; ${advice}`
  if (keyword === 'not') return `"${parsePointer(instancePath).at(-1)}" is not supported here; ${advice}`
  const values = [params.allowedValues ?? params.allowedValue].flat()
  if (data === null && values.includes('null')) return 'null is not supported here; put it in quotes: "null"'
  const choice = `use ${values.length > 1 ? 'one of: ' : ''}${values.join(', ')}`
  return `${formatValue(data)} is not supported here; ${advice ?? choice}`
}

/** Formats a value of the document as JSON, but an object or array as its type. */
function formatValue(value: unknown): string {
  if (value !== null && typeof value === 'object') return `an ${getType(value)}`
  return JSON.stringify(typeof value === 'bigint' ? Number(value) : value)
}
