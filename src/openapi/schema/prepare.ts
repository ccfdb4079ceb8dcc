/**
 * Prepares schemas for Ajv. Ajv compiles all that it reads as OpenAPI means it into one function. For what it does not know, such as
 * the direction of a message or a bigint, it gets keywords of ours (keywords.ts). Where a subschema must be compiled by itself,
 * because it may be recursive or its errors are not those of the whole, it gets an error finder, which it calls (error-finders.ts):
 *
 * | keyword of the schema                         | what Ajv gets                                              | prepare-….ts |
 * |-----------------------------------------------|------------------------------------------------------------|--------------|
 * | `enum`, `minimum`, `pattern` and other limits | the same                                                   | values       |
 * | `type`, `format`                              | the same; `valueType` for numbers and bytes                |              |
 * | `required`                                    | the same, without hidden names (context.ts)                |              |
 * | `$ref`                                        | an error finder; without subschemas, in `allOf`            | place        |
 * | `anyOf`, `oneOf`                              | an error finder; dispatched: also types and tag in `allOf` |              |
 * | `allOf`, `then`, `else`, `dependentSchemas`   | the prepared subschemas                                    |              |
 * | `not`, `if`                                   | an error finder in place of the subschema                  |              |
 * | `properties`, …, `items`, `prefixItems`       | the prepared subschemas                                    | members      |
 * | `propertyNames`, `contains`, `unevaluated…`   | an error finder                                            |              |
 *
 * In a request, for example,
 *
 *     required: [id, name]
 *     properties: { id: { type: integer, format: int64, readOnly: true }, name: { type: string } }
 *     oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }]
 *
 * becomes
 *
 *     required: [name]
 *     properties: { id: { readOnlyInRequest: true }, name: { type: string } }
 *     allOf: [{ valueType: { types: [object], … }, required: [kind], properties: { kind: { enum: [cat, dog] } } }]
 *     errorFinders: [a function that finds the errors of the branch which `kind` names]
 */
import type { OpenApi, Schema } from '../document/model.ts'
import type { Values } from '../document/values.ts'
import { findConjuncts } from './applicators.ts'
import type { SchemaContext } from './context.ts'
import type { GetErrorFinder } from './error-finder.ts'
import type { PrepareKeywords, PrepareTools } from './preparation.ts'
import {
  prepareContains,
  prepareItems,
  prepareProperties,
  preparePropertyNames,
  prepareUnevaluated,
} from './prepare-members.ts'
import { prepareAllOf, prepareConditions, prepareReference, prepareUnions } from './prepare-place.ts'
import { prepareLimits, prepareRequired, prepareType } from './prepare-values.ts'
import type { SchemaViews } from './selection.ts'

/** Returns the schema for Ajv that a schema stands for in a context. */
export type Prepare = (schema: Schema, context: SchemaContext) => object

/** Each function prepares other keywords, so their order is of no matter. */
const PREPARE_FUNCTIONS: readonly PrepareKeywords[] = [
  prepareLimits,
  prepareType,
  prepareRequired,
  prepareReference,
  prepareUnions,
  prepareAllOf,
  prepareConditions,
  prepareProperties,
  preparePropertyNames,
  prepareItems,
  prepareContains,
  prepareUnevaluated,
]

/** Creates `prepare`. */
export function createPrepare(root: OpenApi, views: SchemaViews, getErrorFinder: GetErrorFinder): Prepare {
  const tools: PrepareTools = {
    root,
    views,
    getErrorFinder,
    prepareSubschema: (subschema, context) => (typeof subschema === 'object' ? prepare(subschema, context) : subschema),
  }

  function prepare(schema: Schema, outerContext: SchemaContext): object {
    const context = addHiddenNames(schema, addMaxLength(schema, outerContext, root), views)
    const preparations = PREPARE_FUNCTIONS.map((prepareKeywords) => prepareKeywords(schema, context, tools))
    const allOf = preparations.flatMap(({ conjuncts = [] }) => conjuncts)
    const errorFinders = preparations.flatMap((preparation) => preparation.errorFinders ?? [])
    return omitUndefined({
      ...Object.assign({}, ...preparations.map(({ keywords }) => keywords)),
      allOf: allOf.length > 0 ? allOf : undefined,
      errorFinders: errorFinders.length > 0 ? errorFinders : undefined,
    })
  }

  return prepare
}

/** Adds the names that a schema hides to those that the schemas around it hide. */
function addHiddenNames(schema: Schema, context: SchemaContext, views: SchemaViews): SchemaContext {
  const hiddenNames = views.get(schema).getHiddenNames(context.direction)
  return { ...context, hiddenNames: [...new Set([...context.hiddenNames, ...hiddenNames])] }
}

/** Adds the `maxLength` of a schema, and of those that it combines, to the context. */
function addMaxLength(schema: Schema, context: SchemaContext, root: OpenApi): SchemaContext {
  const limits = findConjuncts(root, [schema]).map(({ maxLength = Infinity }) => maxLength)
  const maxLength = Math.min(context.maxLength ?? Infinity, ...limits)
  return maxLength === Infinity ? context : { ...context, maxLength }
}

/** Copies an object without undefined members. Ajv takes a schema without keywords for one of any value, which is faster. */
function omitUndefined(object: Values): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}
