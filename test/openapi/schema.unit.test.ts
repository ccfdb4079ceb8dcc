/**
 * The validation of values: by the official suite of JSON Schema 2020-12, into the values that handlers receive, and with a
 * message for each violation.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import type { OpenApi, Schema } from '../../src/openapi/document/model.ts'
import { createViolation, invalidRequest } from '../../src/openapi/request/violations.ts'
import { createSchemaCompiler } from '../../src/openapi/schema/compiler.ts'
import { TEXT_FORMATS } from '../../src/openapi/schema/formats.ts'
import { didYouMean, formatMember, formatViolation, formatViolations } from '../../src/openapi/schema/messages.ts'
import { stringifyExactly } from '../../src/openapi/shared/json.ts'
import { readJson } from '../helpers/json.ts'
import { readYaml } from '../helpers/yaml.ts'

interface Row {
  readonly schema: Schema
  readonly value: unknown
}

const cases = readYaml<{
  readonly schemas: Readonly<Record<string, Schema>>
  readonly converted: readonly (Row & { readonly result: unknown })[]
  readonly combined: readonly (Row & { readonly result: unknown })[]
  readonly exact: readonly { readonly schema: Schema; readonly valid: unknown[]; readonly invalid: unknown[] }[]
  readonly messages: readonly (Row & { readonly message: string })[]
}>(join(import.meta.dirname, 'schema-cases.yaml'))

const text = { type: 'string' } as const
const { schemas } = cases
const root = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } }
const compile = createSchemaCompiler(root)
const to = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

t.test('a valid value is converted to the types of the document', async (t) => {
  for (const { schema, value, result } of cases.converted) {
    t.strictSame(compile(schema)(structuredClone(value)), { value: result }, stringifyExactly(schema))
  }
  // More errors of an alternative than a message has.
  const ones = Array(100).fill(1)
  const either = { anyOf: [{ type: 'array', items: text }, { items: { type: 'integer' } }] } as const
  t.strictSame(compile(either)(ones), { value: ones })
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

t.test('a value is converted by all schemas that apply to it, and by the alternatives that it satisfies', async (t) => {
  for (const { schema, value, result } of cases.combined) {
    t.strictSame(compile(schema)(structuredClone(value)), { value: result }, stringifyExactly(schema))
  }
})

t.test(
  'a property that is readOnly is neither accepted nor required in a request; one that is writeOnly may be in a response',
  async (t) => {
    const schemas: Record<string, object> = {
      Part: { type: 'object', properties: { id: to('Fixed'), name: text, key: { type: 'string', writeOnly: true } } },
      Fixed: { type: 'string', readOnly: true, default: 'none' },
      Car: { type: 'object', required: ['id', 'name'], allOf: [to('Part')] },
      Cars: { type: 'array', items: { anyOf: [to('Car')] } },
    }
    const compile = createSchemaCompiler({ ...root, components: { schemas } } as never)
    for (const [name, wrap] of [
      ['Car', (value: object) => value],
      ['Cars', (value: object) => [value]],
    ] as const) {
      const judge = (direction: 'request' | 'response' | undefined, value: object) => {
        const result = compile(to(name), direction)(wrap(value))
        return 'value' in result ? result.value : formatViolations('body', result)[0]
      }
      const place = name === 'Car' ? 'body' : 'body[0]'
      t.strictSame(judge('request', { name: 'x' }), wrap({ name: 'x' }))
      t.equal(judge('request', { name: 'x', id: '1' }), `${place}.id is read-only, and not allowed in a request`)
      t.equal(judge('response', { name: 'x' }), `${place}.id is required`)
      t.strictSame(judge('response', { name: 'x', id: '1', key: 1 }), wrap({ name: 'x', id: '1', key: 1 }))
      t.strictSame(judge(undefined, { name: 'x', id: '1', key: 'k' }), wrap({ name: 'x', id: '1', key: 'k' }))
    }
  },
)

t.test('multiples are exact, formats are those of their standards, and what fails evaluates nothing', async (t) => {
  for (const { schema, valid, invalid } of cases.exact) {
    for (const value of valid) t.strictSame(violations(schema, value), [], stringifyExactly(schema))
    for (const value of invalid)
      t.not(violations(schema, value).length, 0, `${stringifyExactly(schema)} ${stringifyExactly(value)}`)
  }
})

t.test('a value within branches that refer back is validated once, however deep it is', async (t) => {
  const text = { type: 'string', pattern: '^(a|b)*$' }
  const alternative = { properties: { a: to('Twice'), text }, required: ['a'] }
  const Twice = { anyOf: [alternative, alternative, { properties: { a: { type: 'null' } } }] }
  const compile = createSchemaCompiler({ ...root, components: { schemas: { Twice } } } as never)
  const nest = (depth: number, innermost = {}): unknown =>
    depth === 0 ? innermost : { a: nest(depth - 1, innermost), text: 'a'.repeat(1000) }
  t.strictSame(compile(to('Twice'))(nest(60)), { value: nest(60) })
  const violations = formatViolations('body', compile(to('Twice'))(nest(60, { a: {}, text: 'c' })))
  t.match(violations.join(), /must match one of its alternatives/)
})

t.test('what is remembered of an object is said of each place where it is', async (t) => {
  const Twice = { anyOf: [{ items: to('Twice') }, { items: to('Twice'), maxItems: 9 }, { required: ['a'] }] }
  const Named = { type: 'object', required: ['name'], properties: { owner: to('Named') } }
  const compile = createSchemaCompiler({ ...root, components: { schemas: { Twice, Named } } } as never)
  const validate = compile({ properties: { deep: to('Twice'), pets: { type: 'array', items: to('Named') } } })
  const nest = (depth: number): unknown => (depth === 0 ? { b: 1 } : [nest(depth - 1)])
  const pet = {}
  const violations = formatViolations('body', validate({ deep: nest(20), pets: [pet, { name: 'Rex', owner: pet }] }))
  t.strictSame(violations.slice(-2), ['body.pets[0].name is required', 'body.pets[1].owner.name is required'])
})

t.test('a condition that fails adds nothing to what is wrong, however many values are validated', async (t) => {
  const Named = { required: ['name'], anyOf: [{}] }
  const item = { ...to('Named'), if: { ...to('Named'), required: ['tag'] }, else: { maxProperties: 9 } }
  const compile = createSchemaCompiler({ ...root, components: { schemas: { Named } } } as never)
  const validate = compile({ type: 'array', items: { allOf: Array(10).fill(item) } })
  const pets = Array(3000).fill({ name: 'Rex', tag: 'dog' })
  t.strictSame(formatViolations('body', validate([...pets, {}])), ['body[3000].name is required'])
})

t.test('a value is converted with one bound for its time, whichever branches refer back', async (t) => {
  const branch = (n: object) => ({ type: 'object', required: ['a'], properties: { a: to('Node'), ...n } })
  const Node = { anyOf: [branch({ n: { type: 'integer' } }), branch({}), { type: 'integer' }] }
  const compile = createSchemaCompiler({ ...root, components: { schemas: { Node } } } as never)
  const nest = (depth: number): unknown => (depth === 0 ? 1 : { a: nest(depth - 1) })
  const values = () => Array.from({ length: 1000 }, () => nest(11))
  const measure = (direction: 'request' | 'response') => {
    const validate = compile({ type: 'array', items: to('Node') }, direction)
    const start = process.cpuUsage()
    t.strictSame(validate(values()), { value: values() })
    return process.cpuUsage(start).user
  }
  measure('response')
  // A response is validated and not converted. Without the bound, the request takes 100 times as long.
  t.ok(measure('request') < 30 * measure('response'))
})

t.test('the format of numbers holds beside a media type of bytes', async (t) => {
  const schema = { type: ['string', 'integer'], format: 'int64', contentMediaType: 'image/png' }
  t.not(violations(schema, 2n ** 70n).length, 0)
  t.strictSame(violations(schema, 1n), [])
})

t.test('what takes too long to validate is rejected', async (t) => {
  const refused = ['body must be simpler: it takes too long to validate']
  // V8's stack does not suffice for the expression of the format.
  t.strictSame(violations({ type: 'string', format: 'json-pointer' }, '/'.repeat(16_000_000)), refused)
})

t.test('a message is bounded, however long the listed values are', async (t) => {
  const values = Array.from({ length: 5000 }, (_, index) => `value ${index}`)
  t.ok(violations({ enum: values }, 'x').join().length < 1100)
})

function violations(schema: object, value: unknown): string[] {
  const result = compile(schema as Schema)(value)
  return 'errors' in result ? result.errors.map((error) => formatViolation('body', error)) : []
}

t.test('a condition has the same meaning in both directions: required demands hidden members there', async (t) => {
  const schema = (required: string, mark: object): Schema => ({
    required: [required],
    properties: { [required]: mark },
  })
  for (const [direction, mark] of [
    ['request', { readOnly: true }],
    ['response', { writeOnly: true }],
  ] as const) {
    const condition = schema('id', mark)
    const isValid = (conditional: Schema, value: unknown) => !('errors' in compile(conditional, direction)(value))
    // By itself, the schema requires nothing in this direction, and so its negation would allow nothing.
    t.ok(isValid(condition, {}), direction)
    t.ok(isValid({ not: condition }, {}), `not, ${direction}`)
    t.notOk(isValid({ if: condition, else: false }, {}), `else, ${direction}`)
    t.notOk(isValid({ contains: condition }, [{}]), `contains, ${direction}`)
  }
})

t.test('each violation is a sentence about its place', async (t) => {
  for (const { schema, value, message } of cases.messages) t.equal(violations(schema, value).join('; '), message)
})

/** A union of two kinds, each with a member of its own and a reference back to the union. */
function compileKinds(keyword: 'oneOf' | 'anyOf', toKind: (kind: string) => object) {
  const toBranch = (kind: string, name: string) => ({
    type: 'object',
    required: ['kind', name],
    properties: { kind: toKind(kind), [name]: text, next: { $ref: '#/components/schemas/Any' } },
  })
  const [Cat, Dog] = [toBranch('Cat', 'lives'), toBranch('d', 'barks')]
  const branches = ['Cat', 'Dog'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
  const Any = { required: ['id'], [keyword]: branches }
  const document = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} }
  const root = { ...document, components: { schemas: { Any, Cat, Dog } } } as unknown as OpenApi
  const validate = createSchemaCompiler(root)({ $ref: '#/components/schemas/Any' })
  return (value: unknown) => formatViolations('body', validate(value))
}

