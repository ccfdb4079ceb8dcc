/**
 * Our keywords, which replace keywords of Ajv for values that Ajv does not know, or judges less exactly: bigints, files, decimal
 * fractions, and long lists. All are added by Ajv's public interface.
 */
import { _, type Ajv, type Code, type ErrorObject, type KeywordCxt, type ValidateFunction } from 'ajv'
import { getMemberNames, getType, isNumber, isObject, type Numeric, type SchemaType, toKey } from '../shared/json.ts'
import { createPattern } from '../shared/patterns.ts'
import { NUMBER_FORMATS, type TextFormats } from './formats.ts'
import { type Int64Type, is64Bit } from './types.ts'
import type { ErrorList, Validator } from './validator.ts'

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
export function addKeywords(ajv: Ajv, formats: TextFormats): void {
  const format: CreateTest = (name: string, schema) =>
    createTextTest(formats.get(name) ?? (() => true), { format: name }, schema)
  // Messages have this order: the type of a value comes first.
  const tests = { valueType: createTypeTest, ...TESTS, format, validators: createValidatorsTest }
  for (const [keyword, createTest] of Object.entries(tests)) {
    ajv.removeKeyword(keyword).addKeyword({
      keyword,
      error: { message: '', params: ({ params }) => _`${params.errorParams}` },
      // Runs once for each schema, and writes code that calls the test for each value. The result of the test is `params` of the error.
      code(cxt) {
        const { gen, data, schema, parentSchema } = cxt
        const test = gen.scopeValue('func', { ref: createTest(schema as never, parentSchema as ContextKeywords) })
        const isValid = SHORTCUTS[keyword]?.(cxt) ?? false
        const errorParams = gen.const('errorParams', _`${isValid} ? undefined : ${test}(${data})`)
        cxt.setParams({ errorParams })
        cxt.fail(_`${errorParams} !== undefined`)
      },
    })
  }
}

/** The test of a keyword: returns the parameters of the error if a value violates the keyword, and undefined otherwise. */
type KeywordTest = (value: unknown) => object | undefined

/** Creates the test of a keyword from the value that the keyword has in a schema. */
type CreateTest = (keywordValue: never, schema: ContextKeywords) => KeywordTest

/** Keywords that prepare.ts adds from the context of a schema, for the tests of other keywords. */
export interface ContextKeywords {
  /** The most characters that all schemas of the value allow together. Longer texts are invalid, whatever their pattern or format. */
  readonly textLimit?: number | undefined
  /** The members that a response leaves out. */
  readonly omittedNames?: readonly string[] | undefined
}

/** The tests of the keywords that a schema has itself. */
const TESTS: Readonly<Record<string, CreateTest>> = {
  minimum: createLimitTest((value, limit) => value >= limit),
  maximum: createLimitTest((value, limit) => value <= limit),
  exclusiveMinimum: createLimitTest((value, limit) => value > limit),
  exclusiveMaximum: createLimitTest((value, limit) => value < limit),
  multipleOf: createLimitTest(isMultiple),
  enum: (allowedValues: readonly unknown[]) => createListTest(allowedValues, { allowedValues }),
  const: (allowedValue: unknown) => createListTest([allowedValue], { allowedValue }),
  uniqueItems: createUniqueTest,
  minLength: (limit: number) => (value) => (hasLength(value, limit) === false ? { limit } : undefined),
  maxLength: (limit: number) => (value) => (hasLength(value, limit + 1) === true ? { limit } : undefined),
  minProperties: (limit: number, schema) => (value) =>
    isObject(value) && getMemberNames(value, schema.omittedNames).length < limit ? { limit } : undefined,
  maxProperties: (limit: number, schema) => (value) =>
    isObject(value) && getMemberNames(value, schema.omittedNames).length > limit ? { limit } : undefined,
  pattern(pattern: string, schema) {
    const expression = createPattern(pattern)
    return createTextTest((text) => expression.test(text), { pattern }, schema)
  },
}

export const TESTED_KEYWORDS: readonly string[] = Object.keys(TESTS)

/** Code that is true for most valid texts, so that their tests are not called. Otherwise, each text costs a call. */
const SHORTCUTS: Readonly<Record<string, (cxt: KeywordCxt) => Code>> = {
  minLength: ({ data, schema }) => _`typeof ${data} === "string" && ${data}.length >= ${2 * schema}`,
  maxLength: ({ data, schema }) => _`typeof ${data} === "string" && ${data}.length <= ${schema}`,
}

/** Creates the test of `validators`. The parameters of its error are the errors that all validators find. */
function createValidatorsTest(validators: readonly Validator[]): KeywordTest {
  return (value) => {
    let errors: ErrorList
    for (const validate of validators) {
      const validatorErrors = validate(value)
      if (validatorErrors !== undefined) errors = [...(errors ?? []), ...validatorErrors]
    }
    return errors && { errors }
  }
}

