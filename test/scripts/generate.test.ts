/** The types that follow from a document, as `npm run generate` and `npm test` have them made. */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import ts from 'typescript'
import { generateClientTypes } from '../../src/openapi/generate/client.ts'
import { generateServerTypes } from '../../src/openapi/generate/server.ts'
import { loadDocument } from '../../src/openapi/index.ts'
import { writeJson } from '../helpers/json.ts'
import { runScript, startNode } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { readYaml } from '../helpers/yaml.ts'

const head = 'openapi: 3.1.0\ninfo: { title: Shop, version: 1.0.0 }\n'

/** Returns the types for clients and for handlers of a document, which must be one that the service supports. */
async function generate(text: string) {
  const file = join(temporaryFolder(t), 'shop.yaml')
  writeFileSync(file, text)
  const document = await loadDocument(file)
  return { client: generateClientTypes(document), server: generateServerTypes(document, []) }
}

/** Runs the command of the layer's package. */
function runGenerator(t: Test, args: readonly string[], options: { readonly folder: string }) {
  const file = join(import.meta.dirname, '../../src/openapi/generate/command.ts')
  return startNode(t, [file, ...args], options).waitForEnd()
}

/** The compiler, which reads each library once. */
const host = ts.createCompilerHost({})
const libraries = new Map<string, ts.SourceFile | undefined>()
const getSourceFile: ts.CompilerHost['getSourceFile'] = (name, options) => {
  if (!name.includes('/node_modules/')) return host.getSourceFile(name, options)
  if (!libraries.has(name)) libraries.set(name, host.getSourceFile(name, options))
  return libraries.get(name)
}

/** Returns what the compiler says of declarations. */
function compile(text: string, extension = 'd.ts'): string[] {
  return compileAll([text], extension).flat()
}

/** Returns what the compiler says of each of several texts, in one program: to read the libraries takes most of its time. */
function compileAll(texts: readonly string[], extension = 'd.ts'): string[][] {
  const folder = temporaryFolder(t)
  const files = texts.map((text, index) => {
    const file = join(folder, `types${index}.${extension}`)
    writeFileSync(file, text)
    return file
  })
  // The types of Node take as long to load as all others.
  const types = texts.some((text) => text.includes("'node:")) ? ['node'] : []
  const typeRoots = [join(import.meta.dirname, '../../node_modules/@types')]
  const lib = ['lib.esnext.d.ts', 'lib.dom.d.ts']
  const program = ts.createProgram(files, { strict: true, types, typeRoots, lib }, { ...host, getSourceFile })
  return files.map((file) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(file))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
  )
}

interface Case {
  readonly name: string
  readonly document: object
  readonly server: readonly string[]
  readonly client: readonly string[]
}

