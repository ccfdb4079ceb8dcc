/**
 * Whether a Schema Object makes sense by itself, so that validator, serialiser and types agree on it.
 */
import type { Schema, SchemaType } from '../model.ts'
import { type SchemaCompiler, TEXT_FORMATS } from '../request/compiler.ts'
import { typesOf } from '../schemas.ts'

/** JSON Schema ignores a keyword that meets a value of another type: whoever writes that has made a mistake. */
const KEYWORDS: readonly (readonly [readonly SchemaType[], readonly (keyof Schema | string)[]])[] = [
  [
    ['integer', 'number'],
    ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ],
  [['string'], ['minLength', 'maxLength', 'pattern']],
  [['array'], ['items', 'minItems', 'maxItems', 'uniqueItems']],
  [['object'], ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties']],
]

const FORMATS: readonly (readonly [readonly SchemaType[], readonly string[]])[] = [
  [['integer'], ['int32', 'int64']],
  [['number'], ['float', 'double']],
  [['string'], TEXT_FORMATS],
]

/** What is wrong with a schema, as `[keyword, what is wrong; what to do]` each. */
export function checkSchema(schema: Schema, compile: SchemaCompiler): (readonly [string, string])[] {
  return [...checkKeywords(schema), ...checkFormat(schema), ...checkDefault(schema, compile)]
}

function* checkKeywords(schema: Schema): Iterable<readonly [string, string]> {
  const types = typesOf(schema)
  for (const [needed, keywords] of KEYWORDS) {
    if (needed.some((type) => types.includes(type))) continue
    for (const keyword of keywords.filter((keyword) => keyword in schema)) {
      yield [
        keyword,
        `"${keyword}" says something of ${needed.join(' and ')} only; add that type or remove the keyword`,
      ]
    }
  }
}

function* checkFormat(schema: Schema): Iterable<readonly [string, string]> {
  const { format } = schema
  if (format === undefined) return
  const types = typesOf(schema)
  const known = FORMATS.filter(([needed]) => needed.some((type) => types.includes(type))).flatMap(([, names]) => names)
  if (!known.includes(format)) {
    yield ['format', `the format "${format}" is not honoured for this type; use one of: ${known.join(', ') || 'none'}`]
  }
  if (format === 'int64' && ('enum' in schema || 'const' in schema)) {
    yield ['format', 'an int64 cannot be listed value by value; use minimum and maximum, or another format']
  }
  if (format === 'int64' && types.some((type) => type !== 'integer' && type !== 'null')) {
    yield ['type', 'an int64 may be null besides, but of no other type; split the schema']
  }
}

function* checkDefault(schema: Schema, compile: SchemaCompiler): Iterable<readonly [string, string]> {
  if (!('default' in schema)) return
  if (!isValid(compile, schema, schema.default)) {
    yield ['default', 'the default is not valid against its own schema; change one of them']
  }
}

/** Whether the value is valid; true as well where the schema cannot be compiled, which is a problem reported elsewhere. */
function isValid(compile: SchemaCompiler, schema: Schema, value: unknown): boolean {
  try {
    return 'value' in compile(schema)(structuredClone(value))
  } catch {
    return true
  }
}
