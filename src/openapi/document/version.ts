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
export function convertSchemas({ openapi }: OpenApi, schemas: Iterable<Schema>): void {
  for (const schema of new Set(schemas)) {
    // What stands beside a reference is ignored (OpenAPI 3.0, Reference Object).
    if (/^3\.0\./.test(openapi) && schema.$ref !== undefined) replace(schema, { $ref: schema.$ref })
    convertLimits(schema)
    convertNullable(schema)
  }
}

function convertLimits(schema: Schema30): void {
  for (const [limit, flag] of LIMITS) {
    const isExclusive: unknown = schema[flag]
    if (typeof isExclusive !== 'boolean') continue
    delete schema[flag]
    if (!isExclusive || schema[limit] === undefined) continue
    schema[flag] = schema[limit]
    delete schema[limit]
  }
}

function convertNullable(schema: Schema30): void {
  const { nullable, type, enum: values } = schema
  delete schema.nullable
  if (nullable !== true) return
  if (schema.$ref ?? schema.allOf ?? schema.anyOf ?? schema.oneOf) {
    replace(schema, { anyOf: [{ ...schema }, { type: 'null' }] })
  } else {
    if (type !== undefined) schema.type = [type, 'null'].flat() as Schema['type'] & {}
    if (values !== undefined && !values.includes(null)) schema.enum = [...values, null]
  }
}

function replace(schema: object, value: object): void {
  for (const key of Object.keys(schema)) Reflect.deleteProperty(schema, key)
  Object.assign(schema, value)
}
