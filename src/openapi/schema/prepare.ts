/**
 * Prepares schemas for Ajv. Ajv gets the keywords that it reads as OpenAPI means them. For what it does not know, such as the
 * direction of a message, it gets keywords of ours (keywords.ts) or error finders (error-finders.ts).
 */
import type { Direction, OpenApi, Schema } from '../document/model.ts'
import { ANY, getSubschemas, getTarget, getTypes, mapValues, toSchema } from '../document/references.ts'
import { createContext, type SchemaContext, toBranchContext, UNDIRECTED } from './context.ts'
import {
  createContainsFinder,
  createHiddenFinder,
  createNamesFinder,
  createUnevaluatedItemsFinder,
  createUnevaluatedPropertiesFinder,
  createUnionFinder,
  type ErrorFinder,
} from './error-finders.ts'
import { NUMBER_FORMATS } from './formats.ts'
import type { ValueType } from './keywords.ts'
import { isBinary } from './types.ts'
import type { SchemaView, SchemaViews } from './view.ts'

/** Returns the schema for Ajv that a schema stands for in a context. */
export type Prepare = (schema: Schema, context: SchemaContext) => object

/** What becomes of some keywords of a schema. Each function below prepares other keywords, so that their order is of no matter. */
interface Preparation {
  readonly keywords?: object
  /** Schemas for Ajv that the value must also satisfy: they become `allOf`. */
  readonly conjuncts?: readonly (object | boolean)[]
  /** They become our keyword `errorFinders`. */
  readonly errorFinders?: readonly ErrorFinder[]
}

