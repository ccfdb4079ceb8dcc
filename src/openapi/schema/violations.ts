/**
 * Describes what is wrong with a value: for people, `body.name is required; query.limit must be at most 100`, and for programs, as
 * violations.
 */
import type { ErrorObject } from 'ajv'
import { closest, distance } from 'fastest-levenshtein'
import { parsePointer, toPointer } from '../document/pointers.ts'
import { mapValues, toObject } from '../document/values.ts'
import { HttpError, type Violation } from '../shared/errors.ts'
import { isObject, keepDigits, stringifyExactly } from '../shared/json.ts'
import { shorten } from '../shared/texts.ts'
import type { Validated } from './compiler.ts'
import { MAX_LISTED, type ValueType } from './keywords.ts'
import { is64Bit } from './types.ts'

export { MAX_LISTED }

/** The 400 for a request that violates the document. It has the first violations, one more than its message lists. */
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

/** The most characters of a pointer. Bounded: clients choose the names of members, and each violation repeats those around it. */
const MAX_POINTER = 1000

/** Creates a violation. A pointer that is too long is shortened to that of a value around the violating one. */
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
 * Describes the errors that a validation found, each once, until there are more than a message lists. `valueName` is the name of
 * the value in messages: path, query, header or body.
 */
export function formatViolations(valueName: string, validated: Validated): string[] {
  const messages = new Set<string>()
  for (const error of 'errors' in validated ? validated.errors : []) {
    if (messages.size > MAX_LISTED) break
    messages.add(formatViolation(valueName, error))
  }
  return [...messages]
}

/** Returns the value of a part of a request; if it is invalid, adds its violations to `violations`, and returns undefined. */
export function takeValue(validated: Validated, location: Violation['in'], violations: Violation[]): unknown {
  if ('value' in validated) return validated.value
  violations.push(...selectDistinct(validated.errors.map((error) => toViolation(location, error))))
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

/** Describes an error: `body.name is required`. */
export function formatViolation(valueName: string, error: ErrorObject): string {
  const { keyword, params, parentSchema, propertyName } = error
  const valuePath = parsePointer(error.instancePath).reduce(formatMember, valueName)
  const subject = propertyName === undefined ? valuePath : `the name of ${formatMember(valuePath, propertyName)}`
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
      return `${formatMember(subject, String(params.missingProperty))} is required`
    case 'additionalProperties':
      return formatUndeclared(subject, String(params.undeclaredName), getAllowedNames(parentSchema?.properties))
    case 'unevaluatedProperties':
      return `${formatMember(subject, String(params.undeclaredName))} is not allowed`
    case 'type':
    case 'format':
      return `${subject} must be ${formatTypeOrFormat(error)}`
    case 'enum':
      return `${subject} must be one of ${formatValues(params.allowedValues as unknown[])}`
    case 'const':
      return `${subject} must be ${formatValues([params.allowedValue])}`
    case 'pattern':
      return `${subject} must match ${formatPattern(String(params.pattern), parentSchema?.description)}`
    case 'contains':
      return `${subject} must contain ${formatCount(Number(params.minContains), params.maxContains)} of its kind`
    default: {
      const { limit } = params
      const clause = CLAUSES[keyword] ?? 'must be as the document says'
      return `${subject} ${clause.replace('#', String(limit)).replace('(s)', limit === 1 ? '' : 's')}`
    }
  }
}

/** Returns the property names of a prepared schema, without those that a request must not have. */
function getAllowedNames(properties: Readonly<Record<string, object | boolean>> = {}): string[] {
  const isAllowed = (schema: object | boolean | undefined) =>
    schema !== false && !('readOnlyInRequest' in Object(schema))
  return Object.keys(properties).filter((name) => isAllowed(properties[name]))
}

/** Formats how many items `contains` asks for. */
function formatCount(minimum: number, maximum: unknown): string {
  if (maximum !== undefined) return `${minimum} to ${maximum} items`
  return minimum === 1 ? 'at least 1 item' : `at least ${minimum} items`
}

