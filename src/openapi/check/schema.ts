/**
 * Whether a Schema Object makes sense by itself, so that validator, serialiser and types agree on it.
 */
import type { Problem } from '../document.ts'
import type { OpenApi, Schema, SchemaType } from '../model.ts'
import { didYouMean } from '../nearest.ts'
import { pointerTo } from '../pointer.ts'
import { type SchemaCompiler, TEXT_FORMATS } from '../request/compiler.ts'
import { typesOf } from '../schemas.ts'
import { dereference, entriesOf, valuesOf } from './find.ts'

/** JSON Schema ignores a keyword that meets a value of another type: whoever writes that has made a mistake. */
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

/** What is wrong with a schema, at pointers relative to it. It may be wrong in other ways as well. */
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
  const types = typesOf(schema)
  for (const [needed, keywords] of KEYWORDS) {
    if (needed.some((type) => types.includes(type))) continue
    for (const keyword of keywords.filter((keyword) => keyword in schema)) {
      const message = `"${keyword}" says something of ${needed.join(' and ')} only; add that type or remove the keyword`
      yield { pointer: `/${keyword}`, message }
    }
  }
}

function* checkFormat(schema: Schema): Iterable<Problem> {
  const { format } = schema
  if (format === undefined) return
  const [type, ...others] = typesOf(schema).filter((each) => each !== 'null')
  const known = FORMATS.get(type) ?? []
  if (others.length > 0) {
    const message = `the format "${format}" is of one type, and there are several; name one, or one and "null"`
    yield { pointer: '/type', message }
  } else if (!known.includes(format)) {
    const names = known.length > 0 ? `use one of: ${known.join(', ')}` : 'remove it'
    yield { pointer: '/format', message: `the format "${format}" is not honoured for this type; ${names}` }
  }
}

function* checkPattern({ pattern }: Schema): Iterable<Problem> {
  if (typeof pattern !== 'string') return
  try {
    new RegExp(pattern, 'u')
  } catch {
    const message = `${JSON.stringify(pattern)} is no regular expression; write one that JavaScript takes with the flag "u"`
    yield { pointer: '/pattern', message }
  }
}

/** What is listed must be possible, and exact. */
function* checkValues(schema: Schema): Iterable<Problem> {
  const types = typesOf(schema)
  const listed = [
    ...('const' in schema ? [['/const', schema.const] as const] : []),
    ...entriesOf(schema.enum).map(([index, value]) => [`/enum/${index}`, value] as const),
  ]
  for (const [pointer, value] of listed) {
    if (typeof value === 'bigint' || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
      yield { pointer, message: 'an integer beyond 2^53 cannot be listed; use "minimum" and "maximum"' }
    } else if (typeof value === 'object' && value !== null) {
      yield { pointer, message: 'an object or array cannot be listed; describe it by "properties" or "items"' }
    } else if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
      yield { pointer, message: `${JSON.stringify(value)} is not of type ${types.join(' or ')}; correct one of them` }
    }
  }
}

function* checkRequired({ required, properties, additionalProperties }: Schema): Iterable<Problem> {
  const known = Object.keys(valuesOf(properties))
  for (const [index, name] of entriesOf(required)) {
    if (!known.some((each) => each === name)) {
      if (additionalProperties !== false) continue
      const message = `"${name}" is required but not allowed${didYouMean(String(name), known)}; add it to the properties or correct it`
      yield { pointer: `/required/${index}`, message }
    } else if ('default' in valuesOf(properties?.[String(name)])) {
      const message = `"${name}" is required, so that its default says nothing; remove one of them`
      yield { pointer: pointerTo('properties', String(name), 'default'), message }
    }
  }
}

/** A default of its own, a part cannot have at all; one that it refers to would be passed over. */
function* checkParts(root: OpenApi, schema: Schema): Iterable<Problem> {
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [index, part] of entriesOf(schema[keyword])) {
      if (!('$ref' in valuesOf(part)) || !('default' in dereference(root, part))) continue
      const message = `the default that this leads to says nothing here; remove it there, or state it beside "${keyword}"`
      yield { pointer: `/${keyword}/${index}`, message }
    }
  }
}

function* checkDefault(schema: Schema, compile: SchemaCompiler): Iterable<Problem> {
  const pointer = '/default'
  try {
    if ('value' in compile(schema)(structuredClone(schema.default))) return
    yield { pointer, message: 'the default is not valid against its own schema; change one of them' }
  } catch (error) {
    // Whatever else keeps the schema from being compiled is a problem of its own.
    if (!(error instanceof RangeError)) return
    yield { pointer, message: 'the default brings itself in again, without an end; remove one of its properties' }
  }
}

function isOfType(value: unknown, type: SchemaType): boolean {
  if (type === 'integer') return Number.isInteger(value)
  return type === (value === null ? 'null' : typeof value)
}
