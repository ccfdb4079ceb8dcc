/**
 * Keywords that Ajv does not have, or not exactly enough: those that see a bigint, which is no number of Ajv, and those whose
 * time or errors would grow with the square of the value. Each is a function that finds what a value violates.
 */
import type { Ajv, CodeKeywordDefinition, KeywordCxt } from 'ajv'
import { _, Name } from 'ajv/dist/compile/codegen/index.js'
import { evaluatedPropsToName } from 'ajv/dist/compile/util.js'
import ucs2length from 'ajv/dist/runtime/ucs2length.js'
import type { Schema } from '../document/model.ts'
import { getTypes, toObject } from '../document/references.ts'
import { getType, isEqual, isNumber, type Numeric, toKey } from '../json.ts'
import { NUMBER_FORMATS } from './formats.ts'

/** A message lists this many violations. */
export const MAX_LISTED = 10

/** A keyword of JSON Schema that a value violates, with the parameters of an error of Ajv. */
export interface Violation {
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
}

type Judge = (value: unknown) => readonly Violation[]

const NONE: readonly Violation[] = []

/** True if the values of a schema become bigint. Without a type, only its numbers do. */
export function isInt64({ format, type = 'integer' }: Schema): boolean {
  return format === 'int64' && /integer|number/.test(String(type))
}

/** True if a value is bytes: a text in JSON, and a file in a form (OpenAPI 3.0 and 3.1, binary data). */
export function isBinary({ format, contentMediaType: media = 'text/plain', contentEncoding }: Schema): boolean {
  return format === 'binary' || (contentEncoding === undefined && !/^text\/|json$/.test(media))
}

/** True if a schema is judged by the keyword `numeric`, in place of those that it stands for. */
export function isNumeric(schema: Schema): boolean {
  const types = getTypes(schema)
  if (types.length > 0) return types.includes('number') || types.includes('integer')
  return NUMBER_FORMATS.has(schema.format) || LIMITS.some(([keyword]) => keyword in schema)
}

/** The keywords that `numeric` stands for, besides `type`. */
const LIMITS: readonly (readonly [keyword: keyof Schema, isWithin: (value: Numeric, limit: Numeric) => boolean])[] = [
  ['minimum', (value, limit) => value >= limit],
  ['maximum', (value, limit) => value <= limit],
  ['exclusiveMinimum', (value, limit) => value > limit],
  ['exclusiveMaximum', (value, limit) => value < limit],
  ['multipleOf', isMultiple],
]

/** Exactly, as decimal numbers: 19.99 is a multiple of 0.01, although 19.99 / 0.01 is not an integer. */
function isMultiple(value: Numeric, divisor: Numeric): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return Number(value) % Number(divisor) === 0
  // Decimal numbers of up to 15 digits are never rounded to one another: most can be compared as integers.
  for (let scale = 1; scale <= 1e15; scale *= 10) {
    const [scaledValue, scaledDivisor] = [Math.round(Number(value) * scale), Math.round(Number(divisor) * scale)]
    if (Math.max(Math.abs(scaledValue), scaledDivisor) >= 1e15) break
    if (scaledDivisor / scale === divisor) return scaledValue / scale === value && scaledValue % scaledDivisor === 0
  }
  const [one, other] = [toDecimal(value), toDecimal(divisor)]
  // A larger power of ten changes nothing: numbers of 40 digits have fewer than 140 factors of 2 or 5, and are smaller.
  const shift = BigInt(Math.min(140, Math.abs(one.exponent - other.exponent)))
  if (one.exponent >= other.exponent) return (one.digits * 10n ** shift) % other.digits === 0n
  return one.digits % (other.digits * 10n ** shift) === 0n
}

function toDecimal(value: Numeric): { digits: bigint; exponent: number } {
  const [, whole = '', fraction = '', exponent = 0] = /^(-?\d+)(?:\.(\d+))?(?:e(.+))?$/.exec(String(value)) ?? []
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}

