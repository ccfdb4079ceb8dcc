/**
 * Prepares schemas for Ajv. It compiles the keywords that it judges correctly, and our keywords (keywords.ts) replace the others. A
 * subschema that may be recursive, or whose errors must not become errors of its schema, has a separate validator, which Ajv calls by
 * our keyword `validators`.
 */

import type { OpenApi, Schema } from '../document/model.ts'
import { getReferences } from '../document/references.ts'
import { getSubschemas, getTypes, toSchema } from '../document/subschemas.ts'
import { createJoinIds, mapValues, memoize } from '../document/values.ts'
import { createPattern } from '../shared/patterns.ts'
import { BoundedCache } from './bounded-cache.ts'
import {
  createConditionContext,
  createContext,
  createInnerContext,
  createMemberContext,
  getOmittedNames,
  type LengthLimits,
  MAX_CONTEXTS,
  type SchemaContext,
  UNDIRECTED,
} from './context.ts'
import { NUMBER_FORMATS } from './formats.ts'
import { type ContextKeywords, hasCharacters, TESTED_KEYWORDS, type ValueType } from './keywords.ts'
import {
  createAdditionalValidator,
  createContainsValidator,
  createItemsValidator,
  createNamesValidator,
  createPatternsValidator,
  createUnevaluatedItemsValidator,
  createUnevaluatedPropertiesValidator,
} from './member-validators.ts'
import type { SchemaViews } from './selection.ts'
import { isBinary } from './types.ts'
import { createUnionValidator } from './union-validator.ts'
import { type GetValidator, type MemberValidator, rejectAny, rejectReadOnly, type Validator } from './validator.ts'

/**
 * Returns the schema for Ajv that a schema stands for in a context. In a request, for example,
 *
 *     required: [id, name]
 *     properties: { id: { type: integer, format: int64, readOnly: true }, name: { type: string } }
 *     oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }]
 *
 * becomes
 *
 *     required: [name]
 *     properties: { id: { validators: [a function that returns an error] }, name: { type: string } }
 *     validators: [a function that finds the branch which the value names, and returns the errors of that branch]
 */
export type Prepare = (schema: Schema, context: SchemaContext) => object

/** Keywords for Ajv; those that are undefined are left out. */
interface PreparedKeywords {
  /** Schemas for Ajv that the value must also satisfy. */
  readonly allOf?: readonly (object | boolean)[]
  readonly validators?: readonly Validator[]
  readonly [keyword: string]: unknown
}

/** What the functions below use besides the schema. */
interface Tools {
  readonly root: OpenApi
  readonly views: SchemaViews
  /** Returns the validator of a schema that is compiled by itself. */
  readonly getValidator: GetValidator
  /** Returns the validator of a condition, which tries no patterns on texts beyond the limits: see `LengthLimits`. */
  getCondition(schema: Schema | boolean, limits?: LengthLimits): Validator
  /** Returns a schema without `unevaluated…`: otherwise, these keywords evaluate all members. Each time, it is the same object. */
  withoutUnevaluated(schema: Schema): Schema
  /** Prepares a subschema that Ajv compiles with the schema. A boolean schema stays as it is. */
  prepareSubschema<Subschema extends Schema | boolean | undefined>(
    subschema: Subschema,
    context: SchemaContext,
  ): object | Subschema
}

/** Each function prepares other keywords, so their order does not matter. */
const PREPARE_FUNCTIONS = [
  prepareCopies,
  prepareType,
  prepareRequired,
  prepareReference,
  prepareUnions,
  prepareAllOf,
  prepareConditions,
  prepareProperties,
  preparePatterns,
  prepareAdditional,
  preparePropertyNames,
  prepareItems,
  prepareUnevaluated,
]

