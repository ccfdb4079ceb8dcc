/** Checks of Schema Objects, so that validator, serializer and types agree on them. */
import { COMBINATORS, type OpenApi, type Schema, type SchemaType } from '../document/model.ts'
import { findSchemas, getEntries, getInnerSchemas, getTypes, resolve, toObject } from '../document/references.ts'
import { getType, isNumber, stringifyExactly } from '../json.ts'
import { TEXT_FORMATS } from '../schema/compiler.ts'
import { didYouMean, formatViolations } from '../schema/violations.ts'
import { findRepeated, type Place } from './place.ts'

export function checkSchema(schema: Schema, place: Place): void {
  const types = getTypes(schema)
  const isInt64 = schema.format === 'int64'
  if (schema.format !== undefined) checkFormat(schema.format, types, place.at('format'))
  if ('const' in schema) checkListed(schema.const, types, isInt64, place.at('const'))
  for (const [index, value] of getEntries(schema.enum)) checkListed(value, types, isInt64, place.at('enum', index))
  checkNull(schema, types, place)
  checkNumbers(schema, types, place)
  checkRequired(schema, place)
  checkCombinations(schema, place)
  checkUnique(schema, place)
  if ('default' in schema && !hasBigint(schema.default))
    checkValue('default', schema.default, schema, place.at('default'))
  checkExamples({ ...schema, schema }, place)
}

/** A value that cannot be left out by itself. */
export function checkPart(schema: Schema, place: Place): void {
  if (!('default' in schema)) return
  place.report('a default has no effect here, where no property or parameter can be left out; remove it')
}

/** Ajv fills it in, and writes no bigint. */
export function checkDefault(value: unknown, place: Place): void {
  if (hasBigint(value)) place.report('a default beyond 2^53 is not supported; write a smaller one')
}

function hasBigint(value: unknown): boolean {
  return typeof value === 'bigint' || getEntries(value).some(([, inner]) => hasBigint(inner))
}

const NUMBER_KEYWORDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const

const FORMATS_OF = new Map<SchemaType, readonly string[]>([
  ['integer', ['int32', 'int64']],
  ['number', ['float', 'double']],
  ['string', TEXT_FORMATS],
])

/** A format is that of one type; without a type, of the strings among the values. */
function checkFormat(format: string, types: readonly SchemaType[], place: Place): void {
  const [type = types[0] ?? 'string', ...others] = types.filter((each) => each !== 'null')
  const known = (others.length === 0 && FORMATS_OF.get(type)) || []
  if (known.includes(format)) return
  const advice = known.length > 0 ? `use one of: ${known.join(', ')}` : 'remove it'
  place.report(
    `the format "${format}" is not supported for ${type}${others.map((each) => ` or ${each}`).join('')}; ${advice}`,
  )
}

/** The generated types have null where the type has it. */
function checkNull({ const: constant, enum: values }: Schema, types: readonly SchemaType[], place: Place): void {
  if (constant === null && types.length === 0)
    place.at('const').report('null needs a type; add "type: null" with null in quotes')
  if (values === undefined || values.includes(null) || !types.includes('null')) return
  place.at('enum').report('the type has "null", and the enum does not; add null to it, or remove "null" from the type')
}

/** Ajv ignores a bigint in its keywords, so that only those of an int64 have one; an int64 is compared with integers. */
function checkNumbers(schema: Schema, types: readonly SchemaType[], place: Place): void {
  for (const keyword of NUMBER_KEYWORDS.filter((each) => each in schema)) {
    const limit = schema[keyword]
    if (schema.format === 'int64' ? typeof limit !== 'bigint' && !Number.isInteger(limit) : !isExact(limit)) {
      const advice = schema.format === 'int64' ? 'an integer' : 'a smaller one, or use the format int64'
      place.at(keyword).report(`${stringifyExactly(limit)} is not supported here; write ${advice}`)
    } else if (types.length === 0) {
      place.at(keyword).report(`"${keyword}" needs a type; add "type: integer" or "type: number"`)
    }
  }
}

/** False for an integer that a number does not hold. */
function isExact(value: unknown): boolean {
  return typeof value !== 'bigint' && (!Number.isInteger(value) || Number.isSafeInteger(value))
}

/** Listed values must be possible and exact. */
function checkListed(value: unknown, types: readonly SchemaType[], isInt64: boolean, place: Place): void {
  const isInteger = typeof value === 'bigint' || Number.isInteger(value)
  const hasType = (type: SchemaType) => (type === 'integer' ? isInteger : type === getType(value))
  if (!isInt64 && !isExact(value)) {
    place.report('an integer beyond 2^53 is not supported here; write a smaller one, or use the format int64')
  } else if (typeof value === 'object' && value !== null) {
    place.report('an object or array is not supported here; describe it by "properties" or "items"')
  } else if (types.length > 0 && !types.some(hasType)) {
    place.report(`${JSON.stringify(value)} is not of type ${types.join(' or ')}; correct one of them`)
  }
}

function checkRequired({ required = [], properties = {}, additionalProperties }: Schema, place: Place): void {
  for (const [index, name] of required.entries()) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (property !== undefined && 'default' in property) {
      const at = place.at('properties', name, 'default')
      at.report(`"${name}" is required, so its default has no effect; remove one of them`)
    } else if (property === undefined && additionalProperties === false) {
      const advice = `${didYouMean(name, Object.keys(properties))}; add it to the properties or correct it`
      place.at('required', index).report(`"${name}" is required but not allowed${advice}`)
    }
  }
}