/** Finds the names of types in declarations, which begin with a capital letter. */
function findTypeNames(text: string): string[] {
  const code = text.replaceAll(/\/\*.*?\*\/|"[^"]*"|'[^']*'|`[^`]*`/gs, '')
  return [...code.matchAll(/\b[A-Z]\w*\b(?!\??\s*[:(])/g)].map(([name]) => name)
}

function findDeclaredTypes(text: string): Set<string> {
  return new Set(Array.from(text.matchAll(/^export type (\w+)/gm), ([, name = '']) => name))
}

const cases = readYaml<Case[]>(join(import.meta.dirname, 'generate.yaml')).map(({ document, ...generateCase }) => ({
  ...generateCase,
  generated: generate(writeJson({ openapi: '3.1.0', info: { title: 'Shop', version: '1.0.0' }, ...document })),
}))

for (const { name, generated, ...texts } of cases) {
  t.test(name, async (t) => {
    const { server, client } = await generated
    for (const text of texts.server) t.ok(server.includes(text), text)
    for (const text of texts.client) t.ok(client.includes(text), text)
  })
}

t.test('the types for handlers of all cases compile', async (t) => {
  const types = await Promise.all(cases.map(({ generated }) => generated))
  for (const [index, errors] of compileAll(types.map(({ server }) => server)).entries()) {
    t.strictSame(errors, [], String(cases[index]?.name))
  }
})

t.test('no component has the name of a type that generated types use', async (t) => {
  const content = { 'image/png': {}, 'application/jsonl': { itemSchema: {} } }
  const operation = { operationId: 'x', responses: { 200: { description: '', content } } }
  const document = {
    openapi: '3.2.0',
    info: { title: '', version: '' },
    paths: { '/': { get: operation } },
    webhooks: { sold: { post: { responses: { 204: { description: '' } } } } },
  }
  const { server } = await generate(writeJson(document))
  // Names of types that the cases have, and do not declare: globals, and imports.
  const types = await Promise.all(cases.map(({ generated }) => generated))
  const globalNames = types.flatMap(({ server: text }) => [
    ...new Set(findTypeNames(text)).difference(findDeclaredTypes(text)),
  ])
  const ownNames = new Set(findTypeNames(server)).difference(new Set(['XRequest', 'XResponse']))
  const names = ownNames.union(new Set(globalNames))
  const someNames = new Set(['Api', 'Log', 'Webhooks', 'Readable', 'AbortSignal', 'AsyncIterable', 'File'])
  t.ok(names.isSupersetOf(someNames), [...names].join(' '))
  const schemas = Object.fromEntries([...names].map((name) => [name, { type: 'object' }]))
  const declaredTypes = findDeclaredTypes((await generate(writeJson({ ...document, components: { schemas } }))).server)
  for (const name of names) t.ok(declaredTypes.has(`${name}Schema`), name)
})

t.test('a component whose name begins with RawBody has no imports in the types for handlers', async (t) => {
  const response = `{ description: A., content: { application/json: { schema: { $ref: "#/components/schemas/RawBody" } } } }`
  const paths = `paths:\n  /a: { get: { operationId: getRawBody, responses: { "200": ${response} } } }\n`
  const { server } = await generate(`${head}${paths}components: { schemas: { RawBody: { type: object } } }\n`)
  t.match(server, 'readonly body: RawBodySchema }')
  t.notMatch(server, /import|type RawBody =/)
})

t.test('operations with mistakes are left out of the types if they are skipped', async (t) => {
  const folder = temporaryFolder(t)
  const operation = (id: string) => `get: { operationId: ${id}, responses: { "200": { description: OK. } }`
  const paths = `paths:\n  /a: { ${operation('getWrong')}, unknownField: 1 } }\n  /b: { ${operation('getRight')} } }\n`
  writeFileSync(join(folder, 'shop.yaml'), head + paths)
  t.match(await runGenerator(t, ['shop.yaml', 'types'], { folder }), { status: 1, stderr: /"unknownField"/ })
  const args = ['--skip-problems', 'shop.yaml', 'types']
  const stderr = /^shop\.yaml:4:.*GET \/a is not served.*\nshop\.yaml:4:.* "unknownField"/
  t.match(await runGenerator(t, args, { folder }), { status: 0, stdout: '', stderr })
  const types = readFileSync(join(folder, 'types/server.d.ts'), 'utf8')
  t.match(types, 'GetRightRequest')
  t.notMatch(types, 'GetWrong')
})

t.test(
  'parts of a base schema with a discriminator have the values of its mapping in the types of clients',
  async (t) => {
    const { client, server } = await generate(`${head}paths: {}
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

t.test('a discriminator narrows a union at any depth, for handlers and clients', async (t) => {
  const { client, server } = await generate(`${head}paths: {}
components:
  schemas:
    Pets: { type: object, required: [pets], properties: { pets: { type: array, items: { $ref: "#/components/schemas/Pet" } } } }
    Pet:
      oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }]
      discriminator: { propertyName: kind, mapping: { cat: "#/components/schemas/Cat", lion: Cat } }
    Animal: { type: object, required: [kind], properties: { kind: { type: string } } }
    Cat: { allOf: [{ $ref: "#/components/schemas/Animal" }, { properties: { lives: { type: integer } } }] }
    Dog: { allOf: [{ $ref: "#/components/schemas/Animal" }, { properties: { of: { $ref: "#/components/schemas/Pet" } } }] }
`)
  const program = (prefix: (name: string) => string) => `
export function countLives({ pets }: ${prefix('Pets')}): (number | undefined)[] {
  return pets.map((pet) => (pet.kind === 'Dog' ? (pet.of?.kind === 'lion' ? pet.of.lives : 1) : pet.lives))
}
export const pets: ${prefix('Pets')} = { pets: [{ kind: 'lion', lives: 9 }, { kind: 'Dog', of: { kind: 'cat' } }] }
// @ts-expect-error
export const wrongTag: ${prefix('Pets')} = { pets: [{ kind: 'dog' }] }
// @ts-expect-error
export const wrongBranch: ${prefix('Pets')} = { pets: [{ kind: 'Dog', of: { kind: 'cat', of: { kind: 'cat' } } }] }
`
  t.strictSame(compile(client + program((name) => `components['schemas']['${name}']`), 'ts'), [])
  t.strictSame(compile(server + program((name) => name), 'ts'), [])
})

t.test('hundreds of components that refer to each other in unions have their names there', async (t) => {
  const count = 400
  const reference = (number: number) => ({ $ref: `#/components/schemas/Thing${number % count}` })
  const components = Array.from({ length: count }, (_each, number) => {
    const next = { anyOf: [reference(number + 1), reference(number + 2)] }
    const id = { type: 'integer', format: 'int64', readOnly: true }
    return [`Thing${number}`, { type: 'object', properties: { id, next, others: { type: 'array', items: next } } }]
  })
  const document = { openapi: '3.1.0', info: { title: 'Shop', version: '1.0.0' }, paths: {} }
  const { server } = await generate(writeJson({ ...document, components: { schemas: Object.fromEntries(components) } }))
  const type = '{\n  id?: bigint;\n  next?: Thing0 | Thing1;\n  others?: (Thing0 | Thing1)[];\n}'
  t.match(server, `export type Thing399 = ${type}`)
})

