/**
 * Checks a Schema Object, so that validator, serializer and types agree on it; and parameters and headers, whose values are
 * text. The values may be wrong in other ways as well.
 */
import type { Schema, SchemaType } from '../document/model.ts'
import { isIdempotencyKey } from '../document/operations.ts'
import { dereference, getEntries, getTypes, toObject, type Values } from '../document/references.ts'
import { FORMATS } from '../schema/formats.ts'
import { getType } from '../schema/keywords.ts'
import { didYouMean, formatViolations } from '../schema/violations.ts'
import { type Check, findRepeated, type Place } from './rules.ts'

/** Makes the check of the keywords that apply to `integer and number`, say. Beside another type they have no effect. */
export function checkKeywords(needed: string, keywords: readonly string[]): Check<Schema> {
  return (schema, place) => {
    const types = getTypes(schema)
    if (types.length === 0 || needed.split(' and ').some((type) => types.includes(type as SchemaType))) return
    for (const keyword of keywords.filter((each) => each in schema)) {
      place.at(keyword).report(`"${keyword}" applies to ${needed} only; add that type or remove the keyword`)
    }
  }
}

export function checkSchema(schema: Schema, place: Place): void {
  const types = getTypes(schema)
  checkFormat(schema.format, types, place)
  if ('const' in schema) checkListed(schema.const, types, place.at('const'))
  for (const [index, value] of getEntries(schema.enum)) checkListed(value, types, place.at('enum', index))
  checkRequired(schema, place)
  checkParts(schema, place)
  if ('default' in schema) checkValue('default', schema.default, schema, place.at('default'))
  checkExamples(schema as Values, place)
}

const FORMATS_OF = new Map<SchemaType | undefined, readonly string[]>([
  ['integer', ['int32', 'int64']],
  ['number', ['float', 'double']],
  ['string', Object.keys(FORMATS)],
])

function checkFormat(format: string | undefined, types: readonly SchemaType[], place: Place): void {
  if (format === undefined) return
  // Without a type, the format is that of the strings among the values.
  const [type, ...others] = types.length === 0 ? ['string' as const] : types.filter((each) => each !== 'null')
  const known = FORMATS_OF.get(type) ?? []
  if (others.length > 0) {
    const what = `the format "${format}" applies to one type, and there are several`
    place.at('type').report(`${what}; use one, or one and "null"`)
  } else if (!known.includes(format)) {
    const advice = known.length > 0 ? `use one of: ${known.join(', ')}` : 'remove it'
    const where = types.length === 0 ? 'without a type' : 'for this type'
    place.at('format').report(`the format "${format}" is not supported ${where}; ${advice}`)
  }
}

/** Listed values must be possible and exact. */
function checkListed(value: unknown, types: readonly SchemaType[], place: Place): void {
  const hasType = (type: SchemaType) => (type === 'integer' ? Number.isInteger(value) : type === getType(value))
  if (typeof value === 'bigint' || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
    place.report('an integer beyond 2^53 is not supported here; use "minimum" and "maximum"')
  } else if (typeof value === 'object' && value !== null) {
    place.report('an object or array is not supported here; describe it by "properties" or "items"')
  } else if (types.length > 0 && !types.some(hasType)) {
    place.report(`${JSON.stringify(value)} is not of type ${types.join(' or ')}; correct one of them`)
  }
}

function checkRequired({ required, properties, additionalProperties }: Schema, place: Place): void {
  const known = Object.keys(toObject(properties))
  for (const [index, each] of getEntries(required)) {
    const name = String(each)
    if (known.includes(name)) {
      if (!('default' in toObject(properties?.[name]))) continue
      const at = place.at('properties', name, 'default')
      at.report(`"${name}" is required, so its default has no effect; remove one of them`)
    } else if (additionalProperties === false) {
      const advice = `${didYouMean(name, known)}; add it to the properties or correct it`
      place.at('required', index).report(`"${name}" is required but not allowed${advice}`)
    }
  }
}

/** A part of a combination cannot have a default of its own; one that it refers to would have no effect. */
function checkParts(schema: Schema, place: Place): void {
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [index, part] of getEntries(schema[keyword])) {
      if (!('$ref' in toObject(part)) || !('default' in toObject(dereference(place.root, part)))) continue
      const advice = `remove it there, or write it beside "${keyword}"`
      place.at(keyword, index).report(`the default that this refers to has no effect here; ${advice}`)
    }
  }
}

