/**
 * Converts the Schema Objects of OpenAPI 3.0 to Schema Objects of 3.1, and discriminators to branches, in a copy of the document.
 * Documents of 3.1 are converted as well: many still have `nullable`, and `true` or `false` for the exclusive limits.
 */
import { getListedValues } from './allowed-values.ts'
import { nameBranches } from './discriminator.ts'
import type { OpenApi, Schema } from './model.ts'
import { getTargetPointer, getValueAt } from './pointers.ts'
import type { Problem } from './problems.ts'
import { createCopy } from './values.ts'

/** A Schema Object that may have `nullable`, as in 3.0. Its keywords can be assigned. */
type Schema30 = { -readonly [Key in keyof Schema]: Schema[Key] } & { nullable?: boolean }

/** The limits, each with the keyword that is a boolean in 3.0: it makes the limit exclusive. */
const LIMITS = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const

/** True if a document, which may be unchecked, has a minor version of OpenAPI. */
export function hasVersion({ openapi }: { openapi?: unknown }, version: '3.0' | '3.1' | '3.2'): boolean {
  return typeof openapi === 'string' && openapi.startsWith(`${version}.`)
}

/**
 * Copies a document with its schemas converted; `schemas` has the document's Schema Objects by their pointers. A document without such
 * schemas is not copied. Branches of a valid document also get the names that discriminators give them. Returns the copy as `root`;
 * `findCopy`, which returns the copy of an object of the original; and as `problems` the discriminators without effect, and the
 * references to what has another place in the copy.
 */
export function convertDocument(
  original: OpenApi,
  schemas: ReadonlyMap<string, Schema30>,
  references: readonly { readonly $ref: string; readonly pointer: string }[],
  { isValid }: { readonly isValid: boolean },
) {
  const { changedSchemas, problems } = changeSchemas(original, schemas, isValid)
  if (changedSchemas.size === 0) return { root: original, findCopy: <Value>(value: Value) => value, problems }
  const { copyValue, findCopy } = createCopy((object) => changedSchemas.get(object) ?? object)
  const root = copyValue(original)
  const movedReferences = references.filter(({ $ref }) => {
    const target = getTargetPointer($ref)
    return getValueAt(root, target) !== findCopy(getValueAt(original, target))
  })
  for (const { $ref, pointer } of movedReferences) {
    const what = `"${$ref}" leads into a schema that "nullable", "discriminator" or "$ref" changes`
    problems.push({ pointer, message: `${what}; make the target a component` })
  }
  return { root, findCopy, problems }
}

/** Returns the schemas that have another form in the copy, each with this form, and the discriminators without effect. */
function changeSchemas(original: OpenApi, schemas: ReadonlyMap<string, Schema30>, isValid: boolean) {
  const changedSchemas = new Map<object, Schema>()
  const problems: Problem[] = []
  for (const [pointer, schema] of schemas) {
    let namedSchema: Schema30 = schema
    if (isValid && schema.discriminator !== undefined) {
      const named = nameBranches(original, schema)
      namedSchema = named.schema
      for (const problem of named.problems) problems.push({ ...problem, pointer: pointer + problem.pointer })
    }
    if (namedSchema !== schema || isConverted(original, schema)) {
      changedSchemas.set(schema, convertSchema(original, namedSchema))
    }
  }
  return { changedSchemas, problems }
}

/** True if a schema has another form in 3.1. */
function isConverted(original: OpenApi, schema: Schema30): boolean {
  const { $ref, nullable, exclusiveMinimum, exclusiveMaximum } = schema
  if (nullable !== undefined) return true
  if (typeof exclusiveMinimum === 'boolean' || typeof exclusiveMaximum === 'boolean') return true
  return typeof $ref === 'string' && hasVersion(original, '3.0') && Object.keys(schema).length > 1
}

/**
 * Returns a schema with the keywords that have the same meaning in 3.1. Its subschemas are not converted. The schema may be unchecked.
 *
 * | in 3.0                                              | in 3.1                                                          |
 * |-----------------------------------------------------|-----------------------------------------------------------------|
 * | `{ minimum: 0, exclusiveMinimum: true }`            | `{ exclusiveMinimum: 0 }`                                       |
 * | `{ type: string, enum: [a], nullable: true }`       | `{ type: [string, "null"], enum: [a, null] }`                   |
 * | `{ allOf: [A], readOnly: true, nullable: true }`    | `{ readOnly: true, anyOf: [{ allOf: [A] }, { type: "null" }] }` |
 * | `{ $ref: "#/…/A", description: First. }`            | `{ $ref: "#/…/A" }`                                             |
 */
function convertSchema(original: OpenApi, schema: Schema30): Schema {
  const { nullable, ...converted } = schema
  const { $ref } = converted
  // Fields beside a reference are ignored (OpenAPI 3.0, Reference Object).
  if (typeof $ref === 'string' && hasVersion(original, '3.0')) return { $ref }
  for (const [limit, flag] of LIMITS) {
    const { [limit]: value, [flag]: isExclusive } = converted
    if (typeof isExclusive !== 'boolean') continue
    if (isExclusive && value !== undefined) {
      converted[flag] = value
      delete converted[limit]
    } else delete converted[flag]
  }
  return nullable === true ? toNullable(converted) : converted
}

/** The keywords that describe a property. They have no effect in a branch of `anyOf`. */
const ANNOTATIONS = /^(readOnly|writeOnly|default)$/

/** True if other schemas may exclude null: by `$ref`, `allOf`, `anyOf` or `oneOf`. */
function isComposite(schema: Schema): boolean {
  return (schema.$ref ?? schema.allOf ?? schema.anyOf ?? schema.oneOf) !== undefined
}

/** Returns the constraints that `toNullable` has moved from a schema into a branch of its copy; undefined if it has moved none. */
export function findMovedConstraints(original: Schema30 | boolean, copy: Schema): Schema | boolean | undefined {
  if (typeof original === 'boolean' || original.nullable !== true || !isComposite(original)) return undefined
  return copy.anyOf?.[0]
}

/** Returns a schema that also allows null: by its own keywords, or if it is composite, in an `anyOf` around it. */
function toNullable(schema: Schema): Schema {
  if (isComposite(schema)) {
    const entries = Object.entries(schema)
    const annotations = entries.filter(([keyword]) => ANNOTATIONS.test(keyword))
    const constraints = entries.filter(([keyword]) => !ANNOTATIONS.test(keyword))
    return { ...Object.fromEntries(annotations), anyOf: [Object.fromEntries(constraints), { type: 'null' }] }
  }
  // `getListedValues` includes the constant.
  const { const: _constant, ...converted } = schema
  const values = getListedValues(schema)
  return {
    ...converted,
    ...(schema.type !== undefined && { type: [schema.type, 'null' as const].flat() }),
    ...(Array.isArray(values) && { enum: values.includes(null) ? values : [...values, null] }),
  }
}
