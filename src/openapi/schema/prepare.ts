/**
 * Prepares schemas for Ajv. Ajv gets the keywords that it reads as OpenAPI means them. For what it does not know, such as the
 * direction of a message, it gets keywords of ours (keywords.ts) or error finders (error-finders.ts).
 */
import type { Direction, OpenApi, Schema } from '../document/model.ts'
import { getTarget } from '../document/resolve.ts'
import { ANY, getSubschemas, getTypes, toSchema } from '../document/subschemas.ts'
import { mapValues, type Values } from '../document/values.ts'
import { createContext, type SchemaContext, toBranchContext, UNDIRECTED } from './context.ts'
import {
  createContainsFinder,
  createHiddenFinder,
  createNamesFinder,
  createUnevaluatedItemsFinder,
  createUnevaluatedPropertiesFinder,
  createUnionFinder,
  type ErrorFinder,
  type GetErrorFinder,
} from './error-finders.ts'
import { NUMBER_FORMATS } from './formats.ts'
import type { ValueType } from './keywords.ts'
import { type Int64Type, isBinary } from './types.ts'
import type { SchemaViews } from './view.ts'

/** Returns the schema for Ajv that a schema stands for in a context. */
export type Prepare = (schema: Schema, context: SchemaContext) => object

/** What becomes of some keywords of a schema. Each function below prepares other keywords, so that their order is of no matter. */
interface Preparation {
  /** Keywords for Ajv, without those that are undefined. */
  readonly keywords?: Values
  /** Schemas for Ajv that the value must also satisfy: they become `allOf`. */
  readonly conjuncts?: readonly (object | boolean)[]
  /** They become our keyword `errorFinders`. */
  readonly errorFinders?: readonly ErrorFinder[]
}

/** Creates `prepare`. `getErrorFinder` is for the schemas that are compiled by themselves. */
export function createPrepare(root: OpenApi, views: SchemaViews, getErrorFinder: GetErrorFinder): Prepare {
  const prepareFunctions = [
    prepareLimits,
    (schema: Schema) => prepareType(schema, views.int64),
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
    const preparations: Preparation[] = prepareFunctions.map((prepareKeywords) => prepareKeywords(schema, context))
    const allOf = preparations.flatMap(({ conjuncts = [] }) => conjuncts)
    const errorFinders = preparations.flatMap((preparation) => preparation.errorFinders ?? [])
    return omitUndefined({
      ...Object.assign({}, ...preparations.map(({ keywords }) => keywords)),
      allOf: allOf.length > 0 ? allOf : undefined,
      errorFinders: errorFinders.length > 0 ? errorFinders : undefined,
    })
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

  /** Prepares a subschema. A boolean schema stays as it is. */
  function prepareSubschema<Subschema extends Schema | boolean | undefined>(
    subschema: Subschema,
    context: SchemaContext,
  ): object | Subschema {
    return typeof subschema === 'object' ? prepare(subschema, context) : subschema
  }

  function prepareRequired({ required }: Schema, { hiddenNames }: SchemaContext): Preparation {
    return { keywords: { required: required?.filter((name) => !hiddenNames.includes(name)) } }
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
    const unions = views.getBranchings(schema).filter(({ isUnion }) => isUnion)
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
    const prepareCondition = (subschema: Schema | undefined) =>
      subschema === undefined ? undefined : { errorFinders: [getErrorFinder(toSchema(subschema), UNDIRECTED)] }
    const prepareBranch = (subschema: Schema | undefined) => prepareSubschema(subschema, toBranchContext(context))
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

  function prepareProperties(schema: Schema, { direction, hiddenNames }: SchemaContext): Preparation {
    const { properties, patternProperties, additionalProperties } = schema

    /** A request must not have a hidden property. A response drops it, so its value is of no matter. */
    function prepareProperty(subschema: Schema | boolean | undefined): object | boolean | undefined {
      const isHidden = typeof subschema === 'object' && views.get(subschema).isHidden(direction)
      if (isHidden) return direction === 'request' ? { readOnlyInRequest: true } : ANY
      return prepareSubschema(subschema, createContext(direction))
    }

    /** A schema around this one may hide the property. */
    function prepareNamedProperty(subschema: Schema | boolean, name: string): object | boolean | undefined {
      const isDropped = typeof subschema === 'object' && direction === 'response' && hiddenNames.includes(name)
      return isDropped ? ANY : prepareProperty(subschema)
    }

    return {
      keywords: {
        properties: properties && mapValues(properties, prepareNamedProperty),
        patternProperties: patternProperties && mapValues(patternProperties, prepareProperty),
        additionalProperties: prepareProperty(additionalProperties),
      },
    }
  }

  function preparePropertyNames({ propertyNames }: Schema): Preparation {
    if (propertyNames === undefined) return {}
    return { errorFinders: [createNamesFinder(getErrorFinder(toSchema(propertyNames), UNDIRECTED))] }
  }

  function prepareItems({ prefixItems, items }: Schema, { direction }: SchemaContext): Preparation {
    const prepareItem = (subschema: Schema | undefined) => prepareSubschema(subschema, createContext(direction))
    return { keywords: { prefixItems: prefixItems?.map(prepareItem), items: prepareItem(items) } }
  }

  function prepareContains(schema: Schema): Preparation {
    if (schema.contains === undefined) return {}
    return { errorFinders: [createContainsFinder(schema, getErrorFinder(toSchema(schema.contains), UNDIRECTED))] }
  }

  /** Prepares `unevaluatedProperties` and `unevaluatedItems`, which apply to the members that no other keyword evaluates. */
  function prepareUnevaluated(schema: Schema, { direction }: SchemaContext): Preparation {
    const { unevaluatedProperties, unevaluatedItems, ...evaluatingSchema } = schema
    if (unevaluatedProperties === undefined && unevaluatedItems === undefined) return {}
    const view = views.get(evaluatingSchema)
    const errorFinders: ErrorFinder[] = []
    if (unevaluatedProperties !== undefined) {
      const findMemberErrors = getMemberFinder(unevaluatedProperties, direction)
      errorFinders.push(createUnevaluatedPropertiesFinder(view, direction, findMemberErrors))
    }
    if (unevaluatedItems !== undefined) {
      const findMemberErrors = getMemberFinder(unevaluatedItems, direction)
      const getContainsFinder = (contained: Schema) => getErrorFinder(toSchema(contained), UNDIRECTED)
      errorFinders.push(createUnevaluatedItemsFinder(view, direction, findMemberErrors, getContainsFinder))
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
function prepareType(schema: Schema, int64: Int64Type): Preparation {
  const { format, minLength, maxLength } = schema
  const types = schema.type === undefined ? undefined : getTypes(schema)
  const isBytes = isBinary(schema) && types?.includes('string') !== false
  if (isBytes) {
    const valueType: ValueType = { types, allowsFiles: true }
    return { keywords: { valueType, minBytes: minLength, maxBytes: maxLength } }
  }
  const isNumber = types?.some((type) => type === 'number' || type === 'integer') ?? NUMBER_FORMATS.has(format)
  if (isNumber) return { keywords: { valueType: { types, format, int64 } satisfies ValueType } }
  return { keywords: { type: schema.type } }
}

/** Copies an object without undefined members. Ajv takes a schema without keywords for one of any value, which is faster. */
function omitUndefined(object: Values): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}
