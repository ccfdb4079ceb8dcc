/** The values that a schema lists. */
import { toKey } from '../shared/json.ts'
import type { OpenApi, Schema } from './model.ts'
import { collectReachable } from './reachable.ts'
import { getReferences } from './references.ts'
import { toSchema } from './subschemas.ts'

/**
 * Finds the only values that a schema allows, by `const` and `enum` of the schema and of the schemas that `$ref` and `allOf` add;
 * undefined if there are no such keywords.
 */
export function findAllowedValues(root: OpenApi, schema: Schema): readonly unknown[] | undefined {
  const lists = findConjuncts(root, [schema]).map(getListedValues)
  const [firstValues, ...otherLists] = lists.filter((values) => values !== undefined)
  const otherKeys = otherLists.map((values) => new Set(values.map(toKey)))
  return firstValues?.filter((value) => otherKeys.every((keys) => keys.has(toKey(value))))
}

/** Returns the values that `const` and `enum` of one schema both allow; undefined if it has neither keyword. */
export function getListedValues(schema: Schema): readonly unknown[] | undefined {
  if (!('const' in schema)) return schema.enum
  return schema.enum === undefined
    ? [schema.const]
    : schema.enum.filter((value) => toKey(value) === toKey(schema.const))
}

/** Finds the schemas that describe every value which the schemas describe: these, and the schemas that `$ref` and `allOf` add. */
export function findConjuncts(root: OpenApi, schemas: readonly Schema[]): Schema[] {
  return collectReachable(schemas, (schema) => getDirectConjuncts(root, schema))
}

/** Returns the schemas that `$ref` and `allOf` of one schema add. */
export function getDirectConjuncts(root: OpenApi, { $ref, allOf = [] }: Schema): Schema[] {
  return [...($ref === undefined ? [] : [getReferences(root).getTarget($ref)]), ...allOf].map(toSchema)
}
