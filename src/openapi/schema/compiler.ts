/** Compiles Schema Objects into validators (JSON Schema 2020-12) with Ajv. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { OpenApi, Schema } from '../document/model.ts'
import { mapSchema, toPointer } from '../document/references.ts'
import { stringifyExactly } from '../json.ts'
import { createConverterCompiler } from './conversion.ts'
import { FORMATS } from './formats.ts'
import { VOCABULARY } from './keywords.ts'
import { withNumeric } from './numbers.ts'
import type { Validated } from './violations.ts'

/** Validates a value, which it leaves as it is. */
export type Validator = (value: unknown) => Validated

export type SchemaCompiler = (schema: Schema) => Validator

/** Makes the compiler of a document's schemas. */
export function createSchemaCompiler(root: OpenApi): SchemaCompiler {
  let ajv: Ajv2020 | undefined
  const compile = (schema: Schema) => {
    ajv ??= createAjv(root)
    // A schema with a reference has only annotations besides.
    const known = schema.$ref === undefined ? undefined : ajv.getSchema(toAjvReference(schema.$ref))
    return known ?? ajv.compile(toAjvSchema(schema))
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
    const key = schema.$ref ?? stringifyExactly(schema)
    const validator = known.get(key) ?? createValidator(schema)
    known.set(key, validator)
    return validator
  }
}

/** Makes an Ajv that has the components of a document. */
function createAjv(root: OpenApi): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    // Only own properties count: every object inherits `constructor` and the like.
    ownProperties: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    // The document is checked already, and the meta-schemas take 50 ms to add and to compile.
    meta: false,
    validateSchema: false,
    formats: FORMATS,
  })
  for (const keyword of VOCABULARY.flatMap((each) => each.keyword)) ajv.removeKeyword(keyword)
  ajv.addVocabulary(VOCABULARY)
  // Each has its own reference: Ajv compiles the parts of a schema again wherever they are referred to.
  for (const [name, component] of Object.entries(root.components?.schemas ?? {})) {
    ajv.addSchema(toAjvSchema(component), toAjvReference(`#${toPointer('components', 'schemas', name)}`))
  }
  return ajv
}

/** The keywords that validate nothing, of which Ajv does not know all; a message may quote the description. */
const ANNOTATION = /^(?:default|deprecated|examples?|title|x-.*)$/

/** The schema in the form in which Ajv validates it. */
function toAjvSchema(schema: Schema): Schema {
  return mapSchema(schema, (inner) => {
    const known = Object.fromEntries(Object.entries(inner).filter(([keyword]) => !ANNOTATION.test(keyword)))
    return withNumeric(inner.$ref === undefined ? known : { ...known, $ref: toAjvReference(inner.$ref) })
  })
}

/** The reference by which Ajv knows what `$ref` refers to in the document. */
function toAjvReference($ref: string): string {
  return `openapi${$ref}`
}
