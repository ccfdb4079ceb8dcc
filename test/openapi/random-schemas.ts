/**
 * Random schemas with every keyword that the layer supports, and values for them: some are valid, some nearly, some have
 * nothing to do with their schema. The same seed makes the same ones.
 */
import fc from 'fast-check'
import type { Schema } from '../../src/openapi/document/model.ts'
import { findInPlace, getMemberSchemas, resolveSchema, type Schemas } from './reference.ts'

/** Schemas by the names of their components, and values for the one that is called `Root`. */
export interface SchemaCase {
  readonly schemas: Schemas
  readonly values: readonly unknown[]
}

/** What the schemas of a case have besides the keywords that all have. */
export interface Features {
  /** `anyOf`, `oneOf`, `if`, `dependentSchemas`, and unions by a tag or by the type. */
  readonly branches?: boolean
  readonly unevaluated?: boolean
  /** `readOnly` and `writeOnly`. */
  readonly directions?: boolean
  /** Every integer is an int64, and values have bigints. Without this, some integers are an int64, and no value is a bigint. */
  readonly bigints?: boolean
}

const NAMES = ['a', 'b', 'a b', 'type', 'properties', '$ref', 'x~/y', '0', 'kind']
/** Values have members with the names of those that every object inherits; a start rejects schemas that name them. */
const VALUE_NAMES = [...NAMES, 'constructor', 'toString']
const TAGS = ['cat', 'dog', 'cow']
const COMPONENTS = ['A', 'B', 'C']
const PATTERNS = ['^a', 'b$', '^[0-9]']
/** Of larger schemas, the branches refer back so often that a value takes seconds. */
const MAX_LENGTH = 3000

/** Makes the cases. Each has the components that its references lead to, and no component contains itself in place. */
export function schemaCases(features: Features): fc.Arbitrary<SchemaCase> {
  const { schema, object } = randomSchemas(features)
  const component = fc.oneof({ weight: 1, arbitrary: schema }, { weight: 2, arbitrary: object })
  const schemas = fc
    .record({ Root: component, A: component, B: component, C: component })
    .filter((schemas) => JSON.stringify(schemas).length < MAX_LENGTH && !hasLoop(schemas) && !isRefused(schemas))
  const unrelated = fc.array(smallValues(features), { minLength: 4, maxLength: 6 })
  return fc.tuple(schemas, unrelated, fc.nat()).map(([schemas, unrelatedValues, seed]) => {
    const sample = createSampler(schemas, unrelatedValues, createRandom(seed))
    const related = Array.from({ length: 10 }, (_each, index) => sample(index < 4))
    return { schemas, values: [...unrelatedValues, ...related] }
  })
}

/** Small JSON values, with the names and some of the values that the schemas have. */
export function smallValues({ bigints = false }: Features = {}): fc.Arbitrary<unknown> {
  const integers = [0, 1, -1, 2, 2 ** 31, 2 ** 53 - 1]
  const simple = [null, true, false, 0.5, 0.1, 19.99, '', 'a', 'abc', 'cat', 'dog', ...integers]
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<unknown>(...simple, ...(bigints ? [2n ** 53n, -(2n ** 60n), 2n ** 70n] : [])),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...VALUE_NAMES), tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).value
}

/** Makes cases whose schemas give the same number several types: by `allOf`, by branches, and by several keywords for a member. */
export function numberCases(): fc.Arbitrary<SchemaCase> {
  const schema = numberSchemas()
  const schemas = fc.record({ Root: schema, A: schema, B: schema }).filter((each) => !hasLoop(each))
  return fc.record({ schemas, values: fc.array(numberValues(), { minLength: 40, maxLength: 40 }) })
}

