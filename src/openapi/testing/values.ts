/** Makes values for a schema with fast-check: valid ones, and ones that are not. The validation of the schema decides which is which. */
import type * as FastCheck from 'fast-check'
import type { OpenApi, Schema } from '../document/model.ts'
import { getReferences } from '../document/references.ts'
import { getTypes, toSchema } from '../document/subschemas.ts'
import { toObject } from '../document/values.ts'
import { findPossibleSchemas } from '../schema/applicators.ts'
import { getPropertySchemas } from '../schema/members.ts'
import { isObject, type SchemaType, stringifyExactly } from '../shared/json.ts'
import { readJson, readScalar } from './content.ts'

type Fc = typeof FastCheck
export type Arbitrary = FastCheck.Arbitrary<unknown>

/** The depth from which values are small: schemas may refer to themselves. */
const MAX_DEPTH = 4
/** The length up to which the longest texts are made. */
const MAX_LENGTH = 10_000
/** The most mistakes that are made of a schema. */
const MAX_MISTAKES = 300
/** The number of candidates among which one must be valid, or invalid. */
const TRIES = 100

/** Makes functions that change a valid value to one that is not valid for one reason. */
type Mistake = FastCheck.Arbitrary<(value: unknown) => unknown>

/** Makes values of a schema. Functions return undefined or [] if they find none; `canSend` is true for values that have a text. */
export interface Values {
  /** Values that are valid, without members that are `readOnly`. */
  valid(schema: Schema, canSend?: (value: unknown) => boolean): Arbitrary | undefined
  /** Values that are not valid: for each mistake that can be made, those that have it. */
  invalid(schema: Schema): readonly Arbitrary[]
  /** Scalars, or lists of them, that are not valid, whichever allowed type their texts are read as. */
  invalidText(schema: Schema, canSend: (value: unknown) => boolean): readonly Arbitrary[]
}

/** The validation of values in requests (schemas.ts). */
interface Validation {
  findErrors(schema: Schema, value: unknown, place: string): string[]
  findTypes(schema: Schema): SchemaType[]
  isHidden(schema: Schema): boolean
}

