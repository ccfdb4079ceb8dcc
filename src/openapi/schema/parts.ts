/**
 * The schemas that apply to one value: those that a schema refers to and takes in by `allOf`, and of its alternatives those
 * that the value satisfies. Conversion and serialization follow from all of them together.
 */
import type { OpenApi, Schema } from '../document/model.ts'
import { getTarget, mapSubschemas } from '../document/references.ts'
import { createPattern } from './formats.ts'

/** A request has no property that is `readOnly`, and a response none that is `writeOnly` (OpenAPI 3.1, Schema Object). */
export type Direction = 'request' | 'response'

const HIDDEN = { request: 'readOnly', response: 'writeOnly' } as const

/** The keywords whose schemas apply to the value itself, if it is valid. */
export const IN_PLACE = /^(allOf|anyOf|oneOf|then|else|dependentSchemas)$/
export const ALWAYS = /^allOf$/

/** Finds schemas, what they refer to, and what they have in these keywords, at any depth, each once. */
export function findInPlace(root: OpenApi, schemas: readonly Schema[], keywords = ALWAYS): Schema[] {
  // An iteration includes what is added during it.
  const found = new Set(schemas)
  for (const schema of found) {
    if (schema.$ref !== undefined) found.add(toSchema(getTarget(root, schema.$ref)))
    mapSubschemas(schema, (inner, keyword) => {
      if (keywords.test(keyword)) found.add(inner)
      return inner
    })
  }
  return [...found]
}

/** The schema of any value. */
export const ANY: Schema = {}
const NEVER = { not: {} } as Schema

/** A schema that is a boolean, as an object. */
export function toSchema(schema: Schema | boolean): Schema {
  return typeof schema !== 'boolean' ? schema : schema ? ANY : NEVER
}

/** True if a value in this direction does not have a property with these schemas. */
export function isHidden(root: OpenApi, schemas: readonly (Schema | boolean)[], direction?: Direction): boolean {
  if (direction === undefined) return false
  return findInPlace(root, schemas.map(toSchema)).some((part) => part[HIDDEN[direction]] === true)
}

/** The names of the properties that a value lacks in this direction, by the schema and those in these keywords. */
export function findHidden(root: OpenApi, schema: Schema, direction?: Direction, keywords = IN_PLACE): string[] {
  if (direction === undefined) return []
  const own = findInPlace(root, [schema], keywords)
  const names = own.flatMap(({ properties = {}, required = [] }) => [...Object.keys(properties), ...required])
  return names.filter((name) => isHidden(root, getPropertySchemas(own, name), direction))
}

/** Returns what the schemas of an object say of one of its members; false where they exclude it. */
export function getPropertySchemas(own: readonly Schema[], name: string): (Schema | boolean)[] {
  const found = own.flatMap(({ properties = {}, patternProperties = {}, additionalProperties = [] }) => {
    const matching = Object.entries(patternProperties).filter(([pattern]) => createPattern(pattern).test(name))
    const declared = [
      Object.hasOwn(properties, name) ? (properties[name] as Schema) : [],
      matching.map(([, property]) => property),
    ]
    return declared.flat().length > 0 ? declared.flat() : additionalProperties
  })
  return found.length > 0 ? found : own.flatMap(({ unevaluatedProperties = [] }) => unevaluatedProperties)
}

/** Returns what the schemas of an array say of the item at an index. */
export function getItemSchemas(own: readonly Schema[], index: number): Schema[] {
  const found = own.flatMap(({ prefixItems = [], items = [] }) => prefixItems[index] ?? items)
  const others = found.length > 0 ? found : own.flatMap(({ unevaluatedItems = [] }) => unevaluatedItems)
  return others.map(toSchema)
}

/** Makes what is needed for each item of an array, and returns it by the index of the item. */
export function createItems<Item>(own: readonly Schema[], create: (index: number) => Item): (index: number) => Item {
  // The items from this index on have the same schemas.
  const last = Math.max(0, ...own.map(({ prefixItems = [] }) => prefixItems.length))
  const items = Array.from({ length: last + 1 }, (_each, index) => create(index))
  return (index) => items[Math.min(index, last)] as Item
}