t.test('a class of statuses and the default are the statuses without a response of their own', async (t) => {
  const { server } = await generate(`${head}paths:
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

t.test(
  'names that every object has, except of properties, and names that cannot be those of types, are supported',
  async (t) => {
    const inherited = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__')
    const schemas = inherited.map((name) => `    ${name}: { type: object, properties: { size: { type: integer } } }\n`)
    const { server } = await generate(`${head}paths:
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
    Error: { type: object }
    AsyncIterable: { type: object }
    Promise: { type: object, properties: { caller: { $ref: "#/components/schemas/Caller" } } }
    Caller: { type: string }
    Handlers: { type: string }
    ListThingsRequest: { type: string }
${schemas.join('')}`)
    for (const name of inherited) {
      t.match(server, new RegExp(`^export type ${name}(?:Schema)? = {\\n  size\\?: number;`, 'm'))
      t.match(server, `readonly ${name}: string`)
    }
    const names = [...server.matchAll(/^export type (\w+)/gm)].map(([, name]) => name)
    const renamed = ['class', 'bigint', 'Error', 'AsyncIterable', 'Promise', 'Caller', 'Handlers', 'ListThingsRequest']
    const others = ['_1', 'a_thingSchema', 'a_thing', '_1_size', ...renamed.map((name) => `${name}Schema`)]
    t.strictSame(names.slice(0, others.length), others)
    t.match(server, 'export type _1 = bigint')
    t.strictSame(compile(server), [])
  },
)

t.test('a check names the files of all documents that are out of date or missing, and changes none', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'one.yaml'), `${head}paths: {}\n`)
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

t.test('an int64 is a number in the types for handlers and clients, if that is asked for', async (t) => {
  const folder = temporaryFolder(t)
  const schemas = `    Size: { type: [integer, "null"], format: int64 }
    Sizes: { type: object, properties: { any: { format: int64, enum: [1, 9007199254740993] } } }
`
  writeFileSync(join(folder, 'api.yaml'), `${head}paths: {}\ncomponents:\n  schemas:\n${schemas}`)
  const run = (...args: string[]) => runGenerator(t, ['api.yaml', 'types', ...args], { folder })
  const done = { status: 0, stdout: '', stderr: '' }
  const read = (file: string) => readFileSync(join(folder, 'types', file), 'utf8')
  t.match(await run('--int64', 'number'), done)
  t.match(read('server.d.ts'), 'export type Size = number | null')
  t.match(read('openapi.d.ts'), 'Size: number | null')
  t.match(read('server.d.ts'), 'any?: 1 | number')
  for (const file of ['server.d.ts', 'openapi.d.ts']) t.notMatch(read(file), 'bigint')
  t.match(JSON.parse(read('digests.json')), { int64: 'number' })
  t.match(await run('--check'), { status: 1 })
  const otherPath = ['./api.yaml', 'types', '--int64', 'number', '--check']
  t.match(await runGenerator(t, otherPath, { folder }), done, 'the document may be named by another path')
  t.match(await run('--int64', 'bigint'), done)
  t.match(await run('--check'), done)
  t.match(read('server.d.ts'), 'export type Size = bigint | null')
})

/** A document whose users have an id in responses alone, and a password in requests alone. */
const users = `${head}paths:
  /users:
    post:
      operationId: addUser
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/User" } } } }
      responses:
        "201": { description: The user., content: { application/json: { schema: { $ref: "#/components/schemas/User" } } } }
components:
  schemas:
    User:
      type: object
      required: [id, name, password]
      properties:
        id: { type: integer, format: int64, readOnly: true }
        name: { type: string }
        password: { type: string, writeOnly: true }
`

/** Programs of clients, with the options of the command that writes their types. */
const clients = {
  fetch: {
    options: [],
    program: `import type { components, paths } from './types/openapi.d.ts'
type User = components['schemas']['User']
type Body = paths['/users']['post']['requestBody']['content']['application/json']
const user: User & Body = { id: 1n, name: 'Ann', password: 'x' }
const response = await fetch('/users', { method: 'POST', body: JSON.stringify(user) })
const { id }: User = await response.json()
export const next: bigint = id + 1n
// @ts-expect-error
user.id = 2n
`,
  },
  openapiFetch: {
    options: ['--read-write-markers'],
    program: `import createClient from 'openapi-fetch'
import type { components, paths, Readable } from './types/openapi.d.ts'
const client = createClient<paths>()
const { data } = await client.POST('/users', { body: { name: 'Ann', password: 'x' } })
export const next: bigint | undefined = data && data.id + 1n
export const user: Readable<components['schemas']['User']> = { id: 1n, name: 'Ann' }
// @ts-expect-error
data?.password
// @ts-expect-error
await client.POST('/users', { body: { id: 1n, name: 'Ann', password: 'x' } })
`,
  },
}

t.test(
  'clients by fetch have plain types, and by openapi-fetch neither send readOnly nor receive writeOnly members',
  async (t) => {
    const folder = temporaryFolder(t)
    writeFileSync(join(folder, 'api.yaml'), users)
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
    for (const [name, { options, program }] of Object.entries(clients)) {
      const args = ['api.yaml', `${name}/types`, ...options]
      t.match(await runGenerator(t, args, { folder }), { status: 0, stderr: '' }, name)
      t.strictSame(compile(readFileSync(join(folder, name, 'types/openapi.d.ts'), 'utf8')), [], name)
      writeFileSync(join(folder, name, 'client.ts'), program)
    }
    const compilerOptions = ['--noEmit', '--strict', '--target', 'esnext', '--module', 'nodenext', '--types', 'node']
    compilerOptions.push('--skipLibCheck', '--allowImportingTsExtensions')
    const programs = Object.keys(clients).map((name) => `${name}/client.ts`)
    const tsc = ['node_modules/typescript/bin/tsc', ...compilerOptions, ...programs]
    t.match(await startNode(t, tsc, { folder }).waitForEnd(), { status: 0, stdout: '' })
  },
)

t.test(
  'media types with parsers and serializers have values in the types for handlers, if they are named',
  async (t) => {
    const folder = temporaryFolder(t)
    const [body, response] = ['integer', 'boolean'].map((type) => `{ application/xml: { schema: { type: ${type} } } }`)
    const operation = `{ requestBody: { content: ${body} }, responses: { "200": { description: A., content: ${response} } } }`
    writeFileSync(join(folder, 'api.yaml'), `${head}paths:\n  /things:\n    put: ${operation}\n`)
    const run = (...args: string[]) => runGenerator(t, ['api.yaml', 'types', ...args], { folder })
    const done = { status: 0, stdout: '', stderr: '' }
    const readBodies = () =>
      readFileSync(join(folder, 'types/server.d.ts'), 'utf8').match(/(?<=readonly body: )[\w |]+(?= \}|\n)/g)
    t.match(await run(), done)
    t.strictSame(readBodies(), ['Uint8Array | undefined', 'RawBody'])
    t.match(await run('--parsers', 'application/xml'), done)
    t.strictSame(readBodies(), ['number | undefined', 'RawBody'])
    t.match(await run('--serializers', 'application/xml'), done)
    t.strictSame(readBodies(), ['Uint8Array | undefined', 'boolean'])
    t.match(await run('--parsers', 'application/xml', '--serializers', 'application/xml, text/csv'), {
      status: 1,
      stderr: /^api\.yaml:3:1: no response has the media type "text\/csv", or /,
    })
  },
)

t.test('a document that the OpenAPI layer refuses has no types, and wrong usage is reported', async (t) => {
  const folder = temporaryFolder(t)
  const wrong = 'paths: {}\ncomponents: { schemas: { Size: { type: integer, format: 64 } } }\n'
  writeFileSync(join(folder, 'api.yaml'), head.replace('title: Shop, ', '') + wrong)
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
  for (const [args, message] of [
    [['api.yaml'], 'give one DOCUMENT and one FOLDER; see npx fastify-openapi-first --help'],
    [
      ['api.yaml', 'a', '--int64', 'string'],
      '--int64 is neither bigint nor number; see npx fastify-openapi-first --help',
    ],
    [['--other'], "Unknown option '--other'"],
  ] as const) {
    t.match(await runGenerator(t, args, { folder }), { status: 2, stdout: '', stderr: message })
  }
})