function numberSchemas(): fc.Arbitrary<Schema> {
  const name = fc.constantFrom('a', 'b')
  const number = fc.constantFrom<Schema>(
    ...([{ type: 'integer' }, { type: 'number', default: 1.5 }, { type: 'string' }, { enum: [1, 'x'] }, {}] as const),
    ...([
      { type: 'integer', format: 'int64' },
      { type: ['integer', 'null'], format: 'int64', default: 1 },
    ] as const),
  )
  const reference = fc.constantFrom('A', 'B').map((component) => ({ $ref: `#/components/schemas/${component}` }))
  return fc.letrec<{ schema: Schema }>((tie) => {
    const inner = tie('schema')
    const several = fc.array(inner, { minLength: 1, maxLength: 3 })
    const properties = fc.dictionary(name, inner, { minKeys: 1, noNullPrototype: true })
    const patternProperties = fc.dictionary(fc.constantFrom('^a', 'b'), inner, { maxKeys: 1, noNullPrototype: true })
    const ofObjects = { properties, patternProperties, additionalProperties: inner, allOf: several }
    const tagged = fc.tuple(inner, inner).map((members) => ({
      oneOf: members.map((a, index) => ({
        type: 'object' as const,
        required: ['kind'],
        properties: { kind: { const: TAGS[index] }, a },
      })),
    }))
    return {
      schema: fc.oneof(
        { maxDepth: 3 },
        { weight: 4, arbitrary: number },
        reference,
        tagged,
        fc.record({ anyOf: several, oneOf: several, allOf: several, properties }, { requiredKeys: [] }),
        fc.record({ type: fc.constant('object'), ...ofObjects }, { requiredKeys: ['type'] }),
        fc.record({ type: fc.constant('array'), items: inner, prefixItems: several }, { requiredKeys: ['type'] }),
      ) as fc.Arbitrary<Schema>,
    }
  }).schema
}

function numberValues(): fc.Arbitrary<unknown> {
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<unknown>(1, 2, 1.5, 2n ** 53n + 1n, null, 'x'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.record({ kind: fc.constantFrom(...TAGS), a: tie('value') }),
      fc.record({ a: tie('value'), b: tie('value') }, { requiredKeys: [] }),
    ),
  })).value
}

