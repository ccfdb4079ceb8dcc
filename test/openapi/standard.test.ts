/**
 * The OpenAPI layer against the standards: what it accepts is valid OpenAPI 3.1 by the standard's own schema, and what it
 * validates is what JSON Schema 2020-12 says, as Ajv sees it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import official from '@seriousme/openapi-schema-validator/schemas/v3.1/schema.json' with { type: 'json' }
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import t from 'tap'
import { parse, stringify } from 'yaml'
import { SERVER_HEADERS } from '../../src/http/requests.ts'
import { createSerializerCompiler } from '../../src/openapi/response/serializer.ts'
import { createSchemaCompiler } from '../../src/openapi/schema/compiler.ts'
import { findProblems, getRefusal, idle, nobody } from './layer.ts'
import { mutants } from './mutants.ts'
import { eventuallyHolds, holds } from './properties.ts'
import { schemaCases, smallValues } from './schema-cases.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addFormat('media-range', true)
const isOpenApi = ajv.compile(official)

/** With integers as the layer reads them: as bigint where a number would round them. */
const documents = ['../../openapi.yaml', 'foreign.yaml'].map((file) =>
  parse(
    readFileSync(join(import.meta.dirname, file), 'utf8'),
    (_key, value) => (typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value),
    { intAsBigInt: true },
  ),
)

/** A copy for Ajv, which knows no bigint. */
function withNumbers(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document, (_key, value) => (typeof value === 'bigint' ? Number(value) : value)))
}

for (const document of documents) {
  t.test(`the document "${document.info.title}" is valid OpenAPI 3.1, and its schemas are JSON Schema`, async (t) => {
    isOpenApi(withNumbers(document))
    t.strictSame(isOpenApi.errors ?? [], [])
    const schemas = Object.entries<object>((withNumbers(document) as typeof document).components.schemas)
    t.ok(schemas.length > 0)
    for (const [name, schema] of schemas) t.ok(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`)
  })
}

t.test(
  'what the OpenAPI layer accepts is valid OpenAPI 3.1; what it refuses, it refuses with a place and a reason',
  async (t) => {
    const security = { ApiKey: nobody, Librarian: nobody }
    let accepted = 0
    const isRightAbout = async (mutant: Record<string, unknown>) => {
      const source = stringify(mutant, { aliasDuplicateObjects: false })
      const handlers = Object.fromEntries([...source.matchAll(/operationId: (\w+)$/gm)].map(([, id]) => [id, idle]))
      const lines = await getRefusal(t, { source, handlers, security, serverHeaders: SERVER_HEADERS })
      if (lines.length > 0) return lines.every((line) => /^\d+:\d+: [^;]+; ./.test(line))
      accepted++
      return isOpenApi(withNumbers(mutant))
    }
    await eventuallyHolds(t, mutants(documents), isRightAbout, 60)
    t.ok(accepted > 0)
  },
)

t.test('a value is valid if JSON Schema says so, and is returned unchanged', async (t) => {
  let valid = 0
  const agrees = ([{ schema, schemas }, values]: [{ schema: object; schemas: object }, unknown[]]) => {
    const root = {
      openapi: '3.1.0',
      info: { title: '', version: '' },
      paths: {},
      components: { schemas: { ...schemas, schema } },
    }
    fc.pre(findProblems(root).length === 0)
    const compile = createSchemaCompiler(root)
    const validate = compile({ $ref: '#/components/schemas/schema' })
    const serialise = createSerializerCompiler(root)({ $ref: '#/components/schemas/schema' })
    const isValid = plain(root)
    return values.every((value) => {
      const result = validate(structuredClone(value))
      if ('errors' in result) return !isValid(value)
      valid++
      return isValid(value) && isDeepStrictEqual(JSON.parse(serialise(result.value)), value)
    })
  }
  holds(t, fc.tuple(schemaCases(), fc.array(smallValues(), { minLength: 5, maxLength: 20 })), agrees)
  t.ok(valid > 0)
})

/** The validator that Ajv makes by itself; what it does not know is how to divide decimals, and the formats of integers. */
function plain(root: object) {
  // The schemas are checked already, and each instance would take 40 ms to compile the meta-schema.
  const ajv = new Ajv2020({ strict: false, ownProperties: true, multipleOfPrecision: 9, validateSchema: false })
  ajv.addFormat('int32', { type: 'number', validate: (value: number) => value >= -(2 ** 31) && value < 2 ** 31 })
  ajv.addFormat('int64', true)
  ajv.addSchema(root, 'root')
  return ajv.compile({ $ref: 'root#/components/schemas/schema' })
}
