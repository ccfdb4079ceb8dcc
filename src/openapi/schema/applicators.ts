/**
 * The in-place applicators: keywords that apply subschemas to the value itself (JSON Schema 2020-12, section 10.2). With
 * `{ allOf: [A], oneOf: [B, C], if: D, then: E }`, each function finds the schema itself and those of the functions above it:
 *
 * | function                | follows besides                                      | finds besides | which say of the value      |
 * |-------------------------|------------------------------------------------------|---------------|-----------------------------|
 * | `findConjuncts`         | `$ref`, `allOf`                                      | A             | what it is                  |
 * | `findPossibleSchemas`   | `anyOf`, `oneOf`, `then`, `else`, `dependentSchemas` | B, C, E       | what it may be              |
 * | `findEvaluatingSchemas` | `if`                                                 | D             | which members are evaluated |
 */
import type { OpenApi, Schema } from '../document/model.ts'
import { getReferences } from '../document/references.ts'
import { getSubschemas, toSchema } from '../document/subschemas.ts'

/** Finds the schemas that describe every value which these schemas describe. */
export function findConjuncts(root: OpenApi, schemas: readonly Schema[]): Schema[] {
  return findInPlaceSchemas(root, schemas, /^allOf$/)
}

/** Finds the schemas that describe every value, or some values, which these schemas describe. */
export function findPossibleSchemas(root: OpenApi, schemas: readonly Schema[]): Schema[] {
  return findInPlaceSchemas(root, schemas, /^(allOf|anyOf|oneOf|then|else|dependentSchemas)$/)
}

/**
 * Finds the schemas that may evaluate members of a value which a schema describes (JSON Schema 2020-12, section 11). A value that
 * satisfies `if` has members evaluated by it.
 */
export function findEvaluatingSchemas(root: OpenApi, schema: Schema): Schema[] {
  return findInPlaceSchemas(root, [schema], /^(allOf|anyOf|oneOf|then|else|dependentSchemas|if)$/)
}

/** Finds the schemas to which `$ref` and the keywords lead from some schemas, over any number of steps. */
function findInPlaceSchemas(root: OpenApi, schemas: readonly Schema[], keywords: RegExp): Schema[] {
  // The iteration includes the schemas that are added during it.
  const reachableSchemas = new Set(schemas)
  for (const schema of reachableSchemas) {
    if (schema.$ref !== undefined) reachableSchemas.add(toSchema(getReferences(root).getTarget(schema.$ref)))
    for (const subschema of getSubschemas(schema, keywords)) reachableSchemas.add(subschema)
  }
  return [...reachableSchemas]
}
