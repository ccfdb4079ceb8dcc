/**
 * Keywords of ours, which replace those of Ajv for values that Ajv does not know, or judges less exactly: bigints, files, decimal
 * fractions, and long lists. All are added by Ajv's public interface.
 */
import { _, type Ajv, type ErrorObject } from 'ajv'
import type { SchemaType } from '../shared/json.ts'
import { getType, isEqual, isNumber, type Numeric, toKey } from '../shared/json.ts'
import { NUMBER_FORMATS } from './formats.ts'
import type { Int64Type } from './types.ts'

/** A message lists this many violations. */
export const MAX_LISTED = 10

/** The value of the keyword `valueType`, which replaces `type` and `format` for numbers and files. */
export interface ValueType {
  /** Undefined for any type. */
  readonly types?: readonly SchemaType[] | undefined
  readonly format?: string | undefined
  /** What handlers receive as an int64: messages name the type by it. */
  readonly int64?: Int64Type
  /** True if a `File` is a string. */
  readonly allowsFiles?: boolean
}

/** Adds the keywords to an Ajv, in place of its own keywords with the same names. */
export function addKeywords(ajv: Ajv): void {
  for (const [keyword, createTest] of Object.entries(TESTS)) {
    ajv.removeKeyword(keyword).addKeyword({
      keyword,
      error: { message: '', params: ({ params }) => _`${params.errorParams}` },
      code(cxt) {
        const test = cxt.gen.scopeValue('func', { ref: createTest(cxt.schema as never) })
        const errorParams = cxt.gen.const('errorParams', _`${test}(${cxt.data})`)
        cxt.setParams({ errorParams })
        cxt.fail(_`${errorParams} !== undefined`)
      },
    })
  }
}

/** The test of a keyword: returns the parameters of the error if a value violates the keyword, and undefined otherwise. */
type FindErrorParams = (value: unknown) => object | undefined

/** Creates the test of each keyword from the value that the keyword has in a schema. */
const TESTS: Readonly<Record<string, (keywordValue: never) => FindErrorParams>> = {
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
  /** Marks a property that a request must not have. */
  readOnlyInRequest: () => () => ({}),
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

/**
 * Creates the test of `valueType`. A bigint is an integer, also without the format int64: the converter then reports those that
 * a number would round.
 */
function createTypeTest({ types, format, int64, allowsFiles = false }: ValueType): FindErrorParams {
  const typeParams = { type: nameTypes(types, format, int64) }
  const hasFormat = NUMBER_FORMATS.get(format)
  const allowsFractions = types === undefined || types.includes('number')
  const allowsIntegers = allowsFractions || types.includes('integer')

  function isOfType(value: unknown): boolean {
    if (typeof value === 'bigint') return allowsIntegers
    if (typeof value === 'number')
      return allowsFractions ? Number.isFinite(value) : allowsIntegers && Number.isInteger(value)
    return types === undefined || types.includes(getType(value)) || (allowsFiles && value instanceof File)
  }

  return (value) => {
    if (!isOfType(value)) return typeParams
    if (hasFormat === undefined || !isNumber(value) || hasFormat(value)) return undefined
    return format === 'int64' ? typeParams : { format }
  }
}

/**
 * Names types for messages: an int64 is a type of its own to clients, unless handlers receive it as any other integer. Without
 * types, only a number can violate `valueType`.
 */
function nameTypes(
  types: readonly SchemaType[] = ['integer'],
  format: string | undefined,
  int64: Int64Type | undefined,
): readonly string[] {
  const int64Name = int64 === 'number' ? 'integer' : 'int64 integer'
  return types.map((type) => (format === 'int64' && /integer|number/.test(type) ? int64Name : type))
}

/** Creates the function that creates the test of a limit for numbers. */
function createLimitTest(isWithin: (value: Numeric, limit: Numeric) => boolean) {
  return (limit: Numeric): FindErrorParams =>
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

/**
 * Creates the test of `enum` or `const`. Numbers are equal if their mathematical values are (JSON Schema 2020-12, section 4.2.2).
 */
function createListTest(allowedValues: readonly unknown[], errorParams: object): FindErrorParams {
  const isStructure = (value: unknown) => typeof value === 'object' && value !== null
  const structures = allowedValues.filter(isStructure)
  const scalarKeys = new Set(allowedValues.filter((value) => !isStructure(value)).map(toKey))
  const isAllowed = (value: unknown) =>
    isStructure(value) ? structures.some((structure) => isEqual(structure, value)) : scalarKeys.has(toKey(value))
  return (value) => (isAllowed(value) ? undefined : errorParams)
}

/** Creates the test of `uniqueItems`. The time of Ajv's is quadratic. */
function createUniqueTest(mustBeUnique: boolean): FindErrorParams {
  return (value) => {
    if (!mustBeUnique || !Array.isArray(value)) return undefined
    return new Set(value.map(toKey)).size === value.length ? undefined : {}
  }
}

/** True if a text has at least this many characters. Counts them only if the length of the text does not decide. */
function hasCharacters(text: string, minimum: number): boolean {
  return text.length >= 2 * minimum || (text.length >= minimum && countCharacters(text) >= minimum)
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
