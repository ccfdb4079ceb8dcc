/** Describes what is wrong with a value, for people: `body.name is required; query.limit must be at most 100`. */
import type { ErrorObject } from 'ajv'
import { closest, distance } from 'fastest-levenshtein'
import { parsePointer } from '../document/pointers.ts'
import { HttpError } from '../shared/errors.ts'
import { shorten, stringifyExactly } from '../shared/json.ts'
import type { Validated } from './compiler.ts'
import { MAX_LISTED } from './keywords.ts'

/** The 400 for a request that violates the spec. */
export function invalidRequest(violations: readonly string[]): HttpError {
  const distinctViolations = [...new Set(violations)]
  const suffix = distinctViolations.length > MAX_LISTED ? '; and more' : ''
  const message = distinctViolations.slice(0, MAX_LISTED).join('; ') + suffix
  return new HttpError(400, 'invalid_request', message, { violations: distinctViolations })
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

/** Returns the value that was validated; if it is invalid, adds its errors to `violations`, and returns undefined. */
export function takeValue(validated: Validated, valueName: string, violations: string[]): unknown {
  if ('value' in validated) return validated.value
  violations.push(...formatViolations(valueName, validated))
  return undefined
}

/** Describes an error: `body.name is required`. */
export function formatViolation(valueName: string, error: ErrorObject): string {
  const { data, keyword, params, parentSchema, propertyName } = error
  const valuePath = parsePointer(error.instancePath).reduce(formatMember, valueName)
  const subject = propertyName === undefined ? valuePath : `the name of ${formatMember(valuePath, propertyName)}`
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
      return `${formatMember(subject, String(params.missingProperty))} is required`
    case 'additionalProperties':
      return formatUndeclared(subject, String(params.additionalProperty), getAllowedNames(parentSchema?.properties))
    case 'unevaluatedProperties':
      return `${formatMember(subject, String(params.unevaluatedProperty))} is not allowed`
    case 'type':
      return `${subject} must be ${formatTypes([params.type as string | string[]].flat(), data)}`
    case 'enum':
      return `${subject} must be one of ${formatValues(params.allowedValues as unknown[])}`
    case 'const':
      return `${subject} must be ${formatValues([params.allowedValue])}`
    case 'format':
      return `${subject} must be ${withArticle(String(params.format))}`
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
function getAllowedNames(properties: Readonly<Record<string, object>> = {}): string[] {
  return Object.keys(properties).filter((name) => !('readOnlyInRequest' in (properties[name] ?? {})))
}

/** Formats how many items `contains` asks for. */
function formatCount(minimum: number, maximum: unknown): string {
  if (maximum !== undefined) return `${minimum} to ${maximum} items`
  return minimum === 1 ? 'at least 1 item' : `at least ${minimum} items`
}

/** The most characters of the values that a message lists. */
const MAX_VALUES_LENGTH = 1000

function formatValues(values: readonly unknown[]): string {
  const text = values.map((value) => (typeof value === 'string' ? value : stringifyExactly(value))).join(', ')
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
  readOnlyInRequest: 'is read-only, and not allowed in a request',
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

function formatTypes(types: readonly string[], data: unknown): string {
  return types.map((type) => formatType(type, data)).join(' or ')
}

/** Names a type. An integer violates `type: integer` only if a number does not hold it exactly (converter.ts). */
function formatType(type: string, data: unknown): string {
  const isTooLong = (typeof data === 'bigint' || Number.isInteger(data)) && type === 'integer'
  return withArticle(type) + (isTooLong ? ' of at most 53 bits' : '')
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