/** The examples of a schema are values; those of a parameter, a header or a media type are objects with a value. */
export function checkExamples(values: Values, place: Place): void {
  const { schema = values } = values
  if ('example' in values) checkValue('example', values.example, schema, place.at('example'))
  for (const [key, each] of getEntries(values.examples)) {
    const at = place.at('examples', key)
    if (schema === values) checkValue('example', each, schema, at)
    else if ('value' in toObject(each)) checkValue('example', toObject(each).value, schema, at.at('value'))
  }
}

/** A value of the document is valid against its schema. */
function checkValue(name: 'default' | 'example', value: unknown, schema: unknown, place: Place): void {
  try {
    const [violation] = formatViolations(name, place.compile(schema as Schema)(value))
    if (violation === undefined) return
    place.report(`the ${name} is not valid against its schema: ${violation}; change one of them`)
  } catch (error) {
    // Every other reason why the schema cannot be compiled is a problem of its own.
    if (!(error instanceof RangeError) || name === 'example') return
    place.report('the default is recursive; remove one of its properties')
  }
}

/** A parameter is text, and each value must have one spelling. */
export function checkParameter(parameter: Values, place: Place): void {
  const { in: where, name, required, schema } = parameter
  checkScalar('parameter', schema, where === 'query', place)
  if (required === true && 'default' in toObject(schema)) {
    const what = 'the parameter is required, so its default has no effect'
    place.at('schema', 'default').report(`${what}; remove one of them`)
  }
  if (where === 'header' && /^(accept|content-type|authorization)$/i.test(String(name))) {
    place.report(`a header parameter "${name}" has no effect (OpenAPI 3.1, Parameter Object); remove it`)
  }
  const ttl = 'x-idempotency-ttl-seconds'
  if (isIdempotencyKey(parameter) && !(ttl in parameter)) {
    place.report(`nothing says how long idempotency keys are stored; add "${ttl}"`)
  } else if (!isIdempotencyKey(parameter) && ttl in parameter) {
    place.at(ttl).report(`"${ttl}" applies to the header "Idempotency-Key" only; remove it`)
  }
}

/** Headers of the message, the connection and the deprecation (RFC 9110, RFC 9112, RFC 9745, RFC 8594). */
const BY_SERVER = /^(content-length|transfer-encoding|connection|keep-alive|trailer|upgrade|date|deprecation|sunset)$/i

export function checkHeaders(headers: Values, place: Place): void {
  // RFC 9110, section 5.1
  for (const [name] of findRepeated(Object.keys(headers), (each) => each.toLowerCase())) {
    place.at(name).report(`the header "${name}" is declared twice; remove one`)
  }
  for (const [name, header] of getEntries(headers).filter(([each]) => BY_SERVER.test(each))) {
    const schema = toObject(dereference(place.root, dereference(place.root, header)?.schema))
    if (!('const' in schema || 'enum' in schema)) continue
    place.at(name).report(`the server computes the value of "${name}"; remove its const or enum`)
  }
}

/** The value of a header (RFC 9110, section 5.5). */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** A header is text, too. */
export function checkHeader({ schema: reference }: Values, place: Place): void {
  checkScalar('header', reference, false, place)
  const schema = toObject(dereference(place.root, reference))
  for (const each of [schema.const, ...Object.values(toObject(schema.enum))]) {
    if (FIELD_VALUE.test(String(each))) continue
    const what = `a header cannot have the value ${JSON.stringify(each)}`
    place.at('schema').report(`${what}; use printable ASCII characters`)
  }
}

function checkScalar(kind: string, reference: unknown, allowsList: boolean, place: Place): void {
  const schema = dereference(place.root, reference)
  if (schema === undefined) return // The structure is wrong already.
  const isScalar = (type: unknown) => ['string', 'integer', 'number', 'boolean'].some((simple) => simple === type)
  const items = allowsList && schema.type === 'array' ? dereference(place.root, schema.items) : undefined
  if (isScalar(schema.type) || isScalar(items?.type)) return
  const what = `a ${kind} must be a scalar${allowsList ? ', or an array of scalars' : ''}`
  place.at('schema').report(`${what}; give it one type: string, integer, number or boolean`)
}
