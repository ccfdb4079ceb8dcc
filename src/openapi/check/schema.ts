/**
 * Checks a Schema Object, so that validator, serializer and types agree on it.
 */

import { didYouMean } from '../did-you-mean.ts'
import type { Problem } from '../document/load.ts'
import type { OpenApi, Schema, SchemaType } from '../document/model.ts'
import { toPointer } from '../document/references.ts'
import { getTypes } from '../document/schemas.ts'
import { type SchemaCompiler, TEXT_FORMATS } from '../schema/compiler.ts'
import { dereference, getEntries, toObject } from './find.ts'

/** JSON Schema ignores a keyword for values of another type, so a keyword without its type is a mistake. */
const KEYWORDS: readonly (readonly [readonly SchemaType[], readonly string[]])[] = [
  [
    ['integer', 'number'],
    ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ],
  [['string'], ['minLength', 'maxLength', 'pattern']],
  [['array'], ['items', 'minItems', 'maxItems', 'uniqueItems']],
  [['object'], ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties']],
]

const FORMATS: ReadonlyMap<string | undefined, readonly string[]> = new Map([
  ['integer', ['int32', 'int64']],
  ['number', ['float', 'double']],
  ['string', [...TEXT_FORMATS]],
])

/** Finds what is wrong with a schema, at pointers relative to it. It may be wrong in other ways as well. */
export function* checkSchema(root: OpenApi, schema: Schema, compile: SchemaCompiler): Iterable<Problem> {
  if (!('$ref' in schema)) yield* checkKeywords(schema)
  yield* checkFormat(schema)
  yield* checkPattern(schema)
  yield* checkValues(schema)
  yield* checkRequired(schema)
  yield* checkParts(root, schema)
  if ('default' in schema) yield* checkDefault(schema, compile)
}

function* checkKeywords(schema: Schema): Iterable<Problem> {
  const types = getTypes(schema)
  for (const [needed, keywords] of KEYWORDS) {
    if (needed.some((type) => types.includes(type))) continue
    for (const keyword of keywords.filter((keyword) => keyword in schema)) {
      const message = `"${keyword}" applies to ${needed.join(' and ')} only; add that type or remove the keyword`
      yield { pointer: `/${keyword}`, message }
    }
  }
}

function* checkFormat(schema: Schema): Iterable<Problem> {
  const { format } = schema
  if (format === undefined) return
  const [type, ...others] = getTypes(schema).filter((each) => each !== 'null')
  const known = FORMATS.get(type) ?? []
  if (others.length > 0) {
    const message = `the format "${format}" applies to one type, and there are several; use one, or one and "null"`
    yield { pointer: '/type', message }
  } else if (!known.includes(format)) {
    const names = known.length > 0 ? `use one of: ${known.join(', ')}` : 'remove it'
    yield { pointer: '/format', message: `the format "${format}" is not supported for this type; ${names}` }
  }
}

function* checkPattern({ pattern }: Schema): Iterable<Problem> {
  if (typeof pattern !== 'string') return
  try {
    new RegExp(pattern, 'u')
  } catch {
    const message = `${JSON.stringify(pattern)} is not a regular expression that JavaScript accepts with the flag "u"; correct it`
    yield { pointer: '/pattern', message }
  }
}

/** Listed values must be possible and exact. */
function* checkValues(schema: Schema): Iterable<Problem> {
  const types = getTypes(schema)
  const listed = [
    ...('const' in schema ? [['/const', schema.const] as const] : []),
    ...getEntries(schema.enum).map(([index, value]) => [`/enum/${index}`, value] as const),
  ]
  for (const [pointer, value] of listed) {
    if (typeof value === 'bigint' || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
      yield { pointer, message: 'an integer beyond 2^53 is not supported here; use "minimum" and "maximum"' }
    } else if (typeof value === 'object' && value !== null) {
      yield { pointer, message: 'an object or array is not supported here; describe it by "properties" or "items"' }
    } else if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
      yield { pointer, message: `${JSON.stringify(value)} is not of type ${types.join(' or ')}; correct one of them` }
    }
  }
}

function* checkRequired({ required, properties, additionalProperties }: Schema): Iterable<Problem> {
  const known = Object.keys(toObject(properties))
  for (const [index, name] of getEntries(required)) {
    if (!known.some((each) => each === name)) {
      if (additionalProperties !== false) continue
      const message = `"${name}" is required but not allowed${didYouMean(String(name), known)}; add it to the properties or correct it`
      yield { pointer: `/required/${index}`, message }
    } else if ('default' in toObject(properties?.[String(name)])) {
      const message = `"${name}" is required, so its default has no effect; remove one of them`
      yield { pointer: toPointer('properties', String(name), 'default'), message }
    }
  }
}

/** A part of a combination cannot have a default of its own; one that it refers to would have no effect. */
function* checkParts(root: OpenApi, schema: Schema): Iterable<Problem> {
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [index, part] of getEntries(schema[keyword])) {
      if (!('$ref' in toObject(part)) || !('default' in dereference(root, part))) continue
      const message = `the default that this refers to has no effect here; remove it there, or write it beside "${keyword}"`
      yield { pointer: `/${keyword}/${index}`, message }
    }
  }
}

function* checkDefault(schema: Schema, compile: SchemaCompiler): Iterable<Problem> {
  const pointer = '/default'
  try {
    if ('value' in compile(schema)(structuredClone(schema.default))) return
    yield { pointer, message: 'the default is not valid against its schema; change one of them' }
  } catch (error) {
    // Every other reason why the schema cannot be compiled is a problem of its own.
    if (!(error instanceof RangeError)) return
    yield { pointer, message: 'the default is recursive; remove one of its properties' }
  }
}

function isOfType(value: unknown, type: SchemaType): boolean {
  if (type === 'integer') return Number.isInteger(value)
  return type === (value === null ? 'null' : typeof value)
}
