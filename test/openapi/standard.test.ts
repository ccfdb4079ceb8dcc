/**
 * The OpenAPI layer against the standards: what it accepts is valid OpenAPI 3.1 by the standard's own schema, and what it
 * validates is what JSON Schema 2020-12 says, as another validator sees it.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { registerSchema, validate } from '@hyperjump/json-schema/draft-2020-12'
import official from '@seriousme/openapi-schema-validator/schemas/v3.1/schema.json' with { type: 'json' }
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import t from 'tap'
import ts from 'typescript'
import { stringify } from 'yaml'
import { generateSchemaTypes } from '../../scripts/generate/schemas.ts'
import { SERVER_HEADERS } from '../../src/headers.ts'
import type { Schema } from '../../src/openapi/document/model.ts'
import { mapSchema, mapSubschemas, mapValues } from '../../src/openapi/document/references.ts'
import { createSerializerCompiler } from '../../src/openapi/response/serializer.ts'
import { createSchemaCompiler } from '../../src/openapi/schema/compiler.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { readYaml } from '../helpers/yaml.ts'
import { getRefusal, idle, nobody } from './layer.ts'
import { holds } from './properties.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addFormat('media-range', true)
const isOpenApi = ajv.compile(official)

interface Document extends Values {
  readonly info: { readonly title: string }
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

const documents = ['../../openapi.yaml', 'foreign.yaml'].map((file) => {
  return readYaml<Document>(join(import.meta.dirname, file))
})

/** A copy for Ajv, which knows no bigint. */
function withNumbers(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document, (_key, value) => (typeof value === 'bigint' ? Number(value) : value)))
}