/** Returns the first errors that Ajv has found, with the errors of validators in place of the error of `validators`. */
export function getErrors({ errors: ajvErrors }: ValidateFunction, maxCount: number): ErrorObject[] {
  const errors: ErrorObject[] = []
  for (const error of ajvErrors ?? []) {
    if (errors.length >= maxCount) break
    if (error.keyword !== 'validators') errors.push(error)
    else {
      const innerErrors = (error.params.errors as readonly ErrorObject[]).slice(0, maxCount - errors.length)
      errors.push(...innerErrors.map((inner) => ({ ...inner, instancePath: error.instancePath + inner.instancePath })))
    }
  }
  return errors
}

/** Returns an error with the keyword that `valueType` stands for. */
export function toStandardError(error: ErrorObject): ErrorObject {
  return error.keyword === 'valueType' ? { ...error, keyword: 'type' in error.params ? 'type' : 'format' } : error
}

/**
 * Creates the test of `valueType`. A bigint is an integer, also without the format int64: the converter then reports those that
 * a number would round.
 */
function createTypeTest({ types, format, int64, allowsFiles = false }: ValueType): KeywordTest {
  // Without types, only a number that is not finite is of another type.
  const typeParams = { type: types?.length === 1 ? types[0] : (types ?? 'number') }
  const isInFormat = NUMBER_FORMATS.get(format)
  const formatParams = { format: is64Bit(format) && int64 === 'number' ? 'double-int' : format }
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
    return isInFormat === undefined || !isNumber(value) || isInFormat(value) ? undefined : formatParams
  }
}

/**
 * Creates the test of `pattern` or `format`. A text that is too long is not tried: some patterns take time that is exponential in its
 * length.
 */
function createTextTest(
  isValid: (text: string) => boolean,
  errorParams: object,
  { textLimit = Infinity }: ContextKeywords,
): KeywordTest {
  return (value) => {
    if (typeof value !== 'string' || hasCharacters(value, textLimit + 1)) return undefined
    return isValid(value) ? undefined : errorParams
  }
}

/** Creates the function that creates the test of a limit for numbers. */
function createLimitTest(isWithin: (value: Numeric, limit: Numeric) => boolean) {
  return (limit: Numeric): KeywordTest =>
    (value) =>
      isNumber(value) && !isWithin(value, limit) ? { limit } : undefined
}

/** Compares decimal numbers: 19.99 is a multiple of 0.01, although 19.99 / 0.01 is not an integer. */
function isMultiple(value: Numeric, divisor: Numeric): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return Number(value) % Number(divisor) === 0
  return isDecimalMultiple(toDecimal(value), toDecimal(divisor))
}

/** Compares numbers of any length as integers: of 1e3 and 2e1, as 100 and 2, both times the lower power of ten. */
function isDecimalMultiple(value: Decimal, divisor: Decimal): boolean {
  // Bound the power of ten. A larger one does not change whether a remainder is 0: a number of 40 digits is below 2^140, so that it
  // has fewer than 140 factors of 2 or 5.
  const shift = 10n ** BigInt(Math.min(140, Math.abs(value.exponent - divisor.exponent)))
  if (value.exponent >= divisor.exponent) return (value.digits * shift) % divisor.digits === 0n
  return value.digits % (divisor.digits * shift) === 0n
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
 * Most values are texts, which need no key. The key of an array or object takes time, so it is made only if the list has arrays or objects.
 */
function createListTest(allowedValues: readonly unknown[], errorParams: object): KeywordTest {
  const isScalar = (value: unknown) => typeof value !== 'object' || value === null
  const texts = new Set(allowedValues.filter((value) => typeof value === 'string'))
  const keys = new Set(allowedValues.map(toKey))
  const areScalars = allowedValues.every(isScalar)
  return (value) => {
    const isAllowed =
      typeof value === 'string' ? texts.has(value) : (isScalar(value) || !areScalars) && keys.has(toKey(value))
    return isAllowed ? undefined : errorParams
  }
}

/** Creates the test of `uniqueItems`. It replaces Ajv's, whose time is quadratic. */
function createUniqueTest(mustBeUnique: boolean): KeywordTest {
  return (value) => {
    if (!mustBeUnique || !Array.isArray(value)) return undefined
    return new Set(value.map(toKey)).size === value.length ? undefined : {}
  }
}

/** True if a text has at least this many characters, or a file this many bytes; undefined for other values. */
function hasLength(value: unknown, minimum: number): boolean | undefined {
  if (value instanceof File) return value.size >= minimum
  return typeof value === 'string' ? hasCharacters(value, minimum) : undefined
}

/** True if a text has at least this many characters. Counts them only if the length of the text does not decide. */
export function hasCharacters(text: string, minimum: number): boolean {
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
