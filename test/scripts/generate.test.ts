/** The types that follow from a document, as `npm run generate` and `npm test` have them made. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { generateClientTypes } from '../../scripts/generate/client.ts'
import { generateServerTypes } from '../../scripts/generate/server.ts'
import { loadDocument } from '../../src/openapi/index.ts'
import { runScript } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

const head = 'openapi: 3.1.0\ninfo: { title: Shop, version: 1.0.0 }\n'

/** Returns the types for clients and for handlers of a document, which must be one that the service supports. */
async function generate(text: string) {
  const file = join(temporaryFolder(t), 'shop.yaml')
  writeFileSync(file, head + text)
  const { root } = await loadDocument(file)
  return { client: generateClientTypes(root), server: generateServerTypes(root, []) }
}

/** Returns what the compiler says of declarations. */
function compile(text: string, extension = 'd.ts'): string[] {
  const file = join(temporaryFolder(t), `types.${extension}`)
  writeFileSync(file, text)
  const program = ts.createProgram([file], { strict: true, types: [], lib: ['lib.esnext.d.ts'] })
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

const shop = `paths:
  /things:
    get:
      operationId: listThings
      summary: List things
      deprecated: true
      x-deprecated-since: 2026-01-01
      parameters:
        - { name: colour, in: query, description: "One of\\nseveral */ lines.", schema: { type: string } }
        - { name: X-Shop, in: header, schema: { type: string } }
      responses:
        "200":
          description: All things.
          headers:
            Deprecation: { schema: { type: string } }
            Next: { $ref: "#/components/headers/Next" }
            X-Total: { required: true, schema: { type: integer } }
            Cache-Control: { schema: { type: string, const: no-store } }
          content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Thing" } } } }
    post:
      operationId: addThing
      parameters:
        - { name: Idempotency-Key, in: header, x-idempotency-ttl-seconds: 60, schema: { type: string } }
      requestBody:
        x-max-bytes: 1000
        content: { application/json: { schema: { type: object, properties: { in: { type: string, default: box } } } } }
      responses:
        "204": { description: Done., headers: { Location: { schema: { type: string } } } }
  /things/{thing}:
    delete:
      operationId: removeThing
      parameters: [{ name: thing, in: path, required: true, schema: { type: integer, format: int64 } }]
      responses:
        "204": { description: Done. }
components:
  headers:
    Next: { schema: { type: string } }
  schemas:
    Limit: { type: integer, default: 20 }
    Thing:
      type: object
      description: A thing.
      properties:
        size: { type: string, default: small }
        kind: { type: string, x-extensible-enum: [red, blue] }
        limit: { $ref: "#/components/schemas/Limit" }
        properties: { type: object }
`

t.test('handlers have every member with a default, and the listed values alone; clients do not', async (t) => {
  const { server, client } = await generate(shop)
  for (const text of [
    `/** A thing. */
export type Thing = {
  /** @default small */
  size: string;
  kind?: "red" | "blue";
  limit: Limit;
  properties?: Record<string, unknown>;
}`,
    '    /**\n     * One of\n     * several *\\/ lines.\n     */\n    readonly colour?: string\n',
    'string; } | undefined\n  readonly idempotencyTtlSeconds: number\n',
    'readonly headers: { readonly Next?: string; readonly "X-Total": number } }',
    'readonly status: 204; readonly headers?: { readonly Location?: string } }',
    '/** List things (deprecated) */\n  listThings(request: ListThingsRequest<Caller>): Promise<ListThingsResponse>',
    `export type Urls = {
  listThings(parameters?: { query?: { readonly colour?: string | undefined } }): string
  addThing(): string
  removeThing(parameters: { path: { readonly thing: bigint } }): string
}`,
  ]) {
    t.match(server, text)
  }
  for (const text of [
    / thing: bigint/,
    / size\?: string;/,
    / in\?: string;/,
    / kind\?: string;/,
    / Next\?: string/,
    / limit\?: components\["schemas"\]\["Limit"\];/,
  ]) {
    t.match(client, text)
  }
})

t.test('a number that may have a fraction is marked for handlers, int64 is bigint, no type is unknown', async (t) => {
  const { server, client } = await generate(`paths:
  /things:
    get:
      operationId: listThings
      responses:
        "200":
          description: All things.
          content:
            application/json:
              schema: { properties: { thing: { type: string } }, required: [thing] }
components:
  schemas:
    Price: { type: number }
    Prices: { type: array, items: { type: [number, "null"] } }
    Count: { type: integer }
    Rate: { type: number, enum: [0.5, 1] }
    Size: { type: integer, format: int64, enum: [1, 2] }
    Sizes: { type: array, items: { type: integer, format: int64, enum: [1, 2] } }
    Ones: { type: array, items: { type: [integer, "null"], format: int64, const: 1 } }
    Lowest: { type: integer, format: int64, minimum: -9223372036854775808 }
    Least: { minLength: 3 }
    Members: { properties: { properties: { additionalProperties: false } }, additionalProperties: { type: string } }
    Thing: { type: object, properties: { list: { items: { type: string } }, properties: { minLength: 3 } } }
`)
  const fractional = 'number & { readonly fraction?: true; }'
  for (const declaration of [
    `Price = ${fractional}`,
    `Prices = ((${fractional}) | null)[]`,
    'Count = number',
    'Rate = 0.5 | 1',
    'Least = unknown',
    'Members = unknown',
    'Thing = {\n  list?: unknown;\n  properties?: unknown;\n}',
  ]) {
    t.match(server, `export type ${declaration}\n`)
  }
  t.match(server, '{ readonly status: 200; readonly body: unknown }')
  t.notMatch(client, 'fraction')
  for (const name of ['Least', 'Members', '"application/json"']) t.match(client, `${name}: unknown;`)
  for (const types of [server, client]) {
    t.match(types, /\bSize(: | = )1n \| 2n\b/)
    t.match(types, /\bSizes(: | = )\(1n \| 2n\)\[\]/)
    t.match(types, /\bOnes(: | = )1n\[\]/)
    t.match(types, /\bLowest(: | = )bigint\b/)
  }
})

t.test('a type has every value that is valid, and requests and responses differ where their values do', async (t) => {
  const { server, client } = await generate(`paths:
  /cars:
    post:
      operationId: addCar
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/Car" } } } }
      responses:
        "200": { description: The car., content: { application/json: { schema: { $ref: "#/components/schemas/Car" } } } }
components:
  schemas:
    Car: { type: object, required: [id, name], allOf: [{ $ref: "#/components/schemas/Part" }] }
    Part: { type: object, properties: { id: { type: string, readOnly: true }, name: { type: string } } }
    Open: { type: object, required: [a, c], properties: { a: { type: string } }, additionalProperties: { type: integer } }
    Closed: { type: object, additionalProperties: false }
    Tuple: { type: array, minItems: 1, prefixItems: [{ type: string }, { type: boolean }], items: { type: integer } }
    Any: true
    Animal:
      oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }]
      discriminator: { propertyName: kind, mapping: { a: "#/components/schemas/Cat", b: "#/components/schemas/Dog" } }
    Cat: { type: object, required: [kind], properties: { kind: { const: a }, lives: { type: integer, default: 9 } } }
    Dog: { allOf: [{ $ref: "#/components/schemas/Cat/properties/lives" }, { type: [integer, "null"], enum: [1, x] }] }
`)
  for (const text of [
    'Car = Part & {\n  id: string;\n  name: string;\n}',
    'CarInRequest = PartInRequest & {\n  name: string;\n}',
    'PartInRequest = {\n  name?: string;\n}',
    'Open = {\n  a: string;\n  c: number;\n  [key: string]: number | string;\n}',
    'Closed = Record<string, never>',
    'Tuple = [string, boolean?, ...number[]]',
    'Any = unknown',
    'Animal = Cat | Dog',
    'Cat = {\n  kind: "a";\n  /** @default 9 */\n  lives?: number;\n}',
    'Dog = number & 1',
  ]) {
    t.match(server, `export type ${text}\n`)
  }
  t.match(server, 'readonly body: CarInRequest\n')
  t.match(server, 'readonly status: 200; readonly body: Car }')
  t.match(client, '"application/json": components["schemas"]["CarInRequest"]')
  t.strictSame(compile(server), [])
})

t.test(
  'parts of a base schema with a discriminator have the values of its mapping in the types of clients',
  async (t) => {
    const { client, server } = await generate(`paths: {}
components:
  schemas:
    Base:
      type: object
      required: [kind]
      properties: { kind: { type: string } }
      discriminator: { propertyName: kind, mapping: { c: "#/components/schemas/Cat", d: "#/components/schemas/Dog" } }
    Cat: { allOf: [{ $ref: "#/components/schemas/Base" }, { type: object, properties: { lives: { type: integer } } }] }
    Dog:
      type: object
      required: [barks]
      properties: { barks: { type: boolean } }
      allOf: [{ $ref: "#/components/schemas/Base" }]
`)
    const values = (prefix: (name: string) => string) => `
const cat: ${prefix('Cat')} = { kind: 'c', lives: 9 }
const dog: ${prefix('Dog')} = { kind: 'd', barks: true }
const base: ${prefix('Base')} = cat
`
    t.strictSame(compile(client + values((name) => `components['schemas']['${name}']`), 'ts'), [])
    t.strictSame(compile(server + values((name) => name), 'ts'), [])
    t.match(compile(`${client}const dog: components['schemas']['Dog'] = { kind: 'd' }`, 'ts'), [/'barks' is missing/])
  },
)

t.test('a class of statuses and the default are the statuses without a response of their own', async (t) => {
  const { server } = await generate(`paths:
  /things:
    get:
      operationId: listThings
      responses:
        "200": { description: All things. }
        "404": { description: None. }
        4XX: { description: Refused., headers: { X-Reason: { schema: { type: string } } } }
        default: { description: Anything else. }
  /things/known:
    get:
      operationId: known-things
      responses:
        "304": { description: Known. }
        default: { description: Anything., content: { application/json: { schema: { type: string } } } }
`)
  const listed = [...server.matchAll(/readonly status: ([\d |]+)/g)].map(([, each = '']) => each.trim().split(' | '))
  const [success, missing, refused = [], others = [], withBody = []] = listed
  t.strictSame([success, missing], [['200'], ['404']])
  t.ok(refused.every((status) => status.startsWith('4') && status !== '404'))
  t.ok(['201', '204', '205', '503'].every((status) => others.includes(status)))
  t.notOk(others.includes('200'))
  t.ok(withBody.includes('200'))
  // They have no body (RFC 9110, section 15).
  t.notOk(['204', '205'].some((status) => withBody.includes(status)))
  t.notOk(listed.flat().includes('304'), 'only the server evaluates conditional requests')
})

t.test('texts and names with the syntax of TypeScript or the generator stay what they are', async (t) => {
  const { server, client } = await generate(`paths:
  /things:
    get:
      operationId: list*/things
      parameters: [{ $ref: "#/components/parameters/schema" }]
      responses:
        "200":
          description: The thing.
          headers: { schema: { required: true, schema: { type: string } } }
          content: { application/json: { schema: { type: object }, example: { schema: null, schemas: null } } }
    delete: { operationId: 2 things, responses: { "204": { description: Nothing. } } }
    put: { operationId: /every-thing, responses: { x-mock: none, "204": { description: Nothing. } } }
  /things/{thing}:
    parameters: [{ name: thing, in: path, required: true, schema: { type: string } }]
    get: { responses: { "204": { description: Nothing. } } }
components:
  parameters:
    schema: { name: schema, in: query, required: true, schema: { type: string } }
  schemas:
    schema: { type: object, required: [schema], properties: { schema: { minLength: 3, required: [a] } } }
`)
  t.match(client, '"list*/things": {')
  t.match(client, / query: \{\n +schema: components\["parameters"\]\["schema"\];/)
  t.match(client, / headers: \{\n +schema: string;/)
  t.match(client, / schema: \{\n +schema: unknown;/)
  t.match(server, '/** The responses that the handler of list*\\/things may return. */')
  for (const [id, name] of [
    ['"list*/things"', 'ListThings'],
    ['"/every-thing"', 'EveryThing'],
    ['getThingsThing', 'GetThingsThing'],
    ['"2 things"', 'Operation2Things'],
  ]) {
    t.match(server, `  ${id}(request: ${name}Request<Caller>): Promise<${name}Response>`)
  }
  t.strictSame(compile(server), [])
})

t.test(
  'names that every object has, except of properties, and names that cannot be those of types, are supported',
  async (t) => {
    const inherited = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__')
    const schemas = inherited.map((name) => `    ${name}: { type: object, properties: { size: { type: integer } } }\n`)
    const { server } = await generate(`paths:
  /things:
    get:
      operationId: listThings
      responses:
        "200":
          description: All things.
          headers: { ${inherited.map((name) => `${name}: { required: true, schema: { type: string } }`)} }
          content: { application/json: { schema: { $ref: "#/components/schemas/a-thing" } } }
components:
  schemas:
    a-thing: { type: object, allOf: [{ $ref: "#/components/schemas/1.size" }, { type: object, required: [size] }] }
    a_thing: { type: integer }
    1.size: { type: object, properties: { size: { $ref: "#/components/schemas/class" } } }
    "1": { type: integer, format: int64 }
    class: { type: object }
    bigint: { type: object }
    Promise: { type: object, properties: { caller: { $ref: "#/components/schemas/Caller" } } }
    Caller: { type: string }
    Handlers: { type: string }
    ListThingsRequest: { type: string }
${schemas.join('')}`)
    for (const name of inherited) {
      t.match(server, new RegExp(`^export type ${name}_? = {\\n  size\\?: number;`, 'm'))
      t.match(server, `readonly ${name}: string`)
    }
    const names = [...server.matchAll(/^export type (\w+)/gm)].map(([, name]) => name)
    const others = ['a_thing_', 'a_thing', '_1_size', 'class_', 'bigint_', 'Promise_', 'Caller_', 'Handlers_']
    t.strictSame(names.slice(0, 10), ['_1', ...others, 'ListThingsRequest_'])
    t.match(server, 'export type _1 = bigint')
    t.strictSame(compile(server), [])
  },
)

t.test('a check names the files of all documents that are out of date or missing, and changes none', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'one.yaml'), head + shop)
  writeFileSync(join(folder, 'other.yaml'), `${head}paths: {}\n`)
  const run = (...args: string[]) =>
    runScript(t, 'generate', ['one.yaml', 'one', 'other.yaml', 'made/other', ...args], { folder })
  const stale = (document: string, file: string) => {
    return `${file} is not up to date with ${document}; run: npm run generate\n`
  }
  const files = ['openapi.d.ts', 'server.d.ts', 'digests.json']
  const all = [
    ...files.map((file) => stale('one.yaml', `one/${file}`)),
    ...files.map((file) => stale('other.yaml', `made/other/${file}`)),
  ]
  t.strictSame(await run('--check'), { status: 1, stdout: '', stderr: all.join('') })
  t.notOk(existsSync(join(folder, 'one')))

  const done = { status: 0, stdout: '', stderr: '' }
  t.strictSame(await run(), done)
  t.strictSame(await run('--check'), done)
  const server = join(folder, 'one/server.d.ts')
  const text = readFileSync(server, 'utf8')
  t.match(text, /^\/\/ Generated from one\.yaml; do not edit\.\n/)
  t.match(readFileSync(join(folder, 'made/other/server.d.ts'), 'utf8'), 'export type Handlers<Caller> = {\n\n}')

  writeFileSync(server, '// edited')
  t.strictSame(await run('--check'), { status: 1, stdout: '', stderr: stale('one.yaml', 'one/server.d.ts') })
  t.equal(readFileSync(server, 'utf8'), '// edited')
  t.strictSame(await run(), done)
  t.equal(readFileSync(server, 'utf8'), text)
})

t.test('a document that the OpenAPI layer refuses has no types, and wrong usage is reported', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'api.yaml'), `${head.replace('title: Shop, ', '')}${shop.replace('int64', '64')}`)
  const { status, stdout, stderr } = await runScript(t, 'generate', ['api.yaml', 'made'], { folder })
  t.strictSame([status, stdout], [1, ''])
  t.match(
    stderr,
    /^api\.yaml:2:1: Info Object needs "title"; add it\napi\.yaml:\d+:\d+: this must be of type string[^\n]*\n$/,
  )
  for (const [args, message] of [
    [['--check'], 'DOCUMENT is missing'],
    [['a.yaml', 'a', 'b.yaml'], 'the last DOCUMENT has no FOLDER'],
  ] as const) {
    const stderr = `${message}; see npm run generate -- --help\n`
    t.strictSame(await runScript(t, 'generate', args), { status: 2, stdout: '', stderr })
  }
})
