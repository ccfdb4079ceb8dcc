/**
 * What JSON Schema 2020-12 and OpenAPI 3.1 say of a value, followed word by word: whether it is valid, and which schemas
 * apply at each place of it. What the layer makes of the value follows from these. It is slow, and shares no code with `src`.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Schema } from '../../src/openapi/document/model.ts'

/** Schemas by the names of their components. */
export type Schemas = Readonly<Record<string, Schema>>

export type Direction = 'request' | 'response' | undefined

/** Schemas of one value: those that apply to it without a branch; with all branches; and all that are evaluated for it. */
type Extent = 'certain' | 'possible' | 'all'

const APPLICATORS: Readonly<Record<Extent, RegExp>> = {
  certain: /^allOf$/,
  possible: /^(allOf|anyOf|oneOf|if|then|else|dependentSchemas)$/,
  all: /^(allOf|anyOf|oneOf|not|if|then|else|dependentSchemas)$/,
}

/** Finds the schemas, what they refer to, and what they have in in-place applicators, breadth first. */
export function findInPlace(schemas: Schemas, wanted: readonly (Schema | boolean)[], extent: Extent): Schema[] {
  // An iteration includes what is added during it.
  const found = new Set(wanted.map(resolveSchema))
  for (const schema of found) {
    if (schema.$ref !== undefined) found.add(getComponent(schemas, schema.$ref))
    for (const [keyword, value] of Object.entries(schema)) {
      if (!APPLICATORS[extent].test(keyword)) continue
      const isMap = keyword === 'dependentSchemas'
      const inner = isMap ? Object.values(value as Schemas) : ([value].flat() as Schema[])
      for (const each of inner) found.add(resolveSchema(each))
    }
  }
  return [...found]
}

const [ANY, NEVER] = [{}, { not: {} } as Schema]

export function resolveSchema(schema: Schema | boolean): Schema {
  return typeof schema !== 'boolean' ? schema : schema ? ANY : NEVER
}

function getComponent(schemas: Schemas, $ref: string): Schema {
  return schemas[$ref.slice('#/components/schemas/'.length)] as Schema
}

/** Returns what `properties`, `patternProperties` and `additionalProperties` of the schemas say of a member. */
export function getMemberSchemas(inPlace: readonly Schema[], name: string): Schema[] {
  return inPlace.flatMap((schema) => {
    const { properties = {}, patternProperties = {}, additionalProperties } = schema
    const own = Object.hasOwn(properties, name) ? [properties[name] as Schema | boolean] : []
    const matching = Object.entries(patternProperties).filter(([pattern]) => new RegExp(pattern, 'u').test(name))
    const declared = [...own, ...matching.map(([, each]) => each)]
    const other = additionalProperties === undefined ? [] : [additionalProperties]
    return (declared.length > 0 ? declared : other).map(resolveSchema)
  })
}

/** Returns what `prefixItems` or `items` of one schema says of an item. */
function getItemSchemas({ prefixItems = [], items }: Schema, index: number): Schema[] {
  const subschema = prefixItems[index] ?? items
  return subschema === undefined ? [] : [resolveSchema(subschema)]
}

/** A place in the value that is evaluated. */
interface Place {
  /** Its JSON pointer; that of a name is `POINTER#NAME`. */
  readonly at: string
  /** True if no branch leads to it. */
  readonly isCertain: boolean
  readonly direction: Direction
  /** The schemas that hide members of an object at this place; none without a direction. */
  readonly hiding: readonly Schema[]
  /** The evaluations of the whole value so far: schemas that refer back would evaluate places again and again. */
  readonly memo: Map<Schema, Map<string, Evaluation>>
}

interface Application {
  readonly at: string
  readonly schema: Schema
  readonly isCertain: boolean
}

interface Evaluation {
  isValid: boolean
  readonly applied: Set<Application>
  /** The names of members, and the indexes of items, that are evaluated. */
  readonly evaluated: Set<string>
}

