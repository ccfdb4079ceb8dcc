/** Unions and other branches: what handlers receive of a value, and which members of a body are sent. */
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import type { Schema } from '../../src/openapi/document/model.ts'
import { createSerializerCompiler } from '../../src/openapi/response/serializer.ts'
import { createSchemaCompiler } from '../../src/openapi/schema/compiler.ts'
import { formatViolations } from '../../src/openapi/schema/messages.ts'
import { readJson } from '../helpers/json.ts'
import { readYaml } from '../helpers/yaml.ts'
import { createLayer } from './layer.ts'
import type { Schemas } from './reference.ts'

interface UnionCase {
  readonly title: string
  readonly schemas: Schemas
  /** Values of requests, with what handlers receive, or the message of the 400. */
  readonly received?: readonly { readonly value: unknown; readonly result?: unknown; readonly message?: string }[]
  /** Bodies of responses, with their JSON text. */
  readonly sent?: readonly { readonly body: unknown; readonly text: string }[]
}

const cases = readYaml<readonly UnionCase[]>(join(import.meta.dirname, 'unions.yaml'))

for (const { title, schemas, received = [], sent = [] } of cases) {
  t.test(title, async (t) => {
    const { compile, schema } = compileRoot(schemas)
    for (const { value, result, message } of received) {
      const validated = compile(schema, 'request')(structuredClone(value))
      if (message === undefined) t.strictSame(validated, { value: result })
      else t.equal(formatViolations('body', validated).join('; '), message)
    }
    const serialize = createSerializerCompiler(compile.views)(schema)
    for (const { body, text } of sent) {
      t.equal(serialize(body), text)
      t.strictSame(formatViolations('body', compile(schema, 'response')(readJson(text))), [])
    }
  })
}

function compileRoot(schemas: Schemas) {
  const root = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } }
  return { root, compile: createSchemaCompiler(root), schema: { $ref: '#/components/schemas/Root' } }
}

/** The schema of nested conditions: eight kinds of them have others in the member `of`. `toBranch` tells them apart. */
function createConditions(toBranch: (kind: string) => Schema): Schemas {
  const toCondition = (kind: string, properties: Schemas): Schema => {
    const branch = toBranch(kind)
    const required = [...Object.keys(branch.properties ?? {}), ...Object.keys(properties)]
    return { type: 'object', required, properties: { ...branch.properties, ...properties } }
  }
  const inner: Schema = { type: 'array', items: { $ref: '#/components/schemas/Root' } }
  const kinds = ['and', 'or', 'not', 'any', 'all', 'none', 'some', 'xor']
  const leaf = toCondition('is', { value: { type: 'integer', format: 'int64' } })
  return { Root: { oneOf: [...kinds.map((kind) => toCondition(kind, { of: inner })), leaf] } }
}

function nest(depth: number, leaf: object, name: object): object {
  return depth === 0 ? leaf : { ...name, of: [nest(depth - 1, leaf, name)] }
}

t.test('a tagged union may be nested as deep as a body', async (t) => {
  const { compile, schema } = compileRoot(createConditions((kind) => ({ properties: { kind: { const: kind } } })))
  const create = (value: unknown) => nest(30, { kind: 'is', value }, { kind: 'xor' })
  t.strictSame(compile(schema, 'request')(create(1)), { value: create(1n) })
  const place = `body${'.of[0]'.repeat(30)}`
  t.equal(
    formatViolations('body', compile(schema, 'request')(create('x')))[0],
    `${place}.value must be an int64 integer`,
  )
  t.strictSame(readJson(createSerializerCompiler(compile.views)(schema)(create(1n))), create(1))
})

t.test('branches that are nested too deep to validate are not said to be wrong', async (t) => {
  const { compile, schema } = compileRoot(createConditions((kind) => ({ properties: { [kind]: { const: true } } })))
  const serialize = createSerializerCompiler(compile.views)(schema)
  const trySerialize = (value: unknown) => {
    try {
      return readJson(serialize(value))
    } catch (error) {
      return String(error)
    }
  }
  for (const depth of [2, 4, 8, 16, 30]) {
    const value = nest(depth, { is: true, value: 1 }, { xor: true })
    const validated = compile(schema, 'request')(structuredClone(value))
    const violations = formatViolations('body', validated)
    t.ok('value' in validated || /simpler/.test(violations.join()), `${depth}: ${violations}`)
    const sent = trySerialize(value)
    t.ok(isDeepStrictEqual(sent, value) || /simpler/.test(String(sent)), `${depth}: ${sent}`)
  }
})

t.test('a limit that is written with an exponent is exact', async (t) => {
  const source = `openapi: 3.1.0
info: { title: Limits, version: 1.0.0 }
paths:
  /limits:
    post:
      operationId: postLimit
      requestBody: { content: { application/json: { schema: { type: number, maximum: 3.4028234663852886e+38 } } } }
      responses: { "204": { description: Within the limit. } }
`
  const app = await createLayer(t, { source, handlers: { postLimit: async () => ({ status: 204 }) } })
  for (const [payload, status] of [
    ['3.4028234663852886e+38', 204],
    ['340282346638528860000000000000000000000', 204],
    ['340282346638528860000000000000000000001', 400],
    ['3.4028234663852885e+38', 204],
    ['3.4028234663852887e+38', 400],
  ] as const) {
    const headers = { 'content-type': 'application/json' }
    const response = await app.inject({ method: 'POST', url: '/limits', headers, payload })
    t.equal(response.statusCode, status, `${payload}: ${response.body}`)
  }
})

t.test('a response selects branches by the members that are sent: neither writeOnly nor undefined', async (t) => {
  class Row {
    a = 1
    password = 'secret'
    missing = undefined
  }
  const whole: Schema = { properties: { a: {}, password: { type: 'string', writeOnly: true } } }
  const integer: Schema = { type: 'integer' }
  const declared = { properties: { a: integer } }
  const branches: object[] = [
    { required: ['a', 'password'] },
    { minProperties: 1, maxProperties: 1 },
    { ...declared, additionalProperties: false },
    { additionalProperties: integer },
    { patternProperties: { '^[apm]': integer } },
    { propertyNames: { maxLength: 1 } },
    { ...declared, unevaluatedProperties: integer },
    { dependentRequired: { a: ['password'], password: ['b'], missing: ['b'] } },
    { dependentSchemas: { password: { required: ['b'] }, missing: { required: ['b'] } } },
  ]
  const { compile } = compileRoot({})
  for (const branch of branches) {
    const schema: Schema = { ...whole, oneOf: [{ required: ['a'], ...branch }, { required: ['b'] }] }
    const nested: Schema = { properties: { x: { allOf: [whole, branch] } }, required: ['x'] }
    for (const row of [new Row(), { ...new Row() }]) {
      for (const [root, body, text] of [
        [schema, row, '{"a":1}'],
        [{ items: schema }, [row], '[{"a":1}]'],
        [{ oneOf: [nested, { required: ['y'] }] }, { x: row }, '{"x":{"a":1}}'],
      ] as const) {
        t.equal(createSerializerCompiler(compile.views)(root)(body), text, JSON.stringify(branch))
      }
    }
  }
  const full: object = { ...whole, oneOf: [{ maxProperties: 0 }, { required: ['b'] }] }
  t.throws(() => createSerializerCompiler(compile.views)(full)(new Row()), /must match one of its alternatives/)
})
