/** The values that a schema lists. */
import type { OpenApi, Schema } from './model.ts'
import { getReferences } from './references.ts'
import { collectReachable, toSchema } from './subschemas.ts'

/**
 * Finds the only values that a schema allows, by `const` and `enum` of the schema and of those that `$ref` and `allOf` add;
 * undefined if there are no such keywords.
 */
export function findAllowedValues(root: OpenApi, schema: Schema): readonly unknown[] | undefined {
  const conjuncts = collectReachable([schema], ({ $ref, allOf = [] }) => [
    ...($ref === undefined ? [] : [toSchema(getReferences(root).getTarget($ref))]),
    ...allOf.map(toSchema),
  ])
  const [firstValues, ...otherLists] = conjuncts.flatMap((conjunct) => [
    ...('const' in conjunct ? [[conjunct.const]] : []),
    ...(conjunct.enum === undefined ? [] : [conjunct.enum]),
  ])
  return firstValues?.filter((value) => otherLists.every((values) => values.includes(value)))
}
