/** Schema Objects within Schema Objects: subschemas, and the targets of references. */
import { isObject, type SchemaType } from '../shared/json.ts'
import type { OpenApi, Schema } from './model.ts'
import { collectReachable, createSearch } from './reachable.ts'
import { getReferences } from './references.ts'
import { mapValues, toObject } from './values.ts'

/** The schema of any value. */
export const ANY: Schema = {}
/** The schema of no value. */
export const NEVER = { not: {} } as Schema

/** Returns a boolean schema as an object, and any other schema as it is. */
export function toSchema(schema: Schema | boolean): Schema {
  return typeof schema !== 'boolean' ? schema : schema ? ANY : NEVER
}

/** Returns the types that the keyword `type` lists, or [] without the keyword. */
export function getTypes({ type = [] }: Schema): readonly SchemaType[] {
  return [type].flat()
}

/** The keywords whose value is a schema, a list of schemas or a map of schemas (JSON Schema 2020-12, sections 10 and 11). */
export const SUBSCHEMA_KEYWORDS = {
  single: new Set(
    'not if then else items contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties'.split(
      ' ',
    ),
  ),
  list: new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']),
  map: new Set(['properties', 'patternProperties', 'dependentSchemas']),
} as const

/** Copies a schema with each direct subschema replaced by what `change` returns; boolean subschemas stay. */
export function mapSubschemas(schema: Schema, change: (subschema: Schema) => object | boolean): Schema {
  const { single, list, map } = SUBSCHEMA_KEYWORDS
  const changedSchema: Record<string, unknown> = { ...schema }
  const changeSubschema = (subschema: unknown) => (isObject(subschema) ? change(subschema) : subschema)
  for (const [keyword, value] of Object.entries(schema)) {
    if (single.has(keyword)) changedSchema[keyword] = changeSubschema(value)
    else if (list.has(keyword) && Array.isArray(value))
      changedSchema[keyword] = value.map((item) => changeSubschema(item))
    else if (map.has(keyword)) changedSchema[keyword] = mapValues(toObject(value), changeSubschema)
  }
  return changedSchema
}

/** Returns the direct subschemas that are objects; `keywords` matches the keywords whose subschemas are wanted. */
export function getSubschemas(schema: Schema, keywords = /./): Schema[] {
  const { single, list, map } = SUBSCHEMA_KEYWORDS
  const subschemas: Schema[] = []
  for (const [keyword, value] of Object.entries(schema)) {
    if (!keywords.test(keyword)) continue
    if (single.has(keyword) && isObject(value)) subschemas.push(value)
    else if (list.has(keyword) || map.has(keyword)) subschemas.push(...Object.values(toObject(value)).filter(isObject))
  }
  return subschemas
}

/** Returns the direct subschemas of a schema and the target of its `$ref`. */
function getLinkedSchemas(root: OpenApi, schema: Schema): Schema[] {
  const targets: Schema[] =
    schema.$ref === undefined ? [] : [getReferences(root).getTarget(schema.$ref)].filter(isObject)
  return [...targets, ...getSubschemas(schema)]
}

/** Returns schemas with all schemas that they contain or refer to, at any depth, each once. */
export function findSchemas(root: OpenApi, ...schemas: readonly Schema[]): Schema[] {
  return collectReachable(schemas, (schema) => getLinkedSchemas(root, schema))
}

/** Creates the function that returns true for a schema if it matches, or any schema that it leads to by subschemas and references. */
export function createSchemaSearch(root: OpenApi, isMatch: (schema: Schema) => boolean): (schema: Schema) => boolean {
  return createSearch((schema) => getLinkedSchemas(root, schema), isMatch)
}
