/**
 * The text of the types that follow from a spec.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { generateClientTypes } from '../../scripts/generate/client.ts'
import { generateSchemaTypes } from '../../scripts/generate/schemas.ts'
import { generateServerTypes } from '../../scripts/generate/server.ts'
import { loadDocument } from '../../src/openapi/index.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

const root = await load(`openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
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
            Link: { schema: { type: string } }
            X-Total: { required: true, schema: { type: integer } }
            Cache-Control: { schema: { type: string, const: no-store } }
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Things" }
    post:
      operationId: addThing
      parameters:
        - { name: Idempotency-Key, in: header, x-idempotency-ttl-seconds: 60, schema: { type: string } }
      requestBody:
        x-max-bytes: 1000
        content:
          application/json:
            schema: { $ref: "#/components/schemas/Thing" }
      responses:
        "204":
          description: Done.
          headers:
            Location: { schema: { type: string } }
  /things/{thing}:
    put:
      operationId: putThing
      parameters:
        - { name: thing, in: path, required: true, schema: { type: string } }
      requestBody:
        required: true
        x-max-bytes: 1000
        content:
          application/json:
            schema: { $ref: "#/components/schemas/Thing" }
      responses:
        "204": { description: Done. }
    delete:
      operationId: removeThing
      parameters:
        - { name: thing, in: path, required: true, description: The thing., schema: { type: integer, format: int64 } }
      responses:
        "204": { description: Done. }
components:
  schemas:
    Things: { type: array, items: { $ref: "#/components/schemas/Thing" } }
    Thing:
      type: object
      description: |
        A thing.

        It has a size.
      properties: { size: { type: string, default: small } }
    not-a-name: { type: string }
    "1": { type: string }
`)

/** Reads a spec, which must be one that the service supports. */
async function load(text: string) {
  const file = join(temporaryFolder(t), 'shop.yaml')
  writeFileSync(file, text)
  return (await loadDocument(file)).root
}

/** Passes when the text has the declaration, whole and once. */
function has(text: string, declaration: string): void {
  t.equal(text.split(`\n${declaration}\n`).length, 2, declaration.replace(/ =.*/s, ''))
}

t.test('handlers receive and return flat types, with descriptions of one line and of several', async () => {
  const text = `\n${generateServerTypes(root)}\n`
  has(
    text,
    `/**
 * A thing.
 *
 * It has a size.
 */
export type Thing = {
  /** @default small */
  size: string;
}`,
  )
  has(
    text,
    `export type ListThingsRequest<Caller> = {
  readonly query: {
    /**
     * One of
     * several *\\/ lines.
     */
    readonly colour?: string
  }
  readonly header: {
    readonly "X-Shop"?: string
  }
  /** The authenticated client; undefined if the spec requires no authentication. */
  readonly caller: Caller | undefined
  /** Builds the URLs of operations. */
  readonly urls: Urls
}`,
  )
  has(
    text,
    `export type ListThingsResponse =
  | { readonly status: 200; readonly body: Thing[]; readonly headers: { readonly Link?: string; readonly "X-Total": number } }`,
  )
  has(text, '  readonly body: Thing | undefined\n  readonly idempotencyTtlSeconds: number')
  has(
    text,
    `export type AddThingResponse =
  | { readonly status: 204; readonly headers?: { readonly Location?: string } }`,
  )
  has(
    text,
    `export type PutThingRequest<Caller> = {
  readonly path: {
    readonly thing: string
  }
  readonly body: Thing`,
  )
  has(
    text,
    `  readonly path: {
    /** The thing. */
    readonly thing: bigint
  }`,
  )
  has(
    text,
    `export type RemoveThingResponse =
  | { readonly status: 204 }`,
  )
  has(
    text,
    `export type Handlers<Caller> = {
  /** List things (deprecated) */
  listThings(request: ListThingsRequest<Caller>): Promise<ListThingsResponse>
  addThing(request: AddThingRequest<Caller>): Promise<AddThingResponse>
  putThing(request: PutThingRequest<Caller>): Promise<PutThingResponse>
  removeThing(request: RemoveThingRequest<Caller>): Promise<RemoveThingResponse>
}`,
  )
  has(
    text,
    `export type Urls = {
  listThings(parameters?: { query?: { readonly colour?: string | undefined } }): string
  addThing(): string
  putThing(parameters: { path: { readonly thing: string } }): string
  removeThing(parameters: { path: { readonly thing: bigint } }): string
}`,
  )
})