/** Creates `prepare`. */
export function createPrepare(root: OpenApi, views: SchemaViews, getValidator: GetValidator): Prepare {
  const tools: Tools = {
    root,
    views,
    getValidator,
    getCondition: (schema, limits = UNDIRECTED) => getValidator(toSchema(schema), createConditionContext(limits)),
    withoutUnevaluated: memoize(({ unevaluatedProperties, unevaluatedItems, ...otherKeywords }) => otherKeywords),
    prepareSubschema: (subschema, context) => (typeof subschema === 'object' ? prepare(subschema, context) : subschema),
  }

  function prepare(schema: Schema, outerContext: SchemaContext): object {
    const context = createInnerContext(views.get(schema), outerContext)
    const prepared: { -readonly [Keyword in keyof PreparedKeywords]: PreparedKeywords[Keyword] } = {}
    for (const prepareKeywords of PREPARE_FUNCTIONS) {
      const { allOf = [], validators = [], ...keywords }: PreparedKeywords = prepareKeywords(schema, context, tools)
      if (allOf.length > 0) prepared.allOf = [...(prepared.allOf ?? []), ...allOf]
      if (validators.length > 0) prepared.validators = [...(prepared.validators ?? []), ...validators]
      // Leave out undefined keywords: Ajv skips a subschema without keywords.
      for (const [keyword, value] of Object.entries(keywords)) if (value !== undefined) prepared[keyword] = value
    }
    return prepared
  }

  return prepare
}

/** The keywords without subschemas, except for `type`. Messages have the description of a pattern. */
const COPIED_KEYWORDS = new Set([...TESTED_KEYWORDS, 'format', 'minItems', 'maxItems', 'description'])

/** Copies keywords, and adds what their tests need to know of the context. */
function prepareCopies(schema: Schema, context: SchemaContext): PreparedKeywords {
  const copies = Object.fromEntries(Object.entries(schema).filter(([keyword]) => COPIED_KEYWORDS.has(keyword)))
  return { ...copies, textLimit: context.maxLength, omittedNames: getOmittedNames(context) } satisfies ContextKeywords
}

/**
 * Prepares `type`. For bytes and numbers, our keywords replace it, because Ajv knows neither files nor bigints:
 *
 * | schema                                           | what Ajv gets                                        |
 * |--------------------------------------------------|------------------------------------------------------|
 * | `{ type: string, format: binary }`               | `valueType`, which allows files                      |
 * | `{ type: [integer, "null"], format: int64 }`     | `valueType` with the types and the format            |
 * | `{ format: int64 }`                              | `valueType` with the format: any other type is valid |
 * | `{ type: [string, "null"] }`                     | `type`                                               |
 */
function prepareType(schema: Schema, _context: SchemaContext, { views: { int64 } }: Tools): PreparedKeywords {
  const { type, format } = schema
  const types = type === undefined ? undefined : getTypes(schema)
  const allowsFiles = isBinary(schema) && (types === undefined || types.includes('string'))
  const limitsNumbers = types?.some((name) => name === 'number' || name === 'integer') ?? NUMBER_FORMATS.has(format)
  return allowsFiles || limitsNumbers
    ? { valueType: { types, format, int64, allowsFiles } satisfies ValueType }
    : { type }
}

/** Prepares `required` and `dependentRequired`: they must not demand what messages in the direction lack. */
function prepareRequired({ required, dependentRequired }: Schema, context: SchemaContext): PreparedKeywords {
  const omitHidden = (names: readonly string[]) => names.filter((name) => !context.hiddenNames.includes(name))
  return {
    required: required && omitHidden(required),
    dependentRequired: dependentRequired && mapValues(omitMembers(dependentRequired, context), omitHidden),
  }
}

/** Returns what a keyword says of members by their names, without the members that a response leaves out. */
function omitMembers<Value>(
  valuesByName: Readonly<Record<string, Value>>,
  context: SchemaContext,
): Readonly<Record<string, Value>> {
  const omittedNames = getOmittedNames(context)
  return Object.fromEntries(Object.entries(valuesByName).filter(([name]) => !omittedNames.includes(name)))
}

/**
 * Prepares `$ref`. A target without subschemas cannot be recursive, so Ajv compiles it in place, which is faster than to call a
 * validator.
 */
