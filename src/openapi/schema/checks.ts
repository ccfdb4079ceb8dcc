/**
 * Checks: functions that find the errors in a value, for keywords whose subschemas are compiled by themselves. They are plain
 * functions, which Ajv calls by its public interface for keywords (https://ajv.js.org/keywords.html).
 */
import type { Ajv, ErrorObject } from 'ajv'
import type { Direction, Schema } from '../document/model.ts'
import { toObject, toPointer } from '../document/references.ts'
import { isObject } from '../shared/json.ts'
import { MAX_LISTED } from './keywords.ts'
import type { Dispatch, Union } from './union.ts'
import type { SchemaView } from './view.ts'

/** Where a value is in the validated value, as Ajv passes it on: by a JSON pointer. */
export interface Location {
  readonly instancePath: string
}

/** Returns the errors in a value; undefined if there are none. */
export type Check = (value: unknown, location: Location) => readonly ErrorObject[] | undefined

/** A schema that is compiled at its first use: schemas may refer to each other in circles, and in chains of any length. */
export interface Definition {
  readonly findErrors: Check
}

function createError(keyword: string, { instancePath }: Location, params: Record<string, unknown> = {}): ErrorObject {
  return { keyword, instancePath, schemaPath: '', params }
}

/** Locates a property or item. */
function locate({ instancePath }: Location, name: string | number): Location {
  return { instancePath: instancePath + toPointer(name) }
}

/** Creates the check of a property that messages in a direction lack. Responses are not validated where they are not sent. */
export function createHiddenCheck(direction: Direction | undefined): Check {
  return (_value, location) => (direction === 'request' ? [createError('hidden', location)] : undefined)
}

/**
 * Creates the check of `anyOf` or `oneOf`. With a dispatch, only the branch that the value can satisfy is validated; a value
 * without such a branch is rejected by its type or its tag. Otherwise, all branches are validated.
 */
export function createUnionCheck(
  { branches, keyword }: Union,
  dispatch: Dispatch | undefined,
  schema: Schema,
  define: (branch: Schema) => Definition,
): Check {
  const definitions = new Map(branches.map((branch) => [branch, define(branch)]))
  if (dispatch !== undefined) {
    return (value, location) => {
      const branch = dispatch.findBranch(value)
      return branch && definitions.get(branch)?.findErrors(value, location)
    }
  }
  const findNamedBranch = createBranchFinder(schema, branches)
  return (value, location) => {
    const results = branches.map((branch) => definitions.get(branch)?.findErrors(value, location))
    const validCount = results.filter((errors) => errors === undefined).length
    if (keyword === 'oneOf' ? validCount === 1 : validCount > 0) return undefined
    const namedErrors = results[findNamedBranch(value)]
    if (namedErrors !== undefined) return namedErrors
    const branchErrors = results.flatMap((errors) => errors ?? [])
    return [...branchErrors.slice(0, MAX_LISTED), createError(keyword, location)]
  }
}

/**
 * Creates the function that finds the index of the branch that a value names (OpenAPI 3.1, Discriminator Object); -1 if it names
 * none. The name decides which errors are shown, and never whether the value is valid.
 */
function createBranchFinder(schema: Schema, branches: readonly Schema[]): (value: unknown) => number {
  const { propertyName, mapping } = toObject(schema.discriminator)
  if (propertyName === undefined) return () => -1
  const references = branches.map(({ $ref = '' }) => $ref)
  return (value) => {
    const name = toObject(value)[String(propertyName)]
    if (typeof name !== 'string') return -1
    const target = toObject(mapping)[name] ?? name
    return references.findIndex(($ref) => $ref === target || $ref.split('/').at(-1) === target)
  }
}

/** Creates the check of `contains`, for which Ajv accepts an empty array after an array that satisfied it. */
export function createContainsCheck({ minContains = 1, maxContains }: Schema, definition: Definition): Check {
  return (value, location) => {
    if (!Array.isArray(value)) return undefined
    const items: readonly unknown[] = value
    const count = items.filter(
      (item, index) => definition.findErrors(item, locate(location, index)) === undefined,
    ).length
    if (count >= minContains && count <= (maxContains ?? Infinity)) return undefined
    return [createError('contains', location, { minContains, maxContains })]
  }
}

/** Creates the check of `propertyNames`. Its errors say which name they are about. */
export function createNamesCheck(definition: Definition): Check {
  return (value, location) => {
    if (!isObject(value)) return undefined
    return findFirstErrors(Object.keys(value), (name) =>
      definition.findErrors(name, location)?.map((error) => ({ ...error, propertyName: name })),
    )
  }
}

/** `definition` is false if no other properties are allowed. */
export function createUnevaluatedPropertiesCheck(
  view: SchemaView,
  direction: Direction | undefined,
  definition: Definition | false,
): Check {
  return (value, location) => {
    if (!isObject(value)) return undefined
    const selected = view.select(value, direction)
    // The value satisfies no branch of a union, so that it is not valid anyway.
    if (selected === undefined) return undefined
    const names = Object.keys(value).filter((name) => !selected.declares(name))
    return findFirstErrors(names, (name) => {
      if (definition !== false) return definition.findErrors(value[name], locate(location, name))
      return [createError('unevaluatedProperties', location, { unevaluatedProperty: name })]
    })
  }
}

/** `definition` is false if no other items are allowed; `define` is for the subschemas of `contains`, which evaluate items. */
export function createUnevaluatedItemsCheck(
  view: SchemaView,
  direction: Direction | undefined,
  definition: Definition | false,
  define: (contained: Schema) => Definition,
): Check {
  return (value, location) => {
    if (!Array.isArray(value)) return undefined
    const selected = view.select(value, direction)
    if (selected === undefined) return undefined
    const { schemas } = selected
    if (schemas.some((schema) => 'items' in schema || 'unevaluatedItems' in schema)) return undefined
    const prefixLength = Math.max(0, ...schemas.map(({ prefixItems = [] }) => prefixItems.length))
    const contained = schemas.flatMap((schema) => ('contains' in schema ? [define(schema.contains as Schema)] : []))
    const items: readonly unknown[] = value
    const unevaluated = items.keys().filter((index) => {
      const itemLocation = locate(location, index)
      const isContained = (other: Definition) => other.findErrors(items[index], itemLocation) === undefined
      return index >= prefixLength && !contained.some(isContained)
    })
    return findFirstErrors(unevaluated, (index) => {
      if (definition !== false) return definition.findErrors(items[index], locate(location, index))
      return [createError('unevaluatedItems', location, { limit: prefixLength })]
    })
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

/** Adds the keyword `checks`, whose value is a list of checks. */
export function addChecks(ajv: Ajv): void {
  ajv.addKeyword({ keyword: 'checks', errors: true, compile: createValidate })
}

/** Creates the function that Ajv calls. Ajv reads the errors from the function itself. */
function createValidate(checks: readonly Check[]) {
  const validate: { (value: unknown, location?: Location): boolean; errors?: ErrorObject[] } = (
    value,
    location = { instancePath: '' },
  ) => {
    let errors: ErrorObject[] | undefined
    for (const check of checks) {
      const violations = check(value, location)
      // Copy the list: Ajv adds the errors of other keywords to the list that it gets, and a check may return one list again.
      if (violations !== undefined) errors = [...(errors ?? []), ...violations]
    }
    if (errors === undefined) return true
    validate.errors = errors
    return false
  }
  return validate
}