t.test('clients send values without those that have a default', async (t) => {
  const text = generateClientTypes(root)
  t.match(text, / thing: bigint/)
  t.match(text, / size\?: string;/)
  t.match(text, / colour\?: string;/)
})

t.test('a spec without schemas has types as well', async () => {
  const text = generateServerTypes(await load('openapi: 3.1.0\ninfo: { title: Shop, version: 1.0.0 }\npaths: {}\n'))
  has(`\n${text}\n`, 'export type Handlers<Caller> = {\n\n}')
})

t.test('a number that may have a fraction is marked for handlers, and an integer is not', async (t) => {
  const numbers = await load(`openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths: {}
components:
  schemas:
    Price: { type: number }
    Prices: { type: array, items: { type: [number, "null"] } }
    Count: { type: integer }
    Rate: { type: number, enum: [0.5, 1] }
`)
  const fractional = 'number & { readonly fraction?: true; }'
  const text = `\n${generateServerTypes(numbers)}`
  has(text, `export type Price = ${fractional}`)
  has(text, `export type Prices = ((${fractional}) | null)[]`)
  has(text, 'export type Count = number')
  has(text, 'export type Rate = 0.5 | 1')
  t.notMatch(generateClientTypes(numbers), 'fraction')
})

t.test('an int64 of which the values are listed is a bigint, wherever it stands', async (t) => {
  const listed = await load(`openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths: {}
components:
  schemas:
    Size: { type: integer, format: int64, enum: [1, 2] }
    Sizes: { type: array, items: { type: integer, format: int64, enum: [1, 2] } }
    Ones: { type: array, items: { type: [integer, "null"], format: int64, const: 1 } }
`)
  for (const types of [generateServerTypes(listed), generateClientTypes(listed)]) {
    t.match(types, /\bSize(: | = )bigint\b/)
    t.match(types, /\bSizes(: | = )bigint\[\]/)
    t.match(types, /\bOnes(: | = )\(bigint \| null\)\[\]/)
  }
})

t.test('a schema that is not in the spec has the type unknown', async (t) => {
  const { toType } = generateSchemaTypes(root, [])
  t.equal(toType({ type: 'string' }), 'unknown')
})

t.test('a schema without a type has the type unknown, wherever it stands', async (t) => {
  const open = await load(`openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
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
    Least: { minLength: 3 }
    Members: { properties: { properties: { additionalProperties: false } }, additionalProperties: { type: string } }
    Thing: { type: object, properties: { list: { items: { type: string } }, properties: { minLength: 3 } } }
`)
  const text = generateServerTypes(open)
  for (const declaration of [
    'export type Least = unknown\n',
    'export type Members = unknown\n',
    'export type Thing = {\n  list?: unknown;\n  properties?: unknown;\n}',
    '{ readonly status: 200; readonly body: unknown }',
  ]) {
    t.ok(text.includes(declaration), declaration)
  }
  const wire = generateClientTypes(open)
  for (const name of ['Least', 'Members', '"application/json"']) t.match(wire, `${name}: unknown;`)
})

t.test('a class of statuses and the default are the statuses without a response of their own', async (t) => {
  const types = generateServerTypes(
    await load(`openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /things:
    get:
      operationId: list-things
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
`),
  )
  const statuses = [...types.matchAll(/readonly status: ([\d |]+)/g)].map(([, each]) =>
    (each ?? '').trim().split(' | '),
  )
  t.strictSame(statuses.slice(0, 2), [['200'], ['404']])
  t.ok(statuses[2]?.every((status) => status.startsWith('4') && status !== '404'))
  t.ok(['201', '204', '205', '503'].every((status) => statuses[3]?.includes(status)))
  t.notOk(statuses[3]?.includes('200'))
  t.ok(statuses[4]?.includes('200'))
  t.notOk(
    ['204', '205'].some((status) => statuses[4]?.includes(status)),
    'they have no body (RFC 9110, section 15)',
  )
  t.notOk(
    statuses.some((each) => each.includes('304')),
    'only the server evaluates conditional requests',
  )
  t.match(types, 'export type ListThingsResponse =')
  t.match(types, '"list-things"(request: ListThingsRequest<Caller>): Promise<ListThingsResponse>')
})

