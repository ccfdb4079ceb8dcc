/**
 * Walking through Schema Objects (OpenAPI 3.1, section 4.8.24).
 */
import type { OpenApi, Schema, SchemaType } from './model.ts'
import { valueAt } from './references.ts'

/** The types that a schema allows by its own `type`; none where it does not say. */
export function typesOf(schema: Schema): readonly SchemaType[] {
  if (schema.type === undefined) return []
  return Array.isArray(schema.type) ? schema.type : [schema.type as SchemaType]
}

/** What stands for a value that was left out: the default beside a `$ref`, or else the one that it leads to. */
export function defaultOf(root: OpenApi, schema: Schema): unknown {
  if ('default' in schema || schema.$ref === undefined) return schema.default
  return defaultOf(root, valueAt(root, schema.$ref.slice(1)) as Schema)
}

/** A copy of the schema in which it and every schema within it has gone through the function, innermost first. */
export function mapSchema(schema: Schema, change: (schema: Schema) => Schema): Schema {
  const inner = (value: Schema) => mapSchema(value, change)
  const copy: { -readonly [Key in keyof Schema]: Schema[Key] } = { ...schema }
  if (schema.items !== undefined) copy.items = inner(schema.items)
  if (typeof schema.additionalProperties === 'object') copy.additionalProperties = inner(schema.additionalProperties)
  if (schema.properties !== undefined) copy.properties = mapValues(schema.properties, inner)
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    if (schema[keyword] !== undefined) copy[keyword] = schema[keyword].map(inner)
  }
  return change(copy)
}

/** The object with each value replaced by what the function makes of it. */
export function mapValues<In, Out>(
  object: Readonly<Record<string, In>>,
  change: (value: In) => Out,
): Record<string, Out> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}
