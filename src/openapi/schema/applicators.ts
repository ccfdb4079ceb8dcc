/** The in-place applicators: keywords that apply subschemas to the value itself (JSON Schema 2020-12, section 10.2). */
import type { OpenApi, Schema } from '../document/model.ts'
import { getTarget } from '../document/resolve.ts'
import { getSubschemas, toSchema } from '../document/subschemas.ts'

/** Finds the schemas that describe every value which these schemas describe: themselves, through `$ref` and `allOf`. */
export function findConjuncts(root: OpenApi, schemas: readonly Schema[]): Schema[] {
  return findInPlaceSchemas(root, schemas, CONJUNCTIVE_KEYWORDS)
}

/** Finds the schemas that describe some values which these schemas describe: the conjuncts, and through branches. */
export function findPossibleSchemas(root: OpenApi, schemas: readonly Schema[]): Schema[] {
  return findInPlaceSchemas(root, schemas, DESCRIBING_KEYWORDS)
}

/** Finds the schemas that may evaluate members of a value which a schema describes (JSON Schema 2020-12, section 11). */
export function findEvaluatingSchemas(root: OpenApi, schema: Schema): Schema[] {
  return findInPlaceSchemas(root, [schema], EVALUATING_KEYWORDS)
}

/** Their subschemas describe all values that the schema describes. */
const CONJUNCTIVE_KEYWORDS = /^allOf$/
/** Their subschemas describe all of these values, or some. */
const DESCRIBING_KEYWORDS = /^(allOf|anyOf|oneOf|then|else|dependentSchemas)$/
/** Their subschemas describe values, or are a condition: `if` also evaluates members of the values that satisfy it. */
const EVALUATING_KEYWORDS = /^(allOf|anyOf|oneOf|then|else|dependentSchemas|if)$/

function findInPlaceSchemas(root: OpenApi, schemas: readonly Schema[], keywords: RegExp): Schema[] {
  // The iteration includes the schemas that are added during it.
  const reachableSchemas = new Set(schemas)
  for (const schema of reachableSchemas) {
    if (schema.$ref !== undefined) reachableSchemas.add(toSchema(getTarget(root, schema.$ref)))
    for (const subschema of getSubschemas(schema, keywords)) reachableSchemas.add(subschema)
  }
  return [...reachableSchemas]
}
