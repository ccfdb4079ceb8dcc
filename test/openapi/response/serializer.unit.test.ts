/**
 * Writing bodies: with every digit, with the declared members, and with no value of another type.
 */
import t from 'tap'
import type { Schema } from '../../../src/openapi/document/model.ts'
import { createResponseCheck, createSerializerCompiler } from '../../../src/openapi/response/serializer.ts'
import { createSchemaCompiler } from '../../../src/openapi/schema/compiler.ts'
import { readJson, writeJson } from '../../helpers/json.ts'
import { holds, json } from '../properties.ts'

const id: Schema = { type: 'integer', format: 'int64' }
const schemas: Record<string, Schema> = {
  Pair: {
    type: 'object',
    required: ['id'],
    additionalProperties: false,
    properties: { id, note: { type: ['string', 'null'] } },
  },
  Alias: { $ref: '#/components/schemas/Pair' },
  Tree: {
    type: 'object',
    properties: { id, branches: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
    additionalProperties: { $ref: '#/components/schemas/Tree' },
  },
  Either: { oneOf: [{ type: 'null' }, { $ref: '#/components/schemas/Pair' }] },
}

const root = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } }
const serialiserOf = createSerializerCompiler(root)
const to = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const max = 2n ** 63n - 1n

t.test('a body is written as the schema says', async (t) => {
  for (const [schema, body, text] of [
    [{ type: 'string' }, 'a"\n\u2028\ud800é', '"a\\"\\n\u2028\\ud800é"'],
    [{ type: 'boolean' }, false, 'false'],
    [{ type: 'null' }, null, 'null'],
    [{ type: 'number' }, 0.1, '0.1'],
    [{ type: 'number' }, 1e21, '1e+21'],
    [{ type: 'number' }, 5n, '5'],
    [{ type: 'integer' }, -0, '0'],
    [id, max, '9223372036854775807'],
    [id, 5, '5'],
    [{ type: ['integer', 'null'], format: 'int64' }, null, 'null'],
    [{ type: ['integer', 'null'], format: 'int64' }, max, '9223372036854775807'],
    [{ type: ['string', 'number'] }, max, '9223372036854775807'],
    [{}, [max, { a: null, b: undefined }], '[9223372036854775807,{"a":null}]'],
    [{ type: 'array' }, [max, 'a'], '[9223372036854775807,"a"]'],
    [{ type: 'array', items: id }, [], '[]'],
    [{ type: 'array', items: id }, [1n, max], '[1,9223372036854775807]'],
    [{ type: 'object' }, { a: max, b: undefined }, '{"a":9223372036854775807}'],
    [{ type: 'object', properties: { a: {} } }, { b: 1, a: 2 }, '{"a":2,"b":1}'],
    [{ type: 'object', additionalProperties: id }, { b: max }, '{"b":9223372036854775807}'],
    [to('Pair'), { note: null, id: max }, '{"id":9223372036854775807,"note":null}'],
    [to('Pair'), { id: max, note: undefined }, '{"id":9223372036854775807}'],
    [to('Pair'), { id: 1n, secret: 'x' }, '{"id":1}'],
    [to('Alias'), { id: 1n }, '{"id":1}'],
    [
      to('Tree'),
      { id: 1n, branches: [{ branches: [] }], more: { id: max } },
      '{"id":1,"branches":[{"branches":[]}],"more":{"id":9223372036854775807}}',
    ],
    [to('Either'), { id: max }, '{"id":9223372036854775807}'],
    [to('Either'), null, 'null'],
    [
      {
        allOf: [
          { type: 'object', properties: { id } },
          { type: 'object', properties: { more: id } },
        ],
      },
      { id: max, more: 1n },
      '{"id":9223372036854775807,"more":1}',
    ],
    [{ minimum: 3 }, max, '9223372036854775807'],
    [{ minimum: 3, items: id, properties: { a: id } }, { a: max }, '{"a":9223372036854775807}'],
    [{ minimum: 3, items: id, properties: { a: id } }, [max], '[9223372036854775807]'],
    [{ minimum: 3, items: id, properties: { a: id } }, 'text', '"text"'],
    [{ anyOf: [id, { type: 'string' }] }, max, '9223372036854775807'],
    [{ type: 'object', properties: { constructor: {}, toString: {} } }, {}, '{}'],
    [{ type: 'object', properties: { 'a"b': id } }, { 'a"b': 1n }, '{"a\\"b":1}'],
  ] as const) {
    t.equal(serialiserOf(schema)(body), text)
  }
})

