/** Finds the branch of `anyOf` or `oneOf` that a value can satisfy, where its type or a tag decides, for validation and selection. */
import { getListedValues } from '../document/allowed-values.ts'
import type { Schema } from '../document/model.ts'
import { memoize } from '../document/values.ts'
import { getType, type SchemaType } from '../shared/json.ts'
import type { Branching } from './branching.ts'
import type { SchemaView } from './view.ts'

/**
 * Finds the only branch that a value can satisfy: by the JSON type of the value, and where several branches describe objects, by
 * a tag. A tag is a required member for which all of these branches list different strings. Here it is `kind`:
 *
 *     oneOf:
 *       - { type: "null" }
 *       - { type: object, required: [kind], properties: { kind: { const: cat }, lives: { type: integer } } }
 *       - { type: object, required: [kind], properties: { kind: { enum: [dog, wolf] }, barks: { type: boolean } } }
 */
export interface Dispatch {
  readonly tagName: string | undefined
  /** Accepts the values that have a branch. Its errors say why another value has none. */
  readonly schema: Schema
  /** Returns undefined if the value satisfies no branch. */
  findBranch(value: unknown): Schema | undefined
}

/** Returns the view of a branch. */
type GetView = (branch: Schema) => SchemaView

/**
 * Returns the dispatch of a union. Returns undefined if only validation tells which branches a value satisfies, also if the tag is
 * one of the hidden names, because messages lack it.
 */
export type GetDispatch = (union: Branching, hiddenNames: readonly string[]) => Dispatch | undefined

/** Creates the function that returns the dispatches of unions. */
export function createGetDispatch(getView: GetView): GetDispatch {
  const getDispatchByBranches = memoize(({ branches }: Branching) => createDispatch(branches, getView))
  return (union, hiddenNames) => {
    const dispatch = union.isUnion ? getDispatchByBranches(union) : undefined
    return dispatch?.tagName !== undefined && hiddenNames.includes(dispatch.tagName) ? undefined : dispatch
  }
}

/** Creates the dispatch of some branches. Returns undefined if types and tags do not tell them apart. */
function createDispatch(branches: readonly Schema[], getView: GetView): Dispatch | undefined {
  const branchesByType = groupByType(branches, getView)
  if (branchesByType === undefined) return undefined
  const objectBranches = branchesByType.get('object') ?? []
  const tag = objectBranches.length > 1 ? findTag(objectBranches, getView) : undefined
  const isDecided = [...branchesByType].every(
    ([type, typeBranches]) => typeBranches.length === 1 || (type === 'object' && tag !== undefined),
  )
  if (!isDecided) return undefined
  const types = [...new Set(branches.flatMap((branch) => getView(branch).types ?? []))]
  const tagSchema = tag && { required: [tag.name], properties: { [tag.name]: { enum: [...tag.branches.keys()] } } }
  return {
    tagName: tag?.name,
    schema: { type: types, ...tagSchema },
    findBranch(value) {
      // A file counts as a string, because the schema of bytes has that type.
      const type = value instanceof File ? 'string' : getType(value)
      if (type !== 'object' || tag === undefined) return branchesByType.get(type)?.[0]
      const { [tag.name]: tagValue } = value as Readonly<Record<string, unknown>>
      return typeof tagValue === 'string' ? tag.branches.get(tagValue) : undefined
    },
  }
}

/** Groups branches by the JSON types that they allow. Returns undefined if a branch does not limit types, or if no branch allows a type. */
function groupByType(branches: readonly Schema[], getView: GetView): ReadonlyMap<SchemaType, Schema[]> | undefined {
  const branchesByType = new Map<SchemaType, Schema[]>()
  for (const branch of branches) {
    const { types } = getView(branch)
    if (types === undefined) return undefined
    // In JSON, an integer is a number.
    for (const type of new Set(types.map((type) => (type === 'integer' ? 'number' : type)))) {
      branchesByType.set(type, [...(branchesByType.get(type) ?? []), branch])
    }
  }
  return branchesByType.size === 0 ? undefined : branchesByType
}

interface Tag {
  readonly name: string
  /** The branch of each value. */
  readonly branches: ReadonlyMap<string, Schema>
}

/** Finds the tag of branches that describe objects: see `Dispatch`. */
function findTag(branches: readonly Schema[], getView: GetView): Tag | undefined {
  const [firstBranch] = branches
  for (const name of firstBranch === undefined ? [] : getView(firstBranch).requiredNames) {
    const tagBranches = mapTagValues(name, branches, getView)
    if (tagBranches !== undefined) return { name, branches: tagBranches }
  }
  return undefined
}

/** Returns the branch of each value that the branches list for a member. Returns undefined if the member is no tag. */
function mapTagValues(name: string, branches: readonly Schema[], getView: GetView): Map<string, Schema> | undefined {
  const branchesByValue = new Map<string, Schema>()
  for (const branch of branches) {
    const values = findTagValues(getView(branch), name)
    const isTag = values.length > 0 && !values.some((value) => branchesByValue.has(value))
    if (!isTag) return undefined
    for (const value of values) branchesByValue.set(value, branch)
  }
  return branchesByValue
}

/**
 * Returns the strings that a branch lists for a member. Returns [] if the member is not required, if messages in a direction lack
 * it, or if each list has other values than strings: only strings are tags. Of several lists (`enum` beside a `$ref` to
 * another one), the first is enough: a value that another list excludes finds the branch, which then rejects it.
 */
function findTagValues(view: SchemaView, name: string): readonly string[] {
  if (!view.conjuncts.some(({ required = [] }) => required.includes(name))) return []
  const member = view.property(name)
  if (member.isHidden('request') || member.isHidden('response')) return []
  const lists = member.unconditional.conjuncts.map((schema) => getListedValues(schema) ?? [])
  const isTagList = (values: readonly unknown[]): values is readonly string[] =>
    values.length > 0 && values.every((value) => typeof value === 'string')
  const strings = lists.find(isTagList) ?? []
  return [...new Set(strings)]
}
