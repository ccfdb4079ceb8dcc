/** Compiles Schema Objects into validators (JSON Schema 2020-12). */
import type { Ajv2020 } from 'ajv/dist/2020.js'
import type { OpenApi, Schema } from '../document/model.ts'
import { compileSchema, createAjv } from './ajv.ts'
import { createConverterCompiler } from './conversion.ts'
import { formatSchemaKey, type PreparedValidators, type Validate } from './prepared.ts'
import type { Validated } from './violations.ts'

/** Validates a value, which it leaves as it is. */
export type Validator = (value: unknown) => Validated

export type SchemaCompiler = (schema: Schema) => Validator

/** Makes the compiler of a document's schemas: the prepared ones need not be compiled. */
export function createSchemaCompiler(root: OpenApi, prepared: PreparedValidators = {}): SchemaCompiler {
  let ajv: Ajv2020 | undefined
  const compile = (schema: Schema): Validate => {
    const validate = prepared[formatSchemaKey(schema)]
    if (validate !== undefined) return validate
    ajv ??= createAjv(root)
    return compileSchema(ajv, schema)
  }
  const compileConverter = createConverterCompiler(root, compile)
  const createValidator = (schema: Schema): Validator => {
    const validate = compile(schema)
    const convert = compileConverter(schema)
    return (value) => {
      validate(value)
      return validate.errors ? { errors: validate.errors } : { value: convert(value) }
    }
  }
  // Each takes milliseconds, and examples, parameters and bodies share schemas.
  const known = new Map<string, Validator>()
  return (schema) => {
    const key = formatSchemaKey(schema)
    const validator = known.get(key) ?? createValidator(schema)
    known.set(key, validator)
    return validator
  }
}
