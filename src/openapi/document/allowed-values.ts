/** The values that a schema lists. */
import { isObject } from '../shared/json.ts'
import type { OpenApi, Schema } from './model.ts'
import { getReferences } from './references.ts'
import { collectReachable } from './subschemas.ts'

/**
 * Finds the only values that a schema allows, by `const` and `enum` of the schema and of those that `$ref` and `allOf` add;
 * undefined if there are no such keywords.
 */
export function findAllowedValues(root: OpenApi, schema: Schema): readonly unknown[] | undefined {
  const [firstValues, ...otherLists] = findConjuncts(root, schema).flatMap((conjunct) => [
    ...('const' in conjunct ? [[conjunct.const]] : []),
    ...(conjunct.enum === undefined ? [] : [conjunct.enum]),
  ])
  return firstValues?.filter((value) => otherLists.every((values) => values.includes(value)))
}

/** Finds the schemas that describe every value of a schema: the schema itself, and those that `$ref` and `allOf` add. */
export function findConjuncts(root: OpenApi, schema: Schema): Schema[] {
  return collectReachable([schema], ({ $ref, allOf = [] }) =>
    [$ref === undefined ? undefined : getReferences(root).getTarget($ref), ...allOf].filter(isObject),
  )
}
