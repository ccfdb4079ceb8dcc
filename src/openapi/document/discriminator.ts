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
 * All branches are unchanged if one is unknown, or if a name leads to something else than a branch.
 */
import { findAllowedValues, findConjuncts } from './allowed-values.ts'
import type { OpenApi, Schema } from './model.ts'
import { getTypes, toSchema } from './subschemas.ts'
import { getOwn, toObject } from './values.ts'

type Branches = readonly (boolean | Schema)[]

/** The values that a discriminator allows for its member in a branch; `unchanged` if it adds none, and `unknown` if it has no names. */
type BranchNames = readonly string[] | 'unchanged' | 'unknown'

/** Returns a schema whose branches have the names that a discriminator gives them; the schema itself if none of them changes. */
export function nameBranches(root: OpenApi, schema: Schema): Schema {
  const { propertyName: member, mapping, defaultMapping } = toObject(schema.discriminator)
  // With `defaultMapping`, a branch has all values without a name (OpenAPI 3.2).
  if (typeof member !== 'string' || defaultMapping !== undefined) return schema
  const [anyOf, oneOf] = [schema.anyOf, schema.oneOf].map((branches) => {
    return branches && addNames(root, branches, member, Object.entries(toObject(mapping)))
  })
  const isChanged = anyOf !== schema.anyOf || oneOf !== schema.oneOf
  return isChanged ? { ...schema, ...(anyOf && { anyOf }), ...(oneOf && { oneOf }) } : schema
}

function addNames(
  root: OpenApi,
  branches: Branches,
  member: string,
  mapping: [name: string, target: unknown][],
): Branches {
  const names = branches.map((branch) => getNames(toSchema(branch), mapping))
  const leadToBranches = mapping.every(([name]) => names.flat().includes(name))
  const results = branches.map((branch, index) => chooseNames(root, toSchema(branch), member, names[index] ?? []))
  if (!leadToBranches || results.includes('unknown') || results.every((result) => result === 'unchanged'))
    return branches
  return branches.map((branch, index) => {
    const result = results[index]
    return typeof result === 'object' ? restrict(root, toSchema(branch), member, result) : branch
  })
}

/** Returns the names of a branch: the keys of the mapping that lead to it, or else the name of its component. */
function getNames({ $ref = '' }: Schema, mapping: [name: string, target: unknown][]): string[] {
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
