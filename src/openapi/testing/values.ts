/** Makes values for a schema with fast-check: valid ones, and ones that are not. The validation of the schema decides which is which. */
import type * as FastCheck from 'fast-check'
import type { OpenApi, Schema } from '../document/model.ts'
import { getReferences } from '../document/references.ts'
import { findSchemas, getTypes, toSchema } from '../document/subschemas.ts'
import { isObject, type SchemaType } from '../shared/json.ts'
import { readScalar } from './content.ts'

type Fc = typeof FastCheck
export type Arbitrary = FastCheck.Arbitrary<unknown>

/** The depth from which values are small: schemas may refer to themselves. */
const MAX_DEPTH = 4
/** The length up to which the longest texts are made. */
const MAX_LENGTH = 10_000
/** The number of candidates among which one must be valid, or invalid. */
const TRIES = 100

/** Makes values of a schema. Each function returns undefined if it finds none; `canSend` is true for values that have a text. */
export interface Values {
  /** Values that are valid, without members that are `readOnly`. */
  valid(schema: Schema, canSend?: (value: unknown) => boolean): Arbitrary | undefined
  /** Values that are not valid, most of them for one reason. */
  invalid(schema: Schema): Arbitrary | undefined
  /** Scalars that are not valid, whichever allowed type their text is read as. */
  invalidText(schema: Schema, canSend: (value: unknown) => boolean): Arbitrary | undefined
}

/** The validation of values in requests (schemas.ts). */
interface Validation {
  findErrors(schema: Schema, value: unknown, place: string): string[]
  findTypes(schema: Schema): SchemaType[]
}

/** Creates the makers of values for the schemas of a document. */
export function createValues(fc: Fc, root: OpenApi, { findErrors, findTypes }: Validation): Values {
  const isValid = (schema: Schema, value: unknown) => findErrors(schema, value, '').length === 0
  const formats = createFormats(fc)
  const anything: Arbitrary = fc.constantFrom<unknown[]>(
    null,
    true,
    -1,
    0.5,
    2n ** 63n,
    '',
    'x'.repeat(300),
    [],
    [null],
    {},
  )

  /** Keeps the values that pass a test. Without this limit, a filter that nothing passes runs for ever. */
  function keep(candidates: Arbitrary, test: (value: unknown) => boolean): Arbitrary | undefined {
    const isPossible = fc.sample(candidates, { numRuns: TRIES, seed: 1 }).some(test)
    return isPossible ? candidates.filter(test) : undefined
  }

  /** Makes values that are likely to be valid. */
  function createCandidates(schema: Schema | boolean, depth = 0): Arbitrary {
    const { $ref, allOf = [], anyOf, oneOf, ...keywords } = toSchema(schema)
    const parts: Arbitrary[] = allOf.map((subschema) => createCandidates(subschema, depth))
    if ($ref !== undefined) parts.push(createCandidates(getReferences(root).getTarget($ref), depth))
    for (const branches of [anyOf, oneOf]) {
      if (branches !== undefined) parts.push(fc.oneof(...branches.map((branch) => createCandidates(branch, depth))))
    }
    const isCombined = parts.length > 0
    if (!isCombined || keywords.type !== undefined || keywords.properties !== undefined) {
      parts.push(createForKeywords(keywords, depth))
    }
    return parts.length === 1 ? (parts[0] as Arbitrary) : fc.tuple(...parts).map(mergeValues)
  }

  function createForKeywords(schema: Schema, depth: number): Arbitrary {
    if ('const' in schema) return fc.constant(schema.const)
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
    const types = getTypes(schema).length > 0 ? getTypes(schema) : guessTypes(schema)
    return fc.oneof(...types.map((type) => createForType(schema, type, depth)))
  }

  function createForType(schema: Schema, type: SchemaType, depth: number): Arbitrary {
    switch (type) {
      case 'null':
        return fc.constant(null)
      case 'boolean':
        return fc.boolean()
      case 'integer':
        return createIntegers(fc, schema)
      case 'number':
        return createNumbers(fc, schema)
      case 'string':
        return createTexts(fc, schema, formats)
      case 'array':
        return createArrays(schema, depth)
      default:
        return createObjects(schema, depth)
    }
  }

  function createArrays(
    { items = {}, prefixItems = [], minItems = 0, uniqueItems, ...schema }: Schema,
    depth: number,
  ): Arbitrary {
    const maxItems = Math.min(
      (schema as { maxItems?: number }).maxItems ?? Infinity,
      minItems + (depth < MAX_DEPTH ? 3 : 0),
    )
    const item = createCandidates(items, depth + 1)
    if (prefixItems.length > 0)
      return fc.tuple(...prefixItems.map((subschema) => createCandidates(subschema, depth + 1)))
    return uniqueItems
      ? fc.uniqueArray(item, { minLength: minItems, maxLength: maxItems })
      : fc.array(item, { minLength: minItems, maxLength: maxItems })
  }

  function createObjects({ properties = {}, required = [] }: Schema, depth: number): Arbitrary {
    const names = Object.keys(properties).filter((name) => !isReadOnly(properties[name]))
    const wanted = depth < MAX_DEPTH ? names : names.filter((name) => required.includes(name))
    const members = wanted.map((name) => [name, createCandidates(properties[name] as Schema, depth + 1)] as const)
    return fc.record(Object.fromEntries(members), { requiredKeys: required.filter((name) => wanted.includes(name)) })
  }

  function isReadOnly(schema: Schema | boolean | undefined): boolean {
    return schema !== undefined && findSchemas(root, toSchema(schema)).some(({ readOnly }) => readOnly === true)
  }

  /** Makes values that are likely to be invalid: beside a limit, of another type, or with one wrong, missing or unknown member. */
  function createMistakes(schema: Schema, depth = 0): Arbitrary {
    const limits = findSchemas(root, schema).flatMap(({ minimum, maximum, minLength = 0, maxLength = 0 }) => [
      ...[minimum, maximum].flatMap((limit) => (limit === undefined ? [] : [Number(limit) - 1, Number(limit) + 1])),
      'x'.repeat(Math.min(maxLength, MAX_LENGTH) + 1),
      'x'.repeat(Math.min(Math.max(minLength - 1, 0), MAX_LENGTH)),
    ])
    const members = createCandidates(schema).chain((value) =>
      isObject(value) ? mistakeMember(schema, value, depth) : fc.constant(value),
    )
    // Most mistakes are those of members.
    return fc.oneof(anything, fc.constantFrom<unknown[]>(...limits, ''), { arbitrary: members, weight: 4 })
  }

  function mistakeMember(schema: Schema, value: object, depth: number): Arbitrary {
    const properties = findSchemas(root, schema).flatMap((subschema) => Object.entries(subschema.properties ?? {}))
    const names = Object.keys(value)
    const missing = names.map((name) =>
      fc.constant(Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))),
    )
    const wrong = properties
      .filter(([name]) => names.includes(name) && depth < MAX_DEPTH)
      .map(([name, subschema]) =>
        createMistakes(toSchema(subschema), depth + 1).map((member) => ({ ...value, [name]: member })),
      )
    return fc.oneof(fc.constant({ ...value, unexpected: 1 }), ...missing, ...wrong)
  }

  return {
    valid: (schema, canSend = () => true) =>
      keep(createCandidates(schema), (value) => canSend(value) && isValid(schema, value)),
    invalid: (schema) => keep(createMistakes(schema), (value) => !isValid(schema, value)),
    invalidText(schema, canSend) {
      const types = findTypes(schema)
      // A list or an object may be read from any text.
      if (types.length === 0 || types.includes('array') || types.includes('object')) return undefined
      const isWrong = (value: unknown) =>
        value !== null &&
        canSend(value) &&
        [String(value), readScalar(String(value), types)].every((read) => !isValid(schema, read))
      return keep(createMistakes(schema), isWrong)
    },
  }
}