/** Creates the makers of values for the schemas of a document. */
export function createValues(fc: Fc, root: OpenApi, { findErrors, findTypes, isHidden }: Validation): Values {
  const isValid = (schema: Schema, value: unknown) => findErrors(schema, value, '').length === 0
  const formats = createFormats(fc)

  /** Keeps the values that pass a test. Without this limit, a filter that nothing passes runs for ever. */
  function keep(candidates: Arbitrary, test: (value: unknown) => boolean): Arbitrary | undefined {
    // In portions, because nearly all candidates of most pass.
    const isPossible = (seed: number) => fc.sample(candidates, { numRuns: TRIES / 20, seed }).some(test)
    return Array.from({ length: 20 }, (_, index) => index).some(isPossible) ? candidates.filter(test) : undefined
  }

  /** Makes values that are likely to be valid. */
  function createCandidates(schema: Schema | boolean, depth = 0): Arbitrary {
    const values = createPart(schema, depth)
    const freeMembers = createFreeMembers(toSchema(schema), depth)
    if (freeMembers === undefined) return values
    return fc.tuple(freeMembers, values).map(([members, value]) => (isObject(value) ? { ...members, ...value } : value))
  }

  /** Makes the members that objects must have, and that no schema names in `properties`; undefined if there are none. */
  function createFreeMembers(schema: Schema, depth: number): FastCheck.Arbitrary<object> | undefined {
    const schemas = findPossibleSchemas(root, [schema])
    const isClosed = schemas.some((possible) => possible.additionalProperties === false)
    // Schemas may refer to themselves.
    if (isClosed || depth > MAX_DEPTH + 1) return undefined
    const declaredNames = new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)))
    const names = new Set(schemas.flatMap(({ required = [] }) => required)).difference(declaredNames)
    const minProperties = Math.max(...schemas.map((possible) => possible.minProperties ?? 0))
    for (let number = 1; names.size < minProperties; number++) names.add(`name${number}`)
    if (names.size === 0) return undefined
    const members = Array.from(names, (name) => {
      const allOf = schemas.flatMap((possible) => getPropertySchemas(possible, name))
      return [name, createCandidates({ allOf }, depth + 1)] as const
    })
    // One branch may require what another one excludes.
    const record = Object.fromEntries(members)
    return fc.oneof(fc.record(record), fc.record(record, { requiredKeys: [] }))
  }

  /** Makes values of a schema, which are likely to be valid together with values of the other parts. */
  function createPart(schema: Schema | boolean, depth: number): Arbitrary {
    const { $ref, allOf = [], anyOf, oneOf, ...keywords } = toSchema(schema)
    const parts: Arbitrary[] = allOf
      .filter((subschema) => Object.keys(subschema).some((keyword) => !ANNOTATION.test(keyword)))
      .map((subschema) => createPart(subschema, depth))
    if ($ref !== undefined) parts.push(createPart(getReferences(root).getTarget($ref), depth))
    for (const branches of [anyOf, oneOf]) {
      if (branches !== undefined) parts.push(fc.oneof(...branches.map((branch) => createPart(branch, depth))))
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
    { items = {}, prefixItems = [], contains, minContains = 1, minItems = 0, uniqueItems, ...schema }: Schema,
    depth: number,
  ): Arbitrary {
    const containedItems = contains === undefined ? [] : Array<Schema>(minContains).fill({ allOf: [items, contains] })
    const firstSchemas = [...prefixItems, ...containedItems]
    const firstItems = fc.tuple(...firstSchemas.map((subschema) => createCandidates(subschema, depth + 1)))
    const maxItems = Math.min(schema.maxItems ?? Infinity, minItems + (depth < MAX_DEPTH ? 3 : 0))
    const minLength = Math.max(minItems - firstSchemas.length, 0)
    const maxLength = prefixItems.length > 0 ? minLength : Math.max(maxItems - firstSchemas.length, minLength)
    const item = createCandidates(items, depth + 1)
    const otherItems = uniqueItems
      ? fc.uniqueArray(item, { minLength, maxLength })
      : fc.array(item, { minLength, maxLength })
    return firstSchemas.length === 0
      ? otherItems
      : fc.tuple(firstItems, otherItems).map(([first, others]) => [...first, ...others])
  }

  function createObjects({ properties = {}, required = [] }: Schema, depth: number): Arbitrary {
    const names = Object.keys(properties).filter((name) => !isHidden(toSchema(properties[name] ?? {})))
    const wanted = depth < MAX_DEPTH ? names : names.filter((name) => required.includes(name))
    const members = wanted.map((name) => [name, createCandidates(properties[name] as Schema, depth + 1)] as const)
    return fc.record(Object.fromEntries(members), { requiredKeys: required.filter((name) => wanted.includes(name)) })
  }

  /**
   * Lists the mistakes that a value of a schema can have, each against one keyword of the schema, or of one within it. A mistake
   * makes functions, which change a valid value.
   */
  function* listMistakes(schema: Schema | boolean, depth = 0): Generator<Mistake> {
    const { $ref, allOf = [], anyOf = [], oneOf = [], ...keywords } = toSchema(schema)
    yield* listKeywordMistakes(fc, keywords)
    if ($ref !== undefined) yield* listMistakes(getReferences(root).getTarget($ref), depth)
    for (const subschema of allOf) yield* listMistakes(subschema, depth)
    for (const branch of [...anyOf, ...oneOf]) {
      const values = createCandidates(branch, MAX_DEPTH)
      for (const mistake of listMistakes(branch, depth)) yield changeInner(values, mistake, mergePair)
    }
    if (depth === MAX_DEPTH) return
    const { items = {}, maxItems = Infinity, uniqueItems = false, properties = {} } = keywords
    for (const [name, property] of Object.entries(properties).filter(([, property]) => !isHidden(toSchema(property)))) {
      const members = createCandidates(property, MAX_DEPTH)
      const setMember = (value: unknown, member: unknown) => ({ ...toObject(value), [name]: member })
      for (const mistake of listMistakes(property, depth + 1)) yield changeInner(members, mistake, setMember)
    }
    const item = createCandidates(items, MAX_DEPTH)
    const setItem = (value: unknown, first: unknown) => [first, ...(Array.isArray(value) ? value.slice(1) : [])]
    if (keywords.items !== undefined)
      for (const mistake of listMistakes(items, depth + 1)) yield changeInner(item, mistake, setItem)
    if (uniqueItems) yield item.map((value) => () => [value, value])
    if (maxItems === Infinity || maxItems > MAX_LENGTH) return
    const lists = fc.array(item, { minLength: maxItems + 1, maxLength: maxItems + 1 })
    const uniqueLists = uniqueItems ? keep(lists, (list) => new Set(list as unknown[]).size > maxItems) : lists
    yield (uniqueLists ?? lists).map((list) => () => list)
  }

  /** Returns the mistake of a value that contains a mistaken inner value. */
  function changeInner(
    innerValues: Arbitrary,
    mistake: Mistake,
    putInto: (value: unknown, inner: unknown) => unknown,
  ): Mistake {
    return fc.tuple(innerValues, mistake).map(
      ([inner, change]) =>
        (value) =>
          putInto(value, change(inner)),
    )
  }

  /** Makes values that are not valid, for each mistake that can be made. */
  function createInvalid(schema: Schema, test: (value: unknown) => boolean): Arbitrary[] {
    const base = createCandidates(schema, MAX_DEPTH)
    return [...listMistakes(schema).take(MAX_MISTAKES)].flatMap((mistake) => {
      return (
        keep(
          fc.tuple(base, mistake).map(([value, change]) => change(value)),
          test,
        ) ?? []
      )
    })
  }

  return {
    valid: (schema, canSend = () => true) =>
      keep(createCandidates(schema), (value) => canSend(value) && isValid(schema, value)),
    // Of a number that its text rounds, the text decides.
    invalid: (schema) => createInvalid(schema, (value) => !isValid(schema, readJson(stringifyExactly(value)))),
    invalidText(schema, canSend) {
      const types = findTypes(schema)
      const isList = types.includes('array')
      // Another list or object may be read from any text.
      if (types.length === 0 || types.includes('object') || (isList && types.length > 1)) return []
      const itemTypes = isList ? findTypes(toSchema(getReferences(root).resolve(schema).items ?? {})) : []
      const read = (value: unknown) =>
        Array.isArray(value)
          ? value.map((item) => readScalar(String(item), itemTypes))
          : readScalar(String(value), types)
      return createInvalid(schema, (value) => {
        const isSendable = value !== null && Array.isArray(value) === isList && canSend(value)
        return isSendable && !isValid(schema, isList ? value : String(value)) && !isValid(schema, read(value))
      })
    },
  }
}

