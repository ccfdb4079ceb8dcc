/**
 * Unions: the keywords whose branches describe some of the values that their schema describes, namely `anyOf`, `oneOf`, `if` and
 * `dependentSchemas` (JSON Schema 2020-12, section 10.2). A value selects its branches once; everything else follows from them.
 */
import type { Direction, Schema } from '../document/model.ts'
import { toSchema } from '../document/references.ts'
import type { SchemaType } from '../shared/json.ts'
import { getType, isObject } from '../shared/json.ts'
import { getListedValues } from './applicators.ts'

/** Tells whether a value satisfies a branch, in the direction of its message, or a condition, which is the same in both. */
export type BranchTest = (schema: Schema, kind: 'branch' | 'condition') => boolean

export interface Union {
  readonly keyword: 'anyOf' | 'oneOf' | 'if' | 'dependentSchemas'
  /** True for `anyOf` and `oneOf`: each value must satisfy a branch. */
  readonly isAlternative: boolean
  readonly branches: readonly Schema[]
  /** The schemas that `select` may return: the branches, and the condition of `if`. */
  readonly selectableSchemas: readonly Schema[]
  /**
   * Returns undefined if only validation tells which branches a value satisfies. A property with a hidden name is no tag, because
   * messages lack it.
   */
  getDispatch(hiddenNames: readonly string[]): Dispatch | undefined
  /**
   * Returns the schemas that describe a valid value. Returns undefined if the value satisfies no branch, where it must satisfy
   * one.
   */
  select(value: unknown, hiddenNames: readonly string[], isValid: BranchTest): readonly Schema[] | undefined
}

/**
 * Finds the only branch that a value can satisfy, without validation: by the JSON type of the value, and where several branches
 * describe objects, by a tag. A tag is a required member for which all of these branches list different strings:
 *
 *     oneOf:
 *       - { type: "null" }
 *       - { type: object, required: [kind], properties: { kind: { const: cat }, lives: { type: integer } } }
 *       - { type: object, required: [kind], properties: { kind: { enum: [dog, wolf] }, barks: { type: boolean } } }
 */
export interface Dispatch {
  /** The types that the branches allow. */
  readonly types: readonly SchemaType[]
  readonly tag?: { readonly name: string; readonly values: readonly string[] } | undefined
  /** Returns undefined if the value satisfies no branch. */
  findBranch(value: unknown): Schema | undefined
}

/** What a union asks the view of a branch (`SchemaView`). */
export interface BranchView {
  readonly types: readonly SchemaType[] | undefined
  readonly conjuncts: readonly Schema[]
  readonly unconditionalSchemas: readonly Schema[]
  readonly requiredNames: ReadonlySet<string>
  property(name: string): BranchView
  isHidden(direction: Direction): boolean
}

type GetView = (schema: Schema) => BranchView

/** Creates the unions of one schema, in the order of the standard. */
export function createUnions(schema: Schema, getView: GetView): Union[] {
  const { if: condition, dependentSchemas = {} } = schema
  return [
    ...(schema.anyOf === undefined ? [] : [createBranchUnion('anyOf', schema.anyOf, getView)]),
    ...(schema.oneOf === undefined ? [] : [createBranchUnion('oneOf', schema.oneOf, getView)]),
    ...(condition === undefined ? [] : [createConditional(toSchema(condition), schema)]),
    ...Object.entries(dependentSchemas).map(([name, dependent]) => createDependency(name, toSchema(dependent))),
  ]
}

function createBranchUnion(keyword: 'anyOf' | 'oneOf', schemas: readonly Schema[], getView: GetView): Union {
  const branches = schemas.map(toSchema)
  let isCreated = false
  let dispatch: Dispatch | undefined

  function getDispatch(hiddenNames: readonly string[]): Dispatch | undefined {
    // Created at its first use, because the members of a branch may lead back to this union.
    if (!isCreated) dispatch = createDispatch(branches, getView)
    isCreated = true
    return dispatch?.tag !== undefined && hiddenNames.includes(dispatch.tag.name) ? undefined : dispatch
  }

  return {
    keyword,
    isAlternative: true,
    branches,
    selectableSchemas: branches,
    getDispatch,
    select(value, hiddenNames, isValid) {
      const usableDispatch = getDispatch(hiddenNames)
      if (usableDispatch === undefined) {
        const satisfied = branches.filter((branch) => isValid(branch, 'branch'))
        return satisfied.length === 0 ? undefined : satisfied
      }
      const branch = usableDispatch.findBranch(value)
      return branch && [branch]
    },
  }
}

