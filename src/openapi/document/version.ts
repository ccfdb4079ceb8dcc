/**
 * OpenAPI 3.0 is read as 3.1: a copy has the values of 3.1. Many documents of 3.1 still have `nullable` and limits
 * that are boolean, which are read as they are meant.
 */
import type { OpenApi, Schema } from './model.ts'
import { mapValues, type Values } from './references.ts'

/** The keywords of a Schema Object of 3.0 that mean something else, or nothing, in 3.1. */
type Schema30 = { -readonly [Key in keyof Schema]: Schema[Key] } & { nullable?: boolean }

const LIMITS = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const

/**
 * Copies a document with its schemas converted; `schemas` are the objects in it that are schemas. Returns the copy, and the
 * copies of its objects by the originals.
 */
export function convertDocument(original: OpenApi, schemas: ReadonlySet<object>) {
  const copies = new Map<object, object>()

  function copy(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    const existingCopy = copies.get(value)
    if (existingCopy !== undefined) return existingCopy
    const converted = schemas.has(value) ? convertSchema(original, value) : value
    const valueCopy = Array.isArray(converted) ? converted.map(copy) : mapValues(converted as Values, copy)
    // An alias of YAML is the same object as its anchor, and stays so.
    copies.set(value, valueCopy)
    return valueCopy
  }

  return { root: copy(original) as OpenApi, copies }
}

/** Returns a schema with the values that 3.1 has for the same meaning; its subschemas stay. */
function convertSchema({ openapi }: OpenApi, schema: Schema30): Schema {
  const { $ref } = schema
  // Fields beside a reference are ignored (OpenAPI 3.0, Reference Object).
  if ($ref !== undefined && /^3\.0\./.test(openapi)) return { $ref }
  const { nullable, ...converted } = schema
  for (const [limit, flag] of LIMITS) {
    const { [limit]: value, [flag]: isExclusive } = converted
    if (typeof isExclusive !== 'boolean') continue
    delete converted[flag]
    if (!isExclusive || value === undefined) continue
    converted[flag] = value
    delete converted[limit]
  }
  return nullable === true ? toNullable(converted) : converted
}

/** The keywords that say something of a property, and have no effect in a branch of `anyOf`. */
const OF_PROPERTY = /^(readOnly|writeOnly|default)$/

function toNullable(schema: Schema): Schema {
  if (schema.$ref ?? schema.allOf ?? schema.anyOf ?? schema.oneOf) {
    const { true: propertyEntries = [], false: valueEntries = [] } = Object.groupBy(
      Object.entries(schema),
      ([keyword]) => (OF_PROPERTY.test(keyword) ? 'true' : 'false'),
    )
    return { ...Object.fromEntries(propertyEntries), anyOf: [Object.fromEntries(valueEntries), { type: 'null' }] }
  }
  const { type, enum: values } = schema
  return {
    ...schema,
    ...(type !== undefined && { type: [type, 'null' as const].flat() }),
    ...(values !== undefined && { enum: values.includes(null) ? values : [...values, null] }),
  }
}
