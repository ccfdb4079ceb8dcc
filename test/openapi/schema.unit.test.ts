/**
 * The validation of values: by the official suite of JSON Schema 2020-12, into the values that handlers receive, and with a
 * message for each violation.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import type { Schema } from '../../src/openapi/document/model.ts'
import { parseExactly, stringifyExactly } from '../../src/openapi/json.ts'
import { createSchemaCompiler } from '../../src/openapi/schema/compiler.ts'
import { TEXT_FORMATS } from '../../src/openapi/schema/formats.ts'
import { didYouMean, formatMember, formatViolation, invalidRequest } from '../../src/openapi/schema/violations.ts'

const id = { type: 'integer', format: 'int64' } as const
const text = { type: 'string' } as const
const schemas: Record<string, Schema> = {
  Id: id,
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
const root = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } }
const compile = createSchemaCompiler(root)
const to = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

t.test('a valid value is converted to the types of the document', async (t) => {
  for (const [schema, value, want] of [
    [to('Id'), 1, 1n],
    [id, 2n ** 63n - 1n, 2n ** 63n - 1n],
    [id, -(2n ** 63n), -(2n ** 63n)],
    [{ ...id, type: ['integer', 'null'] }, null, null],
    [{ ...id, minimum: 2n ** 60n }, 2n ** 60n, 2n ** 60n],
    [{ ...id, exclusiveMinimum: 3, exclusiveMaximum: 5 }, 4, 4n],
    [{ ...id, multipleOf: 7 }, 7n * 10n ** 17n, 7n * 10n ** 17n],
    [{ ...id, enum: [1, 2n ** 60n] }, 2n ** 60n, 2n ** 60n],
    [{ ...id, const: 1 }, 1, 1n],
    [{ ...id, const: 1, enum: [1, 2] }, 1, 1n],
    [{ ...id, type: ['integer', 'null'], enum: [1, null] }, null, null],
    [{ type: 'integer' }, 1, 1],
    [{ type: 'integer', format: 'int32' }, -(2 ** 31), -(2 ** 31)],
    [{ type: 'integer', multipleOf: 3 }, 9, 9],
    [{ type: 'number' }, 2n ** 60n, 2 ** 60],
    [{ type: 'number', multipleOf: 0.1 }, 1e22, 1e22],
    [{ type: 'number', multipleOf: 1e-300 }, 3e-300, 3e-300],
    [{ type: 'number', format: 'double' }, 1e308, 1e308],
    [{ type: 'array', items: { type: ['number', 'string'] } }, ['a', 10n ** 22n], ['a', 1e22]],
    [{}, 2n ** 60n, 2n ** 60n],
    [{ minimum: 3 }, 2n ** 60n, 2n ** 60n],
    [{ minimum: 3, format: 'date' }, 3.5, 3.5],
    [{ type: 'string', maxLength: 1 }, '🐕', '🐕'],
    [{ type: 'string', format: 'password' }, '', ''],
    [{ type: ['array', 'null'], items: to('Id') }, [1, 2n ** 60n], [1n, 2n ** 60n]],
    [{ type: ['array', 'null'], items: to('Id') }, null, null],
    [{ type: 'array', uniqueItems: true }, [1, '1', 2n ** 60n, `${2n ** 60n}`], [1, '1', 2n ** 60n, `${2n ** 60n}`]],
    [{ type: 'array', uniqueItems: true }, [null, 'null', [1], ['1'], {}], [null, 'null', [1], ['1'], {}]],
    [{ type: 'array', uniqueItems: true }, [{ toString: 1 }, { toString: [] }], [{ toString: 1 }, { toString: [] }]],
    [{ type: 'object', additionalProperties: to('Id') }, { a: 1 }, { a: 1n }],
    [{ type: 'object', properties: { b: {} }, additionalProperties: to('Id') }, { b: 1 }, { b: 1 }],
    [{ type: ['object', 'null'], properties: { a: to('Id') } }, null, null],
    [{ type: ['object', 'array'], properties: { a: to('Id') } }, [1], [1]],
    [to('Tree'), { id: 1, left: { right: { id: 2 } } }, { id: 1n, left: { right: { id: 2n } } }],
    [{ anyOf: [{ type: 'null' }, to('Id')] }, 1, 1n],
    [{ oneOf: [to('Id'), text] }, 1, 1n],
    [
      { anyOf: [{ type: 'array', items: text }, { items: { type: 'integer' } }] },
      Array(100).fill(1),
      Array(100).fill(1),
    ],
    [{ allOf: [to('Tree'), { type: 'object', properties: { n: to('Id') } }] }, { id: 1, n: 2 }, { id: 1n, n: 2n }],
  ] as const) {
    t.strictSame(compile(schema as Schema)(structuredClone(value)), { value: want })
  }
})

t.test('a default fills in what is left out, and nothing else, with a copy of its own', async (t) => {
  const person = compile({
    type: 'object',
    required: ['name'],
    properties: {
      name: text,
      size: to('Size'),
      own: to('OwnSize'),
      near: { ...to('Size'), default: 'tiny' },
      none: { type: ['string', 'null'], default: null },
      id: { ...to('Id'), default: 3 },
      tags: { type: 'array', default: [] },
      address: { type: 'object', default: {}, properties: { size: to('Size') } },
      plain: { type: 'object', properties: { size: to('Size') } },
    },
  })
  const others = { size: 'small', own: 'large', near: 'tiny', id: 3n, tags: [], address: { size: 'small' } }
  const first = person({ name: 'Ada' }) as { value: { tags: string[] } }
  t.strictSame(first, { value: { name: 'Ada', none: null, ...others } })
  first.value.tags.push('changed')
  const second = { value: { name: 'Ada', none: 'x', plain: { size: 'small' }, ...others } }
  t.strictSame(person({ name: 'Ada', none: 'x', plain: {} }), second)
})

function violations(schema: Schema & Record<string, unknown>, value: unknown): string[] {
  const result = compile(schema)(value)
  return 'errors' in result ? result.errors.map((error) => formatViolation('body', error)) : []
}

t.test('each violation is a sentence about its place', async (t) => {
  const object = { type: 'object', properties: { name: {}, age: {} } } as const
  for (const [schema, value, want] of [
    [{ type: 'null' }, 0, 'body must be null'],
    [{ type: 'boolean' }, 'true', 'body must be a boolean'],
    [{ type: 'array' }, {}, 'body must be an array'],
    [{ type: ['object', 'null'] }, [], 'body must be an object or null'],
    [{ type: 'integer' }, 1.5, 'body must be an integer'],
    [{ type: 'integer' }, 2n ** 53n, 'body must be an integer of at most 53 bits'],
    [{ type: 'integer', format: 'int32' }, 2 ** 31, 'body must be an int32'],
    [{ type: 'integer', format: 'int32' }, 1.5, 'body must be an integer'],
    [id, 2n ** 63n, 'body must be an int64 integer'],
    [id, 2 ** 63, 'body must be an int64 integer'],
    [{ ...id, minimum: 2n ** 60n }, 2n ** 60n - 1n, 'body must be at least 1152921504606846976'],
    [{ ...id, exclusiveMinimum: 5 }, 5, 'body must be more than 5'],
    [{ ...id, exclusiveMaximum: 5 }, 5, 'body must be less than 5'],
    [{ ...id, multipleOf: 7 }, 7n * 10n ** 17n + 1n, 'body must be a multiple of 7'],
    [{ ...id, enum: [1, 2n ** 60n] }, 2, 'body must be one of 1, 1152921504606846976'],
    [{ ...id, const: 1 }, 2, 'body must be 1'],
    [{ type: 'number' }, '1', 'body must be a number'],
    [{ type: 'number' }, Number.POSITIVE_INFINITY, 'body must be a number'],
    [{ type: ['integer', 'null', 'string'] }, true, 'body must be an integer or null or a string'],
    [{ type: 'integer', minimum: 2 }, 1, 'body must be at least 2'],
    [{ type: 'number', exclusiveMinimum: 0.5 }, 0.5, 'body must be more than 0.5'],
    [{ type: 'number', multipleOf: 0.01 }, 0.005, 'body must be a multiple of 0.01'],
    [{ type: 'string', minLength: 1 }, '', 'body must have at least 1 character'],
    [{ type: 'string', maxLength: 2 }, '🐕🐕🐕', 'body must have at most 2 characters'],
    [{ type: 'array', minItems: 2 }, [1], 'body must have at least 2 items'],
    [{ type: 'array', maxItems: 1 }, [1, 2], 'body must have at most 1 item'],
    [{ uniqueItems: true }, [{ a: 1, b: 2 }].concat({ b: 2, a: 1 }), 'body must not have the same item twice'],
    [{ pattern: '^a' }, 'b', 'body must match ^a'],
    [{ pattern: '^a', description: ' Has an a. ' }, 'b', 'body must match its description: Has an a'],
    [{ type: 'string', format: 'date' }, '2026-02-30', 'body must be a date'],
    [{ type: 'string', format: 'ipv4' }, 'x', 'body must be an ipv4'],
    [{ type: 'string', format: 'uuid' }, 'x', 'body must be a uuid'],
    [{ type: 'string', format: 'uri' }, 'x', 'body must be a uri'],
    [{ enum: ['a', 1, null] }, 'b', 'body must be one of a, 1, null'],
    [{ anyOf: [{ const: 1 }] }, 2, 'body must be 1; body must match one of its alternatives'],
    [{ oneOf: [{}, {}] }, 2, 'body must match exactly one of its alternatives'],
    [{ ...object, required: ['name', 'age'] }, { age: 1 }, 'body.name is required'],
    [{ ...object, additionalProperties: false }, { address: 1 }, 'body.address is not allowed; allowed are name, age'],
    [{ type: 'object', additionalProperties: false }, { a: 1 }, 'body.a is not allowed; none is allowed'],
    [{ items: { type: 'object', properties: { a: text } } }, [{}, { a: 1 }], 'body[1].a must be a string'],
  ] as const) {
    t.equal(violations(schema, value).join('; '), want)
  }
})

t.test('a name that is at most two letters away is suggested', async (t) => {
  for (const [name, known, guess] of [
    ['stauts', ['name', 'status'], 'status'],
    ['Name', ['name'], 'name'],
    ['naem', ['name', 'names'], 'name'],
    ['colour', ['name', 'status'], undefined],
    ['x', ['id'], undefined],
    ['name', [], undefined],
    ['n'.repeat(65), ['n'.repeat(64)], undefined],
  ] as const) {
    t.equal(didYouMean(name, known), guess === undefined ? '' : ` (did you mean "${guess}"?)`)
  }
})

t.test('uniqueItems is validated fast for a long list', async (t) => {
  const items = Array.from({ length: 100_000 }, (_, index) => ({ id: index }))
  const schema = { type: 'array', uniqueItems: true } as const
  t.strictSame(violations(schema, items), [])
  t.strictSame(violations(schema, [...items, { id: 0 }]), ['body must not have the same item twice'])
})

t.test('what is wrong all over is looked through until there is more than a message says', async (t) => {
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
})

t.test('a message names ten violations, each once, and says if there are more', async (t) => {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`)
  t.equal(invalidRequest(['a', 'b', 'a']).message, 'a; b')
  t.equal(invalidRequest(numbers(10)).message, numbers(10).join('; '))
  t.equal(invalidRequest(numbers(12)).message, `${numbers(10).join('; ')}; and more`)
})

t.test('a place is named as in a program, with a part of a long name', async (t) => {
  for (const [name, want] of Object.entries({
    'X-Trace_2': 'body.X-Trace_2',
    '1234567890': 'body[1234567890]',
    'first name': 'body["first name"]',
    '': 'body[""]',
    '"\n': 'body["\\"\\n"]',
    ä: 'body["ä"]',
    ['x'.repeat(40)]: `body.${'x'.repeat(40)}`,
    ['x'.repeat(41)]: `body["${'x'.repeat(40)}…"]`,
    ['1'.repeat(41)]: `body["${'1'.repeat(40)}…"]`,
  })) {
    t.equal(formatMember('body', name), want)
  }
})

t.test('the formats of a long text take no time, and one that is not supported no warning', async (t) => {
  const warnings = t.capture(console, 'warn')
  compile({ type: 'string', format: 'iban' })('x')
  t.strictSame(warnings(), [])
  for (const format of TEXT_FORMATS.keys()) {
    const validate = compile({ type: 'string', format })
    const begin = performance.now()
    for (const part of ['a', '1', '.', '/', '%41', '{a}', 'a.', 'a-', '"', '\\a', '::', '~0', 'P1Y', ' ']) {
      for (const start of ['', 'a:', 'a@']) validate(`${start}${part.repeat(100_000)}\n`)
    }
    t.ok(performance.now() - begin < 60_000, format)
  }
})

const formats = [...TEXT_FORMATS.keys()]
const folder = join(import.meta.dirname, 'official-suite')

/** Schemas of the suite with one purpose, and values with what the standard says about them. */
interface Group {
  readonly description: string
  readonly schema: object | boolean
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
}

