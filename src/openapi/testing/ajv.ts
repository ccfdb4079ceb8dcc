/**
 * The Ajv that validates responses, with keywords that compare numbers exactly. An integer beyond 2^53 is a bigint, of which Ajv
 * knows nothing.
 */
import type { ErrorObject } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats, { type FormatName } from 'ajv-formats'
import type { Schema } from '../document/model.ts'
import { createBaseAjv } from '../shared/ajv.ts'
import { getType, isEqual, isNumber, type Numeric, stringifyExactly, toKey } from '../shared/json.ts'

/** Tests of texts, by the names of formats. */
export type Formats = Readonly<Record<string, (text: string) => boolean>>

/** The formats of the OpenAPI Format Registry that a text may violate. Others, such as `url`, are annotations. */
const FORMATS: FormatName[] = [
  ...(['byte', 'date', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'json-pointer', 'regex'] as const),
  ...(['relative-json-pointer', 'time', 'uri', 'uri-reference', 'uri-template', 'uuid'] as const),
]

/** Creates an Ajv that has the formats of OpenAPI, and the given ones. */
export function createAjv(formats: Formats): Ajv2020 {
  const ajv = createBaseAjv({})
  addFormats.default(ajv, FORMATS)
  for (const [name, test] of Object.entries(formats)) ajv.addFormat(name, test)
  for (const [keyword, [test]] of Object.entries(KEYWORDS)) {
    ajv.removeKeyword(keyword)
    ajv.addKeyword({ keyword, validate: (expected: unknown, value: unknown) => test(value, expected as never) })
  }
  return ajv
}

/** Returns the keywords that stand for `type` and `format` in this Ajv. */
export function toExactKeywords(type: Schema['type'] | undefined, format: string | undefined): object {
  return {
    ...(type !== undefined && { exactType: type }),
    ...(format !== undefined && { [INTEGER_BITS.has(format) ? 'integerFormat' : 'format']: format }),
  }
}

/** Formats an error as a predicate: `must be integer`. */
export function formatError({ keyword, message, params, schema }: ErrorObject): string {
  const [, describe] = KEYWORDS[keyword] ?? []
  if (keyword === 'additionalProperties') return `${message}: "${params.additionalProperty}"`
  if (describe === undefined) return String(message)
  const expected = [schema].flat().map((each) => (typeof each === 'string' ? each : stringifyExactly(each)))
  return describe(expected.join(', '))
}

/** The sizes of the integers that formats name, in bits. */
const INTEGER_BITS: ReadonlyMap<string, bigint> = new Map([
  ['int32', 32n],
  ['int64', 64n],
])

/** The test of a keyword, which takes a value and what the schema expects, and the message for a value that fails it. */
type Keyword = readonly [test: (value: unknown, expected: never) => boolean, describe: (expected: string) => string]

/** The keywords that replace those of Ajv. `exactType` stands for `type`, and `integerFormat` for `format: int64`. */
const KEYWORDS: Readonly<Record<string, Keyword>> = {
  exactType: [
    (value, types: string | string[]) => [types].flat().some((type) => isOfType(value, type)),
    (types) => `must be ${types}`,
  ],
  integerFormat: [
    (value, format: string) => !isNumber(value) || isInFormat(value, format),
    (format) => `must be ${format}`,
  ],
  const: [isEqual, (constant) => `must be equal to ${constant}`],
  enum: [
    (value, allowedValues: unknown[]) => allowedValues.some((allowedValue) => isEqual(value, allowedValue)),
    (allowedValues) => `must be one of ${allowedValues}`,
  ],
  minimum: [(value, limit: Numeric) => !isNumber(value) || value >= limit, (limit) => `must be >= ${limit}`],
  maximum: [(value, limit: Numeric) => !isNumber(value) || value <= limit, (limit) => `must be <= ${limit}`],
  exclusiveMinimum: [(value, limit: Numeric) => !isNumber(value) || value > limit, (limit) => `must be > ${limit}`],
  exclusiveMaximum: [(value, limit: Numeric) => !isNumber(value) || value < limit, (limit) => `must be < ${limit}`],
  multipleOf: [
    (value, divisor: Numeric) => !isNumber(value) || isMultiple(value, divisor),
    (divisor) => `must be a multiple of ${divisor}`,
  ],
  uniqueItems: [
    (value, isDemanded: boolean) => !isDemanded || !Array.isArray(value) || hasUniqueItems(value),
    () => 'must not have equal items',
  ],
}

function isOfType(value: unknown, type: string): boolean {
  return getType(value) === type || (type === 'integer' && isInteger(value))
}

function isInteger(value: unknown): boolean {
  return typeof value === 'bigint' || Number.isInteger(value)
}

function isInFormat(value: Numeric, format: string): boolean {
  const limit = 2n ** ((INTEGER_BITS.get(format) as bigint) - 1n)
  return isInteger(value) && value >= -limit && value < limit
}

function hasUniqueItems(items: readonly unknown[]): boolean {
  return new Set(items.map(toKey)).size === items.length
}

function isMultiple(value: Numeric, divisor: Numeric): boolean {
  if (isInteger(value) && isInteger(divisor)) return BigInt(value) % BigInt(divisor) === 0n
  const quotient = Number(value) / Number(divisor)
  // Decimal fractions are rounded: 19.99 / 0.01 is 1998.9999999999998.
  return Math.abs(quotient - Math.round(quotient)) <= 4 * Number.EPSILON * Math.abs(quotient)
}
