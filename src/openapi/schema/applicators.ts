/**
 * The applicators of JSON Schema: keywords that apply subschemas to a value itself (in-place applicators), to its properties,
 * and to its items (JSON Schema 2020-12, sections 10.2 and 10.3). The functions of this file know schemas, and no values.
 */
import type { OpenApi, Schema } from '../document/model.ts'
import { getSubschemas, getTarget, getTypes, toSchema } from '../document/references.ts'
import type { SchemaType } from '../shared/json.ts'
import { getType } from '../shared/json.ts'
import { createPattern } from './formats.ts'

/** The in-place applicator whose subschemas describe every valid value. */
const CONJUNCTION = /^allOf$/
/** The in-place applicators whose subschemas describe a valid value, or may describe one. */
const ALL_IN_PLACE = /^(allOf|anyOf|oneOf|then|else|dependentSchemas)$/
/** The in-place applicators whose subschemas may evaluate members: a condition that holds does so, too. */
const EVALUATING = /^(allOf|anyOf|oneOf|if|then|else|dependentSchemas)$/

/** Finds the schemas that describe every value which these schemas describe: themselves, through `$ref` and `allOf`. */
export function findConjuncts(root: OpenApi, schemas: readonly Schema[]): Schema[] {
  return findInPlaceSchemas(root, schemas, CONJUNCTION)
}

/** Finds the schemas that may describe a value which these schemas describe: also through the branches of unions. */
export function findPossibleSchemas(root: OpenApi, schemas: readonly Schema[]): Schema[] {
  return findInPlaceSchemas(root, schemas, ALL_IN_PLACE)
}

/** Finds the schemas that may evaluate members of a value which a schema describes (JSON Schema 2020-12, section 11). */
export function findEvaluatingSchemas(root: OpenApi, schema: Schema): Schema[] {
  return findInPlaceSchemas(root, [schema], EVALUATING)
}

function findInPlaceSchemas(root: OpenApi, schemas: readonly Schema[], keywords: RegExp): Schema[] {
  // The iteration includes the schemas that are added during it.
  const reachable = new Set(schemas)
  for (const schema of reachable) {
    if (schema.$ref !== undefined) reachable.add(toSchema(getTarget(root, schema.$ref)))
    for (const subschema of getSubschemas(schema, keywords)) reachable.add(subschema)
  }
  return [...reachable]
}

/**
 * Returns the subschemas by which one schema describes a property, without `unevaluatedProperties`. Undefined stands for the
 * properties that neither a name nor a pattern declares.
 */
export function getPropertySchemas(schema: Schema, name: string | undefined): Schema[] {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema
  const declared: Schema[] = []
  if (name !== undefined) {
    if (Object.hasOwn(properties, name)) declared.push(properties[name] as Schema)
    for (const [pattern, subschema] of Object.entries(patternProperties)) {
      if (createPattern(pattern).test(name)) declared.push(subschema)
    }
  }
  if (declared.length > 0) return declared.map(toSchema)
  return additionalProperties === undefined ? [] : [toSchema(additionalProperties)]
}

/** Returns the subschema by which one schema describes an item, in a list, without `unevaluatedItems`. */
export function getItemSchemas({ prefixItems = [], items }: Schema, index: number): Schema[] {
  const subschema = prefixItems[index] ?? items
  return subschema === undefined ? [] : [toSchema(subschema)]
}

/** Returns the types that a schema allows by `type`, `const` or `enum`; none if it has none of these keywords. */
export function getAllowedTypes(schema: Schema): readonly SchemaType[] {
  if (schema.type !== undefined) return getTypes(schema)
  return getListedValues(schema).map(getType)
}

/** Returns the types that a schema allows, or else implies by other keywords. */
export function getMentionedTypes(schema: Schema): readonly SchemaType[] {
  if (schema.type !== undefined) return getTypes(schema)
  return [
    ...getListedValues(schema).map(getType),
    ...(schema.properties === undefined ? [] : (['object'] as const)),
    ...(schema.items === undefined ? [] : (['array'] as const)),
  ]
}

/** Returns the only values that a schema allows by `const` or `enum`; none if it has neither. */
export function getListedValues(schema: Schema): readonly unknown[] {
  return 'const' in schema ? [schema.const] : (schema.enum ?? [])
}

/** True if a schema says that numbers are 64-bit integers, which become bigint. Without a type, only numbers are meant. */
export function isInt64({ format, type = 'integer' }: Schema): boolean {
  return format === 'int64' && /integer|number/.test(String(type))
}

/** True if a value is bytes: a string in JSON, and a file in a form (OpenAPI 3.0 and 3.1, binary data). */
export function isBinary({ format, contentMediaType: media = 'text/plain', contentEncoding }: Schema): boolean {
  return format === 'binary' || (contentEncoding === undefined && !/^text\/|json$/.test(media))
}
