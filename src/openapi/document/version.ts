/**
 * OpenAPI 3.0 is read as 3.1: values change, and their places stay. Many documents of 3.1 still have `nullable` and limits
 * that are boolean, which are read as they are meant.
 */
import type { OpenApi, Schema } from './model.ts'

/** The keywords of a Schema Object of 3.0 that mean something else, or nothing, in 3.1. */
type Schema30 = { -readonly [Key in keyof Schema]: Schema[Key] } & { nullable?: boolean }

const LIMITS = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const

/** Changes the schemas of a document; one that stands in several places is changed once. */
export function convertSchemas({ openapi }: OpenApi, schemas: Iterable<Schema30>): void {
  for (const schema of new Set(schemas)) {
    const { $ref } = schema
    // What stands beside a reference is ignored (OpenAPI 3.0, Reference Object).
    if ($ref !== undefined && /^3\.0\./.test(openapi)) replace(schema, { $ref })
    for (const [limit, flag] of LIMITS) {
      const { [limit]: value, [flag]: isExclusive } = schema
      if (typeof isExclusive !== 'boolean') continue
      delete schema[flag]
      if (!isExclusive || value === undefined) continue
      schema[flag] = value
      delete schema[limit]
    }
    const { nullable, ...others } = schema
    delete schema.nullable
    if (nullable === true) replace(schema, toNullable(others))
  }
}

/** The keywords that have no effect in an alternative. */
const OF_PROPERTY = /^(readOnly|writeOnly|default)$/

function toNullable(schema: Schema): Schema {
  if (schema.$ref ?? schema.allOf ?? schema.anyOf ?? schema.oneOf) {
    const { true: kept = [], false: others = [] } = Object.groupBy(Object.entries(schema), ([keyword]) =>
      OF_PROPERTY.test(keyword) ? 'true' : 'false',
    )
    return { ...Object.fromEntries(kept), anyOf: [Object.fromEntries(others), { type: 'null' }] }
  }
  const { type, enum: values } = schema
  return {
    ...schema,
    ...(type !== undefined && { type: [type, 'null' as const].flat() }),
    ...(values !== undefined && { enum: values.includes(null) ? values : [...values, null] }),
  }
}

function replace(schema: object, value: object): void {
  for (const key of Object.keys(schema)) Reflect.deleteProperty(schema, key)
  Object.assign(schema, value)
}