/** Makes the function that returns a key for a list of schemas: lists of the same objects have the same key. */
export function createKeys() {
  const ids = new Map<Schema | boolean, number>()
  return (schemas: readonly (Schema | boolean)[]): string => {
    for (const schema of schemas) if (!ids.has(schema)) ids.set(schema, ids.size)
    return schemas.map((schema) => ids.get(schema)).join()
  }
}

/** A function of a value that is valid by certain schemas. */
type Apply = (value: unknown) => unknown

/** Makes the function that returns what `create` makes of these schemas, each time the same: they may refer to themselves. */
export function createSharing() {
  const toKey = createKeys()
  const known = new Map<string, Apply>()
  return (schemas: readonly Schema[], create: () => Apply): Apply => {
    const key = toKey(schemas)
    const existing = known.get(key)
    if (existing !== undefined) return existing
    let apply: Apply = (value) => value
    known.set(key, (value) => apply(value))
    apply = create()
    known.set(key, apply)
    return apply
  }
}

/** True if a value is valid. */
export type Test = (value: unknown) => boolean

/** So many combinations of alternatives are remembered for a schema; others are put together each time. */
const MAX_COMBINATIONS = 1000

/**
 * Makes a function of a value from all schemas that apply to it. Which alternatives do is decided for each value, except for
 * those that `isNeeded` leaves out. `fail` is called if a value satisfies none of several alternatives.
 */
export function createFromParts(
  root: OpenApi,
  schemas: readonly Schema[],
  compileTest: (schema: Schema) => Test,
  create: (own: readonly Schema[]) => Apply,
  { isNeeded = () => true, fail = () => {} }: { isNeeded?: (schema: Schema) => boolean; fail?: () => void } = {},
): Apply {
  const own = findInPlace(root, schemas)
  const alternatives = own.flatMap(findAlternatives).filter((group) => group.some(isNeeded))
  if (alternatives.length === 0) return create(own)
  const hiding = own
    .flatMap(({ properties = {} }) => Object.keys(properties))
    .flatMap((name) => {
      const schemas = getPropertySchemas(own, name)
      const [readOnly, writeOnly] = [isHidden(root, schemas, 'request'), isHidden(root, schemas, 'response')]
      return readOnly || writeOnly ? [[name, { readOnly, writeOnly }]] : []
    })
  // An alternative need not have the members that the schemas around it hide.
  const properties = Object.fromEntries(hiding)
  const toTested = (schema: Schema) => (hiding.length > 0 ? { properties, allOf: [schema] } : schema)
  const groups = alternatives.map((group) => {
    return group.map((schema) => ({ schema, test: compileTest(toTested(schema)) }))
  })
  const all = groups.flat()
  const known = new Map<string, Apply>()
  return (value) => {
    const valid = groups.map((group) => group.filter(({ test }) => test(value)))
    if (valid.some((group) => group.length === 0)) fail()
    const chosen = valid.flat()
    const key = chosen.map((one) => all.indexOf(one)).join()
    let apply = known.get(key)
    if (apply === undefined) {
      // Its own alternatives are decided.
      const decided = own.map(({ $ref, allOf, anyOf, oneOf, if: _if, dependentSchemas, ...rest }): Schema => rest)
      const parts = [...decided, ...chosen.map(({ schema }) => schema)]
      apply = createFromParts(root, parts, compileTest, create, { isNeeded, fail })
      // Clients choose the combinations.
      if (known.size < MAX_COMBINATIONS) known.set(key, apply)
    }
    return apply(value)
  }
}

/** Returns the lists of schemas of which a valid value satisfies one or several. */
function findAlternatives(schema: Schema): Schema[][] {
  const { anyOf = [], oneOf = [], if: condition, then: consequent = ANY, else: otherwise = ANY } = schema
  const ofCondition = condition && [
    { not: { not: condition }, allOf: [condition, consequent] },
    { not: condition, allOf: [otherwise] },
  ]
  const ofMembers = Object.entries(schema.dependentSchemas ?? {}).map(([name, dependent]) => {
    const without = { not: { type: 'object', required: [name] } } as const
    return [{ not: without, allOf: [dependent] }, without]
  })
  return [anyOf, oneOf, ofCondition ?? [], ...ofMembers]
    .filter((list) => list.length > 0)
    .map((list) => list.map(toSchema))
}
