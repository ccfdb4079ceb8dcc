/**
 * Leaves out the parts of a document that have mistakes, for the option `problems: 'skip'`: operations, path items and components,
 * with all that refers to them. The rest is checked as a document of its own, so nothing is served otherwise than it says.
 */
import { type DeclaredOperation, findOperations } from '../document/find-operations.ts'
import { METHODS, type OpenApi } from '../document/model.ts'
import type { ParsedDocument } from '../document/parse.ts'
import { getTargetPointer, getValueAt, toPointer } from '../document/pointers.ts'
import { formatProblems, isMistake, type Problem, throwProblems } from '../document/problems.ts'
import { collectReachable } from '../document/reachable.ts'
import { toObject } from '../document/values.ts'
import { isObject } from '../shared/json.ts'
import type { CheckedReference } from './references.ts'

/** An operation that is not served, because it has a mistake or refers to one: its route responds with 501. */
export type SkippedOperation = Pick<DeclaredOperation, 'id' | 'method' | 'path' | 'pointer'>

/** A document without the parts that have mistakes, and the result of its check. */
interface ReducedDocument<Result> {
  readonly document: ParsedDocument
  readonly checked: Result
  readonly skippedOperations: readonly SkippedOperation[]
  /** The lines of the mistakes, and of the operations that are skipped. */
  readonly warnings: readonly string[]
}

interface Findings {
  readonly problems: readonly Problem[]
  readonly references: readonly CheckedReference[]
}

/**
 * Returns a document without the parts that have mistakes. Throws a DocumentError that lists the mistakes outside such parts: in the
 * security or the servers of the document, in a security scheme, or in what says which routes there are.
 */
export function leaveOutMistakes<Result extends Findings>(
  original: ParsedDocument,
  checkDocument: (document: ParsedDocument) => Result,
): ReducedDocument<Result> {
  const allMistakes: Problem[] = []
  let document = original
  let checked = checkDocument(document)
  // Repeated, because a mistake may show only where no other one hides it. Each repetition leaves something out.
  while (checked.problems.some(isMistake)) {
    const mistakes = checked.problems.filter(isMistake)
    const { root } = document
    throwProblems(
      document,
      mistakes.filter(({ pointer }) => !isSkippable(root, pointer)),
    )
    allMistakes.push(...mistakes)
    document = omitParts(document, findAffectedParts(mistakes, checked.references))
    checked = checkDocument(document)
  }
  const servedOperations = findOperations(document.root)
  const skippedOperations = findMissingOperations(original.root, servedOperations)
  const servedIds = new Set(servedOperations.map(({ id }) => id))
  // Otherwise, an operation would be served by the handler of another one.
  if (skippedOperations.some(({ id }) => servedIds.has(id))) throwProblems(original, allMistakes)
  const skipped = skippedOperations.map(({ method, path, pointer }): Problem => {
    const message = `${method.toUpperCase()} ${path} is not served, because of a mistake in it or in what it refers to`
    return { pointer, message: `${message}; correct the mistakes` }
  })
  return { document, checked, skippedOperations, warnings: formatProblems(original, [...allMistakes, ...skipped]) }
}

/** Matches the pointers to values that have no effect on what is served. */
const DESCRIPTION = /^\/(info\/(?!title$)|(tags|externalDocs)(\/|$))/

/** Makes each mistake that has no effect on what is served a warning. */
export function tolerateDescription(problem: Problem): Problem {
  return DESCRIPTION.test(problem.pointer) ? { ...problem, isWarning: true } : problem
}

/*
 * The patterns of pointers, by which a mistake is judged:
 *
 * | the mistake is in                                             | left out is                          |
 * |---------------------------------------------------------------|--------------------------------------|
 * | an operation                                                  | the operation                        |
 * | something else in a path item; a webhook; a component         | this path item, webhook or component |
 * | `/paths/~1a` itself, its `$ref` or its `additionalOperations` | nothing: the document is rejected    |
 * | a security scheme, or anything else                           | nothing: the document is rejected    |
 */

