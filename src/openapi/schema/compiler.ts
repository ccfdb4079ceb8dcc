/**
 * Compiles Schema Objects into validators (JSON Schema 2020-12) with Ajv. `npm run generate` compiles those of the spec, so
 * that a start need neither compile them nor load Ajv.
 */
import { createRequire } from 'node:module'
import type { ErrorObject } from 'ajv'
import type { Ajv2020, CodeOptions } from 'ajv/dist/2020.js'
import { _ } from 'ajv/dist/compile/codegen/index.js'
import type { OpenApi, Schema } from '../document/model.ts'
import { mapSchema, toPointer } from '../document/references.ts'
import { areDistinct, stringifyExactly } from '../json.ts'
import { createConverterCompiler } from './conversion.ts'
import { FORMATS } from './formats.ts'
import { VOCABULARY } from './keywords.ts'
import { createNumericCheck, withNumeric } from './numbers.ts'
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
    const key = formatSchemaKey(schema)
    const validator = known.get(key) ?? createValidator(schema)
    known.set(key, validator)
    return validator
  }
}

/** Tells whether a value is valid; `errors` are those of the value that it was called with last, if there are any. */
export interface Validate {
  (value: unknown): boolean
  errors?: readonly ErrorObject[] | null
}

/** Validators by the keys of their schemas. */
export type PreparedValidators = Readonly<Record<string, Validate>>

/** The export of generated/validators.js: makes the validators out of the modules that they need. */
export type CreateValidators = (require: (name: string) => unknown) => PreparedValidators

/** The key of a schema in a document: equal schemas have the same one. */
export function formatSchemaKey(schema: Schema): string {
  return schema.$ref ?? stringifyExactly(schema)
}

/** The modules that the code of a validator needs, besides small ones of Ajv. */
const PARTS = new Map<string, unknown>([
  ['formats', FORMATS],
  ['json', { areDistinct }],
  ['numbers', { createNumericCheck }],
])

/** Makes the validators of which `npm run generate` has written the code. */
export function prepareValidators(create: CreateValidators): PreparedValidators {
  return create((name) => PARTS.get(name) ?? require(name))
}

const require = createRequire(import.meta.url)

/** Makes an Ajv that has the components of a document. The code that it generates refers to `PARTS`. */
export function createAjv(root: OpenApi, code: CodeOptions = {}): Ajv2020 {
  // Loaded only if it is needed: it takes a tenth of a start.
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js')
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
    code: { ...code, formats: _`require("formats")` },
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
export function toAjvSchema(schema: Schema): Schema {
  return mapSchema(schema, (inner) => {
    const known = Object.fromEntries(Object.entries(inner).filter(([keyword]) => !ANNOTATION.test(keyword)))
    return withNumeric(inner.$ref === undefined ? known : { ...known, $ref: toAjvReference(inner.$ref) })
  })
}

/** The reference by which Ajv knows what `$ref` refers to in the document. */
export function toAjvReference($ref: string): string {
  return `openapi${$ref}`
}
