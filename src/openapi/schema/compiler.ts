/**
 * Compiles Schema Objects into validators (JSON Schema 2020-12) with Ajv. A value is validated as it is, and converted once
 * it is known to be valid.
 */
import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { OpenApi, Schema } from '../document/model.ts'
import { findSchemas, getTarget, getTypes, mapSubschemas } from '../document/references.ts'
import { stringifyExactly } from '../json.ts'
import { createConverterCompiler } from './converter.ts'
import { createPattern, TEXT_FORMATS } from './formats.ts'
import { addKeywords, evaluations, isBinary, isInt64, isNumeric, TOO_COMPLEX } from './keywords.ts'
import { ALWAYS, type Direction, findHidden, findInPlace, IN_PLACE, isHidden, toSchema } from './parts.ts'

/** Either the value, with defaults filled in and every int64 as bigint, or the errors in it, in each list and map the first. */
export type Validated = { readonly value: unknown } | { readonly errors: readonly ErrorObject[] }

/** Validates a value, and then fills in defaults and makes a bigint of each int64 in it: in place, where it is an object. */
export type Validator = (value: unknown) => Validated

/**
 * In a request, a property that is `readOnly` is neither accepted nor required. In a response, one that is `writeOnly` is
 * neither validated nor required, and nothing is converted; without a direction, both are like others.
 */
export type SchemaCompiler = (schema: Schema, direction?: Direction) => Validator

/** Makes the compiler of a document's schemas. */
export function createSchemaCompiler(root: OpenApi): SchemaCompiler {
  const compileErrors = createErrorsCompiler(root)
  const compileConverter = createConverterCompiler(root, (schema, direction) => {
    let findErrors: FindErrors | undefined
    return (value) => {
      findErrors ??= compileErrors(schema, direction)
      return findErrors(value) === undefined
    }
  })
  // Each takes milliseconds, and examples, parameters and bodies share schemas.
  const known = new Map<string, Validator>()
  return (schema, direction) => {
    const key = `${direction} ${stringifyExactly(schema)}`
    const existing = known.get(key)
    if (existing !== undefined) return existing
    const findErrors = compileErrors(schema, direction)
    const convert = direction === 'response' ? undefined : compileConverter(schema, direction)
    const validator: Validator = (value) => {
      const errors = findErrors(value)
      if (errors !== undefined) return { errors }
      return { value: convert === undefined ? value : convert(value) }
    }
    known.set(key, validator)
    return validator
  }
}

/** Finds the errors in a value; undefined if it is valid. */
type FindErrors = (value: unknown) => readonly ErrorObject[] | undefined

/** What the outer schemas of the same value determine. */
interface Around {
  readonly direction: Direction | undefined
  /** True if a bigint is an integer in the value, and in whatever is within it. */
  readonly isLenient: boolean
  /** True if a bigint is an integer here: one of the schemas has the format int64. */
  readonly isLong: boolean
  /** The properties that need not be there in the direction. */
  readonly hidden: readonly string[]
  /** Those of them that no alternative hides. */
  readonly always: readonly string[]
}

/** For a schema that excludes values: it says the same of requests and responses. */
const EXCLUDED: Around = { direction: undefined, isLenient: true, isLong: false, hidden: [], always: [] }