const cat = { id: 1, kind: 'Cat', lives: '9' }

t.test('of a union whose branches have different tags, only the branch of the tag is validated', async (t) => {
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const findViolations = compileKinds(keyword, (kind) => ({ const: kind }))
    for (const [value, violations] of [
      [{ kind: 'Cat' }, ['body.id is required', 'body.lives is required']],
      [{ id: 1, kind: 'd', barks: 1 }, ['body.barks must be a string']],
      [{ ...cat, next: { id: 1, kind: 'd' } }, ['body.next.barks is required']],
      [{ ...cat, next: cat }, []],
      [{ id: 1, kind: 'cow' }, ['body.kind must be one of Cat, d']],
      [{ id: 1, kind: 'toString' }, ['body.kind must be one of Cat, d']],
      [{ id: 1, kind: { toString: 1 } }, ['body.kind must be one of Cat, d']],
      [{ id: 1 }, ['body.kind is required']],
      [1, ['body must be an object']],
    ] as const) {
      t.strictSame(findViolations(value).sort(), violations)
    }
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
    [{ type: 'object', patternProperties: { '^\\d': text } }, { ...Array(1_000).fill(1) }],
    [{ type: 'object', unevaluatedProperties: text }, { ...Array(1_000).fill(1) }],
    [{ type: 'array', unevaluatedItems: text }, Array(1_000).fill(1)],
  ] as const) {
    const found = violations(schema, value)
    t.ok(found.length > 10 && found.length < 15, `${found.length} violations`)
    t.match(found[0], /^body\[0\]/)
    t.match(invalidRequest(found.map(toViolation)).message, /; and more$/)
  }
})

