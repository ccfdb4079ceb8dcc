/**
 * The keywords with branches, which describe some of the values of their schema: `anyOf`, `oneOf`, `if` with `then` and `else`, and
 * `dependentSchemas` (JSON Schema 2020-12, section 10.2). Views have them; a selection asks each which branches a value satisfies.
 */
import type { Schema } from '../document/model.ts'
import { toSchema } from '../document/subschemas.ts'
import { getMemberNames, isObject } from '../shared/json.ts'

/** One branching keyword of a schema. */
export interface Branching {
  readonly keyword: 'anyOf' | 'oneOf' | 'if' | 'dependentSchemas'
  /** True for `anyOf` and `oneOf`, the unions: a valid value satisfies a branch. */
  readonly isUnion: boolean
  readonly branches: readonly Schema[]
  /** The schemas that `select` may return: the branches, and the condition of `if`, which describes the values that satisfy it. */
  readonly selectableSchemas: readonly Schema[]
  /**
   * Returns the schemas that a value selects; undefined if it satisfies no branch, although it must. `isValid` tells whether the value
   * satisfies a schema. The omitted members of the value count as missing.
   */
  select(
    value: unknown,
    isValid: (schema: Schema) => boolean,
    omittedNames: readonly string[],
  ): readonly Schema[] | undefined
}

/**
 * Creates the branchings of one schema, in the order in which the standard lists their keywords. For a value, `select` returns
 *
 * | keyword                       | schemas                                       |
 * |-------------------------------|-----------------------------------------------|
 * | `anyOf: [A, B]`, `oneOf`      | those of A and B that the value satisfies     |
 * | `if: C`, `then: D`, `else: E` | C and D if the value satisfies C; otherwise E |
 * | `dependentSchemas: { f: F }`  | F if the value has the member `f`             |
 */
export function createBranchings(schema: Schema): Branching[] {
  const { anyOf, oneOf, if: condition, dependentSchemas = {} } = schema
  const branchings: Branching[] = []
  if (anyOf !== undefined) branchings.push(createUnion('anyOf', anyOf))
  if (oneOf !== undefined) branchings.push(createUnion('oneOf', oneOf))
  if (condition !== undefined) branchings.push(createConditional(toSchema(condition), schema))
  for (const [name, dependentSchema] of Object.entries(dependentSchemas)) {
    branchings.push(createDependency(name, toSchema(dependentSchema)))
  }
  return branchings
}

function createUnion(keyword: 'anyOf' | 'oneOf', schemas: readonly (boolean | Schema)[]): Branching {
  const branches = schemas.map(toSchema)
  return {
    keyword,
    isUnion: true,
    branches,
    selectableSchemas: branches,
    select(_value, isValid) {
      const validBranches = branches.filter(isValid)
      return validBranches.length === 0 ? undefined : validBranches
    },
  }
}

function createConditional(condition: Schema, { then: thenSchema = true, else: elseSchema = true }: Schema): Branching {
  const [thenBranch, elseBranch] = [toSchema(thenSchema), toSchema(elseSchema)]
  return {
    keyword: 'if',
    isUnion: false,
    branches: [thenBranch, elseBranch],
    selectableSchemas: [condition, thenBranch, elseBranch],
    select: (_value, isValid) => (isValid(condition) ? [condition, thenBranch] : [elseBranch]),
  }
}

function createDependency(name: string, dependentSchema: Schema): Branching {
  return {
    keyword: 'dependentSchemas',
    isUnion: false,
    branches: [dependentSchema],
    selectableSchemas: [dependentSchema],
    select: (value, _isValid, omittedNames) =>
      isObject(value) && getMemberNames(value, omittedNames).includes(name) ? [dependentSchema] : [],
  }
}