/** Matches `/paths/~1a/get` in `/paths/~1a/get/responses`: the part of a pointer that leads to an operation. */
const OPERATION = new RegExp(
  `^(/paths|/components/pathItems)/[^/]+/(additionalOperations/[^/]+|(${METHODS.join('|')})(?=/|$))`,
)
/**
 * Matches `/paths/~1a` in `/paths/~1a/parameters`, and `/components/schemas/A` in what is within A. Security schemes are no such parts:
 * without one, operations would be served without its check.
 */
const PART = /^\/(paths|webhooks|components\/(?!securitySchemes\/)[^/]+)\/[^/]+/
/** Matches `/paths/~1a`, `/paths/~1a/$ref` and `/paths/~1a/additionalOperations/COPY`: with a mistake there, the routes are unknown. */
const UNKNOWN_ROUTES = /^\/(paths|components\/pathItems)\/[^/]+(\/(\$ref|additionalOperations(\/[^/]+)?))?$/

/**
 * Returns the pointer to the part of a document in which a value is: `/paths/~1a/get` for `/paths/~1a/get/responses`, and `/paths/~1a`
 * for `/paths/~1a/parameters`; undefined if it is in none.
 */
function findPart(pointer: string): string | undefined {
  return (OPERATION.exec(pointer) ?? PART.exec(pointer))?.[0]
}

/** True if a mistake is in a part that can be left out without a change of what the others say. */
function isSkippable(root: OpenApi, pointer: string): boolean {
  const part = findPart(pointer)
  if (part === undefined || UNKNOWN_ROUTES.test(pointer)) return false
  const value = getValueAt(root, part)
  // A `get: 5` is no operation. Left out, its route would be a 405 in place of a 501.
  return OPERATION.test(pointer) ? isObject(value) : value !== undefined
}

/** Finds the parts that have mistakes, and all parts that refer to them. */
function findAffectedParts(mistakes: readonly Problem[], references: readonly CheckedReference[]): ReadonlySet<string> {
  const parts = new Set(mistakes.flatMap(({ pointer }) => findPart(pointer) ?? []))
  /** The parts that refer to a value, or into it, by the pointer to the value. */
  const referrers = new Map<string, Set<string>>()
  for (const { $ref, pointer } of references) {
    const part = findPart(pointer)
    if (part === undefined) continue
    for (const target of listOwners(getTargetPointer($ref))) {
      referrers.set(target, (referrers.get(target) ?? new Set()).add(part))
    }
  }
  return new Set(collectReachable(parts, (part) => referrers.get(part) ?? []))
}

/**
 * Lists a pointer and the pointers to all values around its value: `/a/b`, `/a` and the empty text; for an anchor `#foo`, `foo` and the
 * empty text.
 */
function listOwners(pointer: string): string[] {
  return pointer === '' ? [''] : [pointer, ...listOwners(pointer.slice(0, Math.max(0, pointer.lastIndexOf('/'))))]
}

/** Copies a document without parts. */
function omitParts(document: ParsedDocument, parts: ReadonlySet<string>): ParsedDocument {
  const owners = new Set([...parts].flatMap(listOwners))
  const copy = (value: unknown, pointer: string): unknown => {
    if (!owners.has(pointer)) return value
    const otherMembers = Object.entries(toObject(value)).filter(([name]) => !parts.has(pointer + toPointer(name)))
    return Object.fromEntries(otherMembers.map(([name, member]) => [name, copy(member, pointer + toPointer(name))]))
  }
  return {
    ...document,
    root: copy(document.root, '') as OpenApi,
    problems: document.problems.filter(({ pointer }) => !parts.has(findPart(pointer) ?? '')),
  }
}

/** Finds the operations that are not served. */
function findMissingOperations(root: OpenApi, servedOperations: readonly DeclaredOperation[]): SkippedOperation[] {
  const toKey = ({ method, path }: DeclaredOperation) => `${method} ${path}`
  const servedKeys = new Set(servedOperations.map(toKey))
  return findOperations(root).filter((operation) => !servedKeys.has(toKey(operation)))
}