/** Schemas of all kinds, and those of objects alone. */
function randomSchemas(features: Features): Record<'schema' | 'object', fc.Arbitrary<Schema>> {
  const { branches = false, unevaluated = false, directions = false, bigints = false } = features
  const small = fc.constantFrom(-2, 0, 1, 2, 0.5, 0.01)
  // The reference divides in binary: -1 is no multiple of 0.01 to it.
  const divisor = fc.constantFrom(1, 2, 0.5)
  const [atLeast, atMost] = [fc.nat(1), fc.integer({ min: 1, max: 3 })]
  const anyValue = smallValues()
  // Several schemas of an object often name the same members.
  const name = fc.constantFrom(...NAMES, 'a', 'a', 'a', 'b', 'b', 'b')
  const names = fc.uniqueArray(name, { maxLength: 2 })
  const reference = fc.constantFrom(...COMPONENTS).map((each) => `#/components/schemas/${each}`)
  const int64 = { type: 'integer', format: 'int64' } as const
  const defaults: Schema[] = [
    { type: 'string', default: 'a' },
    { ...int64, default: 1 },
    { type: ['integer', 'null'], ...(bigints && { format: 'int64' }), default: null },
    ...(directions ? [{ type: 'string', default: 'a', readOnly: true } as const] : []),
  ]
  return fc.letrec<{ schema: Schema; object: Schema }>((tie) => {
    const inner = fc.oneof({ weight: 9, arbitrary: tie('schema') }, { weight: 1, arbitrary: fc.boolean() })
    const several = fc.array(inner, { minLength: 1, maxLength: 3 })
    const marks = fc.constantFrom<Schema>({ readOnly: true }, { writeOnly: true })
    const marked = fc
      .tuple(fc.oneof(tie('schema'), fc.constant(int64)), marks)
      .map(([schema, mark]) => ({ ...schema, ...mark }))
    const member = fc.oneof(
      { weight: 8, arbitrary: inner },
      { weight: 2, arbitrary: fc.constantFrom<Schema>(...defaults, int64, int64) },
      ...(directions ? [{ weight: 5, arbitrary: marked }] : []),
    ) as fc.Arbitrary<Schema>
    const members = fc.dictionary(name, member, { maxKeys: 3, noNullPrototype: true })
    const patterns = fc.dictionary(fc.constantFrom(...PATTERNS), inner, { maxKeys: 2, noNullPrototype: true })
    const ofArrays = {
      items: inner,
      minItems: atLeast,
      maxItems: atMost,
      uniqueItems: fc.boolean(),
      prefixItems: several,
    }
    const ofObjects = {
      properties: members,
      required: names,
      additionalProperties: inner,
      patternProperties: patterns,
    }
    const inBranches = { anyOf: several, oneOf: several, ...toConditional(inner) }
    const combinations = { allOf: several, not: inner, ...(branches && inBranches) }
    const unevaluatedValue = fc.oneof(inner, fc.constantFrom<Schema | boolean>(false, int64, { type: 'string' }))
    const rest = unevaluated ? { unevaluatedProperties: unevaluatedValue } : {}
    const restOfItems = unevaluated ? { unevaluatedItems: unevaluatedValue } : {}
    const longOrNot = bigints ? fc.constant('int64') : fc.constantFrom('int64', undefined)

    /** A branch that has the tag, itself or through a reference or `allOf`. */
    const tagged = (tag: string) => {
      const only = fc.constantFrom({ const: tag }, { enum: [tag, `${tag}s`] }, { type: 'string', enum: [tag] })
      const object = fc.record({ only, properties: members, ...rest, names }, { requiredKeys: ['only'] })
      const direct = object.map(({ only, properties, names = [], ...others }) => ({
        type: 'object',
        required: [...new Set(['kind', ...(names as string[])])],
        properties: { ...(properties as object), kind: only },
        ...others,
      }))
      return fc.oneof(
        { weight: 3, arbitrary: direct },
        { weight: 1, arbitrary: fc.tuple(direct, inner).map((allOf) => ({ allOf })) },
        { weight: 1, arbitrary: fc.tuple(direct, reference).map(([schema, $ref]) => ({ ...schema, $ref })) },
      )
    }
    const unionKeyword = fc.constantFrom('oneOf', 'anyOf')
    const discriminator = fc.constant({ propertyName: 'kind' })
    const aroundUnion = fc.record(
      { discriminator, properties: members, required: names, ...rest },
      { requiredKeys: [] },
    )
    const taggedUnion = fc
      .tuple(unionKeyword, fc.tuple(...TAGS.map(tagged)), fc.integer({ min: 2, max: 3 }), aroundUnion)
      .map(([keyword, branches, length, around]) => ({ ...around, [keyword]: branches.slice(0, length) }))
    const unionByType = fc
      .tuple(unionKeyword, record('object', ofObjects), record('array', ofArrays), reference, fc.boolean())
      .map(([keyword, object, array, $ref, isDirect]) => ({
        [keyword]: [{ type: 'string' }, array, isDirect ? { ...object, type: 'object' } : { $ref }],
      }))
    const objects = [
      record('object', ofObjects),
      record('object', { properties: members, required: names }),
      record('object', { ...ofObjects, allOf: several, $ref: reference }),
      record('object', { ...ofObjects, minProperties: atLeast, maxProperties: atMost, propertyNames: inner }),
      record('object', { dependentRequired: fc.dictionary(name, names, { maxKeys: 2, noNullPrototype: true }) }),
    ]
    const [markedName, inObject] = [fc.constantFrom('a', 'b', 'kind'), tie('object')]
    const objectsWithMarks = [
      record('object', {
        properties: fc.dictionary(markedName, marked, { minKeys: 1, maxKeys: 2, noNullPrototype: true }),
        required: fc.uniqueArray(markedName, { maxLength: 2 }),
        not: inObject,
      }),
    ]
    const objectsWithBranches = [
      record('object', { properties: members, ...toConditional(fc.oneof(inObject, fc.boolean())) }),
      record('object', { dependentSchemas: members, properties: members, ...rest }),
      record('object', { ...combinations, $ref: reference, properties: members, ...rest }),
      record('object', { ...ofObjects, anyOf: fc.array(inObject, { minLength: 1, maxLength: 3 }), ...rest }),
      taggedUnion,
      unionByType,
    ]
    const others = [
      reference.map(($ref) => ({ $ref })),
      fc.constantFrom<Schema>(
        {},
        { type: 'boolean' },
        { type: 'null' },
        { type: ['string', 'integer', 'array'], ...(bigints && { format: 'int64' }) },
      ),
      record('integer', { minimum: small, maximum: small, multipleOf: divisor }, longOrNot),
      record('number', { exclusiveMinimum: small, exclusiveMaximum: small, multipleOf: divisor, const: small }),
      record('string', { minLength: atLeast, maxLength: atMost, pattern: fc.constantFrom('^a', '\\p{L}', '.') }),
      record('string', { enum: fc.uniqueArray(fc.constantFrom('', 'a', 'abc'), { minLength: 1 }) }),
      record('array', ofArrays),
      record('array', { ...ofArrays, contains: inner, minContains: atLeast, maxContains: atMost }),
      record('array', { items: record('array', { contains: inner }) }),
      record('array', { prefixItems: several, allOf: several, ...restOfItems }),
      fc.record({ enum: fc.array(anyValue, { minLength: 1, maxLength: 3 }), const: anyValue }, { requiredKeys: [] }),
      fc.record({ ...combinations, $ref: reference }, { requiredKeys: [] }),
    ]
    const object = fc.oneof(
      ...objects,
      ...(directions ? objectsWithMarks : []),
      ...(branches ? objectsWithBranches : []),
    ) as fc.Arbitrary<Schema>
    return {
      object,
      schema: fc.oneof(
        { maxDepth: 3 },
        ...(others as fc.Arbitrary<Schema>[]).map((arbitrary) => ({ weight: 1, arbitrary })),
        { weight: branches ? 9 : 5, arbitrary: object },
      ),
    }
  })
}

