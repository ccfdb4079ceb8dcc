/** Prepares the in-place applicators for Ajv, whose subschemas apply to the value itself: see prepare.ts. */
import type { Schema } from '../document/model.ts'
import { getReferences } from '../document/references.ts'
import { getSubschemas, toSchema } from '../document/subschemas.ts'
import { mapValues } from '../document/values.ts'
import { toConditionContext } from './context.ts'
import type { Dispatch } from './dispatch.ts'
import { createUnionFinder } from './error-finders.ts'
import type { ValueType } from './keywords.ts'
import type { PrepareKeywords } from './preparation.ts'

/** Prepares `$ref`. Ajv compiles a target without subschemas in place, which is faster than to call an error finder. */
export const prepareReference: PrepareKeywords = ({ $ref }, context, { root, getErrorFinder, prepareSubschema }) => {
  if ($ref === undefined) return {}
  const target = toSchema(getReferences(root).getTarget($ref))
  const hasSubschemas = target.$ref !== undefined || getSubschemas(target).length > 0
  if (hasSubschemas) return { errorFinders: [getErrorFinder(target, context)] }
  return { conjuncts: [prepareSubschema(target, context)] }
}

/** Prepares `anyOf` and `oneOf`. With a dispatch, the value must also have a type and tag of some branch. */
export const prepareUnions: PrepareKeywords = (schema, context, { views, getErrorFinder }) => {
  const unions = views.getBranchings(schema).filter(({ isUnion }) => isUnion)
  const dispatches = unions.map((union) => views.getDispatch(union, context.hiddenNames))
  const getBranchFinder = (branch: Schema) => getErrorFinder(branch, context)
  return {
    conjuncts: dispatches.filter((dispatch) => dispatch !== undefined).map(toDispatchSchema),
    errorFinders: unions.map((union, index) => createUnionFinder(union, dispatches[index], getBranchFinder)),
  }
}

/** Returns the schema for Ajv of the values that a dispatch finds a branch for. */
function toDispatchSchema({ types, tag }: Dispatch): object {
  // Files pass as strings here: a branch of strings rejects them itself, unless it is bytes.
  const valueType: ValueType = { types, allowsFiles: true }
  return { valueType, ...(tag && { required: [tag.name], properties: { [tag.name]: { enum: tag.values } } }) }
}

export const prepareAllOf: PrepareKeywords = ({ allOf = [] }, context, { prepareSubschema }) => {
  return { conjuncts: allOf.map((subschema) => prepareSubschema(subschema, context)) }
}

/**
 * Prepares `not`, `if`, `then`, `else` and `dependentSchemas`. Conditions are compiled by themselves. Otherwise, Ajv compiles
 * them without `allErrors`, and skips what follows `prefixItems` if an array is shorter (`validateTuple` in
 * ajv/lib/vocabularies/applicator/items.ts).
 */
export const prepareConditions: PrepareKeywords = (schema, context, { getErrorFinder, prepareSubschema }) => {
  const { not, if: condition, then: thenSchema, else: elseSchema, dependentSchemas } = schema
  const prepareCondition = (subschema: Schema | boolean | undefined) =>
    subschema === undefined
      ? undefined
      : { errorFinders: [getErrorFinder(toSchema(subschema), toConditionContext(context))] }
  const prepareBranch = (subschema: Schema | boolean | undefined) => prepareSubschema(subschema, context)
  return {
    keywords: {
      not: prepareCondition(not),
      if: prepareCondition(condition),
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: prepareBranch(thenSchema),
      else: prepareBranch(elseSchema),
      dependentSchemas: dependentSchemas && mapValues(dependentSchemas, prepareBranch),
    },
  }
}
