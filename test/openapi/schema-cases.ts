/**
 * Schemas as far as the OpenAPI layer supports them, some of which refer to each other, and values that may be valid.
 */
import fc from 'fast-check'
import type { Schema } from '../../src/openapi/document/model.ts'

/** A schema, and the components that it may refer to. */
export interface SchemaCase {
  readonly schema: Schema
  readonly schemas: Readonly<Record<string, Schema>>
}

/** Ajv by itself cannot compare objects that have a `constructor` or a `toString` of their own. */
const NAMES = ['a', 'b', 'a b', 'hasOwnProperty', 'type', 'properties', '$ref', 'x~/y', '0']

export function schemaCases(): fc.Arbitrary<SchemaCase> {
  const one = schemas()
  return fc.record({ schema: one, schemas: fc.record({ A: one, B: one, C: one }) })
}

/** Small JSON values, with the names and some of the values that the schemas have. */
export function smallValues(): fc.Arbitrary<unknown> {
  const simple = fc.constantFrom(
    ...[null, true, false, 0, 1, -1, 2, 0.5, 0.1, 19.99, 2 ** 31, 2 ** 53 - 1],
    '',
    'a',
    'abc',
  )
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      simple,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).value
}

function schemas(): fc.Arbitrary<Schema> {
  const small = fc.constantFrom(-2, 0, 1, 2, 0.5, 0.01)
  const positive = fc.constantFrom(1, 2, 0.5, 0.01)
  const count = fc.nat(3)
  const { schema } = fc.letrec<{ schema: Schema }>((tie) => {
    const inner = tie('schema')
    const several = fc.array(inner, { minLength: 1, maxLength: 3 })
    return {
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom('A', 'B', 'C').map((name) => ({ $ref: `#/components/schemas/${name}` })),
        fc.constantFrom<Schema>({}, { type: 'boolean' }, { type: 'null' }, { type: ['string', 'integer', 'array'] }),
        record('integer', {
          format: fc.constantFrom('int32', 'int64'),
          minimum: small,
          maximum: small,
          multipleOf: positive,
        }),
        record('number', { exclusiveMinimum: small, exclusiveMaximum: small, multipleOf: positive, const: small }),
        record('string', { minLength: count, maxLength: count, pattern: fc.constantFrom('^a', '\\p{L}', '.') }),
        record('string', { enum: fc.uniqueArray(fc.constantFrom('', 'a', 'abc'), { minLength: 1 }) }),
        record('array', { items: inner, minItems: count, maxItems: count, uniqueItems: fc.boolean() }),
        record('object', {
          properties: fc.dictionary(fc.constantFrom(...NAMES), inner, { maxKeys: 3, noNullPrototype: true }),
          required: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 1 }),
          additionalProperties: fc.oneof(fc.boolean(), inner),
          minProperties: count,
          maxProperties: count,
        }),
        several.map((allOf) => ({ allOf })),
        several.map((anyOf) => ({ anyOf })),
        several.map((oneOf) => ({ oneOf })),
      ),
    }
  })
  return schema
}

/** A schema of the type, of the type and null, or without a type, with some of the keywords. */
function record(type: string, keywords: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Schema> {
  const { format: _format, ...untyped } = keywords
  const types = fc.constantFrom(type, [type, 'null'])
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ type: types, ...keywords }, { requiredKeys: ['type'] }) },
    { weight: 1, arbitrary: fc.record(untyped, { requiredKeys: [] }) },
  ) as fc.Arbitrary<Schema>
}
