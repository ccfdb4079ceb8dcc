/** The error finders of keywords whose subschemas are compiled by themselves: see error-finder.ts. */
import type { Ajv, ErrorObject } from 'ajv'
import type { Direction, Schema } from '../document/model.ts'
import { isObject } from '../shared/json.ts'
import type { Branching } from './branching.ts'
import type { Dispatch } from './dispatch.ts'
import { createError, type ErrorFinder, type Location, locateMember, ROOT_LOCATION } from './error-finder.ts'
import { MAX_LISTED } from './keywords.ts'
import type { Selection } from './selection.ts'
import type { SchemaView } from './view.ts'

/** Creates the finder for a hidden value: it must not be in a request. A response drops it, so nothing is wrong. */
export function createHiddenFinder(direction: Direction | undefined): ErrorFinder {
  return (_value, location) => (direction === 'request' ? [createError('readOnlyInRequest', location)] : undefined)
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
  return (value, location) => {
    const branch = dispatch.findBranch(value)
    // A value without a branch has errors by the types and tags that `prepare` demands.
    return branch && findersByBranch.get(branch)?.(value, location)
  }
}

/** Creates the finder that validates a value against all branches, because types and tags do not tell them apart. */
function createAllBranchesFinder(
  keyword: Branching['keyword'],
  branchFinders: readonly (readonly [branch: Schema, findErrors: ErrorFinder])[],
): ErrorFinder {
  return (value, location) => {
    const results = branchFinders.map(([, findErrors]) => findErrors(value, location))
    const validCount = results.filter((errors) => errors === undefined).length
    if (keyword === 'oneOf' ? validCount === 1 : validCount > 0) return undefined
    const branchErrors = results.flatMap((errors) => errors ?? [])
    return [...branchErrors.slice(0, MAX_LISTED), createError(keyword, location)]
  }
}

/** Creates the finder for `contains`. Ajv's own one keeps the result of one array for a later one that is empty. */
export function createContainsFinder(
  { minContains = 1, maxContains }: Schema,
  findItemErrors: ErrorFinder,
): ErrorFinder {
  return (value, location) => {
    if (!Array.isArray(value)) return undefined
    const items: readonly unknown[] = value
    const isContained = (item: unknown, index: number) =>
      findItemErrors(item, locateMember(location, index)) === undefined
    const count = items.filter(isContained).length
    if (count >= minContains && count <= (maxContains ?? Infinity)) return undefined
    return [createError('contains', location, { minContains, ...(maxContains !== undefined && { maxContains }) })]
  }
}

/** Creates the finder for `propertyNames`. Its errors say which name they are about. */
export function createNamesFinder(findNameErrors: ErrorFinder): ErrorFinder {
  return (value, location) => {
    if (!isObject(value)) return undefined
    return findFirstErrors(Object.keys(value), (name) =>
      findNameErrors(name, location)?.map((error) => ({ ...error, propertyName: name })),
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
  return (value, location) => {
    if (!isObject(value)) return undefined
    const selectedView = select(view, value, direction)
    // The value satisfies no branch of a union, which is an error by itself.
    if (selectedView === undefined) return undefined
    const names = Object.keys(value).filter((name) => !selectedView.declares(name))
    return findFirstErrors(names, (name) =>
      findMemberErrors === undefined
        ? [createError('unevaluatedProperties', location, { unevaluatedProperty: name })]
        : findMemberErrors(value[name], locateMember(location, name)),
    )
  }
}

/**
 * Creates the finder for `unevaluatedItems`, as for `unevaluatedProperties`. Evaluated are the items of `prefixItems`, and those that
 * satisfy a `contains`, for whose subschemas `getErrorFinder` is. With `items` or another `unevaluatedItems`, all are evaluated.
 */
export function createUnevaluatedItemsFinder(
  view: SchemaView,
  select: Selection['select'],
  direction: Direction | undefined,
  findMemberErrors: ErrorFinder | undefined,
  getErrorFinder: (containsSchema: boolean | Schema) => ErrorFinder,
): ErrorFinder {
  return (value, location) => {
    if (!Array.isArray(value)) return undefined
    const items: readonly unknown[] = value
    const selectedView = select(view, value, direction)
    if (selectedView === undefined) return undefined
    const { schemas } = selectedView
    if (schemas.some((schema) => 'items' in schema || 'unevaluatedItems' in schema)) return undefined
    const prefixLength = Math.max(0, ...schemas.map(({ prefixItems = [] }) => prefixItems.length))
    const containsFinders = schemas.flatMap((schema) =>
      schema.contains === undefined ? [] : [getErrorFinder(schema.contains)],
    )
    const isContained = (index: number) =>
      containsFinders.some((findErrors) => findErrors(items[index], locateMember(location, index)) === undefined)
    const unevaluatedIndexes = items.keys().filter((index) => index >= prefixLength && !isContained(index))
    return findFirstErrors(unevaluatedIndexes, (index) =>
      findMemberErrors === undefined
        ? [createError('unevaluatedItems', location, { limit: prefixLength })]
        : findMemberErrors(items[index], locateMember(location, index)),
    )
  }
}

/** Collects the errors of names or indexes, until there are more than a message lists. */
function findFirstErrors<Key>(
  keys: Iterable<Key>,
  findErrors: (key: Key) => readonly ErrorObject[] | undefined,
): ErrorObject[] | undefined {
  const errors: ErrorObject[] = []
  for (const key of keys) {
    errors.push(...(findErrors(key) ?? []))
    if (errors.length > MAX_LISTED) break
  }
  return errors.length === 0 ? undefined : errors
}

/** Adds the keyword `errorFinders`, whose value is a list of error finders. */
export function addErrorFinders(ajv: Ajv): void {
  ajv.addKeyword({ keyword: 'errorFinders', errors: true, compile: createValidate })
}

/** Creates the function that Ajv calls. Ajv reads the errors from the function itself. */
function createValidate(errorFinders: readonly ErrorFinder[]) {
  const validate: { (value: unknown, location?: Location): boolean; errors?: ErrorObject[] } = (
    value,
    location = ROOT_LOCATION,
  ) => {
    let errors: ErrorObject[] | undefined
    for (const findErrors of errorFinders) {
      const finderErrors = findErrors(value, location)
      // Copy the list: Ajv adds the errors of other keywords to the list that it gets, and finders may return one list again.
      if (finderErrors !== undefined) errors = [...(errors ?? []), ...finderErrors]
    }
    if (errors === undefined) return true
    validate.errors = errors
    return false
  }
  return validate
}
