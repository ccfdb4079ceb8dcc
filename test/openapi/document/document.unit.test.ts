/**
 * A document that `npm run generate` has checked: a start with the same file neither parses nor checks it again, and has its
 * validators.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { generateValidators } from '../../../scripts/generate/validators.ts'
import { parseFile } from '../../../src/openapi/document/parse.ts'
import { CHECKED, checkDocument, formatChecked, openDocument, VALIDATORS } from '../../../src/openapi/index.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'
import { createLayer, startLayer } from '../layer.ts'

const source = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
webhooks: { sold: {} }
paths:
  /things:
    get:
      operationId: listThings
      parameters:
        - { name: size, in: query, schema: { $ref: "#/components/schemas/Size" } }
      responses:
        "200":
          description: The sizes.
          content: { application/json: { schema: { $ref: "#/components/schemas/Size" } } }
        default:
          description: A problem.
          content: { application/json: { schema: { type: object, additionalProperties: true } } }
components:
  schemas:
    Size: { type: integer, format: int64, maximum: 9223372036854775806, default: 9007199254740993 }
`

/** Checks a document, and writes what `npm run generate` would. */
function writeChecked(t: Test, text = source) {
  const folder = temporaryFolder(t)
  const [file, checkedFile, validatorsFile] = [
    join(folder, 'api.yaml'),
    join(folder, CHECKED),
    join(folder, VALIDATORS),
  ]
  writeFileSync(file, text)
  const document = parseFile(file)
  const { problems, documented } = checkDocument(document.root)
  t.strictSame(problems, [])
  const validators = generateValidators(document.root)
  writeFileSync(validatorsFile, validators)
  writeFileSync(checkedFile, formatChecked(document, documented, validators))
  return { file, checkedFile, validatorsFile, document, open: () => openDocument(file, pathToFileURL(`${folder}/`)) }
}

t.test('it has the same values and bytes as one that is parsed', async (t) => {
  const { document, open } = writeChecked(t)
  const checked = await open()
  t.strictSame(checked.root, document.root)
  t.strictSame(checked.source, document.source)
  t.strictSame(checked.findings?.documented, ['/webhooks'])
})

t.test('it is served as the spec says', async (t) => {
  const { open } = writeChecked(t)
  const { api, call } = await startLayer(t, {
    source,
    document: await open(),
    handlers: { listThings: async ({ query }: { query: { size: bigint } }) => ({ status: 200, body: query.size }) },
  })
  t.strictSame(api.documented, ['/webhooks'])
  t.match(await call('GET', '/things'), { status: 200, text: '9007199254740993' })
  t.match(await call('GET', '/things?size=9223372036854775806'), { status: 200, text: '9223372036854775806' })
  t.match(await call('GET', '/things?size=9223372036854775807'), { status: 400, text: /query\.size must be at most/ })
})

t.test('the handlers and the implementation are still checked', async (t) => {
  const { open } = writeChecked(t)
  const document = await open()
  t.throws(() => createLayer(t, { source, document, handlers: {} }), { message: /"listThings" has no handler/ })
})

t.test('a file that has changed since is parsed and checked anew', async (t) => {
  const { file, open } = writeChecked(t)
  writeFileSync(file, source.replace('title: Shop', 'title: Store'))
  const { root, findings } = await open()
  t.equal(root.info.title, 'Store')
  t.equal(findings, undefined)
})

for (const name of ['checkedFile', 'validatorsFile'] as const) {
  t.test(`nothing that was written has an effect if ${name} is edited, damaged or missing`, async (t) => {
    const { [name]: written, document, open } = writeChecked(t)
    const text = readFileSync(written, 'utf8')
    for (const change of [text.replace('9223372036854775806', '7'), text.slice(0, -10)]) {
      writeFileSync(written, change)
      t.match(await open(), { root: document.root, findings: undefined, validators: undefined })
    }
    rmSync(written)
    t.match(await open(), { root: document.root, findings: undefined, validators: undefined })
  })
}

t.test('a document is parsed without a folder of what was written, and without a file there is none', async (t) => {
  const { file, open } = writeChecked(t)
  t.equal((await openDocument(file)).findings, undefined)
  rmSync(file)
  await t.rejects(open(), { name: 'DocumentError' })
})
