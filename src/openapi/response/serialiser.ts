/**
 * Compiles response schemas into serialisers: they print every int64 with all its digits, and nothing that the schema
 * does not declare.
 */
import fastJson, { type Schema as FastSchema } from 'fast-json-stringify'
import type { OpenApi, Schema } from '../model.ts'
import { mapSchema, mapValues, someSchema, typesOf } from '../schemas.ts'

/** Turns a body into JSON text. Throws where a required property is missing or a value is of another type. */
export type Serialiser = (body: unknown) => string

/** Makes the serialiser of a schema that stands in the document. Throws where the schema cannot be honoured. */
export function createSerialiserCompiler(root: OpenApi): (schema: Schema) => Serialiser {
  const schemas = mapValues(root.components?.schemas ?? {}, serialised)
  const openapi: object = { $id: 'openapi', components: { schemas } }
  const compiled = new Map<Schema | string, Serialiser>()
  return (schema) => {
    // The errors of all operations have one schema.
    const known = compiled.get(schema.$ref ?? schema)
    if (known !== undefined) return known
    if (someSchema(root, schema, (inner) => choices(inner).some((each) => someSchema(root, each, isInt64)))) {
      throw new Error('an int64 within anyOf or oneOf cannot be serialised without loss')
    }
    const serialise = fastJson(serialised(schema) as FastSchema, { schema: { openapi: openapi as FastSchema } })
    compiled.set(schema.$ref ?? schema, serialise)
    return serialise
  }
}

/** The schema as fast-json-stringify is to see it. */
function serialised(schema: Schema): Schema {
  return mapSchema(schema, ({ default: _default, ...inner }) => {
    // A default is for what a client leaves out; an answer says what there is.
    if (inner.$ref !== undefined) return { $ref: `openapi${inner.$ref}` }
    // Where several types are named, it looks for a number and does not take a bigint for one.
    if (inner.format === 'int64' && typesOf(inner).includes('null')) return { ...inner, type: 'integer', ...NULLABLE }
    return inner
  })
}

const NULLABLE: object = { nullable: true }

function choices({ anyOf = [], oneOf = [] }: Schema): readonly Schema[] {
  return [...anyOf, ...oneOf]
}

function isInt64({ format }: Schema): boolean {
  return format === 'int64'
}
