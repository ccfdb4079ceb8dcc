/**
 * Checks a Schema Object, so that validator, serializer and types agree on it; and the schemas of parameters and headers,
 * whose values are text. An object may be wrong in other ways as well.
 */

import type { Problem } from '../document/load.ts'
import type { Schema, SchemaType } from '../document/model.ts'
import { getTypes } from '../document/schemas.ts'
import { FORMATS } from '../schema/formats.ts'
import { didYouMean, formatViolation } from '../schema/violations.ts'
import { dereference, getEntries, toObject, type Values } from './find.ts'
import { type Place, problem, type Rule, within } from './rules.ts'

/** The types to which keywords apply. Beside another type, a keyword has no effect; it is a mistake. */
const KEYWORDS: readonly (readonly [types: readonly SchemaType[], keywords: readonly string[]])[] = [
  [
    ['integer', 'number'],
    ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ],
  [['string'], ['minLength', 'maxLength', 'pattern']],
  [['array'], ['items', 'minItems', 'maxItems', 'uniqueItems']],
  [['object'], ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties']],
]

const FORMATS_OF = new Map<SchemaType | undefined, readonly string[]>([
  ['integer', ['int32', 'int64']],
  ['number', ['float', 'double']],
  ['string', Object.keys(FORMATS)],
])

export const checkSchema: Rule = (value, place) => {
  const schema = toObject(value) as Schema
  const checks = [
    checkKeywords,
    checkFormat,
    checkPattern,
    checkValues,
    checkRequired,
    checkParts,
    checkDefault,
    checkExamples,
  ]
  return checks.flatMap((check) => [...check(schema, place)])
}

function checkKeywords(schema: Schema, place: Place): Problem[] {
  const types = getTypes(schema)
  if (types.length === 0) return []
  return KEYWORDS.filter(([needed]) => !needed.some((type) => types.includes(type))).flatMap(([needed, keywords]) =>
    keywords
      .filter((keyword) => keyword in schema)
      .flatMap((keyword) => {
        const message = `"${keyword}" applies to ${needed.join(' and ')} only; add that type or remove the keyword`
        return problem(within(place, keyword), message)
      }),
  )
}

function checkFormat(schema: Schema, place: Place): Problem[] {
  const { format } = schema
  if (format === undefined) return []
  const types = getTypes(schema)
  // Without a type, the format is that of the strings among the values.
  const [type, ...others] = types.length === 0 ? ['string' as const] : types.filter((each) => each !== 'null')
  if (others.length > 0) {
    const message = `the format "${format}" applies to one type, and there are several; use one, or one and "null"`
    return problem(within(place, 'type'), message)
  }
  const known = FORMATS_OF.get(type) ?? []
  if (known.includes(format)) return []
  const advice = known.length > 0 ? `use one of: ${known.join(', ')}` : 'remove it'
  const where = types.length === 0 ? 'without a type' : 'for this type'
  return problem(within(place, 'format'), `the format "${format}" is not supported ${where}; ${advice}`)
}

function checkPattern({ pattern }: Schema, place: Place): Problem[] {
  try {
    if (typeof pattern === 'string') new RegExp(pattern, 'u')
    return []
  } catch {
    const what = 'is not a regular expression that JavaScript accepts with the flag "u"'
    return problem(within(place, 'pattern'), `${JSON.stringify(pattern)} ${what}; correct it`)
  }
}

/** Listed values must be possible and exact. */
function checkValues(schema: Schema, place: Place): Problem[] {
  const types = getTypes(schema)
  const constant = 'const' in schema ? [[within(place, 'const'), schema.const] as const] : []
  const listed = getEntries(schema.enum).map(([index, value]) => [within(within(place, 'enum'), index), value] as const)
  return [...constant, ...listed].flatMap(([at, value]) => {
    if (typeof value === 'bigint' || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
      return problem(at, 'an integer beyond 2^53 is not supported here; use "minimum" and "maximum"')
    }
    if (typeof value === 'object' && value !== null) {
      return problem(at, 'an object or array is not supported here; describe it by "properties" or "items"')
    }
    if (types.length === 0 || types.some((type) => hasType(value, type))) return []
    return problem(at, `${JSON.stringify(value)} is not of type ${types.join(' or ')}; correct one of them`)
  })
}

function hasType(value: unknown, type: SchemaType): boolean {
  if (type === 'integer') return Number.isInteger(value)
  return type === (value === null ? 'null' : typeof value)
}

function checkRequired({ required, properties, additionalProperties }: Schema, place: Place): Problem[] {
  const known = Object.keys(toObject(properties))
  return getEntries(required).flatMap(([index, each]) => {
    const name = String(each)
    if (!known.includes(name)) {
      const advice = `${didYouMean(name, known)}; add it to the properties or correct it`
      const at = within(within(place, 'required'), index)
      return additionalProperties === false ? problem(at, `"${name}" is required but not allowed${advice}`) : []
    }
    if (!('default' in toObject(properties?.[name]))) return []
    const at = within(within(within(place, 'properties'), name), 'default')
    return problem(at, `"${name}" is required, so its default has no effect; remove one of them`)
  })
}

/** A part of a combination cannot have a default of its own; one that it refers to would have no effect. */
function checkParts(schema: Schema, place: Place): Problem[] {
  return (['allOf', 'anyOf', 'oneOf'] as const).flatMap((keyword) =>
    getEntries(schema[keyword]).flatMap(([index, part]) => {
      if (!('$ref' in toObject(part)) || !('default' in dereference(place.root, part))) return []
      const advice = `remove it there, or write it beside "${keyword}"`
      const at = within(within(place, keyword), index)
      return problem(at, `the default that this refers to has no effect here; ${advice}`)
    }),
  )
}

function checkDefault(schema: Schema, place: Place): Problem[] {
  return 'default' in schema ? checkValue('default', schema.default, schema, within(place, 'default')) : []
}

/** The examples of a schema are values; those of a parameter, a header or a media type are objects with a value. */
export const checkExamples: Rule = (value, place) => {
  const { schema = value, ...fields } = toObject(value)
  const single = 'example' in fields ? [[within(place, 'example'), fields.example] as const] : []
  const several = getEntries(fields.examples).flatMap(([key, each]) => {
    const at = within(within(place, 'examples'), key)
    if (schema === value) return [[at, each] as const]
    return 'value' in toObject(each) ? [[within(at, 'value'), toObject(each).value] as const] : []
  })
  return [...single, ...several].flatMap(([at, each]) => checkValue('example', each, schema as Schema, at))
}

/** A value of the document is valid against its schema. */
function checkValue(name: 'default' | 'example', value: unknown, schema: Schema, place: Place): Problem[] {
  try {
    const result = place.compile(schema)(structuredClone(value))
    if ('value' in result) return []
    const [violation] = result.errors.map((error) => formatViolation(name, error))
    return problem(place, `the ${name} is not valid against its schema: ${violation}; change one of them`)
  } catch (error) {
    // Every other reason why the schema cannot be compiled is a problem of its own.
    if (!(error instanceof RangeError) || name === 'example') return []
    return problem(place, 'the default is recursive; remove one of its properties')
  }
}

/** A parameter is text, and each value must have one spelling. */
export const checkParameter: Rule = (value, place) => {
  const { in: where, required, schema } = toObject(value)
  if (schema === undefined) return [] // The structure is wrong already.
  const allowsList = where === 'query'
  const shape = allowsList ? 'a scalar, or an array of scalars' : 'a scalar'
  const hasDefault = required === true && 'default' in toObject(schema)
  const advice = 'the parameter is required, so its default has no effect; remove one of them'
  return [
    ...checkScalar(`a parameter must be ${shape}`, dereference(place.root, schema), allowsList, place),
    ...(hasDefault ? problem(within(within(place, 'schema'), 'default'), advice) : []),
  ]
}

/** The value of a header (RFC 9110, section 5.5). */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** A header is text, too. */
export const checkHeader: Rule = (value, place) => {
  const { schema: reference } = toObject(value)
  if (reference === undefined) return [] // The structure is wrong already.
  const schema = dereference(place.root, reference)
  const listed = [schema.const, ...Object.values(toObject(schema.enum))]
  const impossible = listed.filter((each) => !FIELD_VALUE.test(String(each)))
  const at = within(place, 'schema')
  return [
    ...checkScalar('a header must be a scalar', schema, false, place),
    ...impossible.flatMap((each) => {
      const message = `a header cannot have the value ${JSON.stringify(each)}; use printable ASCII characters`
      return problem(at, message)
    }),
  ]
}

function checkScalar(message: string, schema: Values, allowsList: boolean, place: Place): Problem[] {
  const isScalar = ({ type }: Values) => ['string', 'integer', 'number', 'boolean'].some((simple) => simple === type)
  const isList = allowsList && schema.type === 'array' && isScalar(dereference(place.root, schema.items))
  if (isScalar(schema) || isList) return []
  return problem(within(place, 'schema'), `${message}; give it one type: string, integer, number or boolean`)
}
