/**
 * The schemas that apply to one value: those that a schema refers to and takes in by `allOf`, and of its alternatives those
 * that the value satisfies. Conversion and serialization follow from all of them together.
 */
import type { OpenApi, Schema } from '../document/model.ts'
import { getTarget, mapSubschemas } from '../document/references.ts'
import { isObject } from '../json.ts'
import { createPattern } from './formats.ts'

/** A request has no property that is `readOnly`, and a response none that is `writeOnly` (OpenAPI 3.1, Schema Object). */
export type Direction = 'request' | 'response'

const HIDDEN = { request: 'readOnly', response: 'writeOnly' } as const

/** The keywords whose schemas apply to the value itself, if it is valid. */
export const IN_PLACE = /^(allOf|anyOf|oneOf|then|else|dependentSchemas)$/
const ALWAYS = /^allOf$/

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

/** True if a value in this direction does not have a property with the schema. */
export function isHidden(root: OpenApi, schema: Schema, direction: Direction | undefined): boolean {
  return direction !== undefined && findInPlace(root, [schema]).some((part) => part[HIDDEN[direction]] === true)
}

/** The names of the properties that a value in this direction does not have, wherever in the schema they are declared. */
export function findHidden(root: OpenApi, schema: Schema, direction: Direction | undefined): string[] {
  if (direction === undefined) return []
  const properties = findInPlace(root, [schema], IN_PLACE).flatMap((part) => Object.entries(part.properties ?? {}))
  return properties.filter(([, property]) => isHidden(root, property, direction)).map(([name]) => name)
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

/** The items from this index on have the same schemas. */
export function countPrefixItems(own: readonly Schema[]): number {
  return Math.max(0, ...own.map(({ prefixItems = [] }) => prefixItems.length))
}

/** True if a value is valid. */
export type Test = (value: unknown) => boolean
export type TestCompiler = (schema: Schema, direction: Direction | undefined) => Test

/** So many combinations of alternatives are remembered for a schema; others are put together each time. */
const MAX_COMBINATIONS = 1000

type Create<Result> = (own: readonly Schema[]) => (value: unknown) => Result

/**
 * Makes a function of a value from all schemas that apply to it. Which alternatives do is decided for each value, except for
 * those that `isNeeded` leaves out. `fail` is called if a value satisfies none of several alternatives.
 */
export function createFromParts<Result>(
  root: OpenApi,
  schemas: readonly Schema[],
  toTest: (schema: Schema) => Test,
  create: Create<Result>,
  { isNeeded = () => true, fail = () => {} }: { isNeeded?: (schema: Schema) => boolean; fail?: () => void } = {},
): (value: unknown) => Result {
  const own = findInPlace(root, schemas)
  const groups = own
    .flatMap((schema) => findAlternatives(schema, toTest))
    .filter((group) => group.some(({ all }) => all.some(isNeeded)))
  if (groups.length === 0) return create(own)
  const known = new Map<string, (value: unknown) => Result>()
  return (value) => {
    const valid = groups.map((group) => group.filter(({ test }) => test(value)))
    if (valid.some((group) => group.length === 0)) fail()
    const key = valid.map((group, index) => group.map((one) => groups[index]?.indexOf(one))).join(';')
    let apply = known.get(key)
    if (apply === undefined) {
      const chosen = valid.flatMap((group) => group.flatMap(({ all }) => all))
      // Its own alternatives are decided.
      const decided = own.map(({ $ref, allOf, anyOf, oneOf, if: _if, dependentSchemas, ...rest }): Schema => rest)
      apply = createFromParts(root, [...decided, ...chosen], toTest, create, { isNeeded, fail })
      // Clients choose the combinations.
      if (known.size < MAX_COMBINATIONS) known.set(key, apply)
    }
    return apply(value)
  }
}

/** In each list, one or several apply to a valid value. */
function findAlternatives(
  { anyOf, oneOf, if: condition, then: consequent = ANY, else: otherwise = ANY, dependentSchemas = {} }: Schema,
  toTest: (schema: Schema) => Test,
) {
  const lists = [anyOf ?? [], oneOf ?? []].filter((list) => list.length > 0)
  const groups = lists.map((list) =>
    list.map(toSchema).map((alternative) => ({ test: toTest(alternative), all: [alternative] })),
  )
  if (condition !== undefined) {
    const test = toTest(toSchema(condition))
    groups.push([
      { test, all: [toSchema(condition), toSchema(consequent)] },
      { test: (value) => !test(value), all: [toSchema(otherwise)] },
    ])
  }
  for (const [name, schema] of Object.entries(dependentSchemas)) {
    const test = (value: unknown) => isObject(value) && Object.hasOwn(value, name)
    groups.push([
      { test, all: [toSchema(schema)] },
      { test: (value) => !test(value), all: [] },
    ])
  }
  return groups
}
