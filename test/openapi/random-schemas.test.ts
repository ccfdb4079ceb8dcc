/**
 * Random schemas and values: the layer says of each value what JSON Schema says, gives handlers what the reference gives
 * them, and sends the members that the reference sends. Every run has the same seeds. `FC_SEEDS=20` tries more of them,
 * `FC_SEED=7` others, and `FC_RUNS=500` more schemas for each.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/draft-2020-12'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import ts from 'typescript'
import { readOperations } from '../../src/openapi/document/operations.ts'
import { generateSchemaTypes } from '../../src/openapi/generate/schemas.ts'
import { createSerializerCompiler } from '../../src/openapi/response/serializer.ts'
import { createSchemaCompiler } from '../../src/openapi/schema/compiler.ts'
import { readJson, writeJson } from '../helpers/json.ts'
import { seed } from '../helpers/random.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { holds } from './properties.ts'
import { type Features, numberCases, type SchemaCase, schemaCases } from './random-schemas.ts'
import { createReference, isExpected, type Schemas } from './reference.ts'

const SEEDS = Number(process.env.FC_SEEDS || 4)
const RUNS = Number(process.env.FC_RUNS || 20)

const KINDS: readonly (readonly [title: string, features: Features])[] = [
  ['schemas without branches', {}],
  ['schemas with branches', { branches: true }],
  ['schemas with branches and unevaluated members and items', { branches: true, unevaluated: true }],
  ['schemas with branches, and values with integers beyond 53 bits', { branches: true, bigints: true }],
  ['schemas with readOnly and writeOnly', { directions: true }],
]

/** The reference does not know how far a mark of a branch reaches, so only the types are compared. */
const MARKED_BRANCHES: (typeof KINDS)[number] = [
  'branches with readOnly and writeOnly',
  { branches: true, directions: true },
]

for (const [title, features] of KINDS) {
  t.test(`${title}: validation, conversion and serialization are those of the reference`, async (t) => {
    const counts = { valid: 0, invalid: 0 }
    for (let index = 0; index < SEEDS; index++) {
      await holds(t, schemaCases(features), (each) => isAsReferenced(each, features, counts), RUNS, seed + index)
    }
    t.ok(counts.valid > 100 && counts.invalid > 100, JSON.stringify(counts))
  })
}

/** Throws if the layer makes something else of a value than the reference does. */
async function isAsReferenced(
  { schemas, values }: SchemaCase,
  features: Features,
  counts: { valid: number; invalid: number },
): Promise<boolean> {
  const root = toDocument(schemas)
  const schema = { $ref: '#/components/schemas/Root' }
  const compile = createSchemaCompiler(root)
  const serialize = createSerializerCompiler(compile.views)(schema)
  const reference = createReference(schemas)
  const standard = await createStandard(schemas)
  for (const value of values) {
    for (const direction of [undefined, 'request', 'response'] as const) {
      const expect = (isTrue: boolean, what: string) => {
        if (!isTrue) throw new Error(`${what} ${direction}: ${writeJson(value)}`)
      }
      const isValid = reference.isValid(value, direction)
      // JavaScript's JSON Schema has no bigint.
      if (direction === undefined && !features.bigints) expect(standard.isValid(value) === isValid, 'reference of')
      const validated = compile(schema, direction)(structuredClone(value))
      expect('value' in validated === isValid, `${isValid ? 'rejected' : 'accepted'} in direction`)
      counts[isValid ? 'valid' : 'invalid']++
      if (!('value' in validated)) continue
      const expected = direction === 'response' ? value : reference.convert(value, direction)
      expect(isExpected(validated.value, expected), `converted to ${writeJson(validated.value)} in direction`)
      if (direction !== 'response') continue
      const text = serialize(value)
      expect(isExpected(readJson(text), reference.toSent(value)), `sent ${text} in direction`)
    }
  }
  standard.dispose()
  return true
}

function toDocument(schemas: Schemas) {
  return { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } }
}

let count = 0

/** Compiles the schemas by a validator that has nothing in common with Ajv. */
async function createStandard(schemas: Schemas) {
  const id = `https://example.com/${count++}`
  const $defs = JSON.parse(JSON.stringify(schemas).replaceAll('"#/components/schemas/', '"#/$defs/')) as object
  registerSchema({ $defs, $ref: '#/$defs/Root' } as never, id, 'https://json-schema.org/draft/2020-12/schema')
  const validateStandard = await validate(id)
  return {
    isValid: (value: unknown) => validateStandard(value as string).valid,
    dispose: () => unregisterSchema(id),
  }
}

t.test('a valid value has the generated type', (t) => {
  expectTypes(
    t,
    [...KINDS, MARKED_BRANCHES].flatMap(([, features]) => fc.sample(schemaCases(features), { numRuns: 20, seed: 22 })),
  )
})

t.test('a number has the generated type, whichever schemas describe it together', (t) => {
  expectTypes(t, fc.sample(numberCases(), { numRuns: 250, seed: 1 }))
})

/** Expects that the generated types have the valid values, by the compiler of TypeScript. */
function expectTypes(t: Test, cases: readonly SchemaCase[]): void {
  const folder = temporaryFolder(t)
  let count = 0
  const files = cases.map(({ schemas, values }, index) => {
    const schema = { $ref: '#/components/schemas/Root' }
    const paths = { '/': { post: { requestBody: { content: { 'application/json': { schema } } } } } }
    const root = { ...toDocument(schemas), paths }
    const compile = createSchemaCompiler(root)
    const validate = compile(schema, 'request')
    const operations = readOperations(root)
    const { declarations } = generateSchemaTypes({ root, operations, sentRequests: [], compile })
    const type = declarations.includes('export type RootInRequest = ') ? 'RootInRequest' : 'Root'
    // To TypeScript, an object has the members that it inherits, whatever a value says.
    const typed = values.filter((value) => !/"(constructor|toString)"/.test(writeJson(value)))
    const valid = typed.flatMap((value) => {
      const result = validate(structuredClone(value))
      return 'value' in result ? [result.value] : []
    })
    count += valid.length
    const lines = valid.map((value, at) => `export const v${at}: ${type} = ${toExpression(value)}`)
    const file = join(folder, `${index}.ts`)
    writeFileSync(file, `${declarations}\n${lines.join('\n')}\n`)
    return file
  })
  t.ok(count > 200, String(count))
  const program = ts.createProgram(files, {
    noEmit: true,
    strict: true,
    target: ts.ScriptTarget.ES2023,
    // By default, with the types of browsers, which are most of the declarations.
    lib: ['lib.es2023.d.ts'],
    skipLibCheck: true,
    // By default, those of all packages, which nothing here uses.
    types: [],
  })
  const errors = ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => [ts.flattenDiagnosticMessageText(messageText, '\n'), file?.text])
  // A literal may not have members that its type does not name; a value may.
  t.same(
    errors.filter(([message]) => !message?.includes('may only specify known properties')),
    [],
  )
  t.end()
}

/** The value as an expression of TypeScript. */
function toExpression(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return `[${value.map(toExpression).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}: ${toExpression(member)}`)
    .join(', ')} }`
}
