/**
 * Creates the validators of keywords for items and members: Ajv misjudges some, and its loops go on to the last item even if all are
 * invalid. These validators end once there are more errors than a message lists.
 */
import type { ErrorObject } from 'ajv'
import type { Schema } from '../document/model.ts'
import { getMemberNames, isObject } from '../shared/json.ts'
import { hasCharacters } from './keywords.ts'
import type { Select } from './selection.ts'
import {
  createError,
  type ErrorList,
  MAX_LISTED,
  type MemberValidator,
  toOuterErrors,
  type Validator,
} from './validator.ts'

/** Creates the validator of `items`, which describes the items after `prefixItems`. Without `validateItem`, it allows no such items. */
export function createItemsValidator(prefixLength: number, validateItem: MemberValidator | undefined): Validator {
  return (value) => {
    if (!Array.isArray(value) || value.length <= prefixLength) return undefined
    if (validateItem === undefined) return [createError('items', { limit: prefixLength })]
    return findFirstErrors(value, (item, index) =>
      index < prefixLength ? undefined : toOuterErrors(index, validateItem(item, index)),
    )
  }
}

/** The keyword `patternProperties`, with the validators of its subschemas. */
type Patterns = readonly (readonly [pattern: RegExp, validateMember: MemberValidator])[]

/** True for the names of the members that a validator looks at. */
type IsTried = (name: string) => boolean

/** Creates the validator of `patternProperties`. */
export function createPatternsValidator(patterns: Patterns, isTried: IsTried): Validator {
  return (value) => {
    if (!isObject(value)) return undefined
    const names = getMemberNames(value).filter(isTried)
    return findFirstErrors(patterns, ([pattern, validateMember]) =>
      findFirstErrors(names, (name) =>
        pattern.test(name) ? toOuterErrors(name, validateMember(value[name], name)) : undefined,
      ),
    )
  }
}

interface AdditionalProperties {
  readonly declaredNames: ReadonlySet<string>
  /** The declared names that requests may have: messages list them. */
  readonly allowedNames: readonly string[]
  readonly patterns: readonly RegExp[]
  readonly isTried: IsTried
  /** Undefined if the schema allows no additional properties. */
  readonly validateMember: MemberValidator | undefined
}

/** Creates the validator of `additionalProperties`. */
export function createAdditionalValidator({
  declaredNames,
  allowedNames,
  patterns,
  isTried,
  validateMember,
}: AdditionalProperties): Validator {
  return (value) => {
    if (!isObject(value)) return undefined
    const undeclaredNames = Object.keys(value).filter(
      (name) =>
        !declaredNames.has(name) &&
        value[name] !== undefined &&
        isTried(name) &&
        !patterns.some((pattern) => pattern.test(name)),
    )
    return findFirstErrors(undeclaredNames, (name) =>
      validateMember === undefined
        ? [createError('additionalProperties', { undeclaredName: name, allowedNames })]
        : toOuterErrors(name, validateMember(value[name], name)),
    )
  }
}

/** Creates the validator of `contains`. Ajv's own takes the result of an array for that of a later array, if the later one is empty. */
export function createContainsValidator({ minContains = 1, maxContains }: Schema, validateItem: Validator): Validator {
  return (value) => {
    if (!Array.isArray(value)) return undefined
    const count = value.filter((item) => validateItem(item) === undefined).length
    if (count >= minContains && count <= (maxContains ?? Infinity)) return undefined
    return [createError('contains', { minContains, ...(maxContains !== undefined && { maxContains }) })]
  }
}

/** Creates the validator of `propertyNames`. Its errors say which name they are about. */
export function createNamesValidator(validateName: Validator, omittedNames: readonly string[]): Validator {
  return (value) => {
    if (!isObject(value)) return undefined
    return findFirstErrors(getMemberNames(value, omittedNames), (name) =>
      validateName(name)?.map((error) => ({ ...error, propertyName: name })),
    )
  }
}

/**
 * Creates the validator of `unevaluatedProperties`. `select` returns the view whose schemas evaluate members; a value without a view
 * is an error of a union. `validateMember` is for the properties that no other keyword evaluates; without it, there must be none.
 */
export function createUnevaluatedPropertiesValidator(
  select: Select,
  validateMember: MemberValidator | undefined,
  isTried: IsTried,
): Validator {
  return (value) => {
    if (!isObject(value)) return undefined
    const view = select(value)
    if (view === undefined) return undefined
    // A selected branch may limit names without having been validated.
    const names = getMemberNames(value).filter((name) => isTried(name) && !hasCharacters(name, view.maxNameLength + 1))
    return findFirstErrors(names, (name) => {
      if (view.declares(name)) return undefined
      return validateMember === undefined
        ? [createError('unevaluatedProperties', { undeclaredName: name })]
        : toOuterErrors(name, validateMember(value[name], name))
    })
  }
}

/**
 * Creates the validator of `unevaluatedItems`. Evaluated are the items of `prefixItems`, and those that satisfy a `contains`. With
 * `items` or another `unevaluatedItems`, all are evaluated.
 */
export function createUnevaluatedItemsValidator(
  select: Select,
  validateItem: MemberValidator | undefined,
  getCondition: (contains: boolean | Schema) => Validator,
): Validator {
  return (value) => {
    if (!Array.isArray(value)) return undefined
    const view = select(value)
    if (view === undefined) return undefined
    const { schemas } = view
    if (schemas.some((schema) => 'items' in schema || 'unevaluatedItems' in schema)) return undefined
    const prefixLength = Math.max(0, ...schemas.map(({ prefixItems = [] }) => prefixItems.length))
    const containsValidators = schemas.flatMap(({ contains }) =>
      contains === undefined ? [] : [getCondition(contains)],
    )
    return findFirstErrors(value, (item, index) => {
      const isContained = () => containsValidators.some((validate) => validate(item) === undefined)
      if (index < prefixLength || isContained()) return undefined
      return validateItem === undefined
        ? toOuterErrors(index, [createError('unevaluatedItems')])
        : toOuterErrors(index, validateItem(item, index))
    })
  }
}

/** Collects the errors of names or items, until there are more than a message lists. */
function findFirstErrors<Part>(parts: readonly Part[], validate: (part: Part, index: number) => ErrorList): ErrorList {
  let errors: ErrorObject[] | undefined
  for (let index = 0; index < parts.length; index++) {
    const partErrors = validate(parts[index] as Part, index)
    if (partErrors === undefined) continue
    errors = [...(errors ?? []), ...partErrors]
    if (errors.length > MAX_LISTED) break
  }
  return errors
}