/** Without `then` or `else`, the condition alone describes a value that satisfies it. */
function createConditional(condition: Schema, { then: consequent, else: otherwise }: Schema): Union {
  const [consequents, alternatives] = [consequent, otherwise].map((branch) =>
    branch === undefined ? [] : [toSchema(branch)],
  ) as [Schema[], Schema[]]
  return {
    keyword: 'if',
    isAlternative: false,
    branches: [...consequents, ...alternatives],
    selectableSchemas: [condition, ...consequents, ...alternatives],
    getDispatch: () => undefined,
    select: (_value, _hiddenNames, isValid) =>
      isValid(condition, 'condition') ? [condition, ...consequents] : alternatives,
  }
}

function createDependency(name: string, dependent: Schema): Union {
  return {
    keyword: 'dependentSchemas',
    isAlternative: false,
    branches: [dependent],
    selectableSchemas: [dependent],
    getDispatch: () => undefined,
    // A member that is undefined is not sent.
    select: (value) => (isObject(value) && Object.hasOwn(value, name) && value[name] !== undefined ? [dependent] : []),
  }
}

function createDispatch(branches: readonly Schema[], getView: GetView): Dispatch | undefined {
  const views = branches.map(getView)
  const types = views.flatMap((view) => view.types ?? [])
  if (views.some((view) => view.types === undefined)) return undefined
  const branchesByType = new Map<SchemaType, Schema[]>()
  for (const [index, branch] of branches.entries()) {
    // In JSON, an integer is a number.
    for (const type of new Set(views[index]?.types?.map((type) => (type === 'integer' ? 'number' : type)))) {
      branchesByType.set(type, [...(branchesByType.get(type) ?? []), branch])
    }
  }
  const objectBranches = branchesByType.get('object') ?? []
  const tag = objectBranches.length > 1 ? createTag(objectBranches, getView) : undefined
  for (const [type, ofType] of branchesByType) {
    if (ofType.length > 1 && (type !== 'object' || tag === undefined)) return undefined
  }
  return {
    types: [...new Set(types)],
    tag: tag && { name: tag.name, values: [...tag.branches.keys()] },
    findBranch(value) {
      // A file of a form is a string to its schema.
      const type = value instanceof File ? 'string' : getType(value)
      if (type !== 'object' || tag === undefined) return branchesByType.get(type)?.[0]
      const { [tag.name]: name } = value as Readonly<Record<string, unknown>>
      return typeof name === 'string' ? tag.branches.get(name) : undefined
    },
  }
}

/** Finds the first member by which objects tell their branch, and the branch of each of its values. */
function createTag(branches: readonly Schema[], getView: GetView) {
  const views = branches.map(getView)
  for (const name of views[0]?.requiredNames ?? []) {
    const branchesByValue = new Map<string, Schema>()
    let count = 0
    const isTag = views.every((view, index) => {
      const values = findTagValues(view, name)
      count += values.length
      for (const value of values) branchesByValue.set(value, branches[index] as Schema)
      return values.length > 0
    })
    // Two branches with the same value leave fewer values than were listed.
    if (isTag && branchesByValue.size === count) return { name, branches: branchesByValue }
  }
  return undefined
}

/** Returns the strings that a branch lists for a member that all of its objects have, in both directions; none otherwise. */
function findTagValues(view: BranchView, name: string): readonly string[] {
  if (!view.conjuncts.some(({ required = [] }) => required.includes(name))) return []
  const member = view.property(name)
  if (member.isHidden('request') || member.isHidden('response')) return []
  // A listed value of another type is of no use to a member that a Map finds.
  const lists = member.unconditionalSchemas.map(getListedValues).filter((values) => values.length > 0)
  const strings = lists.find((values) => values.every((value) => typeof value === 'string')) ?? []
  return [...new Set(strings)]
}