/** The type, the format and the limits of a number. If `isLong` is true, a bigint is an integer. */
function createNumericJudge(schema: Schema & { readonly isLong: boolean }): Judge {
  const types = getTypes(schema)
  const format = NUMBER_FORMATS.get(schema.format)
  const limits = LIMITS.flatMap(([keyword, isWithin]) => {
    return keyword in schema ? [{ keyword, isWithin, limit: schema[keyword] as Numeric }] : []
  })
  const isOfInt64 = isInt64(schema)
  const named = (types.length > 0 ? types : ['integer']).map((type) =>
    isOfInt64 && /integer|number/.test(type) ? 'int64 integer' : type,
  )
  const ofType = [{ keyword: 'type', params: { type: named } }]
  const isInteger = types.length > 0 && !types.includes('number')
  // An integer that is no safe one is a bigint, or has more than 40 digits.
  const isOfType = (value: Numeric) =>
    typeof value === 'bigint' || (isInteger && !Number.isSafeInteger(value) && Number.isInteger(value))
      ? schema.isLong || !isInteger
      : (isInteger ? Number.isInteger : Number.isFinite)(value)
  return (value) => {
    if (!isNumber(value)) return types.length === 0 || types.includes(getType(value)) ? NONE : ofType
    if (!isOfType(value)) return ofType
    if (format?.(value) === false)
      return isOfInt64 ? ofType : [{ keyword: 'format', params: { format: schema.format } }]
    const violated = limits.filter(({ isWithin, limit }) => !isWithin(value, limit))
    return violated.length === 0 ? NONE : violated.map(({ keyword, limit }) => ({ keyword, params: { limit } }))
  }
}

/** Numbers are equal if their mathematical values are (JSON Schema 2020-12, section 4.2.2). */
function createListJudge(values: readonly unknown[], violations: readonly Violation[]): Judge {
  const isStructure = (value: unknown) => typeof value === 'object' && value !== null
  const structures = values.filter(isStructure)
  const keys = new Set(values.map(toKey))
  const isListed = (value: unknown) =>
    isStructure(value) ? structures.some((listed) => isEqual(listed, value)) : keys.has(toKey(value))
  return (value) => (isListed(value) ? NONE : violations)
}

/** So many evaluations of recursive schemas are few. */
const FEW = 10_000
/** The most for each value within a value: where two alternatives refer back, the number may double with each level. */
const MAX_EACH = 20
/** The most in all: each may leave an error. */
const MAX_EVALUATIONS = 1_000_000
/** The evaluations of recursive schemas in one validation, which sets the value and the number 0. */
export const evaluations = { value: undefined as unknown, count: 0, limit: 0 }

function countValues(value: unknown): number {
  return Object.values(toObject(value)).reduce((sum: number, inner) => sum + countValues(inner), 1)
}

/** Thrown by a validation that takes too long, and its only error. */
export const TOO_COMPLEX = Object.assign(new Error(), {
  keyword: 'complexity',
  instancePath: '',
  schemaPath: '',
  params: {},
})

/** True if a text has so many characters. Most texts are much longer or shorter: those are not counted. */
function hasCharacters(text: string, count: number): boolean {
  return text.length >= 2 * count || (text.length >= count && ucs2length.default(text) >= count)
}

const JUDGES: Readonly<Record<string, (schema: never) => Judge>> = {
  numeric: createNumericJudge,
  enum: (values: readonly unknown[]) =>
    createListJudge(values, [{ keyword: 'enum', params: { allowedValues: values } }]),
  const: (value: unknown) => createListJudge([value], [{ keyword: 'const', params: { allowedValue: value } }]),
  /** A file, whose length is its size in bytes, or a text, which Ajv judges besides. */
  binary: (schema: Schema) => {
    const types = getTypes(schema)
    const { minLength = 0, maxLength = Infinity } = schema
    return (value) => {
      if (!(value instanceof File))
        return types.includes(getType(value)) ? NONE : [{ keyword: 'type', params: { type: types } }]
      if (value.size < minLength) return [{ keyword: 'minLength', params: { limit: minLength } }]
      return value.size > maxLength ? [{ keyword: 'maxLength', params: { limit: maxLength } }] : NONE
    }
  },
  minLength: (limit: number) => (value) =>
    hasCharacters(String(value), limit) ? NONE : [{ keyword: 'minLength', params: { limit } }],
  maxLength: (limit: number) => (value) =>
    hasCharacters(String(value), limit + 1) ? [{ keyword: 'maxLength', params: { limit } }] : NONE,
  uniqueItems: (isUnique: boolean) => (value) => {
    if (!isUnique || !Array.isArray(value)) return NONE
    if (new Set(value.map(toKey)).size === value.length) return NONE
    return [{ keyword: 'uniqueItems', params: {} }]
  },
  /** A property that a request must not have. */
  hidden: (isRefused: boolean) => () => (isRefused ? [{ keyword: 'hidden', params: {} }] : NONE),
  /** A schema that refers back to itself. */
  recursive: () => () => {
    if (++evaluations.count === FEW)
      evaluations.limit = Math.min(MAX_EACH * countValues(evaluations.value), MAX_EVALUATIONS)
    if (evaluations.count > FEW && evaluations.count > evaluations.limit) throw TOO_COMPLEX
    return NONE
  },
}

/** The violation behind an error: a keyword of ours has it as its parameters. */
export function toViolation({ keyword, params }: Violation): Violation {
  return 'keyword' in params ? (params as unknown as Violation) : { keyword, params }
}

