/**
 * Discriminators as JSON Schema (OpenAPI 3.1.1, Discriminator Object), so that validation and types decide by them. With
 * `discriminator: { propertyName: kind, mapping: { cat: "#/…/Cat" } }`, the branch `{ $ref: "#/…/Cat" }` becomes
 * `allOf: [{ $ref: "#/…/Cat" }, { required, properties: { kind: { enum: [cat] } } }]`.
 */
import { findAllowedValues, findConjuncts } from './allowed-values.ts'
import type { OpenApi, Schema } from './model.ts'
import { toPointer } from './pointers.ts'
import type { Problem } from './problems.ts'
import { getTypes, toSchema } from './subschemas.ts'
import { getOwn, toObject } from './values.ts'

type Mapping = readonly (readonly [name: string, target: unknown])[]

/** The values that a discriminator allows for its member in a branch: [] if it changes nothing, and undefined if the branch has no name. */
type BranchValues = readonly string[] | undefined

/**
 * Returns a schema whose branches have the names that a discriminator gives them; the schema itself if none of them changes. If a
 * branch has no name, or a name no branch, nothing changes, and a problem says so; its pointer begins at the schema.
 */
export function nameBranches(root: OpenApi, schema: Schema): { readonly schema: Schema; readonly problems: Problem[] } {
  const { propertyName: member, mapping: mappingObject, defaultMapping } = toObject(schema.discriminator)
  let namedSchema = schema
  const problems: Problem[] = []
  // With `defaultMapping`, a branch has all values without a name (OpenAPI 3.2).
  if (typeof member !== 'string' || defaultMapping !== undefined) return { schema, problems }
  const mapping = Object.entries(toObject(mappingObject))
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = (schema[keyword] ?? []).map(toSchema)
    if (branches.length === 0) continue
    const names = branches.map((branch) => getNames(branch, mapping))
    const values = branches.map((branch, index) => chooseValues(root, branch, member, names[index] ?? []))
    const problem = findForeignName(mapping, names) ?? findNamelessBranch(values, keyword, member)
    if (problem !== undefined) problems.push({ ...problem, isWarning: true })
    else if (values.some((branchValues) => branchValues?.length)) {
      const namedBranches = branches.map((branch, index) => restrict(root, branch, member, values[index] ?? []))
      namedSchema = { ...namedSchema, [keyword]: namedBranches }
    }
  }
  return { schema: namedSchema, problems }
}

/** Returns the names of a branch: the keys of the mapping that lead to it, or else the name of its component. */
function getNames({ $ref = '' }: Schema, mapping: Mapping): string[] {
  const component = /^#\/components\/schemas\/([^/]+)$/.exec($ref)?.[1]
  const keys = mapping.filter(([, target]) => target === $ref || target === component).map(([name]) => name)
  return keys.length > 0 || component === undefined ? keys : [component]
}

/**
 * Chooses the values that the member may have in a branch by its names, and by the values that the branch itself lists, by `const` or
 * `enum`. What is no object has no member, so it does not change.
 *
 * | names | values that the branch lists | the values that the discriminator allows |
 * |-------|------------------------------|------------------------------------------|
 * | `cat` | none                         | `cat`; undefined if `kind` is no string  |
 * | `cat` | `cat` and `lion`             | `cat`                                    |
 * | `cat` | `cat`                        | []                                       |
 * | `cat` | `lion`                       | []: its own values decide                |
 * | none  | `lion`                       | []: its own values decide                |
 * | none  | none                         | undefined                                |
 */
function chooseValues(root: OpenApi, branch: Schema, member: string, names: readonly string[]): BranchValues {
  const conjuncts = findConjuncts(root, [branch])
  if (!mayHaveType(conjuncts, 'object')) return []
  const memberSchema = { allOf: conjuncts.flatMap(({ properties = {} }) => getOwn(properties, member) ?? []) }
  const listedValues = findAllowedValues(root, memberSchema)
  if (listedValues === undefined) {
    const isNamed = names.length > 0 && mayHaveType(findConjuncts(root, [memberSchema]), 'string')
    return isNamed ? names : undefined
  }
  const listedNames = names.filter((name) => listedValues.includes(name))
  return listedNames.length < listedValues.length ? listedNames : []
}

function mayHaveType(schemas: readonly Schema[], type: 'object' | 'string'): boolean {
  return schemas.map(getTypes).every((types) => types.length === 0 || types.includes(type))
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
function findNamelessBranch(values: readonly BranchValues[], keyword: string, member: string): Problem | undefined {
  const index = values.indexOf(undefined)
  if (index === -1) return undefined
  const message = `this branch has no name in "${member}", so the discriminator has no effect; list one by "const"`
  return { pointer: toPointer(keyword, index), message }
}

/** Returns a branch that allows only the values for the member; the branch itself for []. */
function restrict(root: OpenApi, branch: Schema, member: string, values: readonly string[]): Schema {
  if (values.length === 0) return branch
  const isRequired = findConjuncts(root, [branch]).some(({ required }) => required?.includes(member))
  return { allOf: [branch, { required: isRequired ? [member] : [], properties: { [member]: { enum: values } } }] }
}
