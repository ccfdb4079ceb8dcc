/** Makes numbers and texts that all schemas of a view allow, with fast-check. */
import type * as FastCheck from 'fast-check'
import type { Schema } from '../document/model.ts'
import { toPointer } from '../document/pointers.ts'
import { getOwn } from '../document/values.ts'
import type { SchemaView } from '../schema/view.ts'
import { type Numeric, type SchemaType, toNumeric } from '../shared/json.ts'

export type Fc = typeof FastCheck
export type Arbitrary = FastCheck.Arbitrary<unknown>

/** Returns what each conjunct of a view says by a keyword. */
export function collect<Value>({ conjuncts }: SchemaView, getValue: (schema: Schema) => Value | undefined): Value[] {
  return conjuncts.map(getValue).flatMap((value) => (value === undefined ? [] : [value]))
}

/** Makes values of a type, which is no object or array. */
export function makeScalar(fc: Fc, view: SchemaView, type: SchemaType): Arbitrary {
  if (type === 'null') return fc.constant(null)
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer') return makeInteger(fc, view)
  return type === 'number' ? makeNumber(fc, view) : makeText(fc, view)
}

/** The integers of formats (OpenAPI Format Registry). */
export const INTEGER_RANGES: Readonly<Record<string, readonly [least: bigint, greatest: bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
}
/** The integers that a number holds exactly. */
const SAFE_RANGE = [BigInt(Number.MIN_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER)] as const

function makeInteger(fc: Fc, view: SchemaView): Arbitrary {
  const [least, greatest] = findLimits(view)
  const [leastOfFormat, greatestOfFormat] =
    collect(view, ({ format = '' }) => getOwn(INTEGER_RANGES, format))[0] ?? SAFE_RANGE
  const [multipleOf = 1] = collect(view, (schema) => schema.multipleOf)
  const step = BigInt(Math.max(Math.trunc(Number(multipleOf)), 1))
  const min = least === -Infinity ? leastOfFormat : toInteger(least, Math.ceil)
  const max = greatest === Infinity ? greatestOfFormat : toInteger(greatest, Math.floor)
  if (min > max) return fc.constant(0)
  const integers = fc.oneof(fc.bigInt({ min, max }), fc.constantFrom(min, max))
  return integers.map((integer) => toNumeric((integer / step) * step))
}

function makeNumber(fc: Fc, view: SchemaView): Arbitrary {
  const [least, greatest] = findLimits(view).map(Number) as [number, number]
  const min = least === -Infinity ? Math.min(-1e9, greatest - 1e9) : least
  const max = greatest === Infinity ? Math.max(1e9, min + 1e9) : Math.max(min, greatest)
  const numbers = fc.double({ min, max, noNaN: true, noDefaultInfinity: true })
  const step = Number(collect(view, ({ multipleOf }) => multipleOf)[0] ?? 0)
  return step > 0 ? numbers.map((number) => Math.round(number / step) * step) : numbers
}

/** Returns the limits of numbers, infinite without a limit. Exclusive limits count as well: a test excludes their own values. */
function findLimits(view: SchemaView): readonly [least: Numeric, greatest: Numeric] {
  const minima = collect(view, ({ minimum }) => minimum).concat(collect(view, (schema) => schema.exclusiveMinimum))
  const maxima = collect(view, ({ maximum }) => maximum).concat(collect(view, (schema) => schema.exclusiveMaximum))
  return [
    minima.reduce((limit, other) => (other > limit ? other : limit), -Infinity),
    maxima.reduce((limit, other) => (other < limit ? other : limit), Infinity),
  ]
}

function toInteger(limit: Numeric, round: (limit: number) => number): bigint {
  return typeof limit === 'bigint' ? limit : BigInt(round(limit))
}

/** The length up to which the longest texts and arrays are made. */
export const MAX_LENGTH = 10_000
/** The characters that a text has beside those that it must have. */
const USUAL_LENGTH = 20

function makeText(fc: Fc, view: SchemaView): Arbitrary {
  const [createTexts] = collect(view, ({ format = '' }) => getOwn(FORMAT_TEXTS, format))
  if (createTexts !== undefined) return createTexts(fc)
  const minLength = findMinLength(view)
  const [longest = minLength + USUAL_LENGTH] = collect(view, (schema) => schema.maxLength).sort((a, b) => a - b)
  const [pattern] = collect(view, (schema) => schema.pattern)
  if (pattern !== undefined) {
    try {
      if (!excludesAscii(pattern)) return fc.stringMatching(new RegExp(pattern, 'u'))
    } catch {
      // fast-check does not support every expression, nor the flag `u` every escape: make any text.
    }
  }
  const create = (length: number) => fc.string({ minLength: length, maxLength: length })
  const maxLength = Math.max(minLength, Math.min(longest, minLength + USUAL_LENGTH))
  const texts = fc.string({ minLength, maxLength })
  if (longest > MAX_LENGTH) return texts
  // Apps go wrong at the limits.
  return fc.oneof({ withCrossShrink: true }, create(minLength), texts, create(longest))
}

/** The visible characters of ASCII, and the blank. */
const ASCII = String.fromCharCode(...Array.from({ length: 95 }, (_each, index) => 32 + index))

/** True if a class such as `[^\x00-\x7f]` excludes all of ASCII. fast-check has no other characters for it, and searches for ever. */
function excludesAscii(pattern: string): boolean {
  // An escaped bracket begins no class.
  const classes = pattern.match(/\\.|\[(\\.|[^\]])*\]/gs) ?? []
  return classes.some((text) => text.startsWith('[^') && !new RegExp(text, 'u').test(ASCII))
}

export function findMinLength(view: SchemaView): number {
  return Math.max(0, ...collect(view, (schema) => schema.minLength))
}

/** Creates the texts of each format that is validated (schema/formats.ts). */
const FORMAT_TEXTS: Readonly<Record<string, (fc: Fc) => Arbitrary>> = {
  'date-time': (fc) => createInstants(fc).map((instant) => instant.toISOString()),
  date: (fc) => createInstants(fc).map((instant) => instant.toISOString().slice(0, 10)),
  time: (fc) => createInstants(fc).map((instant) => instant.toISOString().slice(11)),
  duration: (fc) => fc.nat(99).map((days) => `P${days}D`),
  uuid: (fc) => fc.uuid(),
  email: (fc) => fc.emailAddress(),
  hostname: (fc) => fc.domain(),
  ipv4: (fc) => fc.ipV4(),
  ipv6: (fc) => fc.ipV6(),
  uri: (fc) => fc.webUrl(),
  'uri-reference': (fc) => fc.webPath(),
  'uri-template': (fc) => fc.webPath().map((path) => `${path}{name}`),
  'json-pointer': (fc) => fc.string().map(toPointer),
  'relative-json-pointer': (fc) => fc.nat(9).map((levels) => `${levels}#`),
  regex: (fc) => fc.constantFrom('^a+$', '[0-9]{2}'),
  byte: (fc) => fc.base64String(),
}

function createInstants(fc: Fc): FastCheck.Arbitrary<Date> {
  return fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
}