/** Lists the mistakes against the keywords of a schema, without those of its subschemas. */
function* listKeywordMistakes(fc: Fc, schema: Schema): Generator<Mistake> {
  const { minLength = 0, maxLength = Infinity, minItems = 0, multipleOf, required = [] } = schema
  const toMistake = (change: (value: unknown) => unknown): Mistake => fc.constant(change)
  const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
  const range = RANGES[schema.format ?? '']
  const limits = [
    ...[schema.minimum, range?.[0]].flatMap((limit) => (limit === undefined ? [] : [subtractOne(limit)])),
    ...[schema.maximum, range?.[1]].flatMap((limit) => (limit === undefined ? [] : [addOne(limit)])),
    ...[schema.exclusiveMinimum, schema.exclusiveMaximum].flatMap((limit) => limit ?? []),
  ]
  yield fc.constantFrom(null, true, -1, 0.5, 2n ** 63n, '', [], [null], {}).map((value) => () => value)
  if (getTypes(schema).includes('integer'))
    yield fc.constantFrom(0.5, -0.5).map((part) => (value) => Number(value) + part)
  if (schema.enum !== undefined || 'const' in schema) yield toMistake(() => 'unexpected')
  for (const limit of limits) yield toMistake(() => limit)
  if (multipleOf !== undefined) yield toMistake((value) => Number(value) + Number(multipleOf) / 2)
  if (minLength > 0) yield toMistake((value) => String(value).slice(0, minLength - 1))
  if (maxLength < MAX_LENGTH) yield toMistake((value) => String(value).padEnd(maxLength + 1, 'x'))
  if ((schema.pattern ?? schema.format) !== undefined) yield fc.string().map((text) => () => text)
  if (schema.additionalProperties === false || schema.unevaluatedProperties === false)
    yield toMistake((value) => ({ ...toObject(value), unexpected: 1 }))
  for (const name of required)
    yield toMistake((value) => Object.fromEntries(Object.entries(toObject(value)).filter(([key]) => key !== name)))
  if (minItems > 0) yield toMistake((value) => toList(value).slice(0, minItems - 1))
}

