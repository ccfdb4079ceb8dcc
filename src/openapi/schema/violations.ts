/** Describes what is wrong with a value, for people: `body.name is required; query.limit must be at most 100`. */
import type { ErrorObject } from 'ajv'
import { closest, distance } from 'fastest-levenshtein'
import { HttpError } from '../../errors.ts'
import { parsePointer } from '../document/references.ts'
import { shorten } from '../json.ts'
import { MAX_LISTED, type Validated, type Violation } from './compiler.ts'

/** The 400 for a request that violates the spec. */
export function invalidRequest(violations: readonly string[]): HttpError {
  const distinct = [...new Set(violations)]
  const more = distinct.length > MAX_LISTED ? '; and more' : ''
  const message = distinct.slice(0, MAX_LISTED).join('; ') + more
  return new HttpError(400, 'invalid_request', message, { violations: distinct })
}

/**
 * Describes the errors that a validation found, each once, and one more than a message lists; `root` is the part of the
 * request: path, query, header or body.
 */
export function formatViolations(root: string, validated: Validated): string[] {
  const found = new Set<string>()
  for (const error of 'errors' in validated ? validated.errors : []) {
    if (found.size > MAX_LISTED) break
    found.add(formatViolation(root, error))
  }
  return [...found]
}

/** Describes an error of the validator. */
export function formatViolation(root: string, error: ErrorObject): string {
  const { data, parentSchema } = error
  const { keyword, params } = error.keyword === 'int64' ? (error.params as Violation) : error
  const place = parsePointer(error.instancePath).reduce(formatMember, root)
  switch (keyword) {
    case 'required':
      return `${formatMember(place, params.missingProperty)} is required`
    case 'additionalProperties':
      return formatUndeclared(place, params.additionalProperty, Object.keys(parentSchema?.properties ?? {}))
    case 'type':
      return `${place} must be ${[params.type]
        .flat()
        .map((type) => formatType(type, data))
        .join(' or ')}`
    case 'enum':
      return `${place} must be one of ${params.allowedValues.map(String).join(', ')}`
    case 'const':
      return `${place} must be ${String(params.allowedValue)}`
    case 'format':
      return `${place} must be ${withArticle(params.format)}`
    case 'pattern':
      return `${place} must match ${formatPattern(params.pattern, parentSchema?.description)}`
    default: {
      const demand = String(DEMANDS[keyword]).replace('#', params.limit ?? params.multipleOf)
      return `${place} must ${demand.replace('(s)', params.limit === 1 ? '' : 's')}`
    }
  }
}

/** Describes a member that is not one of the declared ones. */
function formatUndeclared(place: string, name: string, declared: readonly string[]): string {
  const others = declared.length > 0 ? `allowed are ${declared.join(', ')}` : 'none is allowed'
  return `${formatMember(place, name)} is not allowed${didYouMean(name, declared)}; ${others}`
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
  anyOf: 'match one of its alternatives',
  oneOf: 'match exactly one of its alternatives',
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

/** A bigint is no number of Ajv. */
function formatType(type: string, data: unknown): string {
  const isTooLong = typeof data === 'bigint' && type === 'integer'
  return withArticle(type) + (isTooLong ? ' of at most 53 bits' : '')
}

function withArticle(type: string): string {
  if (type === 'null') return type
  return `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`
}

/** Returns ` (did you mean "status"?)` if a known name is at most two letters away; an empty string otherwise. */
export function didYouMean(name: string, known: readonly string[]): string {
  if (name.length > 64 || known.length === 0) return ''
  const guess = closest(name, known)
  return distance(name, guess) <= Math.min(2, guess.length - 1) ? ` (did you mean "${guess}"?)` : ''
}
