/**
 * Discriminators as JSON Schema (OpenAPI 3.1.1, Discriminator Object), so that validation and types decide by them. The names of a
 * branch are the keys of `mapping` that lead to it, or else the name of its component; the branch may itself list values for the member,
 * by `const` or `enum`. With `discriminator: { propertyName: kind, mapping: { cat: "#/…/Cat" } }`, the branch `{ $ref: "#/…/Cat" }`
 * becomes:
 *
 * | names  | values that Cat lists for `kind`  | the branch                                                                      |
 * |--------|-----------------------------------|---------------------------------------------------------------------------------|
 * | `cat`  | none; `kind` may be a string      | `allOf: [{ $ref: "#/…/Cat" }, { required, properties: { kind: { enum: [cat] } } }]` |
 * | `cat`  | `cat` and `lion`                  | the same: the value is one of its names                                         |
 * | `cat`  | `cat`                             | unchanged                                                                       |
 * | `cat`  | `lion`, or other values alone     | unchanged: its own values decide                                                |
 * | none   | `lion`                            | unchanged                                                                       |
 * | any    | any; Cat is no object             | unchanged                                                                       |
 * | none   | none                              | unknown                                                                         |
 * | `cat`  | none; `kind` is no string         | unknown                                                                         |
 *
 * If one is unknown, or a key of `mapping` leads to something else than a branch, all branches are unchanged, and a warning says so.
 */
import { findAllowedValues, findConjuncts } from './allowed-values.ts'
import type { OpenApi, Schema } from './model.ts'
import { toPointer } from './pointers.ts'
import type { Problem } from './problems.ts'
import { getTypes, toSchema } from './subschemas.ts'
import { getOwn, toObject } from './values.ts'

type Branches = readonly (boolean | Schema)[]
type Mapping = readonly (readonly [name: string, target: unknown])[]

/** The values that a discriminator allows for its member in a branch; `unchanged` if it adds none, and `unknown` if it has no names. */
type BranchNames = readonly string[] | 'unchanged' | 'unknown'

/**
 * Returns a schema whose branches have the names that a discriminator gives them; the schema itself if none of them changes. The problems
 * say why a discriminator has no effect; their pointers begin at the schema.
 */
export function nameBranches(root: OpenApi, schema: Schema): { readonly schema: Schema; readonly problems: Problem[] } {
  const { propertyName: member, mapping, defaultMapping } = toObject(schema.discriminator)
  let namedSchema = schema
  const problems: Problem[] = []
  // With `defaultMapping`, a branch has all values without a name (OpenAPI 3.2).
  if (typeof member !== 'string' || defaultMapping !== undefined) return { schema, problems }
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const { [keyword]: branches } = schema
    if (branches === undefined) continue
    const entries = Object.entries(toObject(mapping))
    const names = branches.map((branch) => getNames(toSchema(branch), entries))
    const results = branches.map((branch, index) => chooseNames(root, toSchema(branch), member, names[index] ?? []))
    const problem = findForeignName(entries, names) ?? findNamelessBranch(results, keyword, member)
    if (problem !== undefined) problems.push({ ...problem, isWarning: true })
    else if (results.some((result) => result !== 'unchanged')) {
      namedSchema = { ...namedSchema, [keyword]: restrictBranches(root, branches, member, results) }
    }
  }
  return { schema: namedSchema, problems }
}

/** Reports a key of the mapping that leads to something else than a branch. */
function findForeignName(mapping: Mapping, names: readonly (readonly string[])[]): Problem | undefined {
  const branchNames = new Set(names.flat())
  const foreignName = mapping.find(([name]) => !branchNames.has(name))?.[0]
  if (foreignName === undefined) return undefined
  const message = `"${foreignName}" leads to no branch, so the discriminator has no effect; correct it, or add the branch`
  return { pointer: toPointer('discriminator', 'mapping', foreignName), message }
}

/** Reports a branch without a name. */
function findNamelessBranch(
  results: readonly BranchNames[],
  keyword: 'anyOf' | 'oneOf',
  member: string,
): Problem | undefined {
  const index = results.indexOf('unknown')
  if (index === -1) return undefined
  const message = `this branch has no name in "${member}", so the discriminator has no effect; list one by "const"`
  return { pointer: toPointer(keyword, index), message }
}

function restrictBranches(
  root: OpenApi,
  branches: Branches,
  member: string,
  results: readonly BranchNames[],
): Branches {
  return branches.map((branch, index) => {
    const result = results[index]
    return typeof result === 'object' ? restrict(root, toSchema(branch), member, result) : branch
  })
}

/** Returns the names of a branch: the keys of the mapping that lead to it, or else the name of its component. */
function getNames({ $ref = '' }: Schema, mapping: Mapping): string[] {
  const component = /^#\/components\/schemas\/([^/]+)$/.exec($ref)?.[1]
  const keys = mapping.filter(([, target]) => target === $ref || target === component).map(([name]) => name)
  return keys.length > 0 || component === undefined ? keys : [component]
}

function chooseNames(root: OpenApi, branch: Schema, member: string, names: readonly string[]): BranchNames {
  const conjuncts = findConjuncts(root, [branch])
  if (!mayHaveType(conjuncts, 'object')) return 'unchanged'
  const memberSchema = { allOf: conjuncts.flatMap(({ properties = {} }) => getOwn(properties, member) ?? []) }
  const listedValues = findAllowedValues(root, memberSchema)
  if (listedValues === undefined) {
    const isNamed = names.length > 0 && mayHaveType(findConjuncts(root, [memberSchema]), 'string')
    return isNamed ? names : 'unknown'
  }
  const listedNames = names.filter((name) => listedValues.includes(name))
  const isListedAlone = listedValues.every((value) => listedNames.includes(String(value)))
  return listedNames.length === 0 || isListedAlone ? 'unchanged' : listedNames
}

function mayHaveType(schemas: readonly Schema[], type: 'object' | 'string'): boolean {
  return schemas.map(getTypes).every((types) => types.length === 0 || types.includes(type))
}

/** Returns a branch that allows only the values for the member. */
function restrict(root: OpenApi, branch: Schema, member: string, values: readonly string[]): Schema {
  const isRequired = findConjuncts(root, [branch]).some(({ required }) => required?.includes(member))
  return { allOf: [branch, { required: isRequired ? [member] : [], properties: { [member]: { enum: values } } }] }
}
