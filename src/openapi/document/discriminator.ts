/**
 * Discriminators as JSON Schema (OpenAPI 3.1.1, Discriminator Object), so that validation and types decide by them. With
 * `discriminator: { propertyName: kind, mapping: { cat: "#/…/Cat" } }`, the branch `{ $ref: "#/…/Cat" }` becomes
 * `allOf: [{ $ref: "#/…/Cat" }, { required: [kind], properties: { kind: { enum: [cat] } } }]`, if Cat requires `kind`.
 */
import { findAllowedValues, findConjuncts } from './allowed-values.ts'
import type { OpenApi, Schema } from './model.ts'
import { toPointer } from './pointers.ts'
import type { Problem } from './problems.ts'
import { getTypes, toSchema } from './subschemas.ts'
import { getOwn, toObject } from './values.ts'

type Mapping = readonly (readonly [name: string, target: unknown])[]

/** The values that a discriminator adds to a branch as the only ones; `unchanged` if the branch decides by itself, or `nameless`. */
type BranchNames = readonly string[] | 'unchanged' | 'nameless'

/**
 * Returns a schema whose branches have the names that a discriminator gives them; the schema itself if none of them changes. If a
 * branch has no name, or a name no branch, nothing changes, and a problem says so; its pointer begins at the schema.
 */
export function nameBranches(root: OpenApi, schema: Schema): { readonly schema: Schema; readonly problems: Problem[] } {
  const { propertyName, mapping: mappingObject, defaultMapping } = toObject(schema.discriminator)
  let namedSchema = schema
  const problems: Problem[] = []
  // With `defaultMapping`, a branch has all values without a name (OpenAPI 3.2).
  if (typeof propertyName !== 'string' || defaultMapping !== undefined) return { schema, problems }
  const mapping = Object.entries(toObject(mappingObject))
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = (schema[keyword] ?? []).map(toSchema)
    if (branches.length === 0) continue
    const names = branches.map((branch) => getNames(branch, mapping))
    const chosenNames = branches.map((branch, index) => chooseNames(root, branch, propertyName, names[index] ?? []))
    const problem = findForeignName(mapping, names) ?? findNamelessBranch(chosenNames, keyword, propertyName)
    if (problem !== undefined) problems.push({ ...problem, isWarning: true })
    else if (chosenNames.some((branchNames) => branchNames !== 'unchanged')) {
      const namedBranches = branches.map((branch, index) => restrict(root, branch, propertyName, chosenNames[index]))
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
 * Chooses the names that the property may have in a branch, of the names that the mapping gives the branch. The values that the branch
 * itself lists, by `const` or `enum`, come first. A branch that is no object has no property, so it stays `unchanged`.
 *
 * | names | values that the branch lists | result                                    |
 * |-------|------------------------------|-------------------------------------------|
 * | `cat` | none                         | [`cat`]; `nameless` if `kind` is no string |
 * | `cat` | `cat` and `lion`             | [`cat`]                                   |
 * | `cat` | `cat`                        | `unchanged`                               |
 * | `cat` | `lion`                       | `unchanged`                               |
 * | none  | `lion`                       | `unchanged`                               |
 * | none  | none                         | `nameless`                                |
 */
function chooseNames(root: OpenApi, branch: Schema, propertyName: string, names: readonly string[]): BranchNames {
  const conjuncts = findConjuncts(root, [branch])
  if (!mayHaveType(conjuncts, 'object')) return 'unchanged'
  const property = { allOf: conjuncts.flatMap(({ properties = {} }) => getOwn(properties, propertyName) ?? []) }
  const listedValues = findAllowedValues(root, property)
  if (listedValues === undefined) {
    return names.length > 0 && mayHaveType(findConjuncts(root, [property]), 'string') ? names : 'nameless'
  }
  const listedNames = names.filter((name) => listedValues.includes(name))
  return listedNames.length > 0 && listedNames.length < listedValues.length ? listedNames : 'unchanged'
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
function findNamelessBranch(names: readonly BranchNames[], keyword: string, propertyName: string): Problem | undefined {
  const index = names.indexOf('nameless')
  if (index === -1) return undefined
  const message = `this branch has no name in "${propertyName}", so the discriminator has no effect; list one by "const"`
  return { pointer: toPointer(keyword, index), message }
}

/** Returns a branch that allows only these names for the property. */
function restrict(root: OpenApi, branch: Schema, propertyName: string, names: BranchNames = 'unchanged'): Schema {
  if (typeof names === 'string') return branch
  // Otherwise, the generated type is `Cat & { kind?: "cat" }`.
  const isRequired = findConjuncts(root, [branch]).some(({ required }) => required?.includes(propertyName))
  const restriction = { required: isRequired ? [propertyName] : [], properties: { [propertyName]: { enum: names } } }
  return { allOf: [branch, restriction] }
}
