/** The 400 for a request that violates the document, and its violations, which say for programs what is wrong. */
import type { ErrorObject } from 'ajv'
import { toPointer } from '../document/pointers.ts'
import { mapValues } from '../document/values.ts'
import type { Validated } from '../schema/compiler.ts'
import { formatViolation, MAX_LISTED } from '../schema/messages.ts'
import { HttpError, type Violation } from '../shared/errors.ts'
import { isObject, keepDigits } from '../shared/json.ts'

/**
 * The 400 for a request that violates the document. It has the first violations, one more than its message lists: then programs, too, see
 * that there are more.
 */
export function invalidRequest(violations: readonly Violation[]): HttpError {
  const distinctViolations = selectDistinct(violations)
  const suffix = distinctViolations.length > MAX_LISTED ? '; and more' : ''
  const messages = distinctViolations.slice(0, MAX_LISTED).map(({ message }) => message)
  return new HttpError(400, 'invalid_request', messages.join('; ') + suffix, { violations: distinctViolations })
}

/** The 400 for a body that violates the document as a whole. */
export function invalidBody(keyword: string, message: string): HttpError {
  return invalidRequest([createViolation({ in: 'body', keyword, message })])
}

/** The parts of a violation. By default, it is about the whole part of the request, and its keyword has no parameters. */
type ViolationParts = Pick<Violation, 'in' | 'keyword' | 'message'> & Partial<Violation>

/** The most characters of a pointer. Bounded: clients choose the names of members, and each pointer has the names of all enclosing members. */
const MAX_POINTER = 1000

/** Creates a violation. A pointer that would be too long leads to a value around the violating one. */
export function createViolation({
  in: location,
  pointer = '',
  keyword,
  params = {},
  message,
}: ViolationParts): Violation {
  const boundedPointer =
    pointer.length > MAX_POINTER ? pointer.slice(0, pointer.lastIndexOf('/', MAX_POINTER)) : pointer
  return { in: location, pointer: boundedPointer, keyword, params, message }
}

/** Selects the first violations with different messages, one more than a message lists. */
function selectDistinct(violations: readonly Violation[]): Violation[] {
  const violationsByMessage = new Map<string, Violation>()
  for (const violation of violations) {
    if (violationsByMessage.size > MAX_LISTED) break
    if (!violationsByMessage.has(violation.message)) violationsByMessage.set(violation.message, violation)
  }
  return [...violationsByMessage.values()]
}

/**
 * Returns the value of a part of a request if it is valid. Otherwise, adds its violations to `violations`, and returns undefined. A
 * field that is malformed or repeated has a violation already, which stands for all violations of its value.
 */
export function takeValidValue(validated: Validated, location: Violation['in'], violations: Violation[]): unknown {
  if ('value' in validated) return validated.value
  const earlierViolations = violations.filter((violation) => violation.in === location)
  const isExplained = ({ pointer }: Violation) =>
    earlierViolations.some((earlier) => `${pointer}/`.startsWith(`${earlier.pointer}/`))
  const foundViolations = validated.errors.map((error) => toViolation(location, error))
  violations.push(...selectDistinct(foundViolations.filter((violation) => !isExplained(violation))))
  return undefined
}

/** Converts an error of Ajv. Names that the client chose are in the pointer, and not in the parameters. */
function toViolation(location: Violation['in'], error: ErrorObject): Violation {
  const { instancePath, params, propertyName } = error
  const { undeclaredName } = params
  const memberName = propertyName ?? undeclaredName
  return createViolation({
    in: location,
    pointer: memberName === undefined ? instancePath : instancePath + toPointer(memberName),
    keyword: propertyName === undefined ? getKeyword(error) : 'propertyNames',
    params: undeclaredName === undefined ? mapValues(params, toJson) : {},
    message: formatViolation(location, error),
  })
}

/** Returns the keyword of an error. For Ajv, the schema `false` is a keyword; it is the same as the schema `not: {}`. */
function getKeyword({ keyword }: ErrorObject): string {
  return keyword === 'false schema' ? 'not' : keyword
}

/**
 * Copies a value of a schema. JSON.stringify writes the copy with all digits of each number, and an app that changes the copy does
 * not change the schema.
 */
function toJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toJson)
  return isObject(value) ? mapValues(value, toJson) : keepDigits(value)
}
