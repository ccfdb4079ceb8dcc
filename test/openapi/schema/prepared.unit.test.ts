/**
 * The validators whose code `npm run generate` writes, beside those that Ajv compiles at start.
 */
import fc from 'fast-check'
import t from 'tap'
import { generateValidators } from '../../../scripts/generate/validators.ts'
import { checkDocument, type OpenApi, type Schema } from '../../../src/openapi/index.ts'
import { createSchemaCompiler, prepareValidators } from '../../../src/openapi/schema/compiler.ts'
import { schemaCases, smallValues } from '../schema-cases.ts'

/** A document with an operation whose body has the schema. */
function toDocument(schema: Schema, schemas: Readonly<Record<string, Schema>> = {}): OpenApi {
  const responses: Record<string, object> = { 204: { description: 'The value is added.' } }
  const operation = {
    operationId: 'addValue',
    requestBody: { content: { 'application/json': { schema } } },
    responses,
  }
  return {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: { '/values': { post: operation } },
    components: { schemas },
  }
}

/** Runs the code that is generated for a document. */
async function loadPrepared(root: OpenApi) {
  const module = await import(`data:text/javascript,${encodeURIComponent(generateValidators(root))}`)
  return prepareValidators(module.default)
}

t.test('generated validators find the same errors in the same values as those compiled at start', async (t) => {
  const cases = fc.record({ case: schemaCases(), values: fc.array(smallValues(), { minLength: 5, maxLength: 20 }) })
  await fc.assert(
    fc.asyncProperty(cases, async ({ case: { schema, schemas }, values }) => {
      const root = toDocument(schema, schemas)
      fc.pre(checkDocument(root).problems.length === 0)
      const [prepared, compiled] = [createSchemaCompiler(root, await loadPrepared(root)), createSchemaCompiler(root)]
      for (const value of values) t.strictSame(prepared(schema)(value), compiled(schema)(value))
    }),
    { numRuns: 100 },
  )
})

t.test('generated validators validate integers without loss that a number would round', async (t) => {
  const schema: Schema = { type: 'integer', format: 'int64', maximum: 2n ** 63n - 2n, default: 2n ** 63n - 3n }
  const root = toDocument(schema)
  const validate = createSchemaCompiler(root, await loadPrepared(root))(schema)
  t.strictSame(validate(2n ** 63n - 2n), { value: 2n ** 63n - 2n })
  t.match(validate(2n ** 63n - 1n), { errors: [{ params: { keyword: 'maximum', params: { limit: 2n ** 63n - 2n } } }] })
})

t.test('a schema without a generated validator is compiled at start', async (t) => {
  const prepared = await loadPrepared(toDocument({ type: 'string' }))
  t.strictSame(Object.keys(prepared), ['{"type":"string"}'])
  const validate = createSchemaCompiler(toDocument({ type: 'boolean' }), prepared)({ type: 'boolean' })
  t.strictSame(validate(true), { value: true })
  t.match(validate(1), { errors: [{ keyword: 'type' }] })
})
