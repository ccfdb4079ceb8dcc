/**
 * OpenAPI 3.0 is read as 3.1: a copy has the values of 3.1. Many documents of 3.1 still have `nullable` and limits
 * that are boolean, which are read as they are meant.
 */
import type { OpenApi, Schema } from './model.ts'
import { getTargetPointer, mapValues, parsePointer, toPointer, type Values } from './references.ts'

/** The keywords of a Schema Object of 3.0 that mean something else, or nothing, in 3.1. */
type Schema30 = { -readonly [Key in keyof Schema]: Schema[Key] } & { nullable?: boolean }

const LIMITS = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const

/**
 * Copies a document with its schemas converted; `schemas` are the objects in it that are schemas, by their pointers. Returns
 * the copy, and the copies of its objects by the originals.
 */
export function convertDocument(original: OpenApi, schemas: ReadonlyMap<string, Schema30>) {
  const copies = new Map<object, object>()
  const schemaSet = new Set<object>(schemas.values())
  const isWrapped = (pointer: string) => {
    const schema = schemas.get(pointer)
    return schema?.nullable === true && isComposite(schema)
  }
  const wrappedPointers = new Set(schemas.keys().filter(isWrapped))

  function copy(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    const existingCopy = copies.get(value)
    if (existingCopy !== undefined) return existingCopy
    const converted = schemaSet.has(value) ? convertSchema(original, value, wrappedPointers) : value
    const valueCopy = Array.isArray(converted) ? converted.map(copy) : mapValues(converted as Values, copy)
    // An alias of YAML is the same object as its anchor, and stays so.
    copies.set(value, valueCopy)
    return valueCopy
  }

  return { root: copy(original) as OpenApi, copies }
}

/** Returns a schema with the values that 3.1 has for the same meaning; its subschemas stay. */
function convertSchema({ openapi }: OpenApi, schema: Schema30, wrappedPointers: ReadonlySet<string>): Schema {
  const { nullable, ...converted } = schema
  if (typeof converted.$ref === 'string') {
    converted.$ref = convertReference(converted.$ref, wrappedPointers)
    // Fields beside a reference are ignored (OpenAPI 3.0, Reference Object).
    if (/^3\.0\./.test(openapi)) return { $ref: converted.$ref }
  }
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

/** True if `type` and `enum` alone do not say which values a schema allows. */
function isComposite(schema: Schema): boolean {
  return (schema.$ref ?? schema.allOf ?? schema.anyOf ?? schema.oneOf) !== undefined
}

/** Returns a schema that also allows null. The branches of a composite one may exclude null, so `anyOf` wraps it. */
function toNullable(schema: Schema): Schema {
  if (isComposite(schema)) {
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

/** Returns a reference that leads to the same subschema within the `anyOf` that wraps a nullable schema. */
function convertReference($ref: string, wrappedPointers: ReadonlySet<string>): string {
  let pointer = ''
  let convertedPointer = ''
  for (const token of parsePointer(getTargetPointer($ref))) {
    const isMoved = wrappedPointers.has(pointer) && !OF_PROPERTY.test(token)
    convertedPointer += toPointer(...(isMoved ? ['anyOf', 0, token] : [token]))
    pointer += toPointer(token)
  }
  return pointer === convertedPointer ? $ref : `#${encodeURI(convertedPointer)}`
}
