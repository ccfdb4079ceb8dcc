/**
 * Numbers without loss. JSON knows numbers of any size, JavaScript two kinds of them; Ajv knows only one. The engine
 * therefore replaces `type: integer` and `type: number`, with all that goes with them, by one keyword of its own: it
 * takes what the strict JSON parser made (a bigint where a number would have been rounded) and leaves in its place what
 * the schema's format says: a bigint for int64, a number otherwise.
 */
import type { FuncKeywordDefinition } from 'ajv'
import type { DataValidateFunction } from 'ajv/dist/types/index.js'
import type { Schema, SchemaType } from '../model.ts'
import { typesOf } from '../schemas.ts'

/** The keywords that constrain numbers; the new keyword takes them over. */
const LIMITS = {
  minimum: (value: Numeric, limit: Numeric) => value >= limit,
  maximum: (value: Numeric, limit: Numeric) => value <= limit,
  exclusiveMinimum: (value: Numeric, limit: Numeric) => value > limit,
  exclusiveMaximum: (value: Numeric, limit: Numeric) => value < limit,
  multipleOf: isMultiple,
}
type Limit = keyof typeof LIMITS
type Numeric = number | bigint

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

/** Whether numbers are among the types. */
export function isNumeric(types: readonly SchemaType[]): boolean {
  return types.includes('integer') || types.includes('number')
}

/** The keyword's definition for Ajv. Its errors are those of the keywords that it replaces. */
export const numericKeyword: FuncKeywordDefinition = {
  keyword: 'numeric',
  modifying: true,
  errors: true,
  compile: (rule: NumericRule) => {
    const validate: DataValidateFunction = (data, context) => {
      if (!isNumber(data)) {
        return rule.types.includes(typeOf(data)) || fail(validate, 'type', { type: nameOf(rule) })
      }
      const value = convert(data, rule)
      if (value === undefined) return fail(validate, 'type', { type: nameOf(rule) })
      const broken = rule.limits.find(([name, limit]) => !LIMITS[name](value, limit))
      if (broken !== undefined) return fail(validate, broken[0], { limit: broken[1] })
      if (context !== undefined) context.parentData[context.parentDataProperty] = value
      return true
    }
    return validate
  },
}

/** The value in the kind that the format asks for, or undefined where it is none of its values. */
function convert(data: Numeric, { types, format }: NumericRule): Numeric | undefined {
  if (types.includes('number')) return Number.isFinite(Number(data)) ? Number(data) : undefined
  if (typeof data === 'number' && !Number.isInteger(data)) return undefined
  const exact = BigInt(data)
  const [least, most] = RANGES[format ?? 'integer'] as readonly [bigint, bigint]
  if (exact < least || exact > most) return undefined
  return format === 'int64' ? exact : Number(exact)
}

/** JSON Schema Validation 2020-12, section 6.2.1; a bigint is divided as such. */
function isMultiple(value: Numeric, divisor: Numeric): boolean {
  if (typeof value === 'bigint' && Number.isInteger(Number(divisor))) return value % BigInt(divisor) === 0n
  return Number.isInteger(Number(value) / Number(divisor))
}

/** How messages name what is asked for: the integer formats by their own names. */
function nameOf({ types, format }: NumericRule): string {
  const number = types.includes('number') ? 'number' : format === undefined ? 'integer' : `${format} integer`
  return [number, ...types.filter((type) => !isNumeric([type]))].join(' or ')
}

function isNumber(data: unknown): data is Numeric {
  return typeof data === 'number' || typeof data === 'bigint'
}

function typeOf(data: unknown): SchemaType {
  if (data === null) return 'null'
  return Array.isArray(data) ? 'array' : (typeof data as SchemaType)
}

function fail(validate: DataValidateFunction, keyword: string, params: Record<string, unknown>): false {
  validate.errors = [{ keyword, params, message: `must pass ${keyword}` }]
  return false
}