/** Why a schema of the standard is none of an OpenAPI document. The first that fits its text counts. */
const REASONS: readonly (readonly [reason: string, text: RegExp])[] = [
  ['references lead to places of the document, by pointers', /"\$(id|anchor|dynamicRef)":|"\$ref":"(?!#)/],
]

/** Values about which the compiler and the suite disagree, with the reason. */
const DISAGREEMENTS: Readonly<Record<string, string>> = {
  'properties.json: properties whose names are Javascript object property names: __proto__ not valid':
    'Ajv has no such property; a document that has it is refused',
  'ref.json: naive replacement of $ref with its destination is not correct: match the enum exactly':
    'this test rewrites what looks like a reference, also in an enum',
}

const refused = new Map<string, number>()
let passed = 0

for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.json'),
)) {
  t.test(`${file} is kept`, async (t) => {
    for (const { description, schema, tests } of parseExactly(readFileSync(join(folder, file), 'utf8')) as Group[]) {
      const [reason] = REASONS.find(([, text]) => text.test(stringifyExactly(schema))) ?? []
      if (reason !== undefined) {
        refused.set(reason, (refused.get(reason) ?? 0) + tests.length)
        continue
      }
      const validate = createSchemaCompiler(toDocument(schema))({ $ref: '#/components/schemas/Root' })
      for (const { description: what, data, valid } of tests) {
        const name = `${file}: ${description}: ${what}`
        const isValid = 'value' in validate(structuredClone(data))
        const isAnnotation = file.startsWith('format/') && !formats.includes(basename(file, '.json'))
        const isAsExpected = isValid === valid || (isAnnotation && isValid) || name in DISAGREEMENTS
        if (!isAsExpected) t.fail(name)
        if (isValid === valid) passed++
      }
    }
  })
}

t.test('every format that is supported has tests, but for one that the suite does not know', async (t) => {
  const tested = readdirSync(join(folder, 'format')).map((file) => basename(file, '.json'))
  t.strictSame(
    formats.filter((name) => !tested.includes(name)),
    ['byte'],
  )
})

t.test('the numbers of tests in the suite are the expected ones', async (t) => {
  const [[reason] = []] = REASONS
  t.strictSame({ passed, ...Object.fromEntries(refused) }, { passed: 1065, [String(reason)]: 41 })
})

/** Puts a schema into a document, with what its references lead to. */
function toDocument(schema: object | boolean) {
  const local = stringifyExactly(schema).replaceAll(/"\$ref":"#/g, '"$ref":"#/components/schemas/Root')
  const schemas = { Root: parseExactly(local) as Schema }
  return { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } }
}