function prepareReference({ $ref }: Schema, context: SchemaContext, tools: Tools): PreparedKeywords {
  if ($ref === undefined) return {}
  const target = toSchema(getReferences(tools.root).getTarget($ref))
  const hasSubschemas = target.$ref !== undefined || getSubschemas(target).length > 0
  if (hasSubschemas) return { validators: [tools.getValidator(target, context)] }
  return { allOf: [tools.prepareSubschema(target, context)] }
}

/** Prepares `anyOf` and `oneOf`. */
function prepareUnions(schema: Schema, context: SchemaContext, { views, getValidator }: Tools): PreparedKeywords {
  const unions = views.getBranchings(schema).filter(({ isUnion }) => isUnion)
  const validators = unions.map((union) =>
    createUnionValidator(union, views.getDispatch(union, context.hiddenNames), (branch) =>
      getValidator(branch, context),
    ),
  )
  return { validators }
}

function prepareAllOf({ allOf = [] }: Schema, context: SchemaContext, { prepareSubschema }: Tools): PreparedKeywords {
  return { allOf: allOf.map((subschema) => prepareSubschema(subschema, context)) }
}

/**
 * Prepares `not`, `if`, `then`, `else` and `dependentSchemas`. Conditions have separate validators, which works around a bug: Ajv
 * compiles them without `allErrors`, and then skips the keywords after `prefixItems` if an array is shorter.
 */
function prepareConditions(schema: Schema, context: SchemaContext, tools: Tools): PreparedKeywords {
  const { not, if: condition, then: thenSchema, else: elseSchema, dependentSchemas } = schema
  const prepareCondition = (subschema: Schema | boolean | undefined) =>
    subschema === undefined ? undefined : { validators: [tools.getCondition(subschema, context)] }
  const prepareBranch = (subschema: Schema | boolean | undefined) => tools.prepareSubschema(subschema, context)
  return {
    not: prepareCondition(not),
    if: prepareCondition(condition),
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: prepareBranch(thenSchema),
    else: prepareBranch(elseSchema),
    dependentSchemas: dependentSchemas && mapValues(omitMembers(dependentSchemas, context), prepareBranch),
  }
}

/** Prepares `properties`. A request must not have a property that its subschema hides; of a response, `omitMembers` drops it. */
function prepareProperties(
  { properties }: Schema,
  context: SchemaContext,
  { views, prepareSubschema }: Tools,
): PreparedKeywords {
  const prepareProperty = (subschema: Schema | boolean, name: string): object | boolean =>
    views.get(subschema).isHidden(context.direction)
      ? { validators: [rejectReadOnly] }
      : prepareSubschema(subschema, createMemberContext(context, name))
  return { properties: properties && mapValues(omitMembers(properties, context), prepareProperty) }
}

/** Prepares `patternProperties`. */
function preparePatterns({ patternProperties }: Schema, context: SchemaContext, tools: Tools): PreparedKeywords {
  if (patternProperties === undefined) return {}
  const patterns = Object.entries(patternProperties).map(
    ([pattern, subschema]) =>
      [createPattern(pattern), getUnnamedValidator(subschema, context, tools) ?? rejectAny] as const,
  )
  return { validators: [createPatternsValidator(patterns, createIsTried(context))] }
}

/** Prepares `additionalProperties`. */
function prepareAdditional(schema: Schema, context: SchemaContext, tools: Tools): PreparedKeywords {
  const { properties = {}, patternProperties = {}, additionalProperties = true } = schema
  if (additionalProperties === true) return {}
  const isAllowed = (subschema: Schema | boolean) =>
    subschema !== false && !tools.views.get(subschema).isHidden(context.direction)
  const validator = createAdditionalValidator({
    declaredNames: new Set(Object.keys(properties)),
    allowedNames: Object.entries(properties).flatMap(([name, subschema]) => (isAllowed(subschema) ? [name] : [])),
    patterns: Object.keys(patternProperties).map(createPattern),
    isTried: createIsTried(context),
    validateMember: getUnnamedValidator(additionalProperties, context, tools),
  })
  return { validators: [validator] }
}