function toConditional(each: fc.Arbitrary<Schema | boolean>): Keywords {
  return Object.fromEntries(['if', 'then', 'else'].map((keyword) => [keyword, each]))
}

type Keywords = Record<string, fc.Arbitrary<unknown>>

/** A schema of the type, of the type and null, or without a type, with some of the keywords; with a format only with a type. */
function record(type: string, keywords: Keywords, format: fc.Arbitrary<unknown> = fc.constant(undefined)) {
  const types = fc.constantFrom(type, [type, 'null'])
  const typed = fc.tuple(fc.record({ type: types, ...keywords }, { requiredKeys: ['type'] }), format)
  return fc.oneof(
    { weight: 3, arbitrary: typed.map(([schema, format]) => (format === undefined ? schema : { ...schema, format })) },
    { weight: 1, arbitrary: fc.record(keywords, { requiredKeys: [] }) },
  ) as fc.Arbitrary<Schema>
}

/** True if a component refers back to itself for the same value: a start rejects the document. */
function hasLoop(schemas: Schemas): boolean {
  return Object.values(schemas).some((schema) => {
    const inPlace = findInPlace(schemas, [schema], 'all')
    return inPlace.some(
      ({ $ref }) =>
        $ref !== undefined &&
        findInPlace(schemas, [{ $ref }], 'all')
          .slice(1)
          .some((each) => each.$ref === $ref),
    )
  })
}

/** True if a start rejects the document: it has `unevaluatedItems` beside `contains`, or `items` of a branch. */
function isRefused(schemas: Schemas): boolean {
  return findSubschemas(Object.values(schemas)).some((schema) => {
    if (!('unevaluatedItems' in schema)) return false
    const certain = findInPlace(schemas, [schema], 'certain')
    const inPlace = findInPlace(schemas, [schema], 'possible')
    return inPlace.some((each) => 'contains' in each || ('items' in each && !certain.includes(each)))
  })
}

/** Finds everything within the schemas that may be a schema. */
function findSubschemas(values: readonly unknown[]): Schema[] {
  return values.flatMap((value) => {
    if (typeof value !== 'object' || value === null) return []
    return [value as Schema, ...findSubschemas(Object.values(value))]
  })
}

/** Returns a random number from 0 to below the limit. */
type Random = (limit: number) => number

/** Mulberry32. */
function createRandom(seed: number): Random {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) % limit
  }
}

