/**
 * The mistakes of Ajv for which the layer has validators of its own. Each test fails when a release of Ajv mends the mistake: then the
 * validator that it names may go.
 */
import type { Options } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t, { type Test } from 'tap'
import type { Schema } from '../../src/openapi/document/model.ts'
import { createSchemaCompiler } from '../../src/openapi/schema/compiler.ts'

const options: Options = { allErrors: true, ownProperties: true, strict: false }
const root = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} }

/** Compares what Ajv says of a value with what the layer says, which is true. */
function compare(t: Test, schema: object, value: unknown, isValid: boolean): void {
  t.equal(new Ajv2020(options).compile(schema)(value), !isValid, 'Ajv')
  t.equal('value' in createSchemaCompiler(root)(schema as Schema)(value), isValid, 'the layer')
}

t.test('unevaluatedProperties: a branch that fails evaluates nothing, unlike in Ajv', async (t) => {
  const failedBranch = { patternProperties: { '^a': {} }, required: ['b'] }
  compare(t, { anyOf: [failedBranch, {}], unevaluatedProperties: false }, { a: 1 }, false)
})

t.test(
  'unevaluatedProperties: an inherited name is a name like others, unlike in Ajv (ajv-validator/ajv#2664)',
  async (t) => {
    compare(t, { anyOf: [{ properties: { a: {} } }, {}], unevaluatedProperties: false }, { toString: 1 }, false)
  },
)

t.test('a reference that is recursive may stand beside patternProperties, unlike in Ajv', async (t) => {
  const A = { items: { $ref: '#/components/schemas/B' } }
  const B = { $ref: '#/components/schemas/A', patternProperties: { '^x': {} } }
  const components = { schemas: { A, B } }
  const schema = { $ref: '#/components/schemas/A' }
  const value = [{ x: 1 }]
  t.throws(() => new Ajv2020(options).compile({ ...schema, components })(value), TypeError, 'Ajv')
  t.strictSame(createSchemaCompiler({ ...root, components } as never)(schema)(value), { value }, 'the layer')
})

t.test('contains: an array has no items of the one before it, unlike in Ajv', async (t) => {
  compare(t, { items: { contains: { type: 'string' } } }, [['a'], []], false)
})

t.test('conditions: keywords after prefixItems apply to short arrays, unlike in Ajv', async (t) => {
  compare(t, { not: { prefixItems: [{ type: 'number' }], contains: { type: 'string' } } }, [], true)
})
