/**
 * The conversion of valid values to those that handlers receive.
 */
import t from 'tap'
import type { Schema } from '../../../src/openapi/document/model.ts'
import { createSchemaCompiler } from '../../../src/openapi/schema/compiler.ts'

const schemas: Record<string, Schema> = {
  Id: { type: 'integer', format: 'int64' },
  Size: { type: 'string', default: 'small' },
  OwnSize: { $ref: '#/components/schemas/Size', default: 'large' },
  Tree: {
    type: 'object',
    properties: {
      id: { $ref: '#/components/schemas/Id' },
      left: { $ref: '#/components/schemas/Tree' },
      right: { $ref: '#/components/schemas/Tree' },
    },
  },
}

const compile = createSchemaCompiler({
  openapi: '3.1.0',
  info: { title: '', version: '' },
  paths: {},
  components: { schemas },
})
const to = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

t.test('a valid value is converted to the types of the document', async (t) => {
  for (const [schema, value, want] of [
    [to('Id'), 1, 1n],
    [{ type: ['integer', 'null'], format: 'int64' }, null, null],
    [{ type: 'integer' }, 1, 1],
    [{ type: 'integer', format: 'int32' }, 1, 1],
    [{ type: 'number' }, 2n ** 60n, 2 ** 60],
    [{ type: 'array', items: { type: ['number', 'string'] } }, ['a', 10n ** 22n], ['a', 1e22]],
    [{}, 2n ** 60n, 2n ** 60n],
    [{ type: 'array', items: to('Id') }, [1, 2n ** 60n], [1n, 2n ** 60n]],
    [{ type: ['array', 'null'], items: to('Id') }, null, null],
    [{ type: 'array' }, [1], [1]],
    [{ type: 'object', additionalProperties: to('Id') }, { a: 1 }, { a: 1n }],
    [
      { type: 'object', properties: { b: {} }, additionalProperties: to('Id') },
      { a: 1, b: 1 },
      { a: 1n, b: 1 },
    ],
    [{ type: ['object', 'null'], properties: { a: to('Id') } }, null, null],
    [{ type: ['object', 'array'], properties: { a: to('Id') } }, [1], [1]],
    [to('Tree'), { id: 1, left: { right: { id: 2 } } }, { id: 1n, left: { right: { id: 2n } } }],
    [{ anyOf: [{ type: 'null' }, to('Id')] }, 1, 1n],
    [{ oneOf: [to('Id'), { type: 'string' }] }, 1, 1n],
    [{ allOf: [to('Tree'), { type: 'object', properties: { n: to('Id') } }] }, { id: 1, n: 2 }, { id: 1n, n: 2n }],
  ] as const) {
    t.strictSame(compile(schema)(structuredClone(value)), { value: want })
  }
})

t.test('a default fills in what is left out, and nothing else', async (t) => {
  const person: Schema = {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string' },
      size: to('Size'),
      own: to('OwnSize'),
      near: { ...to('Size'), default: 'tiny' },
      none: { type: ['string', 'null'], default: null },
      id: { ...to('Id'), default: 3 },
      address: { type: 'object', default: {}, properties: { size: to('Size') } },
      plain: { type: 'object', properties: { size: to('Size') } },
    },
  }
  t.strictSame(compile(person)({ name: 'Ada' }), {
    value: {
      name: 'Ada',
      size: 'small',
      own: 'large',
      near: 'tiny',
      none: null,
      id: 3n,
      address: { size: 'small' },
    },
  })
  t.strictSame(compile(person)({ name: 'Ada', none: 'x', plain: {} }), {
    value: {
      name: 'Ada',
      size: 'small',
      own: 'large',
      near: 'tiny',
      none: 'x',
      id: 3n,
      address: { size: 'small' },
      plain: { size: 'small' },
    },
  })
})

t.test('the keywords of an int64 are those of integers of any size', async (t) => {
  const id = { type: 'integer', format: 'int64' } as const
  for (const [schema, valid, invalid] of [
    [{ ...id, minimum: 2n ** 60n }, 2n ** 60n, 2n ** 60n - 1n],
    [{ ...id, exclusiveMaximum: 5 }, 4, 5],
    [{ ...id, multipleOf: 7 }, 7n * 10n ** 17n, 7n * 10n ** 17n + 1n],
    [{ ...id, enum: [1, 2n ** 60n] }, 2n ** 60n, 2],
    [{ ...id, const: 1 }, 1, 2],
    [{ ...id, type: ['integer', 'null'], enum: [1, null] }, null, 2],
    [id, 2n ** 63n - 1n, 2n ** 63n],
    [id, -(2n ** 53n), 2 ** 60],
  ] as const) {
    t.strictSame(compile(schema)(valid), { value: valid === null ? null : BigInt(valid) })
    t.ok('errors' in compile(schema)(invalid))
  }
})

t.test('each value has its own copy of a default', async (t) => {
  const validate = compile({ type: 'object', properties: { tags: { type: 'array', default: [] } } })
  const first = validate({}) as { value: { tags: string[] } }
  first.value.tags.push('changed')
  t.strictSame(validate({}), { value: { tags: [] } })
})
