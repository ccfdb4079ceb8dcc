/** Loads a document: reads its files, checks it, and reads its operations. */
import type { ReadOptions } from '../document/files.ts'
import { findSentRequests } from '../document/find-operations.ts'
import type { OpenApi, Schema } from '../document/model.ts'
import { type Operation, readOperations } from '../document/operations.ts'
import type { ParsedDocument } from '../document/parse.ts'
import { isMistake, type Problem, throwProblems, withDepthLimit } from '../document/problems.ts'
import { type NamedDocument, readDocument } from '../document/read.ts'
import { findRepeated } from '../document/values.ts'
import { convertDocument, findMovedConstraints } from '../document/version.ts'
import { createSchemaCompiler, type SchemaCompiler, type SchemaOptions } from '../schema/compiler.ts'
import { isObject } from '../shared/json.ts'
import { CHECKS } from './checks.ts'
import { type Context, createContext } from './context.ts'
import { type CheckedReference, checkReferences, findTainted } from './references.ts'
import { checkFormats, checkTypes } from './schemas.ts'
import { leaveOutMistakes, type SkippedOperation, tolerateDescription } from './skip.ts'
import { checkValues, type Relations } from './values.ts'

/** A checked document: all of it is supported, and its values do not contradict each other. */
export interface OpenApiDocument extends ParsedDocument {
  /** The document with its schemas converted to OpenAPI 3.1, and discriminators written into their branches. */
  readonly root: OpenApi
  /** The operations, in the order of the document. */
  readonly operations: readonly Operation[]
  /** The requests of webhooks and callbacks, which the app sends. */
  readonly sentRequests: readonly Operation[]
  /** The operations that have mistakes, with the option `problems: 'skip'`. Their routes respond with 501. */
  readonly skippedOperations: readonly SkippedOperation[]
  /** Returns the JSON pointer to a Schema Object of `root`; undefined for other schemas. */
  findPointer(schema: Schema): string | undefined
  /** Compiles the schemas into validators. */
  readonly compile: SchemaCompiler
  /** Lines `file:LINE:COL: what is wrong; what to do` about values that have no effect. The plugin logs them. */
  readonly warnings: readonly string[]
}

/** How a document is read, and what the app decides about its schemas. */
export interface LoadOptions extends ReadOptions, SchemaOptions {
  /**
   * What becomes of mistakes in a document. By default, it is rejected. With `skip`, the operations that have a mistake or refer to one
   * respond with 501, and the others are served. A mistake that concerns all operations, such as one in the security, rejects even then.
   */
  readonly problems?: 'reject' | 'skip' | undefined
}

/**
 * Loads the document in a YAML 1.2 (or JSON) file and in the files that it refers to, or an object. Rejects with a DocumentError that
 * has a line `file:LINE:COL: what is wrong; what to do` for everything that is not YAML, or else not supported, or else
 * inconsistent.
 */
export async function loadDocument(
  source: string | NamedDocument,
  options: LoadOptions = {},
): Promise<OpenApiDocument> {
  const parsedDocument = readDocument(source, options)
  return withDepthLimit(parsedDocument.locate(''), () => {
    const check = (document: ParsedDocument) => checkDocument(document, options)
    if (options.problems !== 'skip') return toOpenApiDocument(parsedDocument, check(parsedDocument))
    const { document, checked, skippedOperations, warnings } = leaveOutMistakes(parsedDocument, check)
    const openApiDocument = toOpenApiDocument(document, checked)
    return { ...openApiDocument, skippedOperations, warnings: [...warnings, ...openApiDocument.warnings] }
  })
}

/** The problems of a document, its references, and the parts of an OpenApiDocument that the check has made. */
interface CheckResult extends Pick<OpenApiDocument, 'root' | 'operations' | 'compile' | 'findPointer'> {
  readonly problems: readonly Problem[]
  readonly references: readonly CheckedReference[]
}

/**
 * Checks a document in three stages, each of which relies on values in which the stages before found no mistake:
 *
 * 1. each value by itself (`supported.yaml`),
 * 2. what each reference leads to,
 * 3. other relations between values (`CHECKS`), in a copy of the document with the schemas of OpenAPI 3.1.
 *
 * A value is tainted if a mistake is in it, or in what it refers to. Relations of tainted values are not checked, so one report has
 * as many mistakes as possible, and no mistake that follows from another. Returns the problems, and the copy as `root`.
 */
function checkDocument(document: ParsedDocument, options: LoadOptions): CheckResult {
  const { checkedValues, kinds, references, problems: valueProblems } = checkValues(document)
  const schemas = new Map<string, Schema>()
  for (const { check, value, pointer } of checkedValues) {
    if (check === 'schema' && isObject(value)) schemas.set(pointer, value)
  }
  // A document of webhooks alone has no paths.
  const original = { ...document.root, paths: document.root.paths ?? {} }
  const problems = [
    ...(options.problems === 'skip' ? valueProblems.map(tolerateDescription) : valueProblems),
    ...checkTypes(schemas, original),
    ...checkFormats(schemas, options.formats),
    ...checkReferences(original, references, kinds),
  ]
  const { root, findCopy, ...conversion } = convertDocument(original, schemas, references, {
    isValid: !problems.some(isMistake),
  })
  problems.push(...conversion.problems)
  const compile = createSchemaCompiler(root, options)
  const context = createContext(root, compile, findTainted(problems, references), options.formats)
  return {
    problems: [...problems, ...checkRelations(checkedValues, findCopy, context)],
    references,
    root,
    operations: context.operations,
    compile,
    findPointer: (schema: Schema) => schemas.entries().find(([, value]) => findCopy(value) === schema)?.[0],
  }
}

/** Compares values with others by the functions in CHECKS, except for tainted values. */
function checkRelations(
  checkedValues: Relations['checkedValues'],
  findCopy: <Value>(original: Value) => Value,
  context: Context,
): Problem[] {
  const problems: Problem[] = []
  for (const { check, value, pointer } of checkedValues) {
    // `checkPaths` itself leaves out the tainted parts.
    if (context.tainted.has(pointer) && check !== 'paths') continue
    const copy = findCopy(value)
    problems.push(...CHECKS[check](copy, pointer, context))
    // Such constraints are at no pointer of the document, so nothing else checks them.
    const constraints = check === 'schema' ? findMovedConstraints(value, copy) : undefined
    if (constraints !== undefined) problems.push(...CHECKS.schema(constraints, pointer, context))
  }
  return problems
}

/** Throws a DocumentError that lists the mistakes of a checked document. Without mistakes, reads the requests that the app sends. */
function toOpenApiDocument(
  document: ParsedDocument,
  { problems, root, operations, compile, findPointer }: CheckResult,
): OpenApiDocument {
  const warnings = throwProblems(document, problems)
  const sentRequests = readOperations(root, findSentRequests(root))
  throwProblems(document, checkRequestIds(sentRequests))
  return { ...document, root, operations, skippedOperations: [], sentRequests, compile, findPointer, warnings }
}

/** Reports webhooks and callbacks with one id: the webhook `subscribe.onEvent` has the id of a callback of `subscribe`. */
function checkRequestIds(sentRequests: readonly Operation[]): Problem[] {
  return Array.from(
    findRepeated(sentRequests, ({ id }) => id),
    ([{ id, pointer }, earlierRequest]) => {
      const message = `the request "${id}" is declared twice; rename the webhook or callback`
      return { pointer, message, relatedPointer: earlierRequest.pointer }
    },
  )
}