/** Merges what the parts of an `allOf` describe: the members of objects; of other values, the last one. */
function mergeValues(values: readonly unknown[]): unknown {
  return values.every(isObject) ? Object.assign({}, ...values) : values.at(-1)
}

/** Guesses the type of a schema without one, by its keywords. */
function guessTypes({
  properties,
  items,
  pattern,
  minLength,
  maxLength,
  minimum,
  maximum,
}: Schema): readonly SchemaType[] {
  if (properties !== undefined) return ['object']
  if (items !== undefined) return ['array']
  if ((minimum ?? maximum) !== undefined) return ['number']
  if ((pattern ?? minLength ?? maxLength) !== undefined) return ['string']
  return ['string', 'integer', 'boolean']
}

/** The integers of formats; without one, what a number holds exactly. */
const RANGES: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
}
const SAFE_RANGE = [BigInt(Number.MIN_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER)] as const

function createIntegers(fc: Fc, { format = '', minimum, maximum, multipleOf = 1 }: Schema): Arbitrary {
  const [least, greatest] = RANGES[format] ?? SAFE_RANGE
  const step = BigInt(Math.max(Math.trunc(Number(multipleOf)), 1))
  const min = minimum === undefined ? least : BigInt(Math.ceil(Number(minimum)))
  const max = maximum === undefined ? greatest : BigInt(Math.floor(Number(maximum)))
  if (min > max) return fc.constant(0)
  const integers = fc.oneof(fc.bigInt({ min, max }), fc.constantFrom(min, max))
  return integers.map((integer) => toNumber((integer / step) * step))
}

/** Returns a number, or a bigint that a number would round. */
function toNumber(integer: bigint): number | bigint {
  return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer
}

function createNumbers(fc: Fc, { minimum = -1e9, maximum = 1e9, multipleOf }: Schema): Arbitrary {
  const [min, max] = [Number(minimum), Math.max(Number(minimum), Number(maximum))]
  const numbers = fc.double({ min, max, noNaN: true, noDefaultInfinity: true })
  const step = Number(multipleOf ?? 0)
  return step > 0 ? numbers.map((number) => Math.round(number / step) * step) : numbers
}

function createTexts(fc: Fc, schema: Schema, formats: Formats): Arbitrary {
  const { format = '', pattern, minLength = 0, maxLength = minLength + 20 } = schema as Schema & { maxLength?: number }
  const create = (length: number) => fc.string({ minLength: length, maxLength: length })
  const usual = fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, minLength + 20)) })
  // The limits are where mistakes are.
  const texts = maxLength <= MAX_LENGTH ? fc.oneof(usual, create(minLength), create(maxLength)) : usual
  if (Object.hasOwn(formats, format)) return formats[format] as Arbitrary
  if (pattern === undefined) return texts
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'))
  } catch {
    // fast-check does not read every expression.
    return texts
  }
}

type Formats = Readonly<Record<string, Arbitrary>>

/** Makes the texts of formats (OpenAPI Format Registry). */
function createFormats(fc: Fc): Formats {
  const instants = fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  return {
    'date-time': instants.map((instant) => instant.toISOString()),
    date: instants.map((instant) => instant.toISOString().slice(0, 10)),
    time: instants.map((instant) => instant.toISOString().slice(11)),
    uuid: fc.uuid(),
    email: fc.emailAddress(),
    hostname: fc.domain(),
    ipv4: fc.ipV4(),
    ipv6: fc.ipV6(),
    uri: fc.webUrl(),
    byte: fc.base64String(),
  }
}