/** Returns the members of both objects; of other values, the second one. */
function mergePair(value: unknown, other: unknown): unknown {
  return mergeValues([value, other])
}

/** Returns the next integer of a limit, exact also beyond 2^53. */
function addOne(limit: number | bigint): number | bigint {
  return typeof limit === 'bigint' ? limit + 1n : limit + 1
}

function subtractOne(limit: number | bigint): number | bigint {
  return typeof limit === 'bigint' ? limit - 1n : limit - 1
}

/** Matches keywords that describe no value. */
const ANNOTATION =
  /^(title|description|default|deprecated|examples?|readOnly|writeOnly|externalDocs|xml|\$comment|x-.*)$/

/** Merges what the parts of an `allOf` describe: the members of objects; of other values, the last one. */
function mergeValues(values: readonly unknown[]): unknown {
  return values.every(isObject) ? Object.assign({}, ...values) : values.at(-1)
}

/** Guesses the type of a schema without one, by its keywords. */
function guessTypes({
  properties,
  required,
  items,
  pattern,
  minLength,
  maxLength,
  minimum,
  maximum,
}: Schema): readonly SchemaType[] {
  if ((properties ?? required) !== undefined) return ['object']
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

/** Returns the limits of numbers: with exclusive ones, whose own values are not valid. */
function findLimits({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: Schema) {
  const min = [minimum, exclusiveMinimum].filter((limit) => limit !== undefined)
  const max = [maximum, exclusiveMaximum].filter((limit) => limit !== undefined)
  return {
    minimum: min.reduce((limit, other) => (other > limit ? other : limit), min[0] ?? -Infinity),
    maximum: max.reduce((limit, other) => (other < limit ? other : limit), max[0] ?? Infinity),
  }
}

function createIntegers(fc: Fc, schema: Schema): Arbitrary {
  const { format = '', multipleOf = 1 } = schema
  const { minimum, maximum } = findLimits(schema)
  const [least, greatest] = RANGES[format] ?? SAFE_RANGE
  const step = BigInt(Math.max(Math.trunc(Number(multipleOf)), 1))
  const min = minimum === -Infinity ? least : BigInt(Math.ceil(Number(minimum)))
  const max = maximum === Infinity ? greatest : BigInt(Math.floor(Number(maximum)))
  if (min > max) return fc.constant(0)
  const integers = fc.oneof(fc.bigInt({ min, max }), fc.constantFrom(min, max))
  return integers.map((integer) => toNumber((integer / step) * step))
}

/** Returns a number, or a bigint that a number would round. */
function toNumber(integer: bigint): number | bigint {
  return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer
}

function createNumbers(fc: Fc, schema: Schema): Arbitrary {
  const limits = findLimits(schema)
  const [minimum, maximum] = [Number(limits.minimum), Number(limits.maximum)]
  const min = minimum === -Infinity ? Math.min(-1e9, maximum - 1e9) : minimum
  const max = maximum === Infinity ? Math.max(1e9, min + 1e9) : Math.max(min, maximum)
  const numbers = fc.double({ min, max, noNaN: true, noDefaultInfinity: true })
  const step = Number(schema.multipleOf ?? 0)
  return step > 0 ? numbers.map((number) => Math.round(number / step) * step) : numbers
}

function createTexts(fc: Fc, schema: Schema, formats: Formats): Arbitrary {
  const { format = '', pattern, minLength = 0, maxLength = minLength + 20 } = schema as Schema & { maxLength?: number }
  const create = (length: number) => fc.string({ minLength: length, maxLength: length })
  const usual = fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, minLength + 20)) })
  // The limits are where mistakes are.
  const texts =
    maxLength <= MAX_LENGTH ? fc.oneof({ withCrossShrink: true }, create(minLength), usual, create(maxLength)) : usual
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
