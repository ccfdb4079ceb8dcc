/**
 * What is wrong with a request, in a person's words: `body.name is required; query.limit must be at most 100`.
 */
import type { ErrorObject } from 'ajv'
import { didYouMean } from '../nearest.ts'
import { tokensOf } from '../pointer.ts'

/** A message names this many violations; of the others, only how many there are. */
const MOST = 10

/** A request whose path, query, headers or body are not what the document says. */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError'

  constructor(violations: readonly string[]) {
    const distinct = [...new Set(violations)]
    const more = distinct.length > MOST ? `; and ${distinct.length - MOST} more` : ''
    super(distinct.slice(0, MOST).join('; ') + more)
  }
}

/** The violation that an error of the validator stands for; `root` is the part of the request: path, query, header, body. */
export function violationOf(root: string, error: ErrorObject): string {
  const { keyword, params, schema, parentSchema } = error
  const place = placeOf(root, error.instancePath)
  switch (keyword) {
    case 'required':
      return `${memberOf(place, params.missingProperty)} is required`
    case 'additionalProperties': {
      const known = Object.keys((parentSchema?.properties as object | undefined) ?? {})
      const name = params.additionalProperty as string
      const others = known.length > 0 ? `known are ${known.join(', ')}` : 'none is known'
      return `${memberOf(place, name)} is not known${didYouMean(name, known)}; ${others}`
    }
    case 'type':
      return `${place} must be ${[params.type].flat().map(withArticle).join(' or ')}`
    case 'enum':
      return `${place} must be one of ${(schema as unknown[]).map(String).join(', ')}`
    case 'const':
      return `${place} must be ${String(schema)}`
    case 'format':
      return `${place} must be ${withArticle(params.format)}`
    case 'pattern':
      return `${place} must match ${params.pattern}${explanation(parentSchema?.description)}`
    case 'uniqueItems':
      return `${place} must not have the same item twice`
    case 'oneOf':
      return `${place} must match exactly one of its alternatives`
    case 'anyOf':
      return `${place} must match one of its alternatives`
    default:
      return `${place} must ${LIMITS[keyword]} ${params.limit}${unitOf(keyword, params.limit)}`
  }
}

/** The keywords that set a limit. */
const LIMITS: Readonly<Record<string, string>> = {
  minimum: 'be at least',
  maximum: 'be at most',
  exclusiveMinimum: 'be more than',
  exclusiveMaximum: 'be less than',
  multipleOf: 'be a multiple of',
  minLength: 'have at least',
  maxLength: 'have at most',
  minItems: 'have at least',
  maxItems: 'have at most',
  minProperties: 'have at least',
  maxProperties: 'have at most',
}

function unitOf(keyword: string, limit: number): string {
  const unit = /Length$/.test(keyword) ? ' character' : /Items$/.test(keyword) ? ' item' : ' member'
  return /^m..(Length|Items|Properties)$/.test(keyword) ? unit + (limit === 1 ? '' : 's') : ''
}

/** A pattern is for programs; what it stands for is in the description of the schema that has it. */
function explanation(description: string | undefined): string {
  return description === undefined ? '' : ` (${description.trim().replace(/\.$/, '')})`
}

/** No more than a short piece of a text out of the request, for use in a message. */
export function excerpt(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

function placeOf(root: string, pointer: string): string {
  return tokensOf(pointer).reduce(memberOf, root)
}

/** How a member of a place is named: `body.name`, `body.list[0]` or `query["first name"]`. */
export function memberOf(place: string, name: string): string {
  if (/^\d{1,10}$/.test(name)) return `${place}[${name}]`
  return /^[\w-]{1,40}$/.test(name) ? `${place}.${name}` : `${place}[${JSON.stringify(excerpt(name))}]`
}

function withArticle(type: string): string {
  if (type === 'null') return type
  return `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`
}
