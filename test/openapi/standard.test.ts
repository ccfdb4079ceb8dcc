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
import type { Schema } from '../../src/openapi/document/model.ts'
import { mapSchema, mapValues } from '../../src/openapi/document/references.ts'
import { createSerializerCompiler } from '../../src/openapi/response/serializer.ts'
import { createSchemaCompiler } from '../../src/openapi/schema/compiler.ts'
import { findProblems, getRefusal, idle, nobody } from './layer.ts'
import { holds } from './properties.ts'

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

type Values = Record<string, unknown>

/** What documents have, and what they should not have. */
const NAMES =
  '$defs $id $ref allowReserved bearerFormat callbacks const content cookie default deprecated discriminator encoding enum example examples exclusiveMinimum explode externalDocs get head identifier items jsonSchemaDialect links minItems name not nullable oneOf parameters patternProperties prefixItems properties readOnly required schema security servers style summary tags type uniqueItems url variables webhooks x-max-bytes x-other /x /x/{y} 200 204 4XX application/xml Content-Type __proto__'.split(
    ' ',
  )
const VALUES = [
  ...[null, true, false, 0, -1, 1.5, 2 ** 53, '', 'a', 'a b', '(', [], {}, [{}], ['string'], ['integer', 'null']],
  ...['#/components/schemas/Pet', '#/components/schemas/Section', '#/components/headers/NoStore', '#/nowhere'],
  ...['string', 'integer', 'object', 'array', 'null', 'int64', 'date', 'uuid', 'path', 'query', 'header', 'cookie'],
  ...['simple', 'form', 'http', 'bearer', 'basic', 'apiKey', '/v1', 'https://a.example/v1', '2026-01-01'],
  ...[{ type: 'string' }, { $ref: '#/components/schemas/Section' }, { a: [] }],
]

/** Copies of the documents with one to three changes each. */
function mutants(documents: readonly Values[]): fc.Arbitrary<Values> {
  const change = fc.tuple(fc.nat(5), fc.nat(), fc.nat(), fc.nat())
  return fc
    .tuple(fc.constantFrom(...documents), fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([document, changes]) => {
      const mutant = structuredClone(document)
      for (const [kind, ...numbers] of changes) mutate(mutant, kind, numbers)
      return mutant
    })
}

/** Changes the document in place; the numbers choose what, and with what. */
function mutate(document: Values, kind: number, [one, other, third]: readonly [number, number, number]): void {
  const entries = entriesIn(document)
  const { owner, key } = pick(entries, one)
  const value = owner[key]
  switch (kind) {
    case 0:
      remove(owner, key)
      break
    case 1:
      owner[key] = structuredClone(pick(VALUES, other))
      break
    case 2: {
      const elsewhere = pick(entries, other)
      owner[key] = structuredClone(elsewhere.owner[elsewhere.key])
      break
    }
    case 3:
      remove(owner, key)
      define(owner, pick(NAMES, other), value)
      break
    default:
      if (typeof value === 'object' && value !== null) {
        define(value as Values, pick(NAMES, other), structuredClone(pick(VALUES, third)))
      }
  }
}

interface Entry {
  readonly owner: Values
  readonly key: string
}

/** Every member and item, however deep. */
function entriesIn(value: unknown): Entry[] {
  if (typeof value !== 'object' || value === null) return []
  const owner = value as Values
  return Object.keys(owner).flatMap((key) => [{ owner, key }, ...entriesIn(owner[key])])
}

function pick<Item>(items: readonly Item[], number: number): Item {
  return items[number % items.length] as Item
}

function remove(owner: Values, key: string): void {
  if (Array.isArray(owner)) owner.splice(Number(key), 1)
  else delete owner[key]
}

/** Also where the name is that of a prototype. */
function define(owner: Values, name: string, value: unknown): void {
  if (Array.isArray(owner)) owner.push(value)
  else Object.defineProperty(owner, name, { value, enumerable: true, configurable: true, writable: true })
}

t.test('what the OpenAPI layer accepts is valid OpenAPI 3.1; a refusal has a place and a reason', async (t) => {
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
  await holds(t, mutants(documents), isRightAbout, 60)
  t.ok(accepted > 0)
})

