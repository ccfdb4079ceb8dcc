/** What `npm run lint` refuses in our spec and `npm run dev` shows as a warning, although it changes nothing in what is served. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../helpers/temporary.ts'
import { TIMEOUT_MS } from '../helpers/wait.ts'
import { load, readMarked } from './layer.ts'

const root = join(import.meta.dirname, '../..')
const linter = join(root, 'node_modules/@redocly/cli/bin/cli.js')

const marked = `openapi: 3.1.0
info: { title: Library, version: 1.0.0, license: { name: MIT, identifier: MIT } }
«servers: [{ url: "https://{region}.example.org/v1", variables: { region: { default: us, enum: [eu] } } }]
security: []
tags: [{ name: Books, description: All. }, «{ name: Books, description: All. }]
paths:
  /books:
    «get:
      operationId: listBooks
      summary: List books
      deprecated: true
      requestBody: «{ content: { application/json: { schema: { $ref: "#/components/schemas/Book" } } } }
      parameters:
        - { name: kind, in: query, required: true, schema: { type: string, default: «a } }
        - { name: limit, in: query, schema: { type: integer, default: 1 }, example: «a }
      responses:
        "200": &books { $ref: "#/components/responses/Books" }
        "400": { description: No., «headers: { Age: { schema: { type: integer } } } }
    post:
      «operationId: addBooks
      summary: Add books
      x-sunset: 2027-01-01
      responses: { "200": *books, "400": *books }
    put:
      «operationId: replaceBooks
      summary: Replace books
      x-replaced-by: listBooks
      responses: { "200": *books, "400": *books }
    delete:
      operationId: removeBooks
      summary: Remove books
      requestBody: «{ content: { application/json: { schema: { $ref: "#/components/schemas/Book" } } } }
      responses: { "200": *books, "400": *books }
components:
  responses:
    Books:
      «description: It.
      content: { application/json: { schema: { type: array, default: «[], items: { type: string, default: «a } }, example: «1 } }
  schemas:
    Book: { type: object, required: [title, «author], properties: { title: { type: string, default: a, example: «1 } } }
`

t.test('what is unwise in a document is served, and the linter names it at its place', async (t) => {
  const { source, places } = readMarked(marked)
  await load(t, source)
  const file = join(temporaryFolder(t), 'api.yaml')
  writeFileSync(file, source)
  const report = await new Promise<string>((resolve) => {
    const args = [linter, 'lint', '--config', join(root, '.redocly.yaml'), '--format', 'json', file]
    execFile(process.execPath, args, { timeout: TIMEOUT_MS }, (_error, stdout) => resolve(stdout))
  })
  const { problems } = JSON.parse(report) as { problems: { location: { start: { line: number; col: number } }[] }[] }
  const found = problems.map(({ location: [place] }) => `${place?.start.line}:${place?.start.col}`)
  const order = new Intl.Collator('en', { numeric: true })
  t.strictSame([...new Set(found)].sort(order.compare), places, report)
})