/** Makes the compiler of the validators, which leave the value as it is. */
function createErrorsCompiler(root: OpenApi): (schema: Schema, direction: Direction | undefined) => FindErrors {
  const ajv = createAjv()
  /** The names by which Ajv knows what is referred to. */
  const names = new Map<string, string>()
  /** Those that are not complete yet, and those that are referred to meanwhile. */
  const open = new Set<string>()
  const recursive = new Set<string>()

  function addTarget($ref: string, around: Around): string {
    const key = JSON.stringify([$ref, around])
    if (open.has(key)) recursive.add(key)
    const known = names.get(key)
    if (known !== undefined) return known
    const name = `s${names.size}`
    names.set(key, name)
    open.add(key)
    const schema = toAjvSchema(toSchema(getTarget(root, $ref)), around)
    open.delete(key)
    ajv.addSchema(recursive.has(key) ? { ...schema, recursive: true } : schema, name)
    return name
  }

  /** The schema in the form in which Ajv validates it. */
  function toAjvSchema(schema: Schema, around: Around): object {
    const { direction, isLenient } = around
    const isLong = isLenient || around.isLong || findInPlace(root, [schema], IN_PLACE).some(isInt64)
    const always = [...new Set([...around.always, ...findHidden(root, schema, direction, ALWAYS)])]
    const hidden = [...new Set([...around.hidden, ...findHidden(root, schema, direction)])]
    const inner = { direction, isLenient, isLong, hidden, always }
    const parts = mapSubschemas(schema, (part, keyword) => {
      // A response is written without it.
      if (OF_MEMBERS.test(keyword) && isHidden(root, [part], direction)) return { hidden: direction === 'request' }
      if (ALWAYS.test(keyword)) return toAjvSchema(part, inner)
      // An alternative may have what another one hides.
      if (IN_PLACE.test(keyword)) return toAjvSchema(part, { ...inner, hidden: always })
      // A schema that excludes values must not exclude fewer of them in a direction.
      const isExcluding = /^(not|if|contains|propertyNames)$/.test(keyword)
      return toAjvSchema(part, isExcluding ? EXCLUDED : { ...inner, isLong: false, hidden: [], always: [] })
    })
    const isFile = getTypes(schema).includes('string') && isBinary(schema)
    const isNumber = isNumeric(schema) && !isFile
    const isLeftOut = (keyword: string) => UNKNOWN.test(keyword) || (keyword === 'type' && (isNumber || isFile))
    return {
      ...Object.fromEntries(Object.entries(parts).filter(([keyword]) => !isLeftOut(keyword))),
      ...(isNumber && { numeric: { ...schema, isLong } }),
      ...(isFile && { binary: schema }),
      ...(parts.if !== undefined && toConditional(parts.if, parts.then)),
      ...(schema.discriminator && { discriminated: schema }),
      ...(schema.$ref !== undefined && { $ref: addTarget(schema.$ref, inner) }),
      ...(schema.required && { required: schema.required.filter((name) => !hidden.includes(name)) }),
    }
  }

  const findErrors = (validate: ValidateFunction, value: unknown): readonly ErrorObject[] | undefined => {
    evaluations.count = 0
    evaluations.value = value
    try {
      return validate(value) ? undefined : (validate.errors ?? [])
    } catch (error) {
      // A text of megabytes may overflow the stack of V8's regular expressions.
      if (error === TOO_COMPLEX || (error instanceof RangeError && /call stack/.test(error.message)))
        return [TOO_COMPLEX]
      throw error
    } finally {
      // So that V8 can collect it.
      evaluations.value = undefined
    }
  }

  return (schema, wanted) => {
    const isDirected = findSchemas(root, schema).some((part) => part.readOnly === true || part.writeOnly === true)
    const direction = isDirected ? wanted : undefined
    const prepared = toAjvSchema(schema, { ...EXCLUDED, direction, isLenient: wanted === 'response' })
    const { $ref, ...others } = prepared as Schema
    const isReference = $ref !== undefined && Object.keys(others).every((keyword) => !ajv.RULES.all[keyword])
    const validate = (isReference ? ajv.getSchema($ref) : undefined) ?? ajv.compile(prepared)
    return (value) => findErrors(validate, value)
  }
}

/** To Ajv, an `if` that fails evaluates members, too (JSON Schema 2020-12, section 11.3); a `not` evaluates none. */
function toConditional(condition: Schema, consequent: Schema = {}): object {
  return Object.fromEntries([
    ['if', { not: { not: condition } }],
    ['then', { allOf: [condition, consequent] }],
  ])
}

/** The keywords whose schemas are those of members of an object. */
const OF_MEMBERS = /properties$/i

/** Keywords that Ajv would understand otherwise than OpenAPI does. */
const UNKNOWN = /^(\$(id|schema|anchor|dynamicAnchor|async|comment)|nullable|discriminator|id|default)$/

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    // Only own properties count: every object inherits `constructor` and the like.
    ownProperties: true,
    // The document is checked already, and the meta-schemas take 50 ms to add and to compile.
    meta: false,
    strict: false,
    formats: Object.fromEntries(TEXT_FORMATS),
    logger: false,
    validateSchema: false,
    // The property is for code that is written to a file.
    code: { regExp: Object.assign((text: string) => createPattern(text), { code: '' }) },
  })
  addKeywords(ajv)
  return ajv
}
