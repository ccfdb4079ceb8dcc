/**
 * The keywords that are implemented here instead of by Ajv. Numbers are kept without loss: JSON has numbers of any size,
 * JavaScript has two types for them, and Ajv supports only one; so `type: integer` and `type: number`, with the keywords that
 * belong to them, are replaced by one keyword. It validates the numbers that the strict JSON parser returns, where a bigint
 * stands for an integer that a number would round. `items` and `additionalProperties`, which a value may violate any number
 * of times, stop when they have found more errors than a message lists.
 */
import type { CodeKeywordDefinition, FuncKeywordDefinition, KeywordCxt, Name } from 'ajv'
import { _, and } from 'ajv/dist/compile/codegen/index.js'
import { Type } from 'ajv/dist/compile/util.js'
import type { DataValidateFunction } from 'ajv/dist/types/index.js'
import type { Schema, SchemaType } from '../document/model.ts'
import { getTypes } from '../document/references.ts'
import { getType, isNumber, type Numeric, parseDecimal, scaleDigits, toCanonicalJson } from '../json.ts'
import { MAX_LISTED } from './violations.ts'

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

/** Moves the keywords of numbers into `numeric`; returns a schema without them as it is. */
export function withNumeric(schema: Schema): Schema {
  // Without a type, the limits are for numbers only, and a format is one of texts.
  const moved = [...Object.keys(LIMITS), ...(isNumeric(getTypes(schema)) ? ['type', 'format'] : [])]
  const { numeric, others = [] } = Object.groupBy(Object.entries(schema), ([keyword]) =>
    moved.includes(keyword) ? 'numeric' : 'others',
  )
  return numeric === undefined ? schema : Object.fromEntries([...others, ['numeric', Object.fromEntries(numeric)]])
}

/** Reports the errors of the keywords that it replaces. */
const numericKeyword: FuncKeywordDefinition = {
  keyword: 'numeric',
  errors: true,
  compile: (rule: Schema) => {
    const types = getTypes(rule)
    const limits = Object.entries(rule).filter(([keyword]) => keyword in LIMITS)
    const validate: DataValidateFunction = (value) => {
      const isOfType =
        types.length === 0 || (isNumber(value) ? isInRange(value, types, rule.format) : types.includes(getType(value)))
      if (!isOfType) return fail(validate, 'type', { type: getTypeName(types, rule.format, value) })
      const violated = isNumber(value) && limits.find(([keyword, limit]) => !LIMITS[keyword]?.(value, limit))
      return violated ? fail(validate, violated[0], { limit: violated[1] }) : true
    }
    return validate
  },
}

/** True if the number has one of the types and is in the range of the format. */
function isInRange(value: Numeric, types: readonly SchemaType[], format = ''): boolean {
  if (types.includes('number')) return Number.isFinite(format === 'float' ? Math.fround(Number(value)) : Number(value))
  const [least, most] = RANGES[format] ?? SAFE_RANGE
  return value >= least && value <= most && (typeof value === 'bigint' || Number.isInteger(value))
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

function fail(validate: DataValidateFunction, keyword: string, params: Record<string, unknown>): false {
  validate.errors = [{ keyword, params, message: `must pass ${keyword}` }]
  return false
}

/** JSON Schema Validation 2020-12, section 6.4.3, for Ajv. */
const uniqueItemsKeyword: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  compile: (isRequired: boolean) => (items: readonly unknown[]) =>
    !isRequired || new Set(items.map(toCanonicalJson)).size === items.length,
}

/** JSON Schema 2020-12, section 10.3.1. */
const itemsKeyword: CodeKeywordDefinition = {
  keyword: 'items',
  type: 'array',
  schemaType: 'object',
  trackErrors: true,
  code: (cxt) => {
    const { gen, data } = cxt
    gen.forRange('i', 0, _`${data}.length`, (index) => {
      cxt.subschema({ keyword: 'items', dataProp: index, dataPropType: Type.Num }, gen.name('valid'))
      stopAtLimit(cxt)
    })
    cxt.ok(_`errors === ${cxt.errsCount}`)
  },
}

/** JSON Schema 2020-12, section 10.3.2. */
const additionalPropertiesKeyword: CodeKeywordDefinition = {
  keyword: 'additionalProperties',
  type: 'object',
  schemaType: ['boolean', 'object'],
  before: 'properties',
  trackErrors: true,
  error: { message: 'must be declared', params: ({ params }) => _`{additionalProperty: ${params.name}}` },
  code: (cxt) => {
    const { gen, data, schema, parentSchema } = cxt
    if (schema === true) return
    const validate = (name: Name) => {
      cxt.setParams({ name })
      if (schema === false) cxt.error()
      else cxt.subschema({ keyword: 'additionalProperties', dataProp: name, dataPropType: Type.Str }, gen.name('valid'))
      stopAtLimit(cxt)
    }
    gen.forIn('key', data, (key) => {
      const differs = Object.keys(parentSchema.properties ?? {}).map((name) => _`${key} !== ${name}`)
      gen.if(and(_`true`, ...differs), () => validate(key))
    })
    cxt.ok(_`errors === ${cxt.errsCount}`)
  },
}

/** In the code that Ajv generates, `errors` counts those of the whole value, and `errsCount` is what it was before. */
function stopAtLimit({ gen, errsCount }: KeywordCxt): void {
  gen.if(_`errors - ${errsCount} > ${MAX_LISTED}`, () => gen.break())
}

/** The keywords that take the place of those of Ajv. */
export const VOCABULARY = [numericKeyword, uniqueItemsKeyword, itemsKeyword, additionalPropertiesKeyword]
