/**
 * Prepares schemas for Ajv. Its own keywords remain as they are. What Ajv does not know, such as the direction of a message,
 * becomes JSON Schema or a check: a function that finds the errors in a value.
 */
import type { Direction, OpenApi, Schema } from '../document/model.ts'
import { ANY, getSubschemas, getTarget, getTypes, mapSubschemas, toSchema } from '../document/references.ts'
import { isBinary } from './applicators.ts'
import {
  type Check,
  createContainsCheck,
  createHiddenCheck,
  createNamesCheck,
  createUnevaluatedItemsCheck,
  createUnevaluatedPropertiesCheck,
  createUnionCheck,
  type Definition,
} from './checks.ts'
import { NUMBER_FORMATS } from './formats.ts'
import type { ValueType } from './keywords.ts'
import type { SchemaView, SchemaViews } from './view.ts'

/**
 * What the schemas around a schema say about the same value. In a request to
 *
 *     required: [id]
 *     properties: { id: { readOnly: true } }
 *     anyOf: [{ required: [id, name] }, { required: [key], properties: { key: { readOnly: true } } }]
 *
 * `id` is hidden from the schema and from both branches: none of them may require it. `key` is hidden from the second branch, and
 * from the schema itself, because its own `required` applies to the second branch, too. The first branch may require `key`.
 */
export interface Context {
  readonly direction: Direction | undefined
  /** The properties that `required` must not demand, because messages in the direction lack them. */
  readonly hiddenNames: readonly string[]
  /** Those of them that `required` of a branch must not demand. */
  readonly hiddenNamesInBranches: readonly string[]
}

/** Returns the context of a schema that nothing surrounds. */
export function createContext(direction: Direction | undefined, hiddenNames: readonly string[] = []): Context {
  return { direction, hiddenNames, hiddenNamesInBranches: hiddenNames }
}

/** The context of conditions. They must not depend on the direction: a `not` would accept values that its schema excludes. */
const UNDIRECTED = createContext(undefined)

/** Keywords that become a check, that Ajv understands otherwise than OpenAPI does, or whose names are those of our own. */
const NOT_FOR_AJV =
  /^(checks|hidden|valueType|(min|max)Bytes|\$(ref|id|schema|anchor|dynamicAnchor|async|comment)|id|nullable|discriminator|default|not|if|anyOf|oneOf|contains|(min|max)Contains|propertyNames|unevaluated(Properties|Items))$/

