/**
 * Finds the schemas of a property or an item, for views (JSON Schema 2020-12, sections 10.3 and 11). The schemas of
 * `unevaluated…` depend on the other schemas of the object or array: with `allOf: [{ properties: { a: A } }], unevaluatedProperties: U`,
 * `a` is described by A, and any other property by U.
 */
import type { OpenApi, Schema } from '../document/model.ts'
import { toSchema } from '../document/subschemas.ts'
import { createPattern } from '../shared/patterns.ts'
import { findEvaluatingSchemas } from './applicators.ts'

/** The schemas of the object or array whose members are looked up. */
interface MemberScope {
  readonly root: OpenApi
  /** The schemas in which subschemas for the member are looked up: all, or those that apply unconditionally. */
  readonly schemas: readonly Schema[]
  /** All schemas of the value, without branches that it does not satisfy: each of them may evaluate members. */
  readonly evaluatingSchemas: readonly Schema[]
}

/** Finds the subschemas by which schemas describe a property; for the name undefined see `getPropertySchemas`. */
export function findPropertySchemas(scope: MemberScope, name: string | undefined): Schema[] {
  const isEvaluatedBy = (schema: Schema) => getPropertySchemas(schema, name).length > 0
  return scope.schemas.flatMap((schema) => [
    ...getPropertySchemas(schema, name),
    ...getUnevaluatedSchemas(scope, schema, 'unevaluatedProperties', isEvaluatedBy),
  ])
}

/** Finds the subschemas by which schemas describe an item. */
export function findItemSchemas(scope: MemberScope, index: number): Schema[] {
  // Which items `contains` evaluates depends on the items, so any item counts.
  const isEvaluatedBy = (schema: Schema) => schema.contains !== undefined || getItemSchemas(schema, index).length > 0
  return scope.schemas.flatMap((schema) => [
    ...getItemSchemas(schema, index),
    ...getUnevaluatedSchemas(scope, schema, 'unevaluatedItems', isEvaluatedBy),
  ])
}

/**
 * Returns [the subschema of `unevaluatedProperties` or `unevaluatedItems`]. Returns [] if the schema lacks the keyword, or if the
 * schema or one of its in-place subschemas evaluates the member.
 */
function getUnevaluatedSchemas(
  { root, evaluatingSchemas }: MemberScope,
  schema: Schema,
  keyword: 'unevaluatedProperties' | 'unevaluatedItems',
  isEvaluatedBy: (schema: Schema) => boolean,
): readonly Schema[] {
  const subschema = schema[keyword]
  if (subschema === undefined) return []
  const candidates = findEvaluatingSchemas(root, schema).filter((candidate) => evaluatingSchemas.includes(candidate))
  const isEvaluated = candidates.some(
    // In an in-place subschema, the same keyword evaluates all members that remain.
    (candidate) => isEvaluatedBy(candidate) || (candidate !== schema && keyword in candidate),
  )
  return isEvaluated ? [] : [toSchema(subschema)]
}

/**
 * Returns the subschemas by which one schema describes a property, without `unevaluatedProperties`. The name undefined stands for
 * any property that neither a name nor a pattern declares.
 */
export function getPropertySchemas(schema: Schema, name: string | undefined): Schema[] {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema
  const declaringSchemas: (boolean | Schema)[] = []
  if (name !== undefined) {
    if (Object.hasOwn(properties, name)) declaringSchemas.push(properties[name] as boolean | Schema)
    for (const [pattern, subschema] of Object.entries(patternProperties)) {
      if (createPattern(pattern).test(name)) declaringSchemas.push(subschema)
    }
  }
  if (declaringSchemas.length > 0) return declaringSchemas.map(toSchema)
  return additionalProperties === undefined ? [] : [toSchema(additionalProperties)]
}

/** Returns [the subschema by which one schema describes an item], without `unevaluatedItems`; [] if there is none. */
function getItemSchemas({ prefixItems = [], items }: Schema, index: number): Schema[] {
  const subschema = prefixItems[index] ?? items
  return subschema === undefined ? [] : [toSchema(subschema)]
}