const MARKS = { request: 'readOnly', response: 'writeOnly' } as const

export function createReference(schemas: Schemas) {
  const ids = new Map<Schema, number>()
  const getId = (schema: Schema) => {
    const id = ids.get(schema) ?? ids.size
    ids.set(schema, id)
    return id
  }
  const findCertain = (wanted: readonly (Schema | boolean)[]) => findInPlace(schemas, wanted, 'certain')

  function isHidden(wanted: readonly Schema[], direction: Direction): boolean {
    return direction !== undefined && findCertain(wanted).some((schema) => schema[MARKS[direction]] === true)
  }

  function evaluate(given: Schema | boolean, value: unknown, place: Place): Evaluation {
    const schema = resolveSchema(given)
    const evaluations = place.memo.get(schema) ?? new Map<string, Evaluation>()
    place.memo.set(schema, evaluations)
    const key = [place.at, place.isCertain, place.direction, ...place.hiding.map(getId)].join()
    const evaluation = evaluations.get(key) ?? evaluateOnce(schema, value, place)
    evaluations.set(key, evaluation)
    return evaluation
  }

  function evaluateOnce(schema: Schema, value: unknown, place: Place): Evaluation {
    const { at, isCertain, direction, hiding, memo } = place
    const evaluation: Evaluation = {
      isValid: true,
      applied: new Set([{ at, schema, isCertain }]),
      evaluated: new Set(),
    }
    const { applied, evaluated } = evaluation
    const addApplied = (others: Iterable<Application>) => {
      for (const application of others) applied.add(application)
    }
    const demand = (isTrue: boolean) => {
      evaluation.isValid &&= isTrue
    }
    /** Evaluates a schema for the same value; what it evaluates counts if it is valid. */
    const evaluateInPlace = (inner: Schema | boolean, change: Partial<Place> = {}) => {
      const result = evaluate(inner, value, { ...place, ...change })
      if (result.isValid) {
        addApplied(result.applied)
        for (const key of result.evaluated) evaluated.add(key)
      }
      return result.isValid
    }
    const evaluateApart = (inner: Schema | boolean, innerValue: unknown, innerAt: string) => {
      return evaluate(inner, innerValue, { at: innerAt, isCertain: false, direction: undefined, hiding: [], memo })
        .isValid
    }
    const evaluateChild = (inner: Schema | boolean, token: string, all: readonly Schema[]) => {
      const child = (value as Record<string, unknown>)[token]
      const place = `${at}/${token}`
      const hiding = direction === undefined ? [] : findCertain(all)
      const result = evaluate(inner, child, { at: place, isCertain, direction, hiding, memo })
      demand(result.isValid)
      addApplied(result.applied)
      evaluated.add(token)
    }

    // In place.
    if (schema.$ref !== undefined) demand(evaluateInPlace(getComponent(schemas, schema.$ref)))
    for (const inner of schema.allOf ?? []) demand(evaluateInPlace(inner))
    const branch = { isCertain: false }
    const countValid = (list: readonly (Schema | boolean)[]) =>
      list.filter((inner) => evaluateInPlace(inner, branch)).length
    if (schema.anyOf !== undefined) demand(countValid(schema.anyOf) > 0)
    if (schema.oneOf !== undefined) demand(countValid(schema.oneOf) === 1)
    const { not, contains, propertyNames } = schema as Record<string, Schema | undefined>
    if (not !== undefined) demand(!evaluateApart(not, value, at))
    if (schema.if !== undefined) {
      const isTrue = evaluateInPlace(schema.if, { ...branch, direction: undefined, hiding: [] })
      demand(evaluateInPlace((isTrue ? schema.then : schema.else) ?? ANY, branch))
    }

    // Any value.
    const { type = [] } = schema
    if (type.length > 0) demand([type].flat().some((each) => isOfType(value, each)))
    if ('const' in schema) demand(isDeepStrictEqual(value, schema.const))
    if (schema.enum !== undefined) demand(schema.enum.some((each) => isDeepStrictEqual(value, each)))

    if (isNumber(value)) {
      const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
      if (minimum !== undefined) demand(value >= minimum)
      if (maximum !== undefined) demand(value <= maximum)
      if (exclusiveMinimum !== undefined) demand(value > exclusiveMinimum)
      if (exclusiveMaximum !== undefined) demand(value < exclusiveMaximum)
      if (multipleOf !== undefined) demand(isMultiple(value, Number(multipleOf)))
      if (schema.format === 'int64') demand(isInteger(value) && BigInt.asIntN(64, BigInt(value)) === BigInt(value))
    } else if (typeof value === 'string') {
      const { minLength = 0, maxLength = Infinity, pattern } = schema
      demand([...value].length >= minLength && [...value].length <= maxLength)
      if (pattern !== undefined) demand(new RegExp(pattern, 'u').test(value))
    } else if (Array.isArray(value)) {
      const { minItems = 0, prefixItems = [], items } = schema
      const limits = schema as Record<string, number | undefined>
      const { maxItems = Infinity, minContains = 1, maxContains = Infinity } = limits
      demand(value.length >= minItems && value.length <= maxItems)
      if (schema.uniqueItems) {
        demand(value.every((item, index) => !value.slice(0, index).some((other) => isDeepStrictEqual(item, other))))
      }
      const certain = hiding.length > 0 ? hiding : findCertain([schema])
      const getItems = (index: number) => certain.flatMap((other) => getItemSchemas(other, index))
      for (const index of value.keys()) {
        const inner = prefixItems[index] ?? items
        if (inner !== undefined) evaluateChild(inner, String(index), getItems(index))
      }
      if (contains !== undefined) {
        const containing = [...value.keys()].filter((index) => evaluateApart(contains, value[index], `${at}/${index}`))
        demand(containing.length >= minContains && containing.length <= maxContains)
        for (const index of containing) evaluated.add(String(index))
      }
      if (schema.unevaluatedItems !== undefined) {
        const others = [...value.keys()].filter((index) => !evaluated.has(String(index)))
        for (const index of others)
          evaluateChild(schema.unevaluatedItems, String(index), [resolveSchema(schema.unevaluatedItems)])
      }
    } else if (isObject(value)) {
      const certain = hiding.length > 0 ? hiding : findCertain([schema])
      const isVisible = (name: string) => !isHidden(getMemberSchemas(certain, name), direction)
      const mentioned = certain.flatMap(({ properties = {}, required = [], dependentRequired = {} }) =>
        [Object.keys(properties), required, Object.values(dependentRequired)].flat(2),
      )
      // A response leaves out the hidden members that the document names, so no keyword takes notice of them.
      const isOmitted = (name: string) => direction === 'response' && mentioned.includes(name) && !isVisible(name)
      const names = Object.keys(value).filter((name) => !isOmitted(name))
      const { minProperties = 0, maxProperties = Infinity } = schema as Record<string, number | undefined>
      demand(names.length >= minProperties && names.length <= maxProperties)
      demand((schema.required ?? []).every((name) => Object.hasOwn(value, name) || !isVisible(name)))
      const { dependentRequired = {} } = schema
      for (const [name, others] of Object.entries(dependentRequired)) {
        if (names.includes(name)) demand(others.every((other) => Object.hasOwn(value, other) || !isVisible(other)))
      }
      for (const [name, inner] of Object.entries(schema.dependentSchemas ?? {})) {
        if (names.includes(name)) demand(evaluateInPlace(inner, branch))
      }
      if (propertyNames !== undefined)
        demand(names.every((name) => evaluateApart(propertyNames, name, `${at}#${name}`)))
      const evaluateMember = (inner: Schema | boolean, name: string) => {
        const all = getMemberSchemas(certain, name)
        if (!isHidden([inner as Schema, ...all], direction)) {
          return evaluateChild(inner, name, all)
        }
        demand(direction === 'response')
        evaluated.add(name)
        addApplied(findCertain([inner]).map((schema) => ({ at: `${at}/${name}`, schema, isCertain })))
      }
      for (const name of names) for (const inner of getMemberSchemas([schema], name)) evaluateMember(inner, name)
      if (schema.unevaluatedProperties !== undefined) {
        const others = names.filter((name) => !evaluated.has(name))
        for (const name of others) evaluateMember(schema.unevaluatedProperties, name)
      }
    }
    return evaluation
  }

  /** Evaluates a value by all of the schemas. */
  function start(wanted: readonly (Schema | boolean)[], value: unknown, direction: Direction) {
    const hiding = direction === undefined ? [] : findCertain(wanted)
    const place = { at: '', isCertain: true, direction, hiding, memo: new Map() }
    const results = wanted.map((schema) => evaluate(schema, value, place))
    const applied = results.flatMap((result) => [...result.applied])
    const places = Map.groupBy(applied, ({ at }) => at)
    return { isValid: results.every(({ isValid }) => isValid), getApplied: (at: string) => places.get(at) ?? [] }
  }

  type GetApplied = (at: string) => readonly Application[]

  /** Converts a value of which these schemas may apply to the place, depending on the branches. */
  function convert(
    value: unknown,
    possible: readonly Schema[],
    at: string,
    getApplied: GetApplied,
    direction: Direction,
  ): unknown {
    const applied = getApplied(at)
    if (isNumber(value)) return convertNumber(value, applied, findInPlace(schemas, possible, 'possible'))
    const inPlace = findInPlace(schemas, possible, 'possible')
    if (Array.isArray(value)) {
      return value.map((item, index) => {
        const ofItem = inPlace.flatMap(({ prefixItems = [], items = [], unevaluatedItems = [] }) => {
          return [prefixItems[index] ?? items, unevaluatedItems].flat()
        })
        return convert(item, ofItem.map(resolveSchema), `${at}/${index}`, getApplied, direction)
      })
    }
    if (!isObject(value)) return value
    const toPossible = (name: string) => [
      ...getMemberSchemas(inPlace, name),
      ...inPlace.flatMap(({ unevaluatedProperties = [] }) => unevaluatedProperties).map(resolveSchema),
    ]
    const members = Object.entries(value).map(([name, member]) => {
      return [name, convert(member, toPossible(name), `${at}/${name}`, getApplied, direction)] as const
    })
    const certain = applied.filter(({ isCertain }) => isCertain).map(({ schema }) => schema)
    const missing = certain
      .flatMap(({ properties = {} }) => Object.keys(properties))
      .filter((name) => !Object.hasOwn(value, name))
    const defaults = missing.flatMap((name) => {
      const ofMember = getMemberSchemas(certain, name)
      const found = findCertain(ofMember).find((schema) => 'default' in schema)
      if (found === undefined || isHidden(ofMember, direction)) return []
      const ofDefault = start(ofMember, found.default, direction)
      if (!ofDefault.isValid) return []
      return [[name, convert(found.default, toPossible(name), '', ofDefault.getApplied, direction)] as const]
    })
    return Object.fromEntries([...members, ...defaults])
  }

  return {
    isValid: (value: unknown, direction: Direction) => start([schemas.Root as Schema], value, direction).isValid,

    /** Returns what a handler receives for a valid value, with `AnyNumber` where either kind of number may be. */
    convert(value: unknown, direction: Direction): unknown {
      const root = [schemas.Root as Schema]
      const { getApplied } = start(root, value, direction)
      return convert(value, root, '', getApplied, direction)
    },

    /** Returns what is sent of a valid value. */
    toSent(value: unknown): unknown {
      const { getApplied } = start([schemas.Root as Schema], value, 'response')
      const toSent = (value: unknown, at: string): unknown => {
        if (Array.isArray(value)) return value.map((item, index) => toSent(item, `${at}/${index}`))
        if (!isObject(value)) return value
        const inPlace = getApplied(at).map(({ schema }) => schema)
        const required = inPlace.flatMap((schema) => [
          ...(schema.required ?? []),
          ...Object.values(schema.dependentRequired ?? {}).flat(),
        ])
        // Members of later versions are not sent before they are declared.
        const isOpen = inPlace.every((schema) => {
          return Object.keys(schema.properties ?? {}).length === 0 && schema.patternProperties === undefined
        })
        const isSent = (name: string) => {
          const ofMember = getApplied(`${at}/${name}`).map(({ schema }) => schema)
          if (isHidden([...ofMember, ...getMemberSchemas(inPlace, name)], 'response')) return false
          return isOpen || ofMember.length > 0 || required.includes(name)
        }
        const members = Object.entries(value).filter(([name]) => isSent(name))
        return Object.fromEntries(members.map(([name, member]) => [name, toSent(member, `${at}/${name}`)]))
      }
      return toSent(value, '')
    },
  }
}

