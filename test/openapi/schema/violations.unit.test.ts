/**
 * The messages about violations.
 */
import t from 'tap'
import type { Schema } from '../../../src/openapi/document/model.ts'
import { createSchemaCompiler } from '../../../src/openapi/schema/compiler.ts'
import { formatMember, formatViolation, invalidRequest } from '../../../src/openapi/schema/violations.ts'

const compile = createSchemaCompiler({ openapi: '3.1.0', info: { title: '', version: '' }, paths: {} })

function violations(schema: Schema & Record<string, unknown>, value: unknown): string[] {
  const result = compile(schema)(value)
  return 'errors' in result ? result.errors.map((error) => formatViolation('body', error)) : []
}

const object = { type: 'object', properties: { name: {}, age: {} } } as const

t.test('each violation is a sentence about its place', async (t) => {
  for (const [schema, value, want] of [
    [{ type: 'string' }, 1, 'body must be a string'],
    [{ type: 'boolean' }, 'true', 'body must be a boolean'],
    [{ type: 'array' }, {}, 'body must be an array'],
    [{ type: 'object' }, [], 'body must be an object'],
    [{ type: 'null' }, 0, 'body must be null'],
    [{ type: ['object', 'null'] }, 0, 'body must be an object or null'],
    [{ type: 'integer' }, 1.5, 'body must be an integer'],
    [{ type: 'integer' }, 2n ** 53n, 'body must be an integer of at most 53 bits'],
    [{ type: 'integer' }, 1e300, 'body must be at most 9007199254740991'],
    [{ type: 'integer', format: 'int32' }, 2 ** 31, 'body must be at most 2147483647'],
    [{ type: 'integer', format: 'int64' }, 2n ** 63n, 'body must be an int64 integer'],
    [{ type: 'number' }, '1', 'body must be a number'],
    [{ type: 'number' }, Number.POSITIVE_INFINITY, 'body must be a number'],
    [{ type: 'number', format: 'double' }, '1', 'body must be a number'],
    [{ type: ['integer', 'null', 'string'] }, true, 'body must be an integer or null or a string'],
    [{ type: ['integer', 'object'] }, [], 'body must be an integer or an object'],
    [{ type: 'integer', minimum: 2 }, 1, 'body must be at least 2'],
    [{ type: 'integer', maximum: 2 }, 3, 'body must be at most 2'],
    [
      { type: 'integer', format: 'int64', maximum: 2n ** 60n },
      2n ** 60n + 1n,
      'body must be at most 1152921504606846976',
    ],
    [{ type: 'number', exclusiveMinimum: 0.5 }, 0.5, 'body must be more than 0.5'],
    [{ type: 'number', exclusiveMaximum: 0.5 }, 0.5, 'body must be less than 0.5'],
    [{ type: 'number', multipleOf: 0.01 }, 0.005, 'body must be a multiple of 0.01'],
    [{ type: 'string', minLength: 1 }, '', 'body must have at least 1 character'],
    [{ type: 'string', maxLength: 2 }, '🐕🐕🐕', 'body must have at most 2 characters'],
    [{ type: 'array', minItems: 2 }, [1], 'body must have at least 2 items'],
    [{ type: 'array', maxItems: 1 }, [1, 2], 'body must have at most 1 item'],
    [{ type: 'object', minProperties: 1 }, {}, 'body must have at least 1 member'],
    [{ type: 'object', maxProperties: 0 }, { a: 1 }, 'body must have at most 0 members'],
    [
      { type: 'array', uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      'body must not have the same item twice',
    ],
    [{ type: 'string', pattern: '^a' }, 'b', 'body must match ^a'],
    [
      { type: 'string', pattern: '^a', description: ' Begins with an a. ' },
      'b',
      'body must match its description: Begins with an a',
    ],
    [{ type: 'string', format: 'date' }, '2026-02-30', 'body must be a date'],
    [{ type: 'string', format: 'email' }, 'x', 'body must be an email'],
    [{ type: 'string', format: 'ipv4' }, 'x', 'body must be an ipv4'],
    [{ type: 'string', format: 'uuid' }, 'x', 'body must be a uuid'],
    [{ type: 'string', format: 'uri' }, 'x', 'body must be a uri'],
    [{ enum: ['a', 1, null] }, 'b', 'body must be one of a, 1, null'],
    [{ const: 'a' }, 'b', 'body must be a'],
    [{ anyOf: [{ const: 1 }] }, 2, 'body must be 1; body must match one of its alternatives'],
    [{ oneOf: [{}, {}] }, 2, 'body must match exactly one of its alternatives'],
    [{ ...object, required: ['name', 'age'] }, { age: 1 }, 'body.name is required'],
    [
      { ...object, additionalProperties: false },
      { nmae: 1 },
      'body.nmae is not allowed (did you mean "name"?); allowed are name, age',
    ],
    [{ ...object, additionalProperties: false }, { address: 1 }, 'body.address is not allowed; allowed are name, age'],
    [{ type: 'object', additionalProperties: false }, { a: 1 }, 'body.a is not allowed; none is allowed'],
    [
      { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
      [{}, { a: 1 }],
      'body[1].a must be a string',
    ],
  ] as const) {
    t.equal(violations(schema, value).join('; '), want)
  }
})

t.test('a valid value has no violations', async (t) => {
  for (const [schema, value] of [
    [{ type: 'integer', format: 'int32' }, -(2 ** 31)],
    [{ type: 'integer', format: 'int64' }, -(2n ** 63n)],
    [{ type: 'integer', multipleOf: 3 }, 9],
    [{ type: 'integer', format: 'int64', multipleOf: 7 }, 7n * 10n ** 17n],
    [{ type: 'number', multipleOf: 0.1 }, 1e22],
    [{ type: 'number', format: 'float' }, -3.4e38],
    [{ type: 'number', format: 'double' }, 1e308],
    [{ type: 'number', multipleOf: 1e-300 }, 3e-300],
    [{ type: 'string', maxLength: 1 }, '🐕'],
    [{ type: 'string', format: 'password' }, ''],
    [{ type: 'array', uniqueItems: true }, [1, '1', 2n ** 60n, `${2n ** 60n}`, null, 'null', [1], ['1'], {}, []]],
    [{ type: 'array', uniqueItems: false }, [1, 1]],
    [{ type: 'array', uniqueItems: true }, [{ toString: 1 }, { toString: [] }]],
    [{ type: 'object', properties: { constructor: { type: 'string' } } }, {}],
    [{ type: 'object', additionalProperties: true }, { a: 1 }],
    [{ minimum: 3 }, 'a'],
    [{ minimum: 3 }, 2n ** 60n],
    [{ minimum: 3, format: 'date' }, 3.5],
    [{ anyOf: [{ type: 'array', items: { type: 'string' } }, { items: { type: 'integer' } }] }, Array(100).fill(1)],
  ] as const) {
    t.strictSame(violations(schema, value), [])
  }
})

t.test('uniqueItems is validated fast for a long list', async (t) => {
  const items = Array.from({ length: 100_000 }, (_, index) => ({ id: index }))
  const schema = { type: 'array', uniqueItems: true } as const
  t.strictSame(violations(schema, items), [])
  t.strictSame(violations(schema, [...items, { id: 0 }]), ['body must not have the same item twice'])
})

t.test(
  'a list or a map that is wrong all over is looked through until there is more than a message says',
  async (t) => {
    const text = { type: 'string' } as const
    for (const [schema, value] of [
      [{ type: 'array', items: text }, Array(1_000).fill(1)],
      [{ type: 'array', items: { type: 'array', items: text } }, Array(1_000).fill([1, 2])],
      [{ type: 'array', items: { anyOf: [text, { type: 'boolean' }] } }, Array(1_000).fill(1)],
      [{ type: 'object', additionalProperties: false }, { ...Array(1_000).fill(1) }],
      [{ type: 'object', additionalProperties: text }, { ...Array(1_000).fill(1) }],
    ] as const) {
      const found = violations(schema, value)
      t.ok(found.length > 10 && found.length < 15, `${found.length} violations`)
      t.match(found[0], /^body\[0\]/)
      t.match(invalidRequest(found).message, /; and more$/)
    }
  },
)

t.test('a place is named as in a program, and a message quotes only a part of a long name', async (t) => {
  for (const [name, want] of [
    ['name', 'body.name'],
    ['X-Trace_2', 'body.X-Trace_2'],
    ['0', 'body[0]'],
    ['1234567890', 'body[1234567890]'],
    ['first name', 'body["first name"]'],
    ['', 'body[""]'],
    ['"\n', 'body["\\"\\n"]'],
    ['ä', 'body["ä"]'],
    ['x'.repeat(40), `body.${'x'.repeat(40)}`],
    ['x'.repeat(41), `body["${'x'.repeat(40)}…"]`],
    ['1'.repeat(41), `body["${'1'.repeat(40)}…"]`],
  ] as const) {
    t.equal(formatMember('body', name), want)
  }
  const [violation = ''] = violations({ type: 'object', additionalProperties: false }, { ['y'.repeat(10_000)]: 1 })
  t.equal(violation, `body["${'y'.repeat(40)}…"] is not allowed; none is allowed`)
})

t.test('a message names ten violations, each once, and says if there are more', async (t) => {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`)
  t.equal(invalidRequest(['a', 'b', 'a']).message, 'a; b')
  t.equal(invalidRequest(numbers(10)).message, numbers(10).join('; '))
  t.equal(invalidRequest(numbers(12)).message, `${numbers(10).join('; ')}; and more`)
})