const toViolation = (message: string) => createViolation({ in: 'body', keyword: 'type', message })

t.test('a message names ten violations, each once, and says if there are more', async (t) => {
  const getMessage = (messages: readonly string[]) => invalidRequest(messages.map(toViolation)).message
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`)
  t.equal(getMessage(['a', 'b', 'a']), 'a; b')
  t.equal(getMessage(numbers(10)), numbers(10).join('; '))
  t.equal(getMessage(numbers(12)), `${numbers(10).join('; ')}; and more`)
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

t.test('a format that is not supported has no warning', async (t) => {
  const warnings = t.capture(console, 'warn')
  compile({ type: 'string', format: 'iban' })('x')
  t.strictSame(warnings(), [])
})

/** A text of each format, with as many of its parts as it may have. */
const EXAMPLES: Readonly<Record<string, string>> = {
  byte: 'QUI=',
  date: '2026-01-02',
  'date-time': '2026-01-02T03:04:05.6+01:00',
  duration: 'P1Y2M3DT4H5M6S',
  email: '"a".b@[IPv6:::1.2.3.4]',
  hostname: 'a-b.c',
  ipv4: '1.2.3.4',
  ipv6: 'f::1.2.3.4',
  'json-pointer': '/a~0/b~1',
  'relative-json-pointer': '1/a~0',
  regex: '(?<a>[^b-c]|d*){1,2}\\k<a>',
  time: '03:04:05.6+01:00',
  uri: 'a://b@[::1]:8/%41/?c#d',
  'uri-reference': '//b@[::1]:8/%41/?c#d',
  'uri-template': 'a{?b:1,c*}%41',
  uuid: '01234567-89ab-cdef-0123-456789abcdef',
}

for (const [format, isValid] of TEXT_FORMATS) {
  t.test(`the time of ${format} is linear`, async (t) => {
    const example = String(EXAMPLES[format])
    const pairs = example.match(/..(?=(.?))/gs) ?? []
    const parts = new Set([...example, ...pairs, ...' \n"%\\/:.@[]{}()~', 'a.', 'a-', '\\a', '"."', 'a@', '1.', '%41'])
    const middle = Math.ceil(example.length / 2)
    for (const part of parts) {
      for (const place of [0, middle, example.length]) {
        /** The processor time, in milliseconds: other processes take none of it. */
        const measure = (length: number) => {
          const text = example.slice(0, place) + part.repeat(length / part.length) + example.slice(place)
          const start = process.cpuUsage()
          isValid(text)
          isValid(`${text}\n`)
          return process.cpuUsage(start).user / 1000
        }
        let time = measure(4 * 1024)
        // 8 times as long each time. If the time were quadratic, it would grow 64 times.
        for (const length of [32 * 1024, 256 * 1024]) {
          const longer = measure(length)
          const limit = 25 * Math.max(20, time)
          if (longer > limit) return t.fail(`${part} at ${place}, ${length} times: ${time} and then ${longer} ms`)
          time = longer
        }
      }
    }
  })
}

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
const DISAGREEMENTS: readonly (readonly [reason: string, name: RegExp])[] = [
  ['Ajv has no such property; a document that has it is refused', /^properties.json: .*: __proto__ not valid$/],
  ['this test rewrites what looks like a reference, also in an enum', /^ref.json: naive .*: match the enum exactly$/],
]

const refused = new Map<string, number>()
let passed = 0

for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.json'),
)) {
  t.test(`${file} is kept`, async (t) => {
    for (const { description, schema, tests } of readJson(readFileSync(join(folder, file), 'utf8')) as Group[]) {
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
        const isAsExpected =
          isValid === valid || (isAnnotation && isValid) || DISAGREEMENTS.some(([, known]) => known.test(name))
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
  t.strictSame({ passed, refused: [...refused.values()] }, { passed: 1455, refused: [46] })
})

/** Puts a schema into a document, with what its references lead to. */
function toDocument(schema: object | boolean) {
  const local = stringifyExactly(schema).replaceAll(/"\$ref":"#/g, '"$ref":"#/components/schemas/Root')
  const schemas = { Root: readJson(local) as Schema }
  return { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } }
}
