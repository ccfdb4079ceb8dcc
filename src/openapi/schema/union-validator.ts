/** Creates the validators of `anyOf` and `oneOf`. */
import type { Schema } from '../document/model.ts'
import type { Branching } from './branching.ts'
import type { Dispatch } from './dispatch.ts'
import { createError, MAX_LISTED, type Validator } from './validator.ts'

/** Creates the validator of a union; `getValidator` returns the validator of a branch. Without a dispatch, all branches are tried. */
export function createUnionValidator(
  { keyword, branches }: Branching,
  dispatch: Dispatch | undefined,
  getValidator: (schema: Schema) => Validator,
): Validator {
  if (dispatch === undefined) return createTrialValidator(keyword, branches.map(getValidator))
  const validators = new Map(branches.map((branch) => [branch, getValidator(branch)]))
  const validateByDispatch = getValidator(dispatch.schema)
  return (value) => {
    const branch = dispatch.findBranch(value)
    const validate = branch && validators.get(branch)
    // A value without a branch is never valid, also if the schema of the dispatch accepts it.
    return validate === undefined ? (validateByDispatch(value) ?? [createError(keyword)]) : validate(value)
  }
}

/** Creates the validator that tries all branches, because types and tags do not tell them apart. */
function createTrialValidator(keyword: Branching['keyword'], validators: readonly Validator[]): Validator {
  return (value) => {
    const results = validators.map((validate) => validate(value))
    const validCount = results.filter((errors) => errors === undefined).length
    if (keyword === 'oneOf' ? validCount === 1 : validCount > 0) return undefined
    // If a value satisfies too many branches of `oneOf`, the errors of the other branches mislead.
    const branchErrors = validCount > 0 ? [] : results.flatMap((errors) => errors ?? [])
    return [...branchErrors.slice(0, MAX_LISTED), createError(keyword)]
  }
}
