/**
 * Helpers for Schema Objects (OpenAPI 3.1, section 4.8.24).
 */
import type { OpenApi, Schema, SchemaType } from './model.ts'
import { getValueAt } from './references.ts'

/** The types that a schema's own `type` allows; none if it has no `type`. */
export function getTypes(schema: Schema): readonly SchemaType[] {
  if (schema.type === undefined) return []
  return Array.isArray(schema.type) ? schema.type : [schema.type as SchemaType]
}

/** The value used for one that was left out: the default beside a `$ref`, or else the one that it leads to. */
export function getDefault(root: OpenApi, schema: Schema): unknown {
  if ('default' in schema || schema.$ref === undefined) return schema.default
  return getDefault(root, getValueAt(root, schema.$ref.slice(1)) as Schema)
}

/** Copies a schema and applies the function to every schema within it, innermost first, and then to the copy. */
export function mapSchema(schema: Schema, change: (schema: Schema) => Schema): Schema {
  const mapInner = (value: Schema) => mapSchema(value, change)
  const copy: { -readonly [Key in keyof Schema]: Schema[Key] } = { ...schema }
  if (schema.items !== undefined) copy.items = mapInner(schema.items)
  if (typeof schema.additionalProperties === 'object') copy.additionalProperties = mapInner(schema.additionalProperties)
  if (schema.properties !== undefined) copy.properties = mapValues(schema.properties, mapInner)
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    if (schema[keyword] !== undefined) copy[keyword] = schema[keyword].map(mapInner)
  }
  return change(copy)
}

/** Copies a document with the function applied to every schema of its components. */
export function mapSchemas(root: OpenApi, change: (schema: Schema) => Schema): OpenApi {
  const schemas = mapValues(root.components?.schemas ?? {}, (schema) => mapSchema(schema, change))
  return { ...root, components: { ...root.components, schemas } }
}

/** Copies an object with each value replaced by what the function returns for it. */
export function mapValues<In, Out>(
  object: Readonly<Record<string, In>>,
  change: (value: In) => Out,
): Record<string, Out> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}
