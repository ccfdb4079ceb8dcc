/** Prepares the keywords for Ajv whose subschemas apply to properties and items: see prepare.ts. */
import type { Direction, Schema } from '../document/model.ts'
import { ANY, toSchema } from '../document/subschemas.ts'
import { mapValues } from '../document/values.ts'
import { createContext, UNDIRECTED } from './context.ts'
import type { ErrorFinder } from './error-finder.ts'
import {
  createContainsFinder,
  createHiddenFinder,
  createNamesFinder,
  createUnevaluatedItemsFinder,
  createUnevaluatedPropertiesFinder,
} from './error-finders.ts'
import type { PrepareKeywords, PrepareTools } from './preparation.ts'

/**
 * Prepares the subschemas of properties:
 *
 * | property                                  | in requests                           | in responses              |
 * |-------------------------------------------|---------------------------------------|---------------------------|
 * | which its subschema hides                 | is rejected                           | may be anything: not sent |
 * | which only a schema around this one hides | is as its subschema says: that schema | may be anything: not sent |
 * |                                           | rejects it                            |                           |
 * | any other one                             | is as its subschema says              | is as its subschema says  |
 */
export const prepareProperties: PrepareKeywords = (schema, { direction, hiddenNames }, { views, prepareSubschema }) => {
  const { properties, patternProperties, additionalProperties } = schema

  function prepareProperty(subschema: Schema | boolean | undefined): object | boolean | undefined {
    const isHidden = typeof subschema === 'object' && views.get(subschema).isHidden(direction)
    if (isHidden) return direction === 'request' ? { readOnlyInRequest: true } : ANY
    return prepareSubschema(subschema, createContext(direction))
  }

  function prepareNamedProperty(subschema: Schema | boolean, name: string): object | boolean | undefined {
    const isNotSent = typeof subschema === 'object' && direction === 'response' && hiddenNames.includes(name)
    return isNotSent ? ANY : prepareProperty(subschema)
  }

  return {
    keywords: {
      properties: properties && mapValues(properties, prepareNamedProperty),
      patternProperties: patternProperties && mapValues(patternProperties, prepareProperty),
      additionalProperties: prepareProperty(additionalProperties),
    },
  }
}

export const preparePropertyNames: PrepareKeywords = ({ propertyNames }, _context, { getErrorFinder }) => {
  if (propertyNames === undefined) return {}
  return { errorFinders: [createNamesFinder(getErrorFinder(toSchema(propertyNames), UNDIRECTED))] }
}

export const prepareItems: PrepareKeywords = ({ prefixItems, items }, { direction }, { prepareSubschema }) => {
  const prepareItem = (subschema: Schema | boolean | undefined) => prepareSubschema(subschema, createContext(direction))
  return { keywords: { prefixItems: prefixItems?.map(prepareItem), items: prepareItem(items) } }
}

export const prepareContains: PrepareKeywords = (schema, _context, { getErrorFinder }) => {
  if (schema.contains === undefined) return {}
  return { errorFinders: [createContainsFinder(schema, getErrorFinder(toSchema(schema.contains), UNDIRECTED))] }
}

/** Prepares `unevaluatedProperties` and `unevaluatedItems`, which apply to the members that no other keyword evaluates. */
export const prepareUnevaluated: PrepareKeywords = (schema, { direction }, tools) => {
  // Without the two keywords: otherwise, they would evaluate all members themselves.
  const { unevaluatedProperties, unevaluatedItems, ...evaluatingSchema } = schema
  if (unevaluatedProperties === undefined && unevaluatedItems === undefined) return {}
  const view = tools.views.get(evaluatingSchema)
  const errorFinders: ErrorFinder[] = []
  if (unevaluatedProperties !== undefined) {
    const findMemberErrors = getMemberFinder(unevaluatedProperties, direction, tools)
    errorFinders.push(createUnevaluatedPropertiesFinder(view, tools.views.select, direction, findMemberErrors))
  }
  if (unevaluatedItems !== undefined) {
    const findMemberErrors = getMemberFinder(unevaluatedItems, direction, tools)
    const getContainsFinder = (contained: Schema | boolean) => tools.getErrorFinder(toSchema(contained), UNDIRECTED)
    errorFinders.push(
      createUnevaluatedItemsFinder(view, tools.views.select, direction, findMemberErrors, getContainsFinder),
    )
  }
  return { errorFinders }
}

/** Returns the error finder of unevaluated members; undefined if the schema is false, so that there must be none. */
function getMemberFinder(
  schema: Schema | boolean,
  direction: Direction | undefined,
  { views, getErrorFinder }: PrepareTools,
): ErrorFinder | undefined {
  if (schema === false) return undefined
  if (views.get(schema).isHidden(direction)) return createHiddenFinder(direction)
  return getErrorFinder(toSchema(schema), createContext(direction))
}