/** A number of which the document does not say whether it is a bigint: branches differ. */
class AnyNumber {
  readonly value: number | bigint

  constructor(value: number | bigint) {
    this.value = value
  }
}

/** Returns a bigint for an int64, and a number for any other number, if branches agree. */
function convertNumber(
  value: number | bigint,
  applied: readonly Application[],
  possible: readonly Schema[],
): number | bigint | AnyNumber {
  const toLong = () => (Number.isSafeInteger(value) ? BigInt(value) : value)
  if (applied.some(({ schema, isCertain }) => isCertain && isLong(schema))) return toLong()
  const isNumeric = ({ type = [] }: Schema) => /integer|number/.test(String(type))
  if (possible.every((schema) => !isLong(schema))) {
    if (typeof value === 'number' || !possible.some(isNumeric)) return value
    const isDouble = applied.some(({ schema, isCertain }) => isCertain && [schema.type].flat().includes('number'))
    return isDouble ? Number(value) : new AnyNumber(value)
  }
  const isAgreed = possible.filter(isNumeric).every(isLong) && applied.some(({ schema }) => isLong(schema))
  return isAgreed ? toLong() : new AnyNumber(value)
}

function isLong({ format, type = 'integer' }: Schema): boolean {
  return format === 'int64' && /integer|number/.test(String(type))
}