for (const document of documents) {
  t.test(`the document "${document.info.title}" is valid OpenAPI 3.1, and its schemas are JSON Schema`, async (t) => {
    isOpenApi(withNumbers(document))
    t.strictSame(isOpenApi.errors ?? [], [])
    const schemas = Object.entries((withNumbers(document) as Document).components.schemas)
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
  const one = schemas().filter((each) => typeof each !== 'boolean')
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
  // The other validator divides in binary: -1 is no multiple of 0.01 to it.
  const positive = fc.constantFrom(1, 2, 0.5)
  const count = fc.nat(3)
  const anyValue = smallValues()
  const name = fc.constantFrom(...PROPERTIES)
  const names = fc.uniqueArray(name, { maxLength: 2 })
  const { schema } = fc.letrec<{ schema: Schema }>((tie) => {
    const inner = fc.oneof({ weight: 9, arbitrary: tie('schema') }, { weight: 1, arbitrary: fc.boolean() })
    const several = fc.array(inner, { minLength: 1, maxLength: 3 })
    const members = fc.dictionary(name, inner, { maxKeys: 3, noNullPrototype: true })
    const patterns = fc.dictionary(fc.constantFrom('^a', 'b$', '^[0-9]'), inner, { maxKeys: 2, noNullPrototype: true })
    const reference = fc.constantFrom('A', 'B', 'C').map((each) => `#/components/schemas/${each}`)
    const ofArrays = { items: inner, minItems: count, maxItems: count, uniqueItems: fc.boolean(), prefixItems: several }
    const ofObjects = { properties: members, required: names, additionalProperties: inner, patternProperties: patterns }
    const ofOne = ['not', 'if', 'then', 'else'].map((keyword) => [keyword, inner])
    const combinations = { allOf: several, anyOf: several, oneOf: several, ...Object.fromEntries(ofOne) }
    return {
      schema: fc.oneof(
        { maxDepth: 3 },
        reference.map(($ref) => ({ $ref })),
        fc.constantFrom<Schema>({}, { type: 'boolean' }, { type: 'null' }, { type: ['string', 'integer', 'array'] }),
        record('integer', { format: fc.constant('int64'), minimum: small, maximum: small, multipleOf: positive }),
        record('number', { exclusiveMinimum: small, exclusiveMaximum: small, multipleOf: positive, const: small }),
        record('string', { minLength: count, maxLength: count, pattern: fc.constantFrom('^a', '\\p{L}', '.') }),
        record('string', { enum: fc.uniqueArray(fc.constantFrom('', 'a', 'abc'), { minLength: 1 }) }),
        record('array', ofArrays),
        record('array', { ...ofArrays, contains: inner, minContains: count, maxContains: count }),
        record('array', { prefixItems: several, unevaluatedItems: inner, allOf: several }),
        record('object', ofObjects),
        record('object', { ...ofObjects, minProperties: count, maxProperties: count, propertyNames: inner }),
        record('object', { dependentRequired: fc.dictionary(name, names, { maxKeys: 2, noNullPrototype: true }) }),
        record('object', { dependentSchemas: members, properties: members, unevaluatedProperties: inner }),
        record('object', { ...combinations, $ref: reference, properties: members, unevaluatedProperties: inner }),
        fc.record({ enum: fc.array(anyValue, { minLength: 1, maxLength: 3 }), const: anyValue }, { requiredKeys: [] }),
        fc.record({ ...combinations, $ref: reference }, { requiredKeys: [] }),
      ) as fc.Arbitrary<Schema>,
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

t.test('a value is valid if JSON Schema says so, and is returned and written unchanged', async (t) => {
  const counts = { valid: 0, invalid: 0 }
  const agrees = async ([{ schema, schemas }, values]: [
    { schema: Schema; schemas: SchemaCase['schemas'] },
    unknown[],
  ]) => {
    const components = { schemas: { ...schemas, schema } }
    const root = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components }
    const text = JSON.stringify(components)
    // Otherwise, it may refer back to itself without an end.
    fc.pre(!hasLoop(components.schemas))
    const compile = createSchemaCompiler(root)
    const validateOurs = compile({ $ref: '#/components/schemas/schema' })
    // Otherwise, members that are not declared are left out.
    const open = mapValues(components.schemas, (each: Schema) =>
      mapSchema(each, (inner) => ({ additionalProperties: true, ...inner })),
    )
    const opened = { ...root, components: { schemas: open } }
    const compileOpened = createSchemaCompiler(opened)
    const serialise = createSerializerCompiler(opened, compileOpened)({ $ref: '#/components/schemas/schema' })
    const isValid = await compileOther(text)
    for (const value of values) {
      const result = validateOurs(structuredClone(value))
      const isAccepted = 'value' in result
      counts[isAccepted ? 'valid' : 'invalid']++
      if (isAccepted !== isValid(value)) return false
      if (!isAccepted || /"unevaluated|"patternProperties|false/.test(text)) continue
      if (!isDeepStrictEqual(JSON.parse(serialise(result.value)), value)) return false
    }
    return true
  }
  await holds(t, fc.tuple(schemaCases(), fc.array(smallValues(), { minLength: 5, maxLength: 20 })), agrees)
  t.ok(counts.valid > 100 && counts.invalid > 100, JSON.stringify(counts))
})

t.test('a valid value has the generated type', async (t) => {
  const folder = temporaryFolder(t)
  const cases = fc.sample(fc.tuple(schemaCases(), fc.array(smallValues(), { minLength: 20, maxLength: 20 })), {
    numRuns: 150,
    seed: 7,
  })
  let count = 0
  const files = cases.flatMap(([{ schema, schemas }, values], index) => {
    const components = { schemas: { ...schemas, schema } }
    if (hasLoop(components.schemas)) return []
    const root = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components }
    const validate = createSchemaCompiler(root)({ $ref: '#/components/schemas/schema' })
    const valid = values.flatMap((value) => {
      const result = validate(structuredClone(value))
      return 'value' in result ? [result.value] : []
    })
    count += valid.length
    const lines = valid.map((value, at) => `export const v${at}: schema = ${toExpression(value)}`)
    const file = join(folder, `${index}.ts`)
    writeFileSync(file, `${generateSchemaTypes(root).declarations}\n${lines.join('\n')}\n`)
    return [file]
  })
  t.ok(count > 200, String(count))
  const program = ts.createProgram(files, {
    noEmit: true,
    strict: true,
    target: ts.ScriptTarget.ES2023,
    skipLibCheck: true,
  })
  // A literal may not have members that its type does not name; a value may.
  const errors = ts.getPreEmitDiagnostics(program).filter(({ code }) => code !== 2353)
  t.same(
    errors.map(({ file, messageText }) => [messageText, file?.text]),
    [],
  )
})

/** The value as an expression of TypeScript. */
function toExpression(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return `[${value.map(toExpression).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}: ${toExpression(member)}`)
    .join(', ')} }`
}

/** True if a schema refers back to itself for the same value. */
function hasLoop(schemas: Readonly<Record<string, Schema>>): boolean {
  const findTargets = (schema: Schema): string[] => {
    const found = schema.$ref === undefined ? [] : [schema.$ref.slice('#/components/schemas/'.length)]
    mapSubschemas(schema, (inner, keyword) => {
      if (/^(\w+Of|not|if|then|else|dependentSchemas)$/.test(keyword)) found.push(...findTargets(inner))
      return inner
    })
    return found
  }
  const leads = mapValues(schemas, (schema) => (typeof schema === 'boolean' ? [] : findTargets(schema)))
  const reaches = (from: string, seen: readonly string[]): boolean =>
    seen.includes(from) || (leads[from] ?? []).some((next) => reaches(next, [...seen, from]))
  return Object.keys(schemas).some((name) => reaches(name, []))
}

let count = 0

/** Compiles the components of a document by a validator that has nothing in common with Ajv. */
async function compileOther(components: string): Promise<(value: unknown) => boolean> {
  const id = `https://example.com/${count++}`
  const local = components.replaceAll('"#/components/schemas/', '"#/$defs/')
  const { schemas: $defs } = JSON.parse(local) as { schemas: Record<string, Schema> }
  registerSchema({ $defs, $ref: '#/$defs/schema' } as never, id, 'https://json-schema.org/draft/2020-12/schema')
  const isValid = await validate(id)
  return (value) => isValid(value as string).valid
}