/** `define` returns the definition of a schema in a context, the same one each time. */
export function createPrepare(
  root: OpenApi,
  views: SchemaViews,
  define: (schema: Schema, context: Context) => Definition,
): (schema: Schema, context: Context) => object {
  function prepare(schema: Schema, outerContext: Context): object {
    const context = addHiddenNames(schema, outerContext)
    const prepared = prepareSubschemas(schema, context)
    const checks = createChecks(schema, context)
    const conjuncts = [
      ...prepareLeaf(schema, context),
      ...prepareDispatches(schema, context),
      ...(prepared.allOf ?? []),
    ]
    return {
      ...prepared,
      ...prepareType(schema),
      ...(schema.required && { required: schema.required.filter((name) => !context.hiddenNames.includes(name)) }),
      ...prepareConditions(schema),
      ...(conjuncts.length > 0 && { allOf: conjuncts }),
      ...(checks.length > 0 && { checks }),
    }
  }

  function addHiddenNames(schema: Schema, context: Context): Context {
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

  /** Prepares the keywords of Ajv, with the subschemas in them. */
  function prepareSubschemas(schema: Schema, context: Context): Schema {
    const { direction, hiddenNames } = context
    const forAjv = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !NOT_FOR_AJV.test(keyword)))
    return mapSubschemas(forAjv, (subschema, keyword, name = '') => {
      if (/properties$/i.test(keyword)) {
        // A request must not have the property. In a response it is not sent, and not validated.
        if (views.get(subschema).isHidden(direction)) return direction === 'request' ? REJECTED : ANY
        if (direction === 'response' && keyword === 'properties' && hiddenNames.includes(name)) return ANY
      }
      if (keyword === 'allOf') return prepare(subschema, context)
      if (/^(then|else|dependentSchemas)$/.test(keyword)) return prepare(subschema, toBranchContext(context))
      return prepare(subschema, createContext(direction))
    })
  }

  function createChecks(schema: Schema, context: Context): Check[] {
    const { contains, propertyNames, unevaluatedProperties, unevaluatedItems } = schema
    const { direction, hiddenNames } = context
    const checks: Check[] = []
    const target = findTarget(schema)
    if (target !== undefined && !isLeaf(target)) checks.push(define(target, context).findErrors)
    for (const union of views.getUnions(schema)) {
      if (!union.isAlternative) continue
      const dispatch = union.getDispatch(hiddenNames)
      checks.push(createUnionCheck(union, dispatch, schema, (branch) => define(branch, toBranchContext(context))))
    }
    if (contains !== undefined) checks.push(createContainsCheck(schema, define(toSchema(contains), UNDIRECTED)))
    if (propertyNames !== undefined) checks.push(createNamesCheck(define(toSchema(propertyNames), UNDIRECTED)))
    if (unevaluatedProperties !== undefined) {
      const definition = unevaluatedProperties !== false && defineMember(unevaluatedProperties, direction)
      checks.push(createUnevaluatedPropertiesCheck(getEvaluatingView(schema), direction, definition))
    }
    if (unevaluatedItems !== undefined) {
      const definition = unevaluatedItems !== false && defineMember(unevaluatedItems, direction)
      const defineContained = (contained: Schema) => define(toSchema(contained), UNDIRECTED)
      checks.push(createUnevaluatedItemsCheck(getEvaluatingView(schema), direction, definition, defineContained))
    }
    return checks
  }

  function defineMember(schema: Schema | boolean, direction: Direction | undefined): Definition {
    if (views.get(schema).isHidden(direction)) return { findErrors: createHiddenCheck(direction) }
    return define(toSchema(schema), createContext(direction))
  }

  /** Returns the view of the schemas that evaluate members before `unevaluatedProperties` and `unevaluatedItems` see the rest. */
  function getEvaluatingView({ unevaluatedProperties, unevaluatedItems, ...evaluatingSchema }: Schema): SchemaView {
    return views.get(evaluatingSchema)
  }

  function findTarget({ $ref }: Schema): Schema | undefined {
    return $ref === undefined ? undefined : toSchema(getTarget(root, $ref))
  }

  /** Returns a referenced schema without subschemas, in a list. Ajv compiles it in place, which is faster than a call. */
  function prepareLeaf(schema: Schema, context: Context): readonly object[] {
    const target = findTarget(schema)
    return target !== undefined && isLeaf(target) ? [prepare(target, context)] : []
  }

  /** Returns the types and tags that unions demand before one branch is validated. */
  function prepareDispatches(schema: Schema, { hiddenNames }: Context): readonly object[] {
    const dispatches = views.getUnions(schema).flatMap((union) => union.getDispatch(hiddenNames) ?? [])
    return dispatches.map(({ types, tag }) => ({
      // A branch of strings rejects files itself unless it is bytes.
      valueType: { types, allowsFiles: true } satisfies ValueType,
      ...(tag && { required: [tag.name], properties: { [tag.name]: { enum: tag.values } } }),
    }))
  }

  /**
   * Has each subschema of a condition compiled by itself. Otherwise, Ajv compiles it without `allErrors`, and skips what follows
   * `prefixItems` if an array is shorter (`validateTuple` in ajv/lib/vocabularies/applicator/items.ts).
   */
  function prepareConditions({ not, if: condition }: Schema): object {
    const toCheck = (subschema: Schema | boolean) => ({ checks: [define(toSchema(subschema), UNDIRECTED).findErrors] })
    return Object.fromEntries([
      ...(not === undefined ? [] : [['not', toCheck(not)]]),
      ...(condition === undefined ? [] : [['if', toCheck(condition)]]),
    ])
  }

  return prepare
}

/** The prepared schema of a property that a request must not have. */
const REJECTED = { hidden: true }

/** A branch does not inherit the names that only its siblings hide. */
function toBranchContext({ direction, hiddenNamesInBranches }: Context): Context {
  return createContext(direction, hiddenNamesInBranches)
}

function isLeaf(schema: Schema): boolean {
  return schema.$ref === undefined && getSubschemas(schema).length === 0
}

/** Replaces the type and format of numbers and files. */
function prepareType(schema: Schema): object {
  const types = schema.type === undefined ? undefined : getTypes(schema)
  const { format, minLength, maxLength } = schema
  if (isBinary(schema) && types?.includes('string') !== false) {
    const valueType: ValueType = { types, allowsFiles: true }
    const limits = {
      ...(minLength !== undefined && { minBytes: minLength }),
      ...(maxLength !== undefined && { maxBytes: maxLength }),
    }
    return { type: undefined, valueType, ...limits }
  }
  const isNumber = types?.some((type) => type === 'number' || type === 'integer') ?? NUMBER_FORMATS.has(format)
  const valueType: ValueType = { types, format }
  return isNumber ? { type: undefined, valueType } : {}
}
