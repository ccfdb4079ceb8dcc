/**
 * The keywords for values that Ajv does not know, or judges less exactly: bigints, files, decimal fractions, and long lists. All
 * are added by Ajv's public interface.
 */
import { _, type Ajv, type ErrorObject } from 'ajv'
import type { SchemaType } from '../shared/json.ts'
import { getType, isEqual, isNumber, type Numeric, toKey } from '../shared/json.ts'
import { NUMBER_FORMATS } from './formats.ts'

/** A message lists this many violations. */
export const MAX_LISTED = 10

/** Returns the parameters of the error if a value violates a keyword, and undefined otherwise. */
type FindViolation = (value: unknown) => object | undefined

/** The value of the keyword `valueType`, which replaces `type` and `format` for numbers and files. */
export interface ValueType {
  /** Undefined for any type. */
  readonly types?: readonly SchemaType[] | undefined
  readonly format?: string | undefined
  /** True if a `File` is a string. */
  readonly allowsFiles?: boolean
}

/** A bigint is an integer, with or without the format int64: the converter rejects those that a number would round. */
function createTypeTest({ types, format, allowsFiles = false }: ValueType): FindViolation {
  const isLong = format === 'int64'
  const names = types ?? ['integer']
  const violation = { type: names.map((type) => (isLong && /integer|number/.test(type) ? 'int64 integer' : type)) }
  const isOfFormat = NUMBER_FORMATS.get(format)
  const allowsFractions = types === undefined || types.includes('number')
  const allowsIntegers = allowsFractions || types?.includes('integer') === true
  const isOfType = (value: Numeric) => {
    if (typeof value === 'bigint') return allowsIntegers
    return allowsFractions ? Number.isFinite(value) : allowsIntegers && Number.isInteger(value)
  }
  return (value) => {
    if (!isNumber(value)) {
      const isAllowed = types === undefined || types.includes(getType(value)) || (allowsFiles && value instanceof File)
      return isAllowed ? undefined : violation
    }
    if (!isOfType(value)) return violation
    if (isOfFormat?.(value) !== false) return undefined
    return isLong ? violation : { format }
  }
}

function createLimitTest(isWithin: (value: Numeric, limit: Numeric) => boolean) {
  return (limit: Numeric): FindViolation =>
    (value) =>
      isNumber(value) && !isWithin(value, limit) ? { limit } : undefined
}

/** Compares decimal numbers: 19.99 is a multiple of 0.01, although 19.99 / 0.01 is not an integer. */
function isMultiple(exactValue: Numeric, exactDivisor: Numeric): boolean {
  const [value, divisor] = [toSafeNumber(exactValue), toSafeNumber(exactDivisor)]
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return Number(value) % Number(divisor) === 0
  // Fast path: with up to 15 digits, both times a power of ten are integers that a double holds exactly (19.99 is 1999 / 100).
  for (let scale = 1; scale <= 1e15; scale *= 10) {
    const [scaledValue, scaledDivisor] = [Math.round(Number(value) * scale), Math.round(Number(divisor) * scale)]
    if (Math.max(Math.abs(scaledValue), scaledDivisor) >= 1e15) break
    if (scaledDivisor / scale === divisor) return scaledValue / scale === value && scaledValue % scaledDivisor === 0
  }
  const [dividend, decimalDivisor] = [toDecimal(value), toDecimal(divisor)]
  // Bound the power of ten. A larger one changes no remainder: a number of 40 digits is below 2^140, so that it has fewer than
  // 140 factors of 2 or 5.
  const shift = 10n ** BigInt(Math.min(140, Math.abs(dividend.exponent - decimalDivisor.exponent)))
  if (dividend.exponent >= decimalDivisor.exponent) return (dividend.digits * shift) % decimalDivisor.digits === 0n
  return dividend.digits % (decimalDivisor.digits * shift) === 0n
}

/** Returns a bigint as a number if that is exact. */
function toSafeNumber(value: Numeric): Numeric {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value
}

/** The number `digits * 10 ** exponent`. */
interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