t.test('texts with the syntax of TypeScript or the generator stay texts', async (t) => {
  const texts = await load(`openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /things:
    get:
      operationId: list*/things
      responses:
        "200":
          description: The thing.
          content: { application/json: { schema: { type: object }, example: { schema: null, schemas: null } } }
    delete: { operationId: 2 things, responses: { "204": { description: Nothing. } } }
    put: { operationId: /every-thing, responses: { x-mock: none, "204": { description: Nothing. } } }
  /things/{thing}:
    parameters: [{ name: thing, in: path, required: true, schema: { type: string } }]
    get: { responses: { "204": { description: Nothing. } } }
`)
  t.match(generateClientTypes(texts), '"list*/things": {')
  const server = generateServerTypes(texts)
  t.match(server, '/** The responses that the handler of list*\\/things may return. */')
  t.match(server, '  "list*/things"(request: ListThingsRequest<Caller>): Promise<ListThingsResponse>')
  t.match(server, '  "/every-thing"(request: EveryThingRequest<Caller>): Promise<EveryThingResponse>')
  t.match(server, '  getThingsThing(request: GetThingsThingRequest<Caller>): Promise<GetThingsThingResponse>')
  t.strictSame(compileTypes(server), [])
  t.match(server, '  "2 things"(request: Operation2ThingsRequest<Caller>): Promise<Operation2ThingsResponse>')
})

t.test('a parameter, header or property may be called schema', async (t) => {
  const named = await load(`openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /things:
    get:
      operationId: listThings
      parameters: [{ $ref: "#/components/parameters/schema" }]
      responses:
        "200":
          description: All things.
          headers: { schema: { required: true, schema: { type: string } } }
components:
  parameters:
    schema: { name: schema, in: query, required: true, schema: { type: string } }
  schemas:
    schema: { type: object, required: [schema], properties: { schema: { minLength: 3, required: [a] } } }
`)
  const wire = generateClientTypes(named)
  t.match(wire, / query: \{\n +schema: components\["parameters"\]\["schema"\];/)
  t.match(wire, / headers: \{\n +schema: string;/)
  t.match(wire, / schema: \{\n +schema: unknown;/)
})

t.test('names that every object has are those of members', async (t) => {
  const names = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__')
  const schemas = names.map((name) => `    ${name}: { type: object, properties: { ${name}: { type: integer } } }\n`)
  const inherited = await load(`openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /things:
    get:
      operationId: listThings
      responses:
        "200":
          description: All things.
          headers: { ${names.map((name) => `${name}: { required: true, schema: { type: string } }`)} }
components:
  schemas:
${schemas.join('')}`)
  const [server, client] = [generateServerTypes(inherited), generateClientTypes(inherited)]
  for (const name of names) {
    t.match(server, new RegExp(`^export type ${name}_? = {\\n  ${name}\\?: number;`, 'm'))
    t.match(server, `readonly ${name}: string`)
    t.match(client, `${name}?: number;`)
  }
  t.strictSame(compileTypes(server), [])
})

t.test('schemas whose names cannot be those of types get other names', async (t) => {
  const named = await load(`openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /things:
    get:
      operationId: listThings
      responses:
        "200":
          description: All things.
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
`)
  const text = generateServerTypes(named)
  const names = [...text.matchAll(/^export type (\w+)/gm)].map(([, name]) => name)
  t.strictSame(names.slice(0, 10), [
    '_1',
    'a_thing_',
    'a_thing',
    '_1_size',
    'class_',
    'bigint_',
    'Promise_',
    'Caller_',
    'Handlers_',
    'ListThingsRequest_',
  ])
  t.match(text, 'export type _1 = bigint')
  t.strictSame(compileTypes(text), [])
})

/** Returns what the compiler says of declarations. */
function compileTypes(text: string): string[] {
  const file = join(temporaryFolder(t), 'types.d.ts')
  writeFileSync(file, text)
  const program = ts.createProgram([file], { strict: true, types: [], lib: ['lib.esnext.d.ts'] })
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}
