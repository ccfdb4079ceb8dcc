/** Describes the errors that a validation finds, for people: `body.name is required; query.limit must be at most 100`. */
import type { ErrorObject } from 'ajv'
import { closest, distance } from 'fastest-levenshtein'
import { parsePointer } from '../document/pointers.ts'
import { toObject } from '../document/values.ts'
import { stringifyExactly } from '../shared/json.ts'
import { shorten } from '../shared/texts.ts'
import type { Validated } from './compiler.ts'
import type { ValueType } from './keywords.ts'
import { is64Bit } from './types.ts'
import { MAX_LISTED } from './validator.ts'

export { MAX_LISTED }

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
      return formatUndeclared(subject, String(params.undeclaredName), params.allowedNames as string[])
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
      const clause = CLAUSES[keyword] ?? 'must be as the document says'
      const unit = error.data instanceof File ? 'byte' : 'character'
      return `${subject} ${formatPlural(clause.replace('character', unit), params.limit)}`
    }
  }
}

/** Formats how many items `contains` asks for. */
function formatCount(minimum: number, maximum: unknown): string {
  if (maximum === undefined) return formatPlural('at least # item(s)', minimum)
  return formatPlural(minimum === maximum ? 'exactly # item(s)' : `${minimum} to # item(s)`, maximum)
}

/** Puts a count in place of #, and the plural of its unit in place of (s). */
function formatPlural(clause: string, count: unknown): string {
  return clause.replace('#', String(count)).replace('(s)', count === 1 ? '' : 's')
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

/** What messages say of the other keywords; # stands for the limit. */
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
  items: 'must have at most # item(s)',
  anyOf: 'must match one of its alternatives',
  oneOf: 'must match exactly one of its alternatives',
  not: 'must not match what is excluded',
  if: 'must match what follows from its other members',
  complexity: 'must be simpler: it takes too long to validate',
  readOnly: 'is read-only, and not allowed in a request',
  'false schema': 'is not allowed',
  unevaluatedItems: 'is not allowed',
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

/** Names the types or the format that a value must have. Clients see an int64 as a separate type. */
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