t.test('a value of another type than in the schema is not written', async (t) => {
  for (const [schema, body, message] of [
    [{ type: 'string' }, 1, 'invalid response: body must be of type string, but is of type number'],
    [{ type: 'string' }, null, 'invalid response: body must be of type string, but is of type null'],
    [{ type: 'string' }, undefined, 'invalid response: body must be of type string, but is of type undefined'],
    [{ type: 'integer' }, 1.5, 'invalid response: body must be of type integer, but is of type number'],
    [{ type: 'integer' }, 2 ** 53, 'invalid response: body must be of type integer, but is of type number'],
    [{ type: 'integer' }, 'secret', 'invalid response: body must be of type integer, but is of type string'],
    [{ type: 'number' }, Number.NaN, 'invalid response: body must be of type number, but is of type number'],
    [{ type: 'boolean' }, 1n, 'invalid response: body must be of type boolean, but is of type bigint'],
    [{ type: 'array' }, {}, 'invalid response: body must be of type array, but is of type object'],
    [{ type: 'object' }, [], 'invalid response: body must be of type object, but is of type array'],
    [{ type: 'object' }, null, 'invalid response: body must be of type object, but is of type null'],
    [
      { type: 'object', properties: { a: { type: 'array', items: id } } },
      { a: [true] },
      'invalid response: body.a[] must be of type integer, but is of type boolean',
    ],
    [
      { type: 'object', additionalProperties: id },
      { a: 'x' },
      'invalid response: body.* must be of type integer, but is of type string',
    ],
    [to('Pair'), {}, 'invalid response: Pair.id is required and missing'],
    [{ type: 'object', required: ['a'] }, { b: 1 }, 'invalid response: body.a is required and missing'],
    [
      { type: 'object', required: ['a'], additionalProperties: id },
      { a: 'x' },
      'invalid response: body.a must be of type integer, but is of type string',
    ],
    [
      to('Tree'),
      { branches: [{ id: 'x' }] },
      'invalid response: Tree.id must be of type integer, but is of type string',
    ],
    [{}, undefined, 'invalid response: body must be of type any, but is of type undefined'],
    [{}, { a: [Number.POSITIVE_INFINITY] }, 'invalid response: body must be of type number, but is of type number'],
    [{ type: 'array' }, [undefined], 'invalid response: body[] must be of type any, but is of type undefined'],
    [{ allOf: [to('Pair'), { type: 'object', required: ['a'] }] }, { id: 1n }, 'invalid response: body.a is required'],
    [
      { type: 'object', properties: { a: { anyOf: [to('Pair')] } } },
      { a: { id: 1n, secret: 'x' } },
      'invalid response: body.a.secret is not allowed; allowed are id, note',
    ],
    [{ type: ['string', 'integer'] }, 1.5, 'invalid response: body must be a string or an integer'],
    [{ properties: { a: id } }, { a: 'x' }, 'invalid response: body.a must be an int64 integer'],
  ] as const) {
    t.throws(() => serialiserOf(schema)(body), { message })
  }
})

t.test('a response may be nested deeper than a request', async (t) => {
  const deep = `${'['.repeat(100)}9223372036854775807${']'.repeat(100)}`
  t.equal(serialiserOf({ anyOf: [{ type: 'array' }] })(readJson(deep)), deep)
})

t.test('any JSON is written as it is, where the schema leaves it open', async (t) => {
  const open = [
    {},
    { anyOf: [{}] },
    { type: ['null', 'boolean', 'array', 'object', 'string', 'number'] },
  ] satisfies Schema[]
  holds(t, json(), (body) => open.every((schema) => serialiserOf(schema)(body) === writeJson(body)))
})

const limited: readonly (readonly [schema: Schema & { maxItems?: number }, body: unknown, message: string])[] = [
  [{ oneOf: [id, { ...id, minimum: 0 }] }, 1n, 'body must match exactly one of its alternatives'],
  [{ enum: ['a', 'b'] }, 'c', 'body must be one of a, b'],
  [{ minimum: 3 }, 2n, 'body must be at least 3'],
  [{ pattern: '^a' }, 'b', 'body must match ^a'],
  [{ type: 'array', maxItems: 1, items: {} }, [1, 2], 'body must have at most 1 item'],
  [{ ...id, minimum: 100 }, 1n, 'body must be at least 100'],
  [
    { allOf: [{ type: 'object', properties: { a: { ...id, minimum: 100 } } }] },
    { a: 1n },
    'body.a must be at least 100',
  ],
]

t.test('values are the responsibility of the handler, whether schemas are combined or not', async (t) => {
  for (const [schema, body] of limited) t.doesNotThrow(() => serialiserOf(schema)(body))
})

t.test('a complete validation of the text finds values that the schema does not allow', async (t) => {
  const compile = createSchemaCompiler(root)
  const check = (body: Schema, text: string) => createResponseCheck({ body, headers: {} }, compile, [])(text, {})
  for (const [schema, body, message] of limited) {
    t.throws(() => check(schema, serialiserOf(schema)(body)), { message: `invalid response: ${message}` })
  }
  t.doesNotThrow(() => check({ ...id, minimum: 100 }, '100'))
})
