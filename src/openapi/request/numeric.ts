/**
 * Numbers without loss. JSON knows numbers of any size, JavaScript two kinds of them; Ajv knows only one. The engine
 * therefore replaces `type: integer` and `type: number`, with all that goes with them, by one keyword of its own, which
 * takes what the strict JSON parser made: a bigint where a number would have been rounded.
 */
import type { FuncKeywordDefinition } from 'ajv'
import type { DataValidateFunction } from 'ajv/dist/types/index.js'
import { digitsAt, readDecimal } from '../decimal.ts'
import type { Schema, SchemaType } from '../model.ts'
import { typesOf } from '../schemas.ts'

export type Numeric = number | bigint

/** The keywords that constrain numbers; the new keyword takes them over. */
const LIMITS = {
  minimum: (value: Numeric, limit: Numeric) => value >= limit,
  maximum: (value: Numeric, limit: Numeric) => value <= limit,
  exclusiveMinimum: (value: Numeric, limit: Numeric) => value > limit,
  exclusiveMaximum: (value: Numeric, limit: Numeric) => value < limit,
  multipleOf: isMultiple,
}
type Limit = keyof typeof LIMITS

interface NumericRule {
  readonly types: readonly SchemaType[]
  readonly format: string | undefined
  readonly limits: readonly (readonly [Limit, Numeric])[]
}

/** The ranges of the formats for integers (OpenAPI Format Registry); without a format, what a number holds exactly. */
const RANGES: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  integer: [BigInt(Number.MIN_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER)],
}

/** The schema with its own numeric keywords replaced by `numeric`; other schemas as they are. */
export function withNumeric(schema: Schema): Schema {
  const types = typesOf(schema)
  if (!isNumeric(types)) return schema
  const { type: _type, format, ...rest } = schema as Schema & Partial<Record<Limit, Numeric>>
  const limits = Object.keys(LIMITS).flatMap((name) => {
    const limit = rest[name as Limit]
    delete rest[name as Limit]
    return limit === undefined ? [] : [[name as Limit, limit] as const]
  })
  const numeric: NumericRule = { types, format, limits }
  return { ...rest, numeric } as Schema
}

export function isNumber(value: unknown): value is Numeric {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** The keyword's definition for Ajv. Its errors are those of the keywords that it replaces. */
export const numericKeyword: FuncKeywordDefinition = {
  keyword: 'numeric',
  errors: true,
  compile: (rule: NumericRule) => {
    const validate: DataValidateFunction = (value) => {
      const isOfType = isNumber(value) ? isInRange(value, rule) : rule.types.includes(typeOf(value))
      if (!isOfType) return fail(validate, 'type', { type: nameOf(rule, value) })
      const broken = isNumber(value) && rule.limits.find(([name, limit]) => !LIMITS[name](value, limit))
      return broken ? fail(validate, broken[0], { limit: broken[1] }) : true
    }
    return validate
  },
}

/** Whether the number is one of those that the type and the format stand for. */
function isInRange(value: Numeric, { types, format = 'integer' }: NumericRule): boolean {
  if (types.includes('number')) return Number.isFinite(format === 'float' ? Math.fround(Number(value)) : Number(value))
  const [least, most] = RANGES[format] as readonly [bigint, bigint]
  return value >= least && value <= most && (typeof value === 'bigint' || Number.isInteger(value))
}

/** JSON Schema Validation 2020-12, section 6.2.1; in decimal, for 19.99 is a multiple of 0.01. */
function isMultiple(value: Numeric, divisor: Numeric): boolean {
  const [one, other] = [readDecimal(String(value)), readDecimal(String(divisor))]
  const places = Math.max(one.places, other.places)
  return digitsAt(one, places) % digitsAt(other, places) === 0n
}

/** Whether numbers are among the types. */
function isNumeric(types: readonly SchemaType[]): boolean {
  return types.includes('integer') || types.includes('number')
}

/** How messages name what is asked for, of which the value is none. */
function nameOf({ types, format }: NumericRule, value: unknown): string {
  const number = types.includes('number') ? 'number' : 'integer'
  const name = format === undefined || format === 'double' ? number : `${format} ${number}`
  // It is one, and too large all the same.
  const isWhole = typeof value === 'bigint' || Number.isInteger(value)
  const range = isWhole && name === 'integer' ? ' of at most 53 bits' : ''
  return [name + range, ...types.filter((type) => !isNumeric([type]))].join(' or ')
}

function typeOf(value: unknown): SchemaType {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : (typeof value as SchemaType)
}

function fail(validate: DataValidateFunction, keyword: string, params: Record<string, unknown>): false {
  validate.errors = [{ keyword, params, message: `must pass ${keyword}` }]
  return false
}