/** The most characters of the values that a message lists. */
const MAX_VALUES_LENGTH = 1000

function formatValues(values: readonly unknown[]): string {
  // Each value takes a character or more, with the comma after it.
  const shownValues = values.slice(0, MAX_VALUES_LENGTH)
  const text = shownValues.map((value) => (typeof value === 'string' ? value : stringifyExactly(value))).join(', ')
  return text.length > MAX_VALUES_LENGTH ? `${text.slice(0, MAX_VALUES_LENGTH)}…` : text
}

/** Describes a member that is not declared, and lists the names that are. */
export function formatUndeclared(owner: string, name: string, declaredNames: readonly string[]): string {
  const allowedNames = declaredNames.length > 0 ? `allowed are ${formatValues(declaredNames)}` : 'none is allowed'
  return `${formatMember(owner, name)} is not allowed${didYouMean(name, declaredNames)}; ${allowedNames}`
}

/** What messages say of the other keywords; # stands for the limit, and (s) for its plural. */
const CLAUSES: Readonly<Record<string, string>> = {
  minimum: 'must be at least #',
  maximum: 'must be at most #',
  exclusiveMinimum: 'must be more than #',
  exclusiveMaximum: 'must be less than #',
  multipleOf: 'must be a multiple of #',
  minLength: 'must have at least # character(s)',
  maxLength: 'must have at most # character(s)',
  minItems: 'must have at least # item(s)',
  maxItems: 'must have at most # item(s)',
  uniqueItems: 'must not have the same item twice',
  minProperties: 'must have at least # member(s)',
  maxProperties: 'must have at most # member(s)',
  unevaluatedItems: 'must have at most # item(s)',
  items: 'must have at most # item(s)',
  anyOf: 'must match one of its alternatives',
  oneOf: 'must match exactly one of its alternatives',
  not: 'must not match what is excluded',
  if: 'must match what follows from its other members',
  complexity: 'must be simpler: it takes too long to validate',
  readOnly: 'is read-only, and not allowed in a request',
  'false schema': 'is not allowed',
}

/** Returns a pattern, or the description of its schema, if there is one: it explains the pattern to people. */
function formatPattern(pattern: string, description: string | undefined): string {
  return description === undefined ? pattern : `its description: ${description.trim().replace(/\.$/, '')}`
}

/** Names a member of a value: `body.name`, `body.list[0]` or `query["first name"]`. */
export function formatMember(owner: string, name: string): string {
  if (/^\d{1,10}$/.test(name)) return `${owner}[${name}]`
  return /^[\w-]{1,40}$/.test(name) ? `${owner}.${name}` : `${owner}[${JSON.stringify(shorten(name))}]`
}

/** Names the types or the format that a value must have. An int64 is a type of its own to clients. */
function formatTypeOrFormat({ params, parentSchema }: ErrorObject): string {
  const { types = ['integer'], format, int64 } = toObject(parentSchema?.valueType) as ValueType
  if (is64Bit(format) && int64 !== 'number')
    return formatTypes(types.map((type) => (/integer|number/.test(type) ? `${format} integer` : type)))
  if (params.format === 'double-int') return 'an integer of at most 53 bits'
  return params.format === undefined ? formatTypes([params.type].flat()) : withArticle(params.format)
}

function formatTypes(types: readonly string[]): string {
  return types.map(withArticle).join(' or ')
}

/** Puts "a" or "an" before the name of a type or format. */
export function withArticle(type: string): string {
  if (type === 'null') return type
  return `${/^[aeio]/i.test(type) ? 'an' : 'a'} ${type}`
}

/** Returns ` (did you mean "status"?)` if a known name is at most two letters away; an empty string otherwise. */
export function didYouMean(name: string, knownNames: readonly string[]): string {
  if (name.length > 64 || knownNames.length === 0) return ''
  const guess = closest(name, knownNames)
  return distance(name, guess) <= Math.min(2, guess.length - 1) ? ` (did you mean "${guess}"?)` : ''
}