/** Creates the test of names that keywords look at. A response leaves hidden members out; for long names, see `LengthLimits`. */
function createIsTried(context: SchemaContext): (name: string) => boolean {
  const omittedNames = getOmittedNames(context)
  return (name) => !omittedNames.includes(name) && !hasCharacters(name, context.maxNameLength + 1)
}

function preparePropertyNames({ propertyNames }: Schema, context: SchemaContext, tools: Tools): PreparedKeywords {
  if (propertyNames === undefined) return {}
  const validateName = tools.getCondition(propertyNames, {
    maxLength: context.maxNameLength,
    maxNameLength: Infinity,
  })
  return { validators: [createNamesValidator(validateName, getOmittedNames(context))] }
}

/** Prepares `prefixItems`, `items` and `contains`. */
function prepareItems(schema: Schema, context: SchemaContext, tools: Tools): PreparedKeywords {
  const { prefixItems, items = true, contains } = schema
  const validateItem = items === false ? undefined : getMemberValidator(items, context, tools)
  return {
    prefixItems: prefixItems?.map((subschema, index) =>
      tools.prepareSubschema(subschema, createMemberContext(context, index)),
    ),
    validators: [
      ...(items === true ? [] : [createItemsValidator(prefixItems?.length ?? 0, validateItem)]),
      ...(contains === undefined ? [] : [createContainsValidator(schema, tools.getCondition(contains))]),
    ],
  }
}

/** Prepares `unevaluatedProperties` and `unevaluatedItems`, which apply to the members that no other keyword evaluates. */
function prepareUnevaluated(schema: Schema, context: SchemaContext, tools: Tools): PreparedKeywords {
  const { unevaluatedProperties, unevaluatedItems } = schema
  if (unevaluatedProperties === undefined && unevaluatedItems === undefined) return {}
  const { views, getCondition, withoutUnevaluated } = tools
  const select = views.createInnerSelect(views.get(withoutUnevaluated(schema)), context)
  const validators: Validator[] = []
  if (unevaluatedProperties !== undefined) {
    const validateMember = getUnnamedValidator(unevaluatedProperties, context, tools)
    validators.push(createUnevaluatedPropertiesValidator(select, validateMember, createIsTried(context)))
  }
  if (unevaluatedItems !== undefined) {
    const validateItem = getUnnamedValidator(unevaluatedItems, context, tools)
    validators.push(createUnevaluatedItemsValidator(select, validateItem, getCondition))
  }
  return { validators }
}

/**
 * Returns the validator of members that are not declared by their name; undefined for the schema `false`, so that the keyword itself
 * reports such members.
 */
function getUnnamedValidator(
  schema: Schema | boolean,
  context: SchemaContext,
  tools: Tools,
): MemberValidator | undefined {
  if (schema === false) return undefined
  if (!tools.views.get(schema).isHidden(context.direction)) return getMemberValidator(schema, context, tools)
  // A response leaves a hidden member out, so nothing is wrong.
  return context.direction === 'request' ? rejectReadOnly : () => undefined
}

/**
 * Returns the validator of members that share a subschema. It calls another one for each member if other declarations of members may
 * hide names within them, because the context then differs between the members.
 */
function getMemberValidator(
  schema: Schema | boolean,
  context: SchemaContext,
  { getValidator }: Tools,
): MemberValidator {
  const subschema = toSchema(schema)
  const { direction, hidingViews } = context
  if (hidingViews.length === 0) return getValidator(subschema, createContext(direction))
  // Without this cache, long arrays take many times as long: `getValidator` needs the whole context of each member.
  const joinIds = createJoinIds()
  const validators = new BoundedCache<string, Validator>(MAX_CONTEXTS)
  return (value, key) => {
    const memberViews = hidingViews.map((view) => view.member(key))
    const create = () => getValidator(subschema, createMemberContext(context, key))
    return validators.get(joinIds(memberViews), create)(value)
  }
}
