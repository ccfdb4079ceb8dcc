/**
 * Compiles Schema Objects into validators (JSON Schema 2020-12).
 */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { OpenApi, Schema } from '../model.ts'
import { mapSchema, mapValues } from '../schemas.ts'
import { createConverterCompiler } from './conversion.ts'
import { numericKeyword, withNumeric } from './numeric.ts'
import { uniqueItemsKeyword } from './unique.ts'

/** The formats that are checked besides those of numbers; `password` is a hint to people, and always valid. */
export const TEXT_FORMATS = [
  'byte',
  'date',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'json-pointer',
  'password',
  'regex',
  'time',
  'uri',
  'uri-reference',
  'uri-template',
  'uuid',
] as const

/** Either the value, with defaults filled in and every int64 as bigint, or every reason why it is not valid. */
export type Validated = { readonly value: unknown } | { readonly errors: readonly ErrorObject[] }

/** Validates a value, which it may change in doing so. */
export type Validator = (value: unknown) => Validated

/** Makes a validator of a schema that stands in the document. */
export type SchemaCompiler = (schema: Schema) => Validator

export function createSchemaCompiler(root: OpenApi): SchemaCompiler {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    // A property is there when the sender wrote it: `constructor` and the like are inherited by every object.
    ownProperties: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    // The document has been checked already, and the meta-schema takes 40 ms to compile.
    validateSchema: false,
  })
  ajv.removeKeyword('uniqueItems')
  ajv.addVocabulary([numericKeyword, uniqueItemsKeyword])
  addFormats.default(ajv, [...TEXT_FORMATS])
  ajv.addVocabulary(['components', 'example', 'x-extensible-enum'])
  ajv.addSchema({ components: { schemas: mapValues(root.components?.schemas ?? {}, validated) } }, 'openapi')
  const compile = (schema: Schema) => ajv.compile(validated(schema))
  const converterOf = createConverterCompiler(root, compile)
  return (schema) => {
    const validate = compile(schema)
    const convert = converterOf(schema)
    return (value) =>
      validate(value) ? { value: convert(value) } : { errors: validate.errors as readonly ErrorObject[] }
  }
}

/** The schema as Ajv is to see it. */
function validated(schema: Schema): Schema {
  return mapSchema(schema, (inner) => withNumeric(inner.$ref === undefined ? inner : absolute(inner)))
}

function absolute(schema: Schema): Schema {
  return { ...schema, $ref: `openapi${schema.$ref}` }
}
