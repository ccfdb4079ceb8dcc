/**
 * Validates numbers without loss. JSON has numbers of any size, JavaScript has two types for them: these are the numbers that
 * the strict JSON parser returns, where a bigint stands for an integer that a number would round.
 */
import type { Schema, SchemaType } from '../document/model.ts'
import { getTypes } from '../document/references.ts'
import { getType, isNumber, type Numeric, parseDecimal, parseExactly, scaleDigits, stringifyExactly } from '../json.ts'

/** The keywords that limit numbers. */
const LIMITS: Readonly<Record<string, (value: Numeric, limit: Numeric) => boolean>> = {
  minimum: (value, limit) => value >= limit,
  maximum: (value, limit) => value <= limit,
  exclusiveMinimum: (value, limit) => value > limit,
  exclusiveMaximum: (value, limit) => value < limit,
  multipleOf: isMultiple,
}

/** The ranges of integers by format (OpenAPI Format Registry). */
const RANGES: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
}
/** Without a format, those that a number holds exactly. */
const SAFE_RANGE = [BigInt(Number.MIN_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER)] as const

/** Moves the keywords of numbers into `numeric`, as JSON; returns a schema without them as it is. */
export function withNumeric(schema: Schema): Schema {
  // Without a type, the limits are for numbers only, and a format is one of texts.
  const moved = [...Object.keys(LIMITS), ...(isNumeric(getTypes(schema)) ? ['type', 'format'] : [])]
  const { numeric, others = [] } = Object.groupBy(Object.entries(schema), ([keyword]) =>
    moved.includes(keyword) ? 'numeric' : 'others',
  )
  return numeric === undefined
    ? schema
    : Object.fromEntries([...others, ['numeric', stringifyExactly(Object.fromEntries(numeric))]])
}

/** The keyword that a value violates, with the parameters of an error of Ajv. */
export interface Violation {
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
}

/** Makes the function that finds the violation of the keywords in `numeric`; it returns undefined if a value is valid. */
export function createNumericCheck(numeric: string): (value: unknown) => Violation | undefined {
  const rule = parseExactly(numeric) as Schema
  const types = getTypes(rule)
  const limits = Object.entries(rule).filter(([keyword]) => keyword in LIMITS)
  return (value) => {
    const isOfType =
      types.length === 0 || (isNumber(value) ? isInRange(value, types, rule.format) : types.includes(getType(value)))
    if (!isOfType) return { keyword: 'type', params: { type: getTypeName(types, rule.format, value) } }
    const violated = isNumber(value) && limits.find(([keyword, limit]) => !LIMITS[keyword]?.(value, limit))
    return violated ? { keyword: violated[0], params: { limit: violated[1] } } : undefined
  }
}

/** True if the number has one of the types and is in the range of the format. */
function isInRange(value: Numeric, types: readonly SchemaType[], format = ''): boolean {
  if (types.includes('number')) return Number.isFinite(format === 'float' ? Math.fround(Number(value)) : Number(value))
  const [least, most] = RANGES[format] ?? SAFE_RANGE
  return value >= least && value <= most && (typeof value === 'bigint' || Number.isSafeInteger(value))
}

/** JSON Schema Validation 2020-12, section 6.2.1; in decimal, because 19.99 is a multiple of 0.01. */
function isMultiple(value: Numeric, divisor: Numeric): boolean {
  const [one, other] = [parseDecimal(String(value)), parseDecimal(String(divisor))]
  const places = Math.max(one.places, other.places)
  return scaleDigits(one, places) % scaleDigits(other, places) === 0n
}

function isNumeric(types: readonly SchemaType[]): boolean {
  return types.includes('integer') || types.includes('number')
}

/** Names the expected type in messages about a value that does not have it. */
function getTypeName(types: readonly SchemaType[], format: string | undefined, value: unknown): string {
  const number = types.includes('number') ? 'number' : 'integer'
  const name = format === undefined || format === 'double' ? number : `${format} ${number}`
  // It is an integer, but too large.
  const isWhole = typeof value === 'bigint' || Number.isInteger(value)
  const range = isWhole && name === 'integer' ? ' of at most 53 bits' : ''
  return [name + range, ...types.filter((type) => !isNumeric([type]))].join(' or ')
}
