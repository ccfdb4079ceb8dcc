/**
 * The OpenAPI layer against the standard: what it accepts is valid OpenAPI 3.1 by the standard's own schema.
 */
import { join } from 'node:path'
import official from '@seriousme/openapi-schema-validator/schemas/v3.1/schema.json' with { type: 'json' }
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import t from 'tap'
import { stringify } from 'yaml'
import { SERVER_HEADERS } from '../../src/server-headers.ts'
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