/** Items are compared with their defaults filled in. */
function checkUnique({ uniqueItems, items }: Schema, place: Place): void {
  if (!uniqueItems || !items || !findSchemas(place.root, items).some((each) => 'default' in each)) return
  place.at('uniqueItems').report('defaults within the items could make them equal; remove them, or "uniqueItems"')
}

/** What validation, defaults, serialization and types can agree on in the combinations of a schema. */
function checkCombinations(schema: Schema, place: Place): void {
  for (const keyword of COMBINATORS) {
    for (const [index, part] of (schema[keyword] ?? []).entries()) {
      if (!findSchemas(place.root, part).some((each) => 'default' in each)) continue
      const what = `a default is not filled in within "${keyword}"`
      place.at(keyword, index).report(`${what}; remove it, or describe the value without "${keyword}"`)
    }
  }
  checkParts(schema.allOf ?? [], place)
  checkAlternatives(schema, schema.anyOf ?? [], place.at('anyOf'))
  checkAlternatives(schema, schema.oneOf ?? [], place.at('oneOf'))
}

/** The parts of `allOf` are open objects, of which each declares other properties. */
function checkParts(allOf: readonly Schema[], place: Place): void {
  const parts = allOf.flatMap((part, index) =>
    expand(place.root, part).map((each) => ({ each, at: place.at('allOf', index) })),
  )
  for (const { each, at } of parts) {
    const { type, additionalProperties = true } = each
    if (type === 'object' && additionalProperties === true) continue
    at.report('a part of "allOf" must be an open object; write "type: object" in it, without "additionalProperties"')
  }
  const properties = parts.flatMap(({ each, at }) => Object.keys(each.properties ?? {}).map((name) => ({ name, at })))
  for (const [{ name, at }] of findRepeated(properties, (each) => each.name)) {
    at.report(`the property "${name}" is declared by two parts of "allOf"; declare it in one`)
  }
}

/** Returns a schema, or in place of an `allOf` its parts, at any depth. */
function expand(root: OpenApi, reference: Schema): Schema[] {
  const schema = resolve<Schema>(root, reference)
  return schema.allOf === undefined ? [schema] : schema.allOf.flatMap((part) => expand(root, part))
}

/** Every alternative is tried on the same value, and one that has an int64 in it makes a bigint of a number. */
function checkAlternatives(schema: Schema, alternatives: readonly Schema[], place: Place): void {
  const all = alternatives.map((each) => findSchemas(place.root, each))
  if (all.filter((schemas) => schemas.includes(schema)).length > 1) {
    const what =
      'two of these alternatives refer back to this schema, so that the time to validate doubles with each level'
    place.report(`${what} of a value; let one alternative refer to it`)
  }
  for (const [index, schemas] of all.entries()) {
    if (!schemas.some((each) => each.format === 'int64')) continue
    if (!all.some((others, other) => other !== index && others.some(hasOtherNumber))) continue
    const what = 'this alternative has an int64, and another one has a number of another type'
    place.at(index).report(`${what}; write "type: integer, format: int64" for each, or for none`)
  }
}

function hasOtherNumber(schema: Schema): boolean {
  if (schema.format === 'int64') return false
  const isTyped = getTypes(schema).some((type) => type === 'integer' || type === 'number')
  return isTyped || [schema.const, ...(schema.enum ?? [])].some(isNumber)
}

/** Far from where what works on schemas within schemas would overflow the stack. */
const MAX_DEPTH = 400

/** Finds the first schema with more levels of schemas within it, also behind references, than can be compiled. */
export function checkDepth(schemas: Readonly<Record<string, Schema>>, place: Place): void {
  const heights = new Map<Schema, number>()
  const measure = (schema: Schema, depth: number): number => {
    const known = heights.get(schema)
    if (depth + (known ?? 0) > MAX_DEPTH) return Infinity
    if (known !== undefined) return known
    heights.set(schema, 0)
    const inner = getInnerSchemas(place.root, schema).map((each) => 1 + measure(each, depth + 1))
    const height = Math.max(0, ...inner)
    heights.set(schema, height)
    return height
  }
  const first = Object.entries(schemas).find(([, schema]) => measure(schema, 0) > MAX_DEPTH)
  if (first === undefined) return
  place.at(first[0]).report(`schemas are nested, or refer to each other, deeper than ${MAX_DEPTH} levels; use fewer`)
}

/** An object that has examples: as values, like a schema, or as objects with a value. */
interface WithExamples {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: readonly unknown[] | Readonly<Record<string, { readonly value: unknown }>>
}

export function checkExamples({ schema, examples, ...others }: WithExamples, place: Place): void {
  if ('example' in others) checkValue('example', others.example, schema, place.at('example'))
  for (const [key, each] of getEntries(examples)) {
    const at = place.at('examples', key)
    if (Array.isArray(examples)) checkValue('example', each, schema, at)
    else checkValue('example', toObject(each).value, schema, at.at('value'))
  }
}

/** Checks that a value of the document is valid against its schema. */
function checkValue(name: 'default' | 'example', value: unknown, schema: Schema, place: Place): void {
  try {
    const [violation] = formatViolations(name, place.compile(schema)(structuredClone(value)))
    if (violation === undefined) return
    place.report(`the ${name} is not valid against its schema: ${violation}; change one of them`)
  } catch (error) {
    // Filling in a default has no end, in examples too; or else the cause is in a schema, where it is reported.
    if (error instanceof RangeError && name === 'default')
      place.report('the default is recursive; remove one of its properties')
  }
}
