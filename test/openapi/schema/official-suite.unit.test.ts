/**
 * The OpenAPI layer against the official suite of JSON Schema 2020-12: each schema stands in a document as OpenAPI has it. What
 * the OpenAPI layer accepts, it validates as the standard says; what it refuses at start has one of the reasons below.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import type { Schema } from '../../../src/openapi/document/model.ts'
import { parseExactly } from '../../../src/openapi/json.ts'
import { createSchemaCompiler } from '../../../src/openapi/schema/compiler.ts'
import { TEXT_FORMATS } from '../../../src/openapi/schema/formats.ts'
import { findProblems } from '../layer.ts'

const formats: readonly string[] = TEXT_FORMATS
const folder = join(import.meta.dirname, 'official-suite')

/** Schemas of the suite with one purpose, and values with what the standard says about them. */
interface Group {
  readonly description: string
  readonly schema: object | boolean
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
}

/** Why the OpenAPI layer refuses schemas that the standard has. The first that fits a problem counts. */
const REASONS: readonly (readonly [reason: string, message: RegExp])[] = [
  ['a schema is an object here; the types have no "never"', /^this must be of type object, but is (true|false);/],
  ['a keyword that is not supported', /^"[$\w]+" is not supported in Schema Object( \(|;)/],
  ['the parts of "allOf" are open objects', /^a part of "allOf" must be/],
  ['a combination stands alone', /^"[$\w]+" is not supported in Schema Object with "/],
  ['null has a type', /^null needs a type/],
  ['limits are those of a type', /^"\w+" needs a type/],
  ['nothing but annotations stands beside $ref', /^"[$\w]+" is not supported in Schema Object with a \$ref/],
  ['references lead to components of the document', /is not supported here; refer to a component of this document/],
  ['listed values are scalars that a number holds exactly', /^an (object or array|integer beyond 2\^53) is not/],
  ['a default is valid', /^the default is not valid/],
  ['a format that is not supported', /^the format "[\w-]+" is not supported/],
  ['no property has the name of the prototype', /^"__proto__" is not supported in properties/],
  ['components are named by letters, digits, ".", "_" and "-"', /^"#\/components\/schemas\/.*" does not exist;/],
]

/** Values about which engine and suite disagree, with the reason. */
const DISAGREEMENTS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'a quoted string with a space in the local part is valid',
    'a quoted string with a double dot in the local part is valid',
    'a quoted string with a @ in the local part is valid',
    'an IPv4-address-literal after the @ is valid',
    'an IPv6-address-literal after the @ is valid',
  ].map((what) => [`format/email.json: validation of e-mail addresses: ${what}`, 'ajv-formats has no such addresses']),
)

const refused = new Map<string, number>()
let passed = 0

for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.json'),
)) {
  t.test(`${file} is kept, as far as its schemas are supported`, async (t) => {
    for (const { description, schema, tests } of parseExactly(readFileSync(join(folder, file), 'utf8')) as Group[]) {
      const root = toDocument(schema)
      const reasons = findProblems(root).map(({ message }) => {
        return REASONS.find(([, pattern]) => pattern.test(message))?.[0] ?? `unexpected: ${message}`
      })
      const [reason] = reasons
      if (reason !== undefined) {
        const isFormat = file.startsWith('format/') && formats.includes(basename(file, '.json'))
        t.notOk(isFormat || reason.startsWith('unexpected'), `${description}: ${reason}`)
        refused.set(reason, (refused.get(reason) ?? 0) + tests.length)
        continue
      }
      const validate = createSchemaCompiler(root)({ $ref: '#/components/schemas/Root' })
      for (const { description: what, data, valid } of tests) {
        const name = `${file}: ${description}: ${what}`
        const isValid = 'value' in validate(data)
        t.equal(isValid !== valid, name in DISAGREEMENTS, name)
        if (isValid === valid) passed++
      }
    }
  })
}

t.test('every format that is supported has tests, but for two that the suite does not know', async (t) => {
  const tested = readdirSync(join(folder, 'format')).map((file) => basename(file, '.json'))
  t.strictSame(
    formats.filter((name) => !tested.includes(name)),
    ['byte', 'password'],
  )
})

t.test('the numbers of tests in the suite are the expected ones', async (t) => {
  t.comment(`${passed} passed`)
  for (const [reason, count] of refused) t.comment(`${count} not applicable: ${reason}`)
  t.strictSame(
    { passed, ...Object.fromEntries(refused) },
    {
      passed: 728,
      'null has a type': 2,
      'a keyword that is not supported': 73,
      'a combination stands alone': 28,
      'the parts of "allOf" are open objects': 16,
      'limits are those of a type': 43,
      'a schema is an object here; the types have no "never"': 42,
      'listed values are scalars that a number holds exactly': 31,
      'a default is valid': 7,
      'a format that is not supported': 144,
      'no property has the name of the prototype': 7,
      'references lead to components of the document': 7,
      'components are named by letters, digits, ".", "_" and "-"': 8,
      'nothing but annotations stands beside $ref': 22,
    },
  )
})

/** Puts a schema into a document; its definitions become components. */
function toDocument(schema: object | boolean) {
  const { $schema, $comment, $defs = {}, ...rest } = toComponents(schema) as Record<string, unknown>
  const schemas = { Root: typeof schema === 'object' ? rest : schema, ...($defs as object) } as Record<string, Schema>
  return { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } }
}

function toComponents(schema: unknown): unknown {
  return parseExactly(
    JSON.stringify(schema, (key, value) => {
      if (key === '$ref' && value === '#') return '#/components/schemas/Root'
      if (key === '$ref' && typeof value === 'string') return value.replace(/^#\/\$defs\//, '#/components/schemas/')
      return typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value
    }),
  )
}