/** True if a value is the expected one. */
export function isExpected(value: unknown, expected: unknown): boolean {
  if (expected instanceof AnyNumber) return isNumber(value) && Number(value) === Number(expected.value)
  if (Array.isArray(value) && Array.isArray(expected)) {
    return value.length === expected.length && value.every((item, index) => isExpected(item, expected[index]))
  }
  if (!isObject(value) || !isObject(expected)) return isDeepStrictEqual(value, expected)
  const names = new Set([...Object.keys(value), ...Object.keys(expected)])
  return [...names].every((name) => {
    return Object.hasOwn(value, name) && Object.hasOwn(expected, name) && isExpected(value[name], expected[name])
  })
}

function isOfType(value: unknown, type: string): boolean {
  if (isNumber(value)) return type === 'number' || (type === 'integer' && isInteger(value))
  if (value === null || Array.isArray(value)) return type === (value === null ? 'null' : 'array')
  return type === typeof value
}

/** Exact for a divisor that is a multiple of 0.5. */
function isMultiple(value: number | bigint, divisor: number): boolean {
  const doubled = typeof value === 'bigint' ? value * 2n : value * 2
  return isInteger(doubled) && BigInt(doubled) % BigInt(divisor * 2) === 0n
}

function isInteger(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isInteger(value)
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
