/**
 * A document that `npm run generate` has checked: a start with the same file neither parses nor checks it again.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { checkDocument, formatChecked, loadDocument } from '../../../src/openapi/index.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'
import { getRefusal, startLayer } from '../layer.ts'

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

/** Checks a document, and writes down what `npm run generate` would. */
function writeChecked(t: Test, text = source) {
  const folder = temporaryFolder(t)
  const [file, checkedFile] = [join(folder, 'api.yaml'), join(folder, 'checked.json')]
  writeFileSync(file, text)
  const document = loadDocument(file)
  const { problems, documented } = checkDocument(document.root)
  t.strictSame(problems, [])
  writeFileSync(checkedFile, formatChecked(document, documented))
  return { file, checkedFile, document, load: () => loadDocument(file, pathToFileURL(checkedFile)) }
}

t.test('it has the same values, bytes and places as one that is parsed', async (t) => {
  const { document, load } = writeChecked(t)
  const checked = load()
  t.strictSame(checked.root, document.root)
  t.strictSame(checked.source, document.source)
  t.strictSame(checked.documented, ['/webhooks'])
  for (const pointer of ['', '/paths/~1things/get/operationId', '/components/schemas/Size/default', '/nothing']) {
    t.equal(checked.locate(pointer), document.locate(pointer), pointer)
  }
})

t.test('it is served as the spec says', async (t) => {
  const { load } = writeChecked(t)
  const { api, call } = await startLayer(t, {
    source,
    document: load(),
    handlers: { listThings: async ({ query }: { query: { size: bigint } }) => ({ status: 200, body: query.size }) },
  })
  t.strictSame(api.documented, ['/webhooks'])
  t.match(await call('GET', '/things'), { status: 200, text: '9007199254740993' })
  t.match(await call('GET', '/things?size=9223372036854775806'), { status: 200, text: '9223372036854775806' })
  t.match(await call('GET', '/things?size=9223372036854775807'), { status: 400, text: /query\.size must be at most/ })
})

t.test('a problem of its implementation is found all the same, with its place', async (t) => {
  const { load } = writeChecked(t)
  const refusal = getRefusal(t, { source, document: load(), handlers: {} })
  t.strictSame(refusal, ['7:7: "listThings" has no handler; write one or remove the operation'])
})

t.test('a file that has changed since is parsed and checked anew', async (t) => {
  const { file, load } = writeChecked(t)
  writeFileSync(file, source.replace('title: Shop', 'title: Store'))
  const { root, documented } = load()
  t.equal(root.info.title, 'Store')
  t.equal(documented, undefined)
})

t.test('what was written down has no effect when it is damaged or missing', async (t) => {
  const { checkedFile, file, document, load } = writeChecked(t)
  writeFileSync(checkedFile, readFileSync(checkedFile, 'utf8').slice(0, -10))
  t.strictSame(load().root, document.root)
  t.equal(load().documented, undefined)
  t.equal(loadDocument(file, pathToFileURL(`${checkedFile}.missing`)).documented, undefined)
})
