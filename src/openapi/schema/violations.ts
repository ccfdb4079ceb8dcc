/** Describes what is wrong with a value, for people: `body.name is required; query.limit must be at most 100`. */
import type { ErrorObject } from 'ajv'
import { closest, distance } from 'fastest-levenshtein'
import { parsePointer } from '../document/references.ts'
import { HttpError } from '../shared/errors.ts'
import { shorten, stringifyExactly } from '../shared/json.ts'
import type { Validated } from './compiler.ts'
import { MAX_LISTED } from './keywords.ts'

/** The 400 for a request that violates the spec. */
export function invalidRequest(violations: readonly string[]): HttpError {
  const distinctViolations = [...new Set(violations)]
  const ending = distinctViolations.length > MAX_LISTED ? '; and more' : ''
  const message = distinctViolations.slice(0, MAX_LISTED).join('; ') + ending
  return new HttpError(400, 'invalid_request', message, { violations: distinctViolations })
}

/**
 * Describes the errors that a validation found, each once, and one more than a message lists; `root` is the part of the
 * request: path, query, header or body.
 */
export function formatViolations(root: string, validated: Validated): string[] {
  const messages = new Set<string>()
  for (const error of 'errors' in validated ? validated.errors : []) {
    if (messages.size > MAX_LISTED) break
    messages.add(formatViolation(root, error))
  }
  return [...messages]
}

/** Returns a valid value; adds what is wrong with another to `violations`. */
export function takeValue(result: Validated, place: string, violations: string[]): unknown {
  if ('value' in result) return result.value
  violations.push(...formatViolations(place, result))
  return undefined
}

/** Describes an error of the validator. */
export function formatViolation(root: string, error: ErrorObject): string {
  const { data, keyword, params, parentSchema, propertyName } = error
  const value = parsePointer(error.instancePath).reduce(formatMember, root)
  const place = propertyName === undefined ? value : `the name of ${formatMember(value, propertyName)}`
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
      return `${formatMember(place, String(params.missingProperty))} is required`
    case 'additionalProperties':
      return formatUndeclared(place, String(params.additionalProperty), getAllowedNames(parentSchema?.properties))
    case 'unevaluatedProperties':
      return `${formatMember(place, String(params.unevaluatedProperty))} is not allowed`
    case 'type':
      return `${place} must be ${[params.type as string | string[]]
        .flat()
        .map((type) => formatType(type, data))
        .join(' or ')}`
    case 'enum':
      return `${place} must be one of ${formatValues(params.allowedValues as unknown[])}`
    case 'const':
      return `${place} must be ${formatValues([params.allowedValue])}`
    case 'format':
      return `${place} must be ${withArticle(String(params.format))}`
    case 'pattern':
      return `${place} must match ${formatPattern(String(params.pattern), parentSchema?.description)}`
    default: {
      const { limit = params.minContains } = params
      if (keyword === 'contains' && params.maxContains !== undefined) {
        return `${place} must contain ${limit} to ${params.maxContains} items of its kind`
      }
      const demand = String(DEMANDS[keyword] ?? 'be as the document says').replace('#', String(limit))
      return `${place} ${demand.startsWith('is ') ? '' : 'must '}${demand.replace('(s)', limit === 1 ? '' : 's')}`
    }
  }
}

/** Returns the names of properties, without those that a request must not have. */
function getAllowedNames(properties: Readonly<Record<string, object>> = {}): string[] {
  return Object.keys(properties).filter((name) => !('hidden' in (properties[name] ?? {})))
}

/** A message lists so many characters of values. */
const MAX_VALUES = 1000

function formatValues(values: readonly unknown[]): string {
  const text = values.map((value) => (typeof value === 'string' ? value : stringifyExactly(value))).join(', ')
  return text.length > MAX_VALUES ? `${text.slice(0, MAX_VALUES)}…` : text
}

/** Describes a member that is not one of the declared ones. */
export function formatUndeclared(place: string, name: string, declared: readonly string[]): string {
  const hint = declared.length > 0 ? `allowed are ${formatValues(declared)}` : 'none is allowed'
  return `${formatMember(place, name)} is not allowed${didYouMean(name, declared)}; ${hint}`
}

/** The demands of the other keywords on a value; # stands for the limit. */
const DEMANDS: Readonly<Record<string, string>> = {
  minimum: 'be at least #',
  maximum: 'be at most #',
  exclusiveMinimum: 'be more than #',
  exclusiveMaximum: 'be less than #',
  multipleOf: 'be a multiple of #',
  minLength: 'have at least # character(s)',
  maxLength: 'have at most # character(s)',
  minItems: 'have at least # item(s)',
  maxItems: 'have at most # item(s)',
  uniqueItems: 'not have the same item twice',
  minProperties: 'have at least # member(s)',
  maxProperties: 'have at most # member(s)',
  unevaluatedItems: 'have at most # item(s)',
  items: 'have at most # item(s)',
  contains: 'contain at least # item(s) of its kind',
  anyOf: 'match one of its alternatives',
  oneOf: 'match exactly one of its alternatives',
  not: 'not match what is excluded',
  if: 'match what follows from its other members',
  complexity: 'be simpler: it takes too long to validate',
  hidden: 'is read-only, and not allowed in a request',
  'false schema': 'is not allowed',
}

/** A pattern is for programs; the description of its schema explains it to people. */
function formatPattern(pattern: string, description: string | undefined): string {
  return description === undefined ? pattern : `its description: ${description.trim().replace(/\.$/, '')}`
}

/** Names a member of a place: `body.name`, `body.list[0]` or `query["first name"]`. */
export function formatMember(place: string, name: string): string {
  if (/^\d{1,10}$/.test(name)) return `${place}[${name}]`
  return /^[\w-]{1,40}$/.test(name) ? `${place}.${name}` : `${place}[${JSON.stringify(shorten(name))}]`
}

/** Names a type. If an integer is said to be no integer, its digits are too many for a number. */
function formatType(type: string, data: unknown): string {
  const isTooLong = (typeof data === 'bigint' || Number.isInteger(data)) && type === 'integer'
  return withArticle(type) + (isTooLong ? ' of at most 53 bits' : '')
}

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