/** Makes values that the component `Root` probably allows, with a change at a random place unless `isExact` is true. */
function createSampler(schemas: Schemas, unrelated: readonly unknown[], random: Random) {
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item
  const isLikely = () => random(10) < 7

  function sample(wanted: readonly (Schema | boolean)[], depth: number): unknown {
    const inPlace = choose(wanted.map(resolveSchema))
    const listed = inPlace.flatMap((each) => ('const' in each ? [each.const] : [])) as unknown[]
    const enumerated = inPlace.flatMap(({ enum: values = [] }) => values)
    if (listed.length + enumerated.length > 0) return structuredClone(pick([...listed, ...enumerated]))
    const types = inPlace.flatMap(({ type = [] }) => type)
    if (inPlace.some((each) => 'properties' in each || 'required' in each || 'patternProperties' in each))
      types.push('object')
    if (inPlace.some((each) => 'items' in each || 'prefixItems' in each)) types.push('array')
    switch (types.length === 0 || depth > 5 ? undefined : pick(types)) {
      case 'null':
        return null
      case 'boolean':
        return isLikely()
      case 'string':
        return pick(['', 'a', 'abc', 'ab'])
      case 'integer':
      case 'number':
        return pick([
          ...inPlace.flatMap(({ minimum = 1, maximum = 1 }) => [minimum, maximum]),
          ...unrelated.filter(isNumber),
        ])
      case 'array':
        return sampleItems(inPlace, depth)
      case 'object':
        return sampleMembers(inPlace, depth)
      default:
        return structuredClone(pick(unrelated))
    }
  }

  /** The schemas, what they refer to and take in by `allOf`, and one branch of each union. */
  function choose(wanted: readonly Schema[]): Schema[] {
    const found = new Set(wanted)
    for (const schema of found) {
      const { $ref, allOf = [], anyOf, oneOf, if: condition, then: consequent, else: otherwise } = schema
      const inner: (Schema | boolean | undefined)[] = [
        ...($ref === undefined ? [] : [schemas[$ref.slice('#/components/schemas/'.length)]]),
        ...allOf,
        ...(anyOf === undefined ? [] : [pick(anyOf)]),
        ...(oneOf === undefined ? [] : [pick(oneOf)]),
        ...(condition === undefined ? [] : isLikely() ? [condition, consequent] : [otherwise]),
        ...Object.values(schema.dependentSchemas ?? {}).filter(() => isLikely()),
      ]
      for (const each of inner) if (each !== undefined) found.add(resolveSchema(each))
    }
    return [...found]
  }

  function sampleItems(inPlace: readonly Schema[], depth: number): unknown[] {
    const least = Math.max(0, ...inPlace.map(({ minItems = 0 }) => minItems))
    return Array.from({ length: least + random(2) }, (_each, index) => {
      return sample(
        inPlace.flatMap(({ prefixItems = [], items = [] }) => prefixItems[index] ?? items),
        depth + 1,
      )
    })
  }

  function sampleMembers(inPlace: readonly Schema[], depth: number): Record<string, unknown> {
    const required = inPlace.flatMap((each) => each.required ?? [])
    const declared = inPlace.flatMap(({ properties = {} }) => Object.keys(properties)).filter(isLikely)
    const others = VALUE_NAMES.filter(() => random(8) === 0)
    const names = new Set([...required, ...declared, ...others])
    return Object.fromEntries(
      [...names].map((name) => [name, sample(getMemberSchemas(inPlace, name), depth + 1)] as const),
    )
  }

  /** Replaces, removes or adds something at a random place. */
  function change(value: unknown): unknown {
    if (typeof value !== 'object' || value === null || random(4) === 0) return structuredClone(pick(unrelated))
    const keys = Object.keys(value)
    if (Array.isArray(value)) {
      if (keys.length === 0 || random(4) === 0) return [...value, structuredClone(pick(unrelated))]
      const index = random(keys.length)
      return random(4) === 0 ? value.toSpliced(index, 1) : value.with(index, change(value[index]))
    }
    const name = keys.length === 0 || random(4) === 0 ? pick(VALUE_NAMES) : pick(keys)
    const { [name]: member, ...others } = value as Record<string, unknown>
    return random(4) === 0 ? others : { ...others, [name]: change(member) }
  }

  return (isExact: boolean): unknown => {
    const value = sample([schemas.Root as Schema], 0)
    return isExact ? value : change(value)
  }
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}
