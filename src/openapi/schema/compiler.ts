/**
 * Compiles Schema Objects into validators (JSON Schema 2020-12) with Ajv, and with keywords that Ajv does not have, or not fast
 * enough: `items` and `additionalProperties`, which a value may violate any number of times, stop when they have found more
 * errors than a message lists.
 */
import type { CodeKeywordDefinition, ErrorObject, FuncKeywordDefinition, KeywordCxt, Name } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { _, and, type Code } from 'ajv/dist/compile/codegen/index.js'
import { Type } from 'ajv/dist/compile/util.js'
import formats, { type FormatName } from 'ajv-formats'
import type { OpenApi, Schema } from '../document/model.ts'
import { getDefault, getTypes, mapSchema, toPointer } from '../document/references.ts'
import { areDistinct, isNumber, type Numeric, stringifyExactly } from '../json.ts'

/** Either the value, with defaults filled in and every int64 as bigint, or the errors in it, in each list and map the first. */
export type Validated = { readonly value: unknown } | { readonly errors: readonly ErrorObject[] }

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
const FORMATS = {
  ...Object.fromEntries(
    [...TEXT_FORMATS, 'float', 'double'].map((name) => [name, formats.default.get(name as FormatName)]),
  ),
  // What is no integer violates its type alone.
  int32: { type: 'number', validate: (value: number) => !Number.isInteger(value) || value === (value | 0) },
} as const

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

/** A message lists this many violations. */
export const MAX_LISTED = 10

/** The range of an int64 (OpenAPI Format Registry). */
const [LEAST, MOST] = [-(2n ** 63n), 2n ** 63n - 1n]

/** The keyword that a value violates, with the parameters of an error of Ajv. */
export interface Violation {
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
}

const LIMITS: Readonly<Record<string, (value: bigint, limit: Numeric) => boolean>> = {
  minimum: (value, limit) => value >= limit,
  maximum: (value, limit) => value <= limit,
  exclusiveMinimum: (value, limit) => value > limit,
  exclusiveMaximum: (value, limit) => value < limit,
  multipleOf: (value, limit) => value % BigInt(limit) === 0n,
}

/**
 * Takes the place of a schema with `format: int64`, whose keywords it has: Ajv ignores a bigint in them. Its values become
 * bigint. An error has that of the violated keyword in its parameters.
 */
const int64Keyword: CodeKeywordDefinition = {
  keyword: 'int64',
  schemaType: 'object',
  error: { message: 'must be a valid int64', params: ({ params }) => _`${params.violation}` },
  code: (cxt) => {
    const { gen, data, schema } = cxt
    const check = gen.scopeValue('func', { ref: createInt64Check(schema) })
    const violation = gen.const('violation', _`${check}(${data})`)
    gen.if(_`${violation} === undefined && typeof ${data} === "number"`, () => replace(cxt, _`BigInt(${data})`))
    cxt.setParams({ violation })
    cxt.fail(violation)
  },
}

/** Makes the function that finds the violation of the keywords of an int64; it returns undefined if a value is valid. */
function createInt64Check(schema: Schema): (value: unknown) => Violation | undefined {
  const isNullable = getTypes(schema).includes('null')
  const limits = Object.entries(schema).filter(([keyword]) => Object.hasOwn(LIMITS, keyword))
  const values = 'const' in schema ? [schema.const] : schema.enum
  const listed = values && new Set(values.map(String))
  return (value) => {
    const isInteger = typeof value === 'bigint' ? value >= LEAST && value <= MOST : Number.isSafeInteger(value)
    if (!isInteger && !(isNullable && value === null)) {
      return { keyword: 'type', params: { type: ['int64 integer', ...(isNullable ? ['null'] : [])] } }
    }
    if (listed !== undefined && !listed.has(String(value))) {
      return { keyword: 'enum', params: { allowedValues: values } }
    }
    if (!isNumber(value)) return undefined
    const exact = BigInt(value)
    const violated = limits.find(([keyword, limit]) => !LIMITS[keyword]?.(exact, limit))
    return violated && { keyword: violated[0], params: { limit: violated[1] } }
  }
}

/** Has the schema of a number: a bigint becomes the nearest one, because its `type` is no type of Ajv. */
const doubleKeyword: CodeKeywordDefinition = {
  keyword: 'double',
  schemaType: 'object',
  code: (cxt) => {
    const { gen, data } = cxt
    gen.if(_`typeof ${data} === "bigint"`, () => replace(cxt, _`Number(${data})`))
    const valid = gen.name('valid')
    cxt.subschema({ keyword: 'double' }, valid)
    cxt.ok(valid)
  },
}

/** Replaces the value, also where it is. */
function replace({ gen, data, it }: KeywordCxt, value: Code): void {
  gen.assign(data, value)
  gen.if(it.parentData, () => gen.assign(_`${it.parentData}[${it.parentDataProperty}]`, data))
}

/** That of Ajv compares each item with each other: the time grows with the square of the number of items. */
const uniqueItemsKeyword: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  errors: false,
  validate: (isUnique: boolean, items: readonly unknown[]) => !isUnique || areDistinct(items),
}

/** JSON Schema 2020-12, section 10.3.1. */
const itemsKeyword: CodeKeywordDefinition = {
  keyword: 'items',
  type: 'array',
  schemaType: 'object',
  trackErrors: true,
  code: (cxt) => {
    const { gen, data } = cxt
    gen.forRange('i', 0, _`${data}.length`, (index) => {
      cxt.subschema({ keyword: 'items', dataProp: index, dataPropType: Type.Num }, gen.name('valid'))
      stopAtLimit(cxt)
    })
    cxt.ok(_`errors === ${cxt.errsCount}`)
  },
}

/** JSON Schema 2020-12, section 10.3.2. */
const additionalPropertiesKeyword: CodeKeywordDefinition = {
  keyword: 'additionalProperties',
  type: 'object',
  schemaType: ['boolean', 'object'],
  before: 'properties',
  trackErrors: true,
  error: { message: 'must be declared', params: ({ params }) => _`{additionalProperty: ${params.name}}` },
  code: (cxt) => {
    const { gen, data, schema, parentSchema } = cxt
    if (schema === true) return
    const validate = (name: Name) => {
      cxt.setParams({ name })
      if (schema === false) cxt.error()
      else cxt.subschema({ keyword: 'additionalProperties', dataProp: name, dataPropType: Type.Str }, gen.name('valid'))
      stopAtLimit(cxt)
    }
    gen.forIn('key', data, (key) => {
      const differs = Object.keys(parentSchema.properties ?? {}).map((name) => _`${key} !== ${name}`)
      gen.if(and(_`true`, ...differs), () => validate(key))
    })
    cxt.ok(_`errors === ${cxt.errsCount}`)
  },
}

/** In the code that Ajv generates, `errors` counts those of the whole value, and `errsCount` is what it was before. */
function stopAtLimit({ gen, errsCount }: KeywordCxt): void {
  gen.if(_`errors - ${errsCount} > ${MAX_LISTED}`, () => gen.break())
}

/** The keywords that are added to those of Ajv, or take the place of them; `items` converts the items before they are compared. */
const KEYWORDS = [int64Keyword, doubleKeyword, itemsKeyword, uniqueItemsKeyword, additionalPropertiesKeyword]
