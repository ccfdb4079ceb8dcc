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
  Cat: {
    type: 'object',
    additionalProperties: false,
    properties: { lives: { type: 'integer', format: 'int64', default: 9 } },
  },
  Dog: {
    type: 'object',
    additionalProperties: false,
    properties: { lives: { type: 'number' }, barks: { type: 'boolean', default: true } },
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
    [{ type: ['number', 'string'] }, 'a', 'a'],
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
    [{ allOf: [to('Id'), { type: 'integer', minimum: 1 }] }, 1, 1n],
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
      address: { size: 'small' },
      plain: { size: 'small' },
    },
  })
})

t.test('a required property must be sent even if it has a default', async (t) => {
  const result = compile({ type: 'object', required: ['size'], properties: { size: to('Size') } })({})
  t.match(result, { errors: [{ keyword: 'required' }] })
})

t.test('the first valid alternative determines the conversion', async (t) => {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const pet = compile({ [keyword]: [to('Dog'), to('Cat')] })
    t.strictSame(pet({ barks: false, lives: 1 }), { value: { barks: false, lives: 1 } })
    const either = compile({ [keyword]: [{ type: 'null' }, to('Cat'), to('Id')] })
    t.strictSame(either(null), { value: null })
    t.strictSame(either({}), { value: { lives: 9n } })
    t.strictSame(either({ lives: 1 }), { value: { lives: 1n } })
    t.strictSame(either(1), { value: 1n })
  }
  t.strictSame(compile({ anyOf: [to('Dog'), to('Cat')] })({ lives: 1 }), { value: { lives: 1, barks: true } })
  t.match(compile({ oneOf: [to('Dog'), to('Cat')] })({ lives: 1 }), { errors: [{ keyword: 'oneOf' }] })
})

t.test('alternatives are chosen before anything is filled in', async (t) => {
  const validate = compile({
    allOf: [{ type: 'object', properties: { size: to('Size') } }],
    anyOf: [to('Cat'), { type: 'object', properties: { lives: { type: 'number' } } }],
  })
  t.strictSame(validate({}), { value: { lives: 9n, size: 'small' } })
})

t.test('alternatives are chosen by the value as it was sent, wherever they stand', async (t) => {
  const sized: Schema = { type: 'object', properties: { size: to('Size') } }
  const cat = compile({ allOf: [sized, { anyOf: [to('Cat')] }] })
  t.strictSame(cat({ lives: 1 }), { value: { lives: 1n, size: 'small' } })

  const kind = (value: number, more: Schema['properties']): Schema => ({
    type: 'object',
    properties: { kind: { type: 'integer', const: value }, ...more },
  })
  const either: Schema = { oneOf: [kind(1, { n: { type: 'integer', default: 5 } }), kind(2, {})] }
  const known = compile({ allOf: [{ type: 'object', properties: { kind: to('Id') } }, either] })
  t.strictSame(known({ kind: 1 }), { value: { kind: 1n, n: 5 } })
  t.strictSame(known({ kind: 2 }), { value: { kind: 2n } })

  const within = (schema: Schema): Schema => ({ type: 'object', properties: { it: { type: 'array', items: schema } } })
  const deep = compile({ allOf: [within({ type: 'object', properties: { kind: to('Id') } }), within(either)] })
  t.strictSame(deep({ it: [{ kind: 1 }, { kind: 2 }] }), { value: { it: [{ kind: 1n, n: 5 }, { kind: 2n }] } })
})

t.test('the first of two defaults for one property is used', async (t) => {
  const sized = (size: string): Schema => ({
    type: 'object',
    properties: { size: { type: 'string', default: size } },
  })
  const validate = compile({ allOf: [sized('small'), sized('large')] })
  t.strictSame(validate({}), { value: { size: 'small' } })
  t.strictSame(validate({ size: '' }), { value: { size: '' } })
})

t.test('each value has its own copy of a default', async (t) => {
  const validate = compile({ type: 'object', properties: { tags: { type: 'array', default: [] } } })
  const first = validate({}) as { value: { tags: string[] } }
  first.value.tags.push('changed')
  t.strictSame(validate({}), { value: { tags: [] } })
})
