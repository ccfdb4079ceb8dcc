/** Compiles Schema Objects into validators (JSON Schema 2020-12). */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { OpenApi, Schema } from '../document/model.ts'
import { mapSchema, toPointer } from '../document/references.ts'
import { createConverterCompiler } from './conversion.ts'
import { FORMATS } from './formats.ts'
import { VOCABULARY, withNumeric } from './keywords.ts'
import type { Validated } from './violations.ts'

/** Validates a value, which it leaves as it is. */
export type Validator = (value: unknown) => Validated

export type SchemaCompiler = (schema: Schema) => Validator

/** Makes the compiler of a document's schemas. With `isLazy`, each is compiled when its validator is first used. */
export function createSchemaCompiler(root: OpenApi, isLazy = false): SchemaCompiler {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    // Only own properties count: every object inherits `constructor` and the like.
    ownProperties: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    // The document is checked already, and the meta-schema takes 40 ms to compile.
    validateSchema: false,
    formats: FORMATS,
  })
  for (const keyword of VOCABULARY.flatMap((each) => each.keyword)) ajv.removeKeyword(keyword)
  ajv.addVocabulary([...VOCABULARY, 'example'])
  const components = Object.entries(root.components?.schemas ?? {})
  const compile = (schema: Schema) => {
    // Added when the first one is needed: a component that is wrong may prevent others from being compiled. Each has its own
    // reference: Ajv compiles the parts of a schema again wherever they are referred to.
    for (const [name, component] of components.splice(0)) {
      ajv.addSchema(toAjvSchema(component), `openapi#${toPointer('components', 'schemas', name)}`)
    }
    // A schema with a reference has only annotations besides.
    return schema.$ref === undefined
      ? ajv.compile(toAjvSchema(schema))
      : (ajv.getSchema(`openapi${schema.$ref}`) as ValidateFunction)
  }
  const compileConverter = createConverterCompiler(root, compile)
  const createValidator = (schema: Schema): Validator => {
    const validate = compile(schema)
    const convert = compileConverter(schema)
    return (value) =>
      validate(value) ? { value: convert(value) } : { errors: validate.errors as readonly ErrorObject[] }
  }
  // Each takes milliseconds, and examples, parameters and bodies share schemas.
  const known = new Map<Schema | string, Validator>()
  return (schema) => {
    const key = schema.$ref ?? schema
    const validator = known.get(key) ?? (isLazy ? postpone(() => createValidator(schema)) : createValidator(schema))
    known.set(key, validator)
    return validator
  }
}

/** Makes a validator that is created when it is first used. */
function postpone(create: () => Validator): Validator {
  let validate: Validator | undefined
  return (value) => {
    validate ??= create()
    return validate(value)
  }
}

/** The schema in the form in which Ajv validates it. */
function toAjvSchema(schema: Schema): Schema {
  return mapSchema(schema, (inner) => {
    // Ajv refuses what it does not know, and extensions are of other tools.
    const known = Object.fromEntries(Object.entries(inner).filter(([keyword]) => !keyword.startsWith('x-')))
    return withNumeric(inner.$ref === undefined ? known : { ...known, $ref: `openapi${inner.$ref}` })
  })
}
