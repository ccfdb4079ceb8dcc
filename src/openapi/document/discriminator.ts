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

/** The only values that the property gets in a branch; `unchanged` if the branch stays as it is, `nameless` if nothing says its values. */
type NameChoice = readonly string[] | 'unchanged' | 'nameless'

/**
 * Returns a schema whose branches have the names that a discriminator gives them; the schema itself if none of them changes. If a
 * branch has no name, or a name no branch, nothing changes, and a warning says so; its pointer begins at the schema.
 */
export function nameBranches(root: OpenApi, schema: Schema): { readonly schema: Schema; readonly problems: Problem[] } {
  const { propertyName, mapping: mappingObject, defaultMapping } = toObject(schema.discriminator)
  // With `defaultMapping`, a branch has all values without a name (OpenAPI 3.2).
  if (typeof propertyName !== 'string' || defaultMapping !== undefined) return { schema, problems: [] }
  const mapping = Object.entries(toObject(mappingObject))
  const foreignName = findForeignName(schema, mapping)
  if (foreignName !== undefined) return { schema, problems: [foreignName] }
  let namedSchema = schema
  const problems: Problem[] = []
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = (schema[keyword] ?? []).map(toSchema).map((branch) => {
      return { branch, choice: chooseNames(root, branch, propertyName, getNames(branch, mapping)) }
    })
    const namelessIndex = branches.findIndex(({ choice }) => choice === 'nameless')
    if (namelessIndex !== -1) {
      const what = `this branch has no name in "${propertyName}", so the discriminator has no effect`
      problems.push({
        pointer: toPointer(keyword, namelessIndex),
        message: `${what}; list one by "const"`,
        isWarning: true,
      })
    } else if (branches.some(({ choice }) => choice !== 'unchanged')) {
      const namedBranches = branches.map(({ branch, choice }) => restrict(root, branch, propertyName, choice))
      namedSchema = { ...namedSchema, [keyword]: namedBranches }
    }
  }
  return { schema: namedSchema, problems }
}

/** Reports a key of the mapping that leads to no branch of the schema. */
function findForeignName({ anyOf = [], oneOf = [] }: Schema, mapping: Mapping): Problem | undefined {
  const branches = [...anyOf, ...oneOf].map(toSchema)
  const branchNames = new Set(branches.flatMap((branch) => getNames(branch, mapping)))
  const foreignName = mapping.find(([name]) => !branchNames.has(name))?.[0]
  if (foreignName === undefined || branches.length === 0) return undefined
  const message = `"${foreignName}" leads to no branch, so the discriminator has no effect; correct it, or add the branch`
  return { pointer: toPointer('discriminator', 'mapping', foreignName), message, isWarning: true }
}

/** Returns the names of a branch: the keys of the mapping that lead to it, or else the name of its component. */
function getNames({ $ref = '' }: Schema, mapping: Mapping): string[] {
  const component = /^#\/components\/schemas\/([^/]+)$/.exec($ref)?.[1]
  const keys = mapping.filter(([, target]) => target === $ref || target === component).map(([name]) => name)
  return keys.length > 0 || component === undefined ? keys : [component]
}

/**
 * Chooses among the names of a branch the only ones that its property may have. If the branch itself lists values, by `const` or `enum`,
 * only the names among them count. A branch that is no object has no property, so it stays `unchanged`.
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
function chooseNames(root: OpenApi, branch: Schema, propertyName: string, names: readonly string[]): NameChoice {
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

/** Returns a branch that allows only the chosen names for the property. */
function restrict(root: OpenApi, branch: Schema, propertyName: string, choice: NameChoice): Schema {
  if (typeof choice === 'string') return branch
  // Otherwise, the generated type is `Cat & { kind?: "cat" }`.
  const isRequired = findConjuncts(root, [branch]).some(({ required }) => required?.includes(propertyName))
  const restriction = { required: isRequired ? [propertyName] : [], properties: { [propertyName]: { enum: choice } } }
  return { allOf: [branch, restriction] }
}