/** A schema, and the components that it may refer to. */
interface SchemaCase {
  readonly schema: Schema
  readonly schemas: Readonly<Record<string, Schema>>
}

const PROPERTIES = ['a', 'b', 'a b', 'type', 'properties', '$ref', 'x~/y', '0']

function schemaCases(): fc.Arbitrary<SchemaCase> {
  const one = schemas()
  return fc.record({ schema: one, schemas: fc.record({ A: one, B: one, C: one }) })
}

/** Small JSON values, with the names and some of the values that the schemas have. */
function smallValues(): fc.Arbitrary<unknown> {
  const simple = fc.constantFrom(
    ...[null, true, false, 0, 1, -1, 2, 0.5, 0.1, 19.99, 2 ** 31, 2 ** 53 - 1, '', 'a', 'abc'],
  )
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      simple,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...PROPERTIES), tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).value
}

function schemas(): fc.Arbitrary<Schema> {
  const small = fc.constantFrom(-2, 0, 1, 2, 0.5, 0.01)
  const positive = fc.constantFrom(1, 2, 0.5, 0.01)
  const count = fc.nat(3)
  const { schema } = fc.letrec<{ schema: Schema }>((tie) => {
    const inner = tie('schema')
    const several = fc.array(inner, { minLength: 1, maxLength: 3 })
    return {
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom('A', 'B', 'C').map((name) => ({ $ref: `#/components/schemas/${name}` })),
        fc.constantFrom<Schema>({}, { type: 'boolean' }, { type: 'null' }, { type: ['string', 'integer', 'array'] }),
        record('integer', {
          format: fc.constantFrom('int32', 'int64'),
          minimum: small,
          maximum: small,
          multipleOf: positive,
        }),
        record('number', { exclusiveMinimum: small, exclusiveMaximum: small, multipleOf: positive, const: small }),
        record('string', { minLength: count, maxLength: count, pattern: fc.constantFrom('^a', '\\p{L}', '.') }),
        record('string', { enum: fc.uniqueArray(fc.constantFrom('', 'a', 'abc'), { minLength: 1 }) }),
        record('array', { items: inner, minItems: count, maxItems: count, uniqueItems: fc.boolean() }),
        record('object', {
          properties: fc.dictionary(fc.constantFrom(...PROPERTIES), inner, { maxKeys: 3, noNullPrototype: true }),
          required: fc.uniqueArray(fc.constantFrom(...PROPERTIES), { maxLength: 1 }),
          additionalProperties: fc.oneof(fc.boolean(), inner),
        }),
        several.map((allOf) => ({ allOf })),
        several.map((anyOf) => ({ anyOf })),
        several.map((oneOf) => ({ oneOf })),
      ),
    }
  })
  return schema
}

/** A schema of the type, of the type and null, or without a type, with some of the keywords. */
function record(type: string, keywords: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Schema> {
  const { format: _format, ...untyped } = keywords
  const types = fc.constantFrom(type, [type, 'null'])
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ type: types, ...keywords }, { requiredKeys: ['type'] }) },
    { weight: 1, arbitrary: fc.record(untyped, { requiredKeys: [] }) },
  ) as fc.Arbitrary<Schema>
}

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
    // Otherwise, members that are not declared are left out.
    const open = mapValues(root.components.schemas, (each: Schema) =>
      mapSchema(each, (inner) => ({ additionalProperties: true, ...inner })),
    )
    const opened = { ...root, components: { schemas: open } }
    const serialise = createSerializerCompiler(opened, compile)({ $ref: '#/components/schemas/schema' })
    const isValid = plain(root)
    return values.every((value) => {
      const result = validate(structuredClone(value))
      if ('errors' in result) return !isValid(value)
      valid++
      return isValid(value) && isDeepStrictEqual(JSON.parse(serialise(result.value)), value)
    })
  }
  await holds(t, fc.tuple(schemaCases(), fc.array(smallValues(), { minLength: 5, maxLength: 20 })), agrees)
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