/** Creates `prepare`. `getErrorFinder` returns the finder of a schema that is compiled by itself. */
export function createPrepare(
  root: OpenApi,
  views: SchemaViews,
  getErrorFinder: (schema: Schema, context: SchemaContext) => ErrorFinder,
): Prepare {
  const functions = [
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

  function prepare(schema: Schema, outerContext: SchemaContext): object {
    const context = addHiddenNames(schema, outerContext)
    const preparations: Preparation[] = functions.map((prepareKeywords) => prepareKeywords(schema, context))
    const allOf = preparations.flatMap(({ conjuncts = [] }) => conjuncts)
    const errorFinders = preparations.flatMap((preparation) => preparation.errorFinders ?? [])
    return {
      ...Object.assign({}, ...preparations.map(({ keywords }) => keywords)),
      ...(allOf.length > 0 && { allOf }),
      ...(errorFinders.length > 0 && { errorFinders }),
    }
  }

  function addHiddenNames(schema: Schema, context: SchemaContext): SchemaContext {
    const { direction, hiddenNames, hiddenNamesInBranches } = context
    if (direction === undefined) return context
    const view = views.get(schema)
    const certainNames = view.getHiddenNames(direction)
    const possibleNames = direction === 'request' ? view.possiblyReadOnlyNames : []
    return {
      direction,
      hiddenNames: [...new Set([...hiddenNames, ...certainNames, ...possibleNames])],
      hiddenNamesInBranches: [...new Set([...hiddenNamesInBranches, ...certainNames])],
    }
  }

  /** Prepares a subschema, which may be a boolean. */
  function prepareSubschema(subschema: Schema | boolean, context: SchemaContext): object | boolean {
    return typeof subschema === 'boolean' ? subschema : prepare(subschema, context)
  }

  function prepareRequired({ required }: Schema, { hiddenNames }: SchemaContext): Preparation {
    if (required === undefined) return {}
    return { keywords: { required: required.filter((name) => !hiddenNames.includes(name)) } }
  }

  /** Prepares `$ref`. Ajv compiles a target without subschemas in place, which is faster than to call an error finder. */
  function prepareReference({ $ref }: Schema, context: SchemaContext): Preparation {
    if ($ref === undefined) return {}
    const target = toSchema(getTarget(root, $ref))
    const isLeaf = target.$ref === undefined && getSubschemas(target).length === 0
    return isLeaf ? { conjuncts: [prepare(target, context)] } : { errorFinders: [getErrorFinder(target, context)] }
  }

  /** Prepares `anyOf` and `oneOf`. With a dispatch, the value must have a type and tag of some branch. */
  function prepareUnions(schema: Schema, context: SchemaContext): Preparation {
    const unions = views.getBranchings(schema).filter(({ mustMatch }) => mustMatch)
    const dispatches = unions.map((union) => union.getDispatch(context.hiddenNames))
    const getBranchFinder = (branch: Schema) => getErrorFinder(branch, toBranchContext(context))
    return {
      conjuncts: dispatches
        .filter((dispatch) => dispatch !== undefined)
        .map(({ types, tag }) => ({
          // A branch of strings rejects files itself unless it is bytes.
          valueType: { types, allowsFiles: true } satisfies ValueType,
          ...(tag && { required: [tag.name], properties: { [tag.name]: { enum: tag.values } } }),
        })),
      errorFinders: unions.map((union, index) => createUnionFinder(union, dispatches[index], schema, getBranchFinder)),
    }
  }

  function prepareAllOf({ allOf = [] }: Schema, context: SchemaContext): Preparation {
    return { conjuncts: allOf.map((subschema) => prepareSubschema(subschema, context)) }
  }

  /**
   * Prepares `not`, `if`, `then`, `else` and `dependentSchemas`. Conditions are compiled by themselves. Otherwise, Ajv compiles
   * them without `allErrors`, and skips what follows `prefixItems` if an array is shorter (`validateTuple` in
   * ajv/lib/vocabularies/applicator/items.ts).
   */
  function prepareConditions(schema: Schema, context: SchemaContext): Preparation {
    const { not, if: condition, then: thenSchema, else: elseSchema, dependentSchemas } = schema
    const toCondition = (subschema: Schema) => ({ errorFinders: [getErrorFinder(toSchema(subschema), UNDIRECTED)] })
    const toBranch = (subschema: Schema) => prepareSubschema(subschema, toBranchContext(context))
    return {
      keywords: {
        ...(not !== undefined && { not: toCondition(not) }),
        ...(condition !== undefined && { if: toCondition(condition) }),
        // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
        ...(thenSchema !== undefined && { then: toBranch(thenSchema) }),
        ...(elseSchema !== undefined && { else: toBranch(elseSchema) }),
        ...(dependentSchemas && { dependentSchemas: mapValues(dependentSchemas, toBranch) }),
      },
    }
  }

  function prepareProperties(schema: Schema, { direction, hiddenNames }: SchemaContext): Preparation {
    const { properties, patternProperties, additionalProperties } = schema
    const toProperty = (subschema: Schema | boolean) => prepareProperty(subschema, direction)
    // A schema around this one may hide the property.
    const isDropped = (name: string) => direction === 'response' && hiddenNames.includes(name)
    return {
      keywords: {
        ...(properties && {
          properties: mapValues(properties, (subschema, name) => {
            return isObjectSchema(subschema) && isDropped(name) ? ANY : toProperty(subschema)
          }),
        }),
        ...(patternProperties && { patternProperties: mapValues(patternProperties, toProperty) }),
        ...(additionalProperties !== undefined && { additionalProperties: toProperty(additionalProperties) }),
      },
    }
  }

  /** Prepares the schema of a property. A request must not have a hidden property; a response drops it, so nothing is wrong. */
  function prepareProperty(subschema: Schema | boolean, direction: Direction | undefined): object | boolean {
    if (isObjectSchema(subschema) && views.get(subschema).isHidden(direction))
      return direction === 'request' ? { readOnlyInRequest: true } : ANY
    return prepareSubschema(subschema, createContext(direction))
  }

  function preparePropertyNames({ propertyNames }: Schema): Preparation {
    if (propertyNames === undefined) return {}
    return { errorFinders: [createNamesFinder(getErrorFinder(toSchema(propertyNames), UNDIRECTED))] }
  }

  function prepareItems({ prefixItems, items }: Schema, { direction }: SchemaContext): Preparation {
    const toItem = (subschema: Schema) => prepareSubschema(subschema, createContext(direction))
    return {
      keywords: {
        ...(prefixItems && { prefixItems: prefixItems.map(toItem) }),
        ...(items !== undefined && { items: toItem(items) }),
      },
    }
  }

  function prepareContains(schema: Schema): Preparation {
    if (schema.contains === undefined) return {}
    return { errorFinders: [createContainsFinder(schema, getErrorFinder(toSchema(schema.contains), UNDIRECTED))] }
  }

  /** Prepares `unevaluatedProperties` and `unevaluatedItems`, which apply to the members that no other keyword evaluates. */
  function prepareUnevaluated(schema: Schema, { direction }: SchemaContext): Preparation {
    const { unevaluatedProperties, unevaluatedItems, ...evaluatingSchema } = schema
    const getView = (): SchemaView => views.get(evaluatingSchema)
    const errorFinders: ErrorFinder[] = []
    if (unevaluatedProperties !== undefined) {
      const findMemberErrors = getMemberFinder(unevaluatedProperties, direction)
      errorFinders.push(createUnevaluatedPropertiesFinder(getView(), direction, findMemberErrors))
    }
    if (unevaluatedItems !== undefined) {
      const findMemberErrors = getMemberFinder(unevaluatedItems, direction)
      const getContainsFinder = (contained: Schema) => getErrorFinder(toSchema(contained), UNDIRECTED)
      errorFinders.push(createUnevaluatedItemsFinder(getView(), direction, findMemberErrors, getContainsFinder))
    }
    return { errorFinders }
  }

  /** Returns the error finder of unevaluated members; undefined if the schema is false, so that there must be none. */
  function getMemberFinder(schema: Schema | boolean, direction: Direction | undefined): ErrorFinder | undefined {
    if (schema === false) return undefined
    if (views.get(schema).isHidden(direction)) return createHiddenFinder(direction)
    return getErrorFinder(toSchema(schema), createContext(direction))
  }

  return prepare
}

/** The keywords without subschemas that Ajv, or a keyword of ours with the same name, reads as OpenAPI means them. */
const LIMITS = [
  ...['const', 'enum', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'dependentRequired'],
]

/** Copies the limits, and the description, which explains a pattern in messages. */
function prepareLimits(schema: Schema): Preparation {
  const isCopied = (keyword: string) => keyword === 'description' || LIMITS.includes(keyword)
  return { keywords: Object.fromEntries(Object.entries(schema).filter(([keyword]) => isCopied(keyword))) }
}

/** Prepares `type`. For bytes and numbers, our keywords replace it: Ajv knows neither files nor bigints. */
function prepareType(schema: Schema): Preparation {
  const { format, minLength, maxLength } = schema
  const types = schema.type === undefined ? undefined : getTypes(schema)
  const isBytes = isBinary(schema) && types?.includes('string') !== false
  if (isBytes) {
    const valueType: ValueType = { types, allowsFiles: true }
    return {
      keywords: {
        valueType,
        ...(minLength !== undefined && { minBytes: minLength }),
        ...(maxLength !== undefined && { maxBytes: maxLength }),
      },
    }
  }
  const isNumber = types?.some((type) => type === 'number' || type === 'integer') ?? NUMBER_FORMATS.has(format)
  if (isNumber) return { keywords: { valueType: { types, format } satisfies ValueType } }
  return { keywords: types === undefined ? {} : { type: schema.type } }
}

function isObjectSchema(schema: Schema | boolean): schema is Schema {
  return typeof schema === 'object'
}
