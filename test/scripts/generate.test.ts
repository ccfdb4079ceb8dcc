/**
 * The types that follow from a document, as `npm run generate` and `npm test` have them made.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type CommandOptions, runScript } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

const source = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /things/{id}:
    get:
      operationId: getThing
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer, format: int64 } }
        - { name: limit, in: query, schema: { $ref: "#/components/schemas/Limit" } }
        - { name: fields, in: query, schema: { type: array, items: { type: string } } }
      responses:
        "200":
          description: The thing.
          headers:
            Next: { $ref: "#/components/headers/Next" }
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Thing" }
        "404":
          description: There is none.
    put:
      operationId: putThing
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer, format: int64 } }
      requestBody:
        x-max-bytes: 1000
        content:
          application/json:
            schema: { type: object, properties: { in: { type: string, default: box }, schema: {} } }
      responses:
        "204":
          description: Done.
components:
  headers:
    Next:
      schema: { type: string }
  schemas:
    Limit: { type: integer, default: 20 }
    Thing:
      type: object
      required: [count]
      properties:
        count: { type: [integer, "null"], format: int64, minimum: -9223372036854775808 }
        size: { type: string, default: small }
        colour: { type: string, x-extensible-enum: [red, blue] }
        limit: { $ref: "#/components/schemas/Limit" }
        properties: { type: object }
`

/** A document in a folder of its own, and the folder that its types go to. */
function newDocument(t: Test, text = source) {
  const folder = temporaryFolder(t)
  const file = join(folder, 'api.yaml')
  writeFileSync(file, text)
  const target = join(folder, 'made/types')
  return {
    file,
    target,
    openapi: join(target, 'openapi.d.ts'),
    server: join(target, 'server.d.ts'),
    digests: join(target, 'digests.json'),
    generate: (args: string[] = [], options?: CommandOptions) =>
      runScript(t, 'generate', [...args, file, target], options),
  }
}

t.test('the types describe the values that are sent, and those that handlers receive and return', async (t) => {
  const { generate, openapi, server } = newDocument(t)
  t.strictSame(await generate(), { status: 0, stdout: '', stderr: '' })
  const [wire, held] = [readFileSync(openapi, 'utf8'), readFileSync(server, 'utf8')]
  for (const text of [wire, held]) {
    t.match(text, / id: bigint/)
    t.match(text, / count: bigint \| null;/)
    t.match(text, / Next\?: string/)
    t.match(text, / properties\?: Record<string, unknown>;/)
    t.match(text, / fields\?: string\[\]/)
  }
  t.match(wire, / size\?: string;/)
  t.match(held, / size: string;/)
  t.match(wire, / limit\?: components\["schemas"\]\["Limit"\];/g)
  t.match(held, / readonly limit: Limit\n/)
  t.match(wire, / colour\?: string;/)
  t.match(held, / colour\?: "red" \| "blue";/)
  t.match(wire, / in\?: string;/)
  t.match(held, / in: string;/)
})

t.test('a check names the files that are out of date or missing, and changes none', async (t) => {
  const { generate, file, openapi, server, digests } = newDocument(t)
  const stale = (path: string) => `${path} is not up to date with ${file}; run: npm run generate\n`
  const outcome = await generate(['--check'])
  t.strictSame(outcome, {
    status: 1,
    stdout: '',
    stderr: [openapi, server, digests].map(stale).join(''),
  })
  t.throws(() => readFileSync(openapi), { code: 'ENOENT' })

  await generate()
  t.strictSame(await generate(['--check']), { status: 0, stdout: '', stderr: '' })
  const text = readFileSync(server, 'utf8')
  t.match(text, /^\/\/ Written by scripts\/generate\.ts from .*api\.yaml; do not edit\.\n/)

  writeFileSync(server, '// edited')
  t.strictSame(await generate(['--check'], { coverage: true }), { status: 1, stdout: '', stderr: stale(server) })
  t.equal(readFileSync(server, 'utf8'), '// edited')
  t.strictSame(await generate(), { status: 0, stdout: '', stderr: '' })
  t.equal(readFileSync(server, 'utf8'), text)
})

t.test('several documents are gone through at once', async (t) => {
  const [one, other] = [newDocument(t), newDocument(t)]
  const args = [one.file, one.target, other.file, other.target, '--check']
  const { status, stderr } = await runScript(t, 'generate', args)
  t.equal(status, 1)
  t.equal(stderr.split('\n').length, 7)
})

t.test('a document without schemas has types as well', async (t) => {
  const { generate, server } = newDocument(t, source.slice(0, source.indexOf('paths:')).concat('paths: {}\n'))
  t.equal((await generate([], { coverage: true })).status, 0)
  t.match(readFileSync(server, 'utf8'), /export type Handlers<Caller> = \{/)
})

t.test('a document that the OpenAPI layer refuses has no types', async (t) => {
  const { generate } = newDocument(t, source.replace('format: int64', 'format: 64').replace('title: Shop, ', ''))
  const { status, stdout, stderr } = await generate()
  t.strictSame({ status, stdout }, { status: 1, stdout: '' })
  t.match(
    stderr,
    /^[^\n]*api\.yaml:2:1: Info Object needs "title"; add it\n[^\n]*api\.yaml:8:74: this must be of type string[^\n]*\n$/,
  )
})

t.test('wrong usage is reported with the right usage and the exit status 2', async (t) => {
  for (const [args, message] of [
    [['--check'], 'DOCUMENT is missing'],
    [['a.yaml', 'a', 'b.yaml'], 'the last DOCUMENT has no FOLDER'],
    [['--chek', 'a.yaml', 'a'], "unknown option '--chek'"],
  ] as const) {
    const stderr = `${message}; see npm run generate -- --help\n`
    t.strictSame(await runScript(t, 'generate', args, { coverage: true }), { status: 2, stdout: '', stderr })
  }
})
