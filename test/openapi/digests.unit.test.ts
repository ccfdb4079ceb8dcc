/**
 * Edits of the spec that need `npm run generate`: those that change the types of a handler.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { checkDigests, computeDigests } from '../../src/openapi/digests.ts'
import { parseFile } from '../../src/openapi/document/parse.ts'
import { readOperations } from '../../src/openapi/index.ts'
import { contractFile } from '../helpers/service.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

const source = readFileSync(contractFile, 'utf8')

/** Returns what is stale after an edit, as `/paths/~1pets/get: message`. */
function findStale(t: Test, ...edits: readonly (readonly [from: string | RegExp, to: string])[]): string[] {
  const edited = edits.reduce((text, [from, to]) => {
    const result = text.replace(from, to)
    t.not(result, text, `${from} is in the spec`)
    return result
  }, source)
  const file = join(temporaryFolder(t), 'openapi.yaml')
  writeFileSync(file, edited)
  const generated = computeDigests(parseFile(contractFile).root)
  return [...checkDigests(parseFile(file).root, generated)].map(({ pointer, message }) => `${pointer}: ${message}`)
}

const createPet = '/paths/~1pets/post: generated/ is older than the operation "createPet"; run: npm run generate'
const getPet = '/paths/~1pets~1{petId}/get: generated/ is older than the operation "getPet"; run: npm run generate'
const schema = (name: string) =>
  `/components/schemas/${name}: generated/ is older than the schema "${name}"; run: npm run generate`

for (const [what, stale, ...edits] of [
  ['a response that is removed', [getPet], [/ {8}"404":\n.*\n/, '']],
  [
    'a default that is removed',
    ['/paths/~1pets/get: generated/ is older than the operation "listPets"; run: npm run generate', schema('Limit')],
    [/ *default: 20\n/, ''],
  ],
  ['a list that becomes an object', [schema('Pets')], [/Pets:\n {6}type: array/, 'Pets:\n      type: object']],
  ['another status', [createPet], ['"201":', '"200":']],
  [
    'operationIds that are swapped',
    [
      '/paths/~1pets/get: generated/ is older than the operation "createPet"; run: npm run generate',
      '/paths/~1pets/post: generated/ is older than the operation "listPets"; run: npm run generate',
    ],
    ['operationId: listPets', 'operationId: other'],
    ['operationId: createPet', 'operationId: listPets'],
    ['operationId: other', 'operationId: createPet'],
  ],
  [
    'another name of a path parameter',
    readOperations(parseFile(contractFile).root)
      .filter(({ path }) => path === '/pets/{petId}')
      .map(({ id, method }) => {
        return `/paths/~1pets~1{id}/${method}: generated/ is older than the operation "${id}"; run: npm run generate`
      }),
    ['/pets/{petId}:', '/pets/{id}:'],
    ['name: petId', 'name: id'],
  ],
  ['another spelling of a header', [createPet], ['name: Idempotency-Key', 'name: idempotency-key']],
  [
    'another type of a member',
    [schema('CategoryId')],
    [/CategoryId:\n(.*\n)*? {6}type: integer/, 'CategoryId:\n      type: string'],
  ],
  [
    'a list of large integers',
    [schema('CategoryId')],
    [
      /CategoryId:\n(.*\n)*? {6}format: int64\n/,
      'CategoryId:\n      type: integer\n      format: int64\n      enum: [9007199254740993]\n',
    ],
  ],
  ['a schema that is new', [schema('Dog')], ['  schemas:\n', '  schemas:\n    Dog: { type: object }\n']],
  ['an operation that is no longer deprecated', [getPet], ['      deprecated: true\n', '      deprecated: false\n']],
  ['a header that is no longer required', [createPet], [/(Location:\n.*\n) {6}required: true\n/, '$1']],
] as const) {
  t.test(`${what} makes the generated types stale`, async (t) => {
    t.strictSame(findStale(t, ...edits), stale)
  })
}

t.test('limits, values of defaults, dates, prose, sizes and security are editable alone', async (t) => {
  const edits = [
    ['default: 20', 'default: 25'],
    ['maximum: 100', 'maximum: 50'],
    ['x-sunset: 2030-12-05', 'x-sunset: 2031-12-05'],
    ['x-deprecated-since: 2026-11-20', 'x-deprecated-since: 2026-11-21'],
    ['summary: List animals', 'summary: List the animals'],
    ['title: Animal Store', 'title: Animals'],
    ['        - ApiKey: [pets:write]', '        - ApiKey: []'],
    [/x-max-bytes: \d+/, 'x-max-bytes: 1000'],
    [/x-idempotency-ttl-seconds: \d+/, 'x-idempotency-ttl-seconds: 60'],
    ['/pets:\n', '/animals:\n'],
  ] as const
  for (const edit of edits) t.strictSame(findStale(t, edit), [], String(edit))
})

t.test('an unchanged spec is not stale', async (t) => {
  t.strictSame(findStale(t), [])
})
