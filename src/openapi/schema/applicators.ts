/**
 * Finds the schemas that apply to the same value: those behind `$ref` and in-place applicators (JSON Schema 2020-12, section 10.2).
 * Views ask for what a value is and may be, `unevaluated…` for what evaluates members.
 */
import type { OpenApi, Schema } from '../document/model.ts'
import { collectReachable } from '../document/reachable.ts'
import { getReferences } from '../document/references.ts'
import { getSubschemas, toSchema } from '../document/subschemas.ts'

/** Finds the schemas that may describe a value which the given schemas describe: by `$ref`, `allOf` and branches. */
export function findPossibleSchemas(root: OpenApi, schemas: readonly Schema[]): Schema[] {
  return findInPlaceSchemas(root, schemas, /^(allOf|anyOf|oneOf|then|else|dependentSchemas)$/)
}

/** Finds the schemas that may evaluate members of a value (section 11). Unlike above, these are also conditions of `if`. */
export function findEvaluatingSchemas(root: OpenApi, schema: Schema): Schema[] {
  return findInPlaceSchemas(root, [schema], /^(allOf|anyOf|oneOf|then|else|dependentSchemas|if)$/)
}

/** Finds the schemas to which `$ref` and the keywords lead from some schemas, over any number of steps. */
function findInPlaceSchemas(root: OpenApi, schemas: readonly Schema[], keywords: RegExp): Schema[] {
  return collectReachable(schemas, (schema) => {
    const subschemas = getSubschemas(schema, keywords)
    return schema.$ref === undefined
      ? subschemas
      : [toSchema(getReferences(root).getTarget(schema.$ref)), ...subschemas]
  })
}
