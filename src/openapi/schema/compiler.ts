/** Compiles Schema Objects into validators (JSON Schema 2020-12) with Ajv. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats, { type FormatName } from 'ajv-formats'
import type { OpenApi, Schema } from '../document/model.ts'
import { getDefault, getTypes, mapSchema, toPointer } from '../document/references.ts'
import { stringifyExactly } from '../json.ts'
import { KEYWORDS } from './keywords.ts'
import type { Validated } from './violations.ts'

/** Validates a value, and fills in defaults and makes a bigint of each int64 in it. */
export type Validator = (value: unknown) => Validated

export type SchemaCompiler = (schema: Schema) => Validator

/** Makes the compiler of a document's schemas. */
export function createSchemaCompiler(root: OpenApi): SchemaCompiler {
  let ajv: Ajv2020 | undefined
  const createValidator = (schema: Schema): Validator => {
    ajv ??= createAjv(root)
    // A schema with a reference has only annotations besides.
    const known = schema.$ref === undefined ? undefined : ajv.getSchema(toAjvReference(schema.$ref))
    const validate = known ?? ajv.compile(toAjvSchema(root, schema))
    return (value) => {
      // The value itself may become another one.
      const parentData = { value }
      const place = {
        instancePath: '',
        parentData,
        parentDataProperty: 'value',
        rootData: parentData,
        dynamicAnchors: {},
      }
      validate(value, place)
      return validate.errors ? { errors: validate.errors } : parentData
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

/** The supported formats of strings, as ajv-formats has them. `password` is a hint for people. */
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
]

/** All by name, for Ajv, which need not know the one of an int64. */
const FORMATS = Object.fromEntries(
  [...TEXT_FORMATS, 'int32', 'float', 'double'].map((name) => [name, formats.default.get(name as FormatName)]),
)

/** Makes an Ajv that has the components of a document. */
function createAjv(root: OpenApi): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    // Only own properties count: every object inherits `constructor` and the like.
    ownProperties: true,
    // The document is checked already, and the meta-schemas take 50 ms to add and to compile.
    meta: false,
    strict: false,
    // An unknown format is reported with its place.
    logger: false,
    strictNumbers: true,
    validateSchema: false,
    formats: FORMATS,
    useDefaults: true,
    // 19.99 is a multiple of 0.01, although 19.99 / 0.01 is not an integer.
    multipleOfPrecision: 9,
  })
  for (const { keyword } of KEYWORDS) ajv.removeKeyword(String(keyword))
  ajv.addVocabulary(KEYWORDS)
  // Each has its own reference: Ajv compiles the parts of a schema again wherever they are referred to.
  for (const [name, component] of Object.entries(root.components?.schemas ?? {})) {
    ajv.addSchema(toAjvSchema(root, component), toAjvReference(`#${toPointer('components', 'schemas', name)}`))
  }
  return ajv
}

/** The schema in the form in which Ajv validates it. */
function toAjvSchema(root: OpenApi, schema: Schema): object {
  return mapSchema(schema, (inner): Schema & { int64?: Schema; double?: Schema } => {
    if (inner.$ref !== undefined) return { $ref: toAjvReference(inner.$ref), default: getDefault(root, inner) }
    if (inner.format === 'int64') return { default: inner.default, int64: inner }
    return getTypes(inner).includes('number') ? { default: inner.default, double: inner } : inner
  })
}

/** The reference by which Ajv knows what `$ref` refers to in the document. */
function toAjvReference($ref: string): string {
  return `openapi${$ref}`
}