/** Adds the keywords. They replace Ajv's keywords of the same name. */
export function addKeywords(ajv: Ajv): void {
  for (const [keyword] of LIMITS) ajv.removeKeyword(keyword)
  for (const [keyword, createJudge] of Object.entries(JUDGES)) {
    const definition: Partial<CodeKeywordDefinition> = {
      error: { message: '', params: ({ params }) => _`${params.violation}` },
      code: (cxt) => {
        const judge = cxt.gen.scopeValue('func', { ref: createJudge(cxt.schema as never) })
        const violations = cxt.gen.const('violations', _`${judge}(${cxt.data})`)
        cxt.gen.forOf('violation', violations, (violation) => {
          cxt.setParams({ violation })
          cxt.error()
        })
        cxt.ok(_`${violations}.length === 0`)
      },
    }
    const known = ajv.getKeyword(keyword)
    if (typeof known === 'object') Object.assign(known, { ...definition, $data: false, type: [], schemaType: [] })
    else ajv.addKeyword({ keyword, ...definition } as CodeKeywordDefinition)
  }
  for (const keyword of ['items', 'patternProperties', 'propertyNames', 'unevaluatedItems'])
    stopEarly(ajv, keyword, 'subschema')
  for (const keyword of ['additionalProperties', 'unevaluatedProperties']) stopEarly(ajv, keyword, 'subschema', 'error')
  for (const keyword of ['anyOf', 'oneOf', 'if', 'dependentSchemas']) keepEvaluatedApart(ajv, keyword)
  for (const keyword of ['anyOf', 'oneOf'] as const) keepErrorsOfNamed(ajv, keyword)
}

/** Begins the record of evaluated members first: Ajv would take over the record of an alternative that may fail. */
function keepEvaluatedApart(ajv: Ajv, keyword: string): void {
  const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition
  const { code } = definition
  definition.code = (cxt: KeywordCxt, ruleType) => {
    const { gen, it } = cxt
    if (it.props !== true && !(it.props instanceof Name)) it.props = evaluatedPropsToName(gen, it.props)
    code(cxt, ruleType)
  }
}

/** Ends the loop of a keyword over items or members once there are more errors than a message lists. */
function stopEarly(ajv: Ajv, keyword: string, ...methods: readonly ('subschema' | 'error')[]): void {
  const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition
  const { code } = definition
  definition.code = (cxt: KeywordCxt, ruleType) => {
    const { gen } = cxt
    // The errors of the whole value so far, in the code that Ajv generates.
    const before = gen.const('before', _`errors`)
    for (const method of methods) {
      const original = cxt[method].bind(cxt) as (...args: unknown[]) => never
      cxt[method] = (...args: unknown[]) => {
        gen.if(_`errors - ${before} > ${MAX_LISTED}`, () => gen.break())
        return original(...args)
      }
    }
    code(cxt, ruleType)
  }
}

/** Of the errors of alternatives with a discriminator, keeps those of the one that the value names. */
function keepErrorsOfNamed(ajv: Ajv, keyword: 'anyOf' | 'oneOf'): void {
  const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition
  const { code } = definition
  definition.code = (cxt: KeywordCxt, ruleType) => {
    const { gen, parentSchema } = cxt
    if (parentSchema.discriminated === undefined) return code(cxt, ruleType)
    const start = gen.const('start', _`errors`)
    const find = gen.scopeValue('func', { ref: createFindNamed(parentSchema.discriminated, keyword) })
    const named = gen.const('named', _`${find}(${cxt.data})`)
    const original = cxt.subschema.bind(cxt)
    cxt.subschema = (alternative, valid) => {
      const before = gen.const('before', _`errors`)
      const context = original(alternative, valid)
      gen.if(_`${named} !== ${alternative.schemaProp} && errors > ${before}`, () => {
        gen.code(_`errors = vErrors.length = ${before}`)
      })
      return context
    }
    code(cxt, ruleType)
    // The last one is of the keyword itself.
    gen.if(_`${named} >= 0 && errors > ${start} + 1`, () => gen.code(_`errors = --vErrors.length`))
  }
}

/** Finds the index of the alternative that a value names (OpenAPI 3.1, Discriminator Object); -1 if it names none. */
function createFindNamed(schema: Schema, keyword: 'anyOf' | 'oneOf'): (value: unknown) => number {
  const { propertyName, mapping } = toObject(schema.discriminator)
  const references = (schema[keyword] ?? []).map(({ $ref = '' }) => $ref)
  return (value) => {
    const name = toObject(value)[String(propertyName)]
    if (typeof name !== 'string') return -1
    const target = toObject(mapping)[name] ?? name
    return references.findIndex(($ref) => $ref === target || $ref.split('/').at(-1) === target)
  }
}
