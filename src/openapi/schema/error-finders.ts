/** The error finders of keywords whose subschemas are compiled by themselves: see error-finder.ts. */
import type { ErrorObject } from 'ajv'
import type { Direction, Schema } from '../document/model.ts'
import { isObject } from '../shared/json.ts'
import type { Branching } from './branching.ts'
import type { Dispatch } from './dispatch.ts'
import { createError, type ErrorFinder, type ErrorList, toOuterErrors } from './error-finder.ts'
import { MAX_LISTED } from './keywords.ts'
import type { Selection } from './selection.ts'
import type { SchemaView } from './view.ts'

/** Creates the finder for a hidden value: it must not be in a request. A response drops it, so nothing is wrong. */
export function createHiddenFinder(direction: Direction | undefined): ErrorFinder {
  return () => (direction === 'request' ? [createError('readOnlyInRequest')] : undefined)
}

/** Creates the finder for `anyOf` or `oneOf`. */
export function createUnionFinder(
  union: Branching,
  dispatch: Dispatch | undefined,
  getErrorFinder: (branch: Schema) => ErrorFinder,
): ErrorFinder {
  const branchFinders = union.branches.map((branch) => [branch, getErrorFinder(branch)] as const)
  if (dispatch === undefined) return createAllBranchesFinder(union.keyword, branchFinders)
  const findersByBranch = new Map(branchFinders)
  return (value) => {
    const branch = dispatch.findBranch(value)
    // A value without a branch has errors by the types and tags that `prepare` demands.
    return branch && findersByBranch.get(branch)?.(value)
  }
}

/** Creates the finder that validates a value against all branches, because types and tags do not tell them apart. */
function createAllBranchesFinder(
  keyword: Branching['keyword'],
  branchFinders: readonly (readonly [branch: Schema, findErrors: ErrorFinder])[],
): ErrorFinder {
  return (value) => {
    const results = branchFinders.map(([, findErrors]) => findErrors(value))
    const validCount = results.filter((errors) => errors === undefined).length
    if (keyword === 'oneOf' ? validCount === 1 : validCount > 0) return undefined
    const branchErrors = results.flatMap((errors) => errors ?? [])
    return [...branchErrors.slice(0, MAX_LISTED), createError(keyword)]
  }
}

/** Creates the finder for `contains`. Ajv's own one keeps the result of one array for a later one that is empty. */
export function createContainsFinder(
  { minContains = 1, maxContains }: Schema,
  findItemErrors: ErrorFinder,
): ErrorFinder {
  return (value) => {
    if (!Array.isArray(value)) return undefined
    const count = value.filter((item) => findItemErrors(item) === undefined).length
    if (count >= minContains && count <= (maxContains ?? Infinity)) return undefined
    return [createError('contains', { minContains, ...(maxContains !== undefined && { maxContains }) })]
  }
}

/** Creates the finder for `propertyNames`. Its errors say which name they are about. */
export function createNamesFinder(findNameErrors: ErrorFinder): ErrorFinder {
  return (value) => {
    if (!isObject(value)) return undefined
    return findFirstErrors(Object.keys(value), (name) =>
      findNameErrors(name)?.map((error) => ({ ...error, propertyName: name })),
    )
  }
}

/**
 * Creates the finder for `unevaluatedProperties`. `view` has the schemas that evaluate properties. `findMemberErrors` validates
 * the other properties; without it, there must be none.
 */
export function createUnevaluatedPropertiesFinder(
  view: SchemaView,
  select: Selection['select'],
  direction: Direction | undefined,
  findMemberErrors: ErrorFinder | undefined,
): ErrorFinder {
  return (value) => {
    if (!isObject(value)) return undefined
    const selectedView = select(view, value, direction)
    // The value satisfies no branch of a union, which is an error by itself.
    if (selectedView === undefined) return undefined
    return findFirstErrors(Object.keys(value), (name) => {
      if (selectedView.declares(name)) return undefined
      return findMemberErrors === undefined
        ? [createError('unevaluatedProperties', { undeclaredName: name })]
        : toOuterErrors(name, findMemberErrors(value[name]))
    })
  }
}

/**
 * Creates the finder for `unevaluatedItems`. Evaluated are the items of `prefixItems`, and those that satisfy a `contains`, for whose
 * subschemas `getErrorFinder` is. With `items` or another `unevaluatedItems`, all are evaluated.
 */
export function createUnevaluatedItemsFinder(
  view: SchemaView,
  select: Selection['select'],
  direction: Direction | undefined,
  findItemErrors: ErrorFinder | undefined,
  getErrorFinder: (containsSchema: boolean | Schema) => ErrorFinder,
): ErrorFinder {
  return (value) => {
    if (!Array.isArray(value)) return undefined
    const selectedView = select(view, value, direction)
    if (selectedView === undefined) return undefined
    const { schemas } = selectedView
    if (schemas.some((schema) => 'items' in schema || 'unevaluatedItems' in schema)) return undefined
    const prefixLength = Math.max(0, ...schemas.map(({ prefixItems = [] }) => prefixItems.length))
    const containsFinders = schemas.flatMap((schema) =>
      schema.contains === undefined ? [] : [getErrorFinder(schema.contains)],
    )
    return findFirstErrors(value, (item, index) => {
      const isEvaluated = index < prefixLength || containsFinders.some((findErrors) => findErrors(item) === undefined)
      if (isEvaluated) return undefined
      return findItemErrors === undefined
        ? [createError('unevaluatedItems', { limit: prefixLength })]
        : toOuterErrors(index, findItemErrors(item))
    })
  }
}

/** Collects the errors of names or items, until there are more than a message lists. */
function findFirstErrors<Part>(
  parts: readonly Part[],
  findErrors: (part: Part, index: number) => ErrorList,
): ErrorList {
  const errors: ErrorObject[] = []
  for (let index = 0; index < parts.length && errors.length <= MAX_LISTED; index++) {
    const partErrors = findErrors(parts[index] as Part, index)
    if (partErrors !== undefined) errors.push(...partErrors)
  }
  return errors.length === 0 ? undefined : errors
}
