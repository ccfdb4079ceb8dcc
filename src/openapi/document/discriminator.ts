/**
 * Discriminators as JSON Schema (OpenAPI 3.1.1, Discriminator Object), so that validation and types decide by them: each branch of a
 * union gets its names, which are the keys of `mapping` that lead to it, or else the name of its component. With
 * `discriminator: { propertyName: kind, mapping: { cat: Cat } }`, the branch `{ $ref: "#/components/schemas/Cat" }` is read as
 *
 *     allOf: [{ $ref: "#/components/schemas/Cat" }, { required: [kind], properties: { kind: { enum: [cat] } } }]
 *
 * A branch stays as it is if it lists no other values than its names, or none of them: then its own values decide. So do all branches
 * if the names of one are not known.
 */
import { findAllowedValues, findConjuncts } from './allowed-values.ts'
import type { OpenApi, Schema } from './model.ts'
import { getTypes, toSchema } from './subschemas.ts'
import { getOwn, toObject } from './values.ts'

type Branches = readonly (boolean | Schema)[]

/** Returns a schema whose branches have the names that a discriminator gives them; the schema itself if none of them changes. */
export function nameBranches(root: OpenApi, schema: Schema): Schema {
  const { propertyName: name, mapping, defaultMapping } = toObject(schema.discriminator)
  // With `defaultMapping`, a branch has all values without a name (OpenAPI 3.2).
  if (typeof name !== 'string' || defaultMapping !== undefined) return schema
  const [anyOf, oneOf] = [schema.anyOf, schema.oneOf].map((branches) => {
    return branches && addNames(root, branches, name, Object.entries(toObject(mapping)))
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
  const names = branches.map((branch) => {
    const { $ref = '' } = toSchema(branch)
    const component = /^#\/components\/schemas\/([^/]+)$/.exec($ref)?.[1]
    const keys = mapping.filter(([, target]) => target === $ref || target === component).map(([name]) => name)
    return keys.length > 0 || component === undefined ? keys : [component]
  })
  const namedBranches = branches.map((branch, index) =>
    addBranchNames(root, toSchema(branch), member, names[index] ?? []),
  )
  const areKnown = mapping.every(([name]) => names.flat().includes(name)) && !namedBranches.includes(undefined)
  const isChanged = namedBranches.some((branch, index) => branch !== branches[index])
  return areKnown && isChanged ? (namedBranches as Branches) : branches
}

/** Returns a branch whose values have a name; undefined if its names are not known. */
function addBranchNames(root: OpenApi, branch: Schema, member: string, names: readonly string[]): Schema | undefined {
  const conjuncts = findConjuncts(root, [branch])
  const canHave = (schemas: readonly Schema[], type: 'object' | 'string') =>
    schemas.map(getTypes).every((types) => types.length === 0 || types.includes(type))
  if (!canHave(conjuncts, 'object')) return branch
  const memberSchema = { allOf: conjuncts.flatMap(({ properties = {} }) => getOwn(properties, member) ?? []) }
  const listedValues = findAllowedValues(root, memberSchema)
  if (listedValues === undefined && (names.length === 0 || !canHave(findConjuncts(root, [memberSchema]), 'string')))
    return undefined
  const values = names.filter((name) => listedValues?.includes(name) ?? true)
  const isListed = values.length === 0 || listedValues?.every((value) => values.includes(String(value)))
  if (isListed) return branch
  const required = conjuncts.some((conjunct) => conjunct.required?.includes(member)) ? [member] : []
  return { allOf: [branch, { required, properties: { [member]: { enum: values } } }] }
}