function toDecimal(value: Numeric): Decimal {
  const [, whole = '', fraction = '', exponent = 0] = /^(-?\d+)(?:\.(\d+))?(?:e(.+))?$/.exec(String(value)) ?? []
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}

/** Numbers are equal if their mathematical values are (JSON Schema 2020-12, section 4.2.2). */
function createListTest(values: readonly unknown[], violation: object): FindViolation {
  const isStructure = (value: unknown) => typeof value === 'object' && value !== null
  const structures = values.filter(isStructure)
  const keys = new Set(values.map(toKey))
  const isListed = (value: unknown) =>
    isStructure(value) ? structures.some((listed) => isEqual(listed, value)) : keys.has(toKey(value))
  return (value) => (isListed(value) ? undefined : violation)
}

/** Replaces Ajv's uniqueItems, whose time is quadratic. */
function createUniqueTest(isUnique: boolean): FindViolation {
  return (value) => {
    if (!isUnique || !Array.isArray(value)) return undefined
    return new Set(value.map(toKey)).size === value.length ? undefined : {}
  }
}

/** True if a text has at least so many characters. Most texts are much longer or shorter: those are not counted. */
function hasCharacters(text: string, count: number): boolean {
  return text.length >= 2 * count || (text.length >= count && countCharacters(text) >= count)
}

/** Counts Unicode characters: a surrogate pair is one. */
function countCharacters(text: string): number {
  let count = text.length
  for (let index = 0; index < text.length; index++) {
    // The second half of a pair.
    if ((text.charCodeAt(index) & 0xfc00) === 0xdc00) count--
  }
  return count
}

const TESTS: Readonly<Record<string, (schema: never) => FindViolation>> = {
  valueType: createTypeTest,
  minimum: createLimitTest((value, limit) => value >= limit),
  maximum: createLimitTest((value, limit) => value <= limit),
  exclusiveMinimum: createLimitTest((value, limit) => value > limit),
  exclusiveMaximum: createLimitTest((value, limit) => value < limit),
  multipleOf: createLimitTest(isMultiple),
  enum: (allowedValues: readonly unknown[]) => createListTest(allowedValues, { allowedValues }),
  const: (allowedValue: unknown) => createListTest([allowedValue], { allowedValue }),
  uniqueItems: createUniqueTest,
  minLength: (limit: number) => (value) =>
    typeof value === 'string' && !hasCharacters(value, limit) ? { limit } : undefined,
  maxLength: (limit: number) => (value) =>
    typeof value === 'string' && hasCharacters(value, limit + 1) ? { limit } : undefined,
  minBytes: (limit: number) => (value) => (value instanceof File && value.size < limit ? { limit } : undefined),
  maxBytes: (limit: number) => (value) => (value instanceof File && value.size > limit ? { limit } : undefined),
  /** A property that a request must not have. */
  hidden: (isRejected: boolean) => () => (isRejected ? {} : undefined),
}

/** Returns an error with the keyword of the standard that one of our keywords replaces. */
export function toStandardError(error: ErrorObject): ErrorObject {
  switch (error.keyword) {
    case 'valueType':
      return { ...error, keyword: 'type' in error.params ? 'type' : 'format' }
    case 'minBytes':
      return { ...error, keyword: 'minLength' }
    case 'maxBytes':
      return { ...error, keyword: 'maxLength' }
    default:
      return error
  }
}

/** Adds the keywords. They replace Ajv's keywords of the same name. */
export function addKeywords(ajv: Ajv): void {
  for (const [keyword, createTest] of Object.entries(TESTS)) {
    ajv.removeKeyword(keyword).addKeyword({
      keyword,
      error: { message: '', params: ({ params }) => _`${params.violation}` },
      code(cxt) {
        const test = cxt.gen.scopeValue('func', { ref: createTest(cxt.schema as never) })
        const violation = cxt.gen.const('violation', _`${test}(${cxt.data})`)
        cxt.setParams({ violation })
        cxt.fail(_`${violation} !== undefined`)
      },
    })
  }
}
