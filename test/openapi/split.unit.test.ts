/** Documents of several files, in folders of their own. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { generateClientTypes } from '../../src/openapi/generate/client.ts'
import { generateServerTypes } from '../../src/openapi/generate/server.ts'
import { loadDocument } from '../../src/openapi/index.ts'
import { computeDigests, type ReadOptions } from '../../src/openapi/tools.ts'
import { contractFile, spec } from '../helpers/service.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { readMarked, startLayer } from './layer.ts'

type Files = Readonly<Record<string, string>>

/** Writes files by their paths in a new folder. */
function save(t: Test, files: Files): string {
  const folder = temporaryFolder(t)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const loadFiles = (t: Test, files: Files, options?: ReadOptions) =>
  loadDocument(join(save(t, files), 'api.yaml'), options)

/** Returns the lines about a document, with the paths of files in the folder. */
async function getMistakes(folder: string, file: string, options?: ReadOptions): Promise<string[]> {
  try {
    await loadDocument(join(folder, file), options)
    return []
  } catch (error) {
    return (error as Error).message
      .split('\n')
      .map((line) => line.replaceAll(`${relative(process.cwd(), folder)}/`, ''))
  }
}

const info = 'openapi: 3.1.0\ninfo: { title: Harbour, version: 1.0.0 }\n'
/** An operation with a schema. */
const toPath = (path: string, schema: string) =>
  `  ${path}: { get: { responses: { "200": { description: OK., content: { application/json: { schema: ${schema} } } } } } }\n`

/** Each kind of object that a reference may stand for is in another file. */
const harbour: Files = {
  'api.yaml': `${info}paths:
  /ships: { $ref: paths/ships.yaml }
  /ships/{imo}: { $ref: "paths/ship%20by%20number.json#/ship" }
components:
  securitySchemes: { Pilot: { $ref: shared/security.yaml#/Pilot } }
  schemas: { Ship: { $ref: ./schemas/ship.yaml } }
`,
  'paths/ships.yaml': `
get:
  operationId: listShips
  security: [{ Pilot: [] }]
  parameters: [{ $ref: ../shared/parameters.yaml#/limit }]
  responses:
    "200": { $ref: ../shared/responses.yaml#/Ships }
    default: { $ref: ../shared/responses.yaml#/Problem }
post:
  operationId: addShip
  requestBody: { $ref: "#/x-body" }
  responses:
    "201": { description: Added., content: { application/json: { schema: { $ref: ../schemas/ship.yaml } } } }
  callbacks:
    arrived: { $ref: ../shared/callbacks.yaml#/arrived }
x-body:
  required: true
  content:
    application/json:
      schema: { $ref: ../api.yaml#/components/schemas/Ship }
      examples: { tug: { $ref: ../shared/examples.yaml } }
`,
  'paths/ship by number.json': JSON.stringify({
    ship: {
      parameters: [{ $ref: '../shared/parameters.yaml#/imo' }],
      get: { operationId: 'getShip', responses: { 200: { $ref: '../shared/responses.yaml#/Ships' } } },
    },
  }),
  'schemas/ship.yaml': `
type: object
required: [imo]
additionalProperties: false
properties:
  imo: { $ref: numbers.yaml#/Imo }
  escort: { $ref: "#" }
  cargo: { type: array, items: { $ref: cargo.json } }
`,
  'schemas/numbers.yaml': 'Imo: { type: integer, format: int64, maximum: 9999999 }\n',
  'schemas/cargo.json': '{ "type": "object", "properties": { "carrier": { "$ref": "ship.yaml" } } }',
  'shared/parameters.yaml': `
limit: { name: limit, in: query, schema: { type: integer, maximum: 10, default: 5 } }
imo: { name: imo, in: path, required: true, schema: { $ref: ../schemas/numbers.yaml#/Imo } }
`,
  'shared/responses.yaml': `
Ships:
  description: The ships.
  headers: { Count: { $ref: "#/Count" } }
  content: { application/json: { schema: { type: array, items: { $ref: ../schemas/ship.yaml } } } }
  links: { next: { $ref: links.yaml#/next } }
Problem: { description: What is wrong. }
Count: { required: true, schema: { type: integer } }
`,
  'shared/links.yaml': 'next: { operationId: listShips }\n',
  'shared/security.yaml': 'Pilot: { type: http, scheme: bearer }\n',
  'shared/examples.yaml': 'value: { imo: 1234567 }\n',
  'shared/callbacks.yaml': 'arrived: { "{$request.body#/url}": { $ref: ../paths/arrival.yaml } }\n',
  'paths/arrival.yaml': 'post: { responses: { "204": { description: Seen. } } }\n',
}

t.test('whatever may be a reference may lead to another file, in YAML or JSON, and back', async (t) => {
  const paths: string[] = []
  const folder = save(t, harbour)
  const document = await loadDocument(join(folder, 'api.yaml'), { onRead: (path) => paths.push(path) })
  t.same(paths.map((path) => relative(folder, path)).sort(), Object.keys(harbour).sort(), 'each file is read once')
  const received: unknown[] = []
  const { call } = await startLayer(t, {
    source: '',
    document,
    handlers: {
      listShips: async ({ query }: { query: unknown }) => {
        received.push(query)
        return { status: 200, headers: { Count: 1 }, body: [{ imo: 7n, crew: 3 }] }
      },
      addShip: async ({ body }: { body: unknown }) => {
        received.push(body)
        return { status: 201, body }
      },
      getShip: async ({ path }: { path: { imo: bigint } }) => ({ status: 200, headers: { Count: 1 }, body: [path] }),
    },
    security: { Pilot: (token) => (token === 'x' ? { id: '1', name: 'Ada' } : undefined) },
  })
  const headers = { authorization: 'Bearer x' }
  t.match(await call('GET', '/ships', { headers }), { status: 200, headers: { count: '1' }, text: '[{"imo":7}]' })
  t.match(await call('GET', '/ships'), { status: 401 })
  t.match(await call('GET', '/ships?limit=11', { headers }), { status: 400, text: /query\.limit must be at most 10/ })
  const ship = { imo: 1, escort: { imo: 2, cargo: [{ carrier: { imo: 3 } }] } }
  t.match(await call('POST', '/ships', { json: ship }), { status: 201, text: JSON.stringify(ship) })
  t.match(await call('POST', '/ships', { json: { ...ship, escort: { imo: 2, cargo: [{ carrier: {} }] } } }), {
    status: 400,
    text: /body\.escort\.cargo\[0\]\.carrier must have the property "imo"|body\.escort\.cargo.0.\.carrier/,
  })
  t.match(await call('GET', '/ships/9999999'), { status: 200, text: '[{"imo":9999999}]' })
  t.match(await call('GET', '/ships/10000000'), { status: 400 })
  t.strictSame(received, [{ limit: 5 }, { imo: 1n, escort: { imo: 2n, cargo: [{ carrier: { imo: 3n } }] } }])
})

t.test('the document that the files make has no reference to a file, and is the same when it is loaded', async (t) => {
  const document = await loadFiles(t, harbour)
  const source = String(document.source)
  t.notMatch(source, /\$ref: "?[^"#]/)
  const bundle = await loadFiles(t, { 'api.yaml': source })
  t.strictSame(bundle.root, document.root)
  t.strictSame(computeDigests(bundle), computeDigests(document))
  t.same(parse(source), bundle.root)
  const { schemas, ...sections } = bundle.root.components ?? {}
  t.same(Object.keys(schemas ?? {}), ['Ship', 'Imo', 'cargo'])
  t.same(Object.keys(sections).sort(), [
    ...['callbacks', 'examples', 'headers', 'links', 'parameters', 'pathItems', 'requestBodies', 'responses'],
    'securitySchemes',
  ])
})

t.test('the spec in three files is the same spec as in one', async (t) => {
  const [main = '', components = ''] = spec.split(/^components:\n/m)
  const sections = new Map(components.split(/^(?= {2}\w+:$)/m).map((text) => [/\w+/.exec(text)?.[0], text]))
  const files = {
    'api.yaml': ['securitySchemes'],
    'data.yaml': ['schemas'],
    'messages.yaml': ['parameters', 'headers', 'responses'],
  }
  t.equal(Object.values(files).flat().length, sections.size)
  const split = Object.entries(files).map(([path, names]) => {
    const text = `${path === 'api.yaml' ? main : ''}components:\n${names.map((name) => sections.get(name)).join('')}`
    const toReference = (reference: string, name: string) => {
      const file = Object.entries(files).find(([, sectionNames]) => sectionNames.includes(name))?.[0]
      return `"${file === path ? '' : file}${reference.slice(1)}`
    }
    return [path, text.replaceAll(/"#\/components\/(\w+)/g, toReference)]
  })
  const [single, document] = [await loadDocument(contractFile), await loadFiles(t, Object.fromEntries(split))]
  t.strictSame(document.root, single.root)
  t.strictSame(computeDigests(document), computeDigests(single))
  const toLines = (types: string) => types.split('\n').sort()
  t.strictSame(toLines(generateServerTypes(document, [])), toLines(generateServerTypes(single, [])))
})

t.test('a mistake is named in its file', async (t) => {
  const marked: Files = {
    'api.yaml': `${info}paths:
  /a:
    $ref: paths/a.yaml
  /b/{id}:
    summary: B
    $ref: paths/b.yaml
    parameters: [{ name: id, in: path, required: true, schema: { «type: text } }]
  /c: { $ref: paths/c.yaml }
components:
  schemas:
    Pet: { $ref: schemas/pet.yaml }
`,
    'paths/a.yaml': `get:
  «operationId: same
  responses: { "200": { description: OK., content: { application/json: { schema: { «$ref: ../api.yaml#/components/schemas/Pett } } } } }
`,
    'paths/b.yaml': `get:
  security: [{ «Key: [] }]
  responses: { default: { $ref: ../shared/responses.yaml#/Error } }
`,
    'paths/c.yaml': 'get: { «operationId: same }\n',
    'schemas/pet.yaml': `type: object
properties:
  owner: { «$ref: "#/components/schemas/Pet" }
  name: { «$ref: ./names.yaml#/Name }
  age: { type: integer, «minimum: "3" }
`,
    'shared/responses.yaml': `Error: { description: Wrong., content: { text/plain: { schema: { «$ref: "#/Text" } } } }
`,
  }
  const files = Object.fromEntries(Object.entries(marked).map(([path, text]) => [path, readMarked(text)]))
  const place = (path: string, index = 0) => `${path}:${files[path]?.places[index]}`
  const folder = save(t, Object.fromEntries(Object.entries(files).map(([path, { source }]) => [path, source])))
  t.strictSame(await getMistakes(folder, 'api.yaml'), [
    `${place('api.yaml')}: "text" is not supported here; use one of: null, boolean, object, array, number, integer, string`,
    `${place('paths/a.yaml', 1)}: "../api.yaml#/components/schemas/Pett" does not exist; add it or correct the reference`,
    `${place('paths/b.yaml')}: the security scheme "Key" does not exist; add it to components.securitySchemes or correct the name`,
    `${place('paths/c.yaml')}: the operationId "same" belongs to GET /a, too; choose another one (see ${place('paths/a.yaml')})`,
    `${place('schemas/pet.yaml')}: "#/components/schemas/Pet" does not exist in this file; refer to "../api.yaml#/components/schemas/Pet"`,
    `${place('schemas/pet.yaml', 1)}: the file "./names.yaml" does not exist; add it or correct the reference`,
    `${place('schemas/pet.yaml', 2)}: this must be of type number, but is "3"; write a number`,
    `${place('shared/responses.yaml')}: "#/Text" does not exist in this file; add it or correct the reference`,
  ])
})

t.test('a mistake in a file that two paths reach over another file is named there alone', async (t) => {
  const folder = save(t, {
    'api.yaml': `${info}paths:
  /a: { $ref: one.yaml, description: A. }
  /b: { $ref: one.yaml, description: B. }
`,
    'one.yaml': 'summary: One.\n$ref: two.yaml\n',
    'two.yaml': 'get:\n  unknownField: 1\n',
  })
  t.strictSame(await getMistakes(folder, 'api.yaml'), [
    'two.yaml:2:3: "unknownField" is not supported in Operation Object; remove or correct it',
  ])
})

t.test('a reference that leads to no object in a readable file is refused at its place', async (t) => {
  const references: Record<string, string> = {
    'https://example.com/pet.yaml#/Pet':
      '"https://example.com/pet.yaml" is not a file, and nothing is downloaded; save it beside this file, and refer to the copy',
    '//example.com/pet.yaml':
      '"//example.com/pet.yaml" is not a file, and nothing is downloaded; save it beside this file, and refer to the copy',
    'pet.yaml?v=1':
      '"pet.yaml?v=1" is not a file, and nothing is downloaded; save it beside this file, and refer to the copy',
    'pet%E0.yaml':
      '"pet%E0.yaml" is not a file, and nothing is downloaded; save it beside this file, and refer to the copy',
    'none.yaml': 'the file "none.yaml" does not exist; add it or correct the reference',
    'folder/': 'the file "folder/" is not a regular file; correct the reference',
    pipe: 'the file "pipe" is not a regular file; correct the reference',
    'image.png':
      'the file "image.png" cannot be read (ERR_ENCODING_INVALID_ENCODED_DATA); check its name, permissions and encoding',
    'notes.md': '"notes.md" does not lead to an object; change the value or correct the reference',
    'empty.yaml': '"empty.yaml" does not lead to an object; change the value or correct the reference',
    'pet.yaml#/type': '"pet.yaml#/type" does not lead to an object; change the value or correct the reference',
    'pet.yaml#/none': '"pet.yaml#/none" does not exist; add it or correct the reference',
    'pet.yaml#name': '"pet.yaml#name" is not supported here; write a JSON pointer, as "FILE#/NAME"',
  }
  const folder = save(t, {
    ...Object.fromEntries(
      Object.keys(references).map((reference, index) => [
        `api${index}.yaml`,
        `${info}paths: {}\ncomponents: { schemas: { A: { items: { $ref: "${reference}" } } } }\n`,
      ]),
    ),
    'pet.yaml': 'type: object\n',
    'notes.md': 'some words\n',
    'empty.yaml': '',
    'folder/pet.yaml': '',
  })
  execFileSync('mkfifo', [join(folder, 'pipe')])
  writeFileSync(join(folder, 'image.png'), Buffer.from([0x89, 0xff]))
  for (const [index, message] of Object.values(references).entries()) {
    t.strictSame(await getMistakes(folder, `api${index}.yaml`), [`api${index}.yaml:4:40: ${message}`])
  }
})

t.test('the syntax errors of another file are named there', async (t) => {
  const folder = save(t, {
    'api.yaml': `${info}paths: {}\ncomponents: { schemas: { B: { $ref: b.json } } }\n`,
    'b.json': '{ "a": 1e999, }}\n',
  })
  t.match(await getMistakes(folder, 'api.yaml'), [
    'b.json:1:8: the number 1e999 cannot be kept exactly; write another number, or put it in quotes',
    /^b\.json:1:16: invalid YAML: .*; correct the syntax$/,
  ])
})

t.test('nothing outside the folder of the first file is read, unless the option root allows it', async (t) => {
  const folder = save(t, {
    'api/api.yaml': `${info}paths:\n${toPath('/a', '{ $ref: ../shared/pet.yaml }')}${toPath('/b', '{ $ref: link.yaml }')}`,
    'shared/pet.yaml': 'type: object\n',
    'shared/link.yaml': 'type: string\n',
  })
  symlinkSync('../shared/link.yaml', join(folder, 'api/link.yaml'))
  const getMessage = (uri: string) =>
    `the file "${uri}" is outside the root folder "api"; move it there, or set the option root`
  t.strictSame(await getMistakes(folder, 'api/api.yaml'), [
    `api/api.yaml:4:97: ${getMessage('../shared/pet.yaml')}`,
    `api/api.yaml:5:97: ${getMessage('link.yaml')}`,
  ])
  t.strictSame(await getMistakes(folder, 'api/api.yaml', { root: folder }), [])
  // By its name, the folder `api-shared` would begin with the folder `api`.
  const beside = save(t, {
    'api/api.yaml': `${info}paths:\n${toPath('/a', '{ $ref: ../api-shared/pet.yaml }')}`,
    'api-shared/pet.yaml': 'type: object\n',
  })
  t.match(await getMistakes(beside, 'api/api.yaml'), [/is outside the root folder/])
  // Mounted files are links to files of one folder.
  symlinkSync('api', join(folder, 'mounted'))
  t.strictSame(await getMistakes(folder, 'mounted/api.yaml', { root: join(folder, 'mounted/..') }), [])
})

t.test('a root folder that does not exist is named in place of the files in it', async (t) => {
  const folder = save(t, {
    'api.yaml': `${info}paths:\n${toPath('/a', '{ $ref: pet.yaml }')}`,
    'pet.yaml': 'type: object\n',
  })
  t.strictSame(await getMistakes(folder, 'api.yaml', { root: join(folder, 'missing') }), [
    'api.yaml:4:97: the file "pet.yaml" cannot be read without the root folder "missing", which does not exist; correct the option root',
  ])
})

t.test('a file to which several URIs lead is one file', async (t) => {
  const folder = save(t, {
    'api.yaml': `${info}paths:\n${toPath('/a', '{ $ref: pet.yaml }')}${toPath('/b', '{ $ref: "./x/../pet.yaml#" }')}`,
    'pet.yaml': 'type: object\n',
  })
  const { root } = await loadDocument(join(folder, 'api.yaml'))
  t.same(Object.keys(root.components?.schemas ?? {}), ['pet'])
})

t.test('the same pointer in two files is two schemas, whose types have two names', async (t) => {
  const document = await loadFiles(t, {
    'api.yaml': `${info}paths:
${toPath('/a', '{ $ref: pets.yaml#/Pet }')}${toPath('/b', '{ $ref: common.yaml#/Pet }')}${toPath('/c', '{ $ref: other/common.yaml#/Pet }')}
${toPath('/d', '{ $ref: "index.yaml#/Owner" }')}${toPath('/e', '{ $ref: "tuple.yaml#/prefixItems/0" }')}${toPath('/f', '{ $ref: "a b.yaml" }')}`,
    'pets.yaml': 'Pet: { type: object, properties: { of: { $ref: "#/Pet" } } }\n',
    'common.yaml': 'Pet: { type: string }\n',
    'other/common.yaml': 'Pet: { type: integer }\n',
    'index.yaml': 'Owner: { $ref: person.yaml#/Person }\n',
    'person.yaml': 'Person: { type: object, properties: { name: { $ref: "index.yaml#/Owner" } } }\n',
    'tuple.yaml': 'prefixItems: [{ type: boolean }]\n',
    'a b.yaml': 'true\n',
  })
  t.match(document.root.components?.schemas, {
    Pet: { properties: { of: { $ref: '#/components/schemas/Pet' } } },
    CommonPet: { type: 'string' },
    CommonPet2: { type: 'integer' },
    Person: { properties: { name: { $ref: '#/components/schemas/Person' } } },
    Tuple0: { type: 'boolean' },
    a_b: true,
  })
  const types = generateServerTypes(document, [])
  for (const type of ['Pet', 'CommonPet', 'Person']) t.match(types, `export type ${type} =`)
})

t.test('names are those of the first file, and a mapping of a discriminator has names or URIs', async (t) => {
  const document = await loadFiles(t, {
    'api.yaml': `${info}paths: { /a: { $ref: shared.yaml#/paths/~1a } }
components:
  securitySchemes: { Key: { type: http, scheme: bearer } }
  schemas:
    Pet:
      oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: shared.yaml#/components/schemas/Dog }, { $ref: bird.yaml }]
      discriminator:
        propertyName: kind
        mapping: { cat: Cat, dog: "shared.yaml#/components/schemas/Dog", bird: bird.yaml, fish: Fish, shark: "none.yaml#/Shark" }
    Cat: { type: object, required: [kind], properties: { kind: { type: string } } }
`,
    'shared.yaml': `
paths: { /a: { get: { security: [{ Key: [] }], responses: { default: { description: OK. } } } } }
components:
  securitySchemes: { Key: { type: apiKey, in: query, name: key } }
  schemas: { Dog: { type: object, required: [kind], properties: { kind: { type: string } } } }
`,
    'bird.yaml': 'type: object\nrequired: [kind]\nproperties: { kind: { type: string } }\n',
  })
  t.match(document.operations, [{ security: [[{ name: 'Key', scheme: { type: 'http', scheme: 'bearer' } }]] }])
  t.strictSame(document.root.components?.schemas?.Pet?.discriminator, {
    propertyName: 'kind',
    mapping: {
      cat: 'Cat',
      dog: '#/components/schemas/Dog',
      bird: '#/components/schemas/bird',
      fish: 'Fish',
      shark: 'none.yaml#/Shark',
    },
  })
  t.match(document.warnings, [
    /api\.yaml:11:91: "fish" leads to no branch, so the discriminator has no effect; correct it, or add the branch$/,
    /api\.yaml:11:103: the file "none\.yaml" does not exist; add it or correct the reference$/,
  ])
})

t.test('references to references, and cycles of them, are those of one file', async (t) => {
  const folder = save(t, {
    'api.yaml': `${info}paths:\n${toPath('/a', '{ $ref: a.yaml#/A }')}`,
    'a.yaml': 'A: { $ref: b.yaml#/B }\n',
    'b.yaml': 'B: { $ref: a.yaml#/A }\n',
  })
  const refersBack =
    '"#/components/schemas/A" refers back to itself without an object between; remove one of the references'
  t.strictSame(await getMistakes(folder, 'api.yaml'), [`api.yaml:4:97: ${refersBack}`, `b.yaml:1:6: ${refersBack}`])
  const paths = save(t, {
    'api.yaml': `${info}paths: { /a: { $ref: a.yaml } }\n`,
    'a.yaml': 'summary: A\n$ref: b.yaml\n',
    'b.yaml': 'summary: B\n$ref: a.yaml\n',
  })
  t.match(await getMistakes(paths, 'api.yaml'), [
    /^[ab]\.yaml:2:1: "#\/components\/pathItems\/b" refers back to itself without an object between; remove one of the references$/,
  ])
})

t.test('files whose callbacks lead to each other are in the document once each', async (t) => {
  const callbacks = (file: string) => `post:
  responses: { default: { description: OK. } }
  callbacks: { done: { "{$request.body#/a}": { $ref: ${file} }, "{$request.body#/b}": { $ref: ${file} } } }
`
  const length = 40
  const files = Array.from({ length }, (_, at) => [`f${at}.yaml`, callbacks(`f${(at + 1) % length}.yaml`)])
  const { source } = await loadFiles(t, {
    'api.yaml': `${info}paths: { /a: { $ref: f0.yaml } }\n`,
    ...Object.fromEntries(files),
  })
  const { components } = parse(source.toString())
  t.strictSame(
    Object.keys(components.pathItems).toSorted(),
    // The first one is the path.
    files
      .slice(1)
      .map(([file]) => file?.replace('.yaml', ''))
      .toSorted(),
  )
})

t.test('an operation that two paths share is served under both, at the second with an id of its own', async (t) => {
  const document = await loadFiles(t, {
    'api.yaml': `${info}paths:\n${toPath('/a', '{ type: integer }').replace('get: {', 'get: { operationId: getOne,')}
  /b: { $ref: "#/paths/~1a" }
  /c: { $ref: two.yaml }
  /d: { $ref: two.yaml }
  /e: { $ref: two.yaml, summary: Two. }
`,
    'two.yaml': toPath('/two', '{ type: integer }')
      .replace('get: {', 'get: { operationId: getTwo,')
      .slice('  /two: '.length),
  })
  const ids = ['getOne', 'getB', 'getTwo', 'getD', 'getE']
  t.same(
    document.operations.map(({ id }) => id),
    ids,
  )
  const handlers = Object.fromEntries(ids.map((id, index) => [id, async () => ({ status: 200, body: index })]))
  const { call } = await startLayer(t, { source: '', document, handlers })
  for (const [index, path] of ['/a', '/b', '/c', '/d', '/e'].entries()) {
    t.match(await call('GET', path), { status: 200, text: String(index) })
  }
  const types = generateClientTypes(document)
  for (const id of ids) t.equal(types.split(`\n    ${id}: {`).length, 2, id)
  const reloaded = await loadFiles(t, { 'api.yaml': String(document.source) })
  t.same(
    reloaded.operations.map(({ id }) => id),
    ids,
  )
})

t.test('a chain of a thousand files is loaded', async (t) => {
  const files = Array.from({ length: 1000 }, (_, index) => [
    `schemas/s${index}.yaml`,
    index < 999 ? `properties: { next: { $ref: s${index + 1}.yaml } }\n` : 'type: string\n',
  ])
  const api = `${info}paths:\n${toPath('/a', '{ $ref: schemas/s0.yaml }')}`
  const { root } = await loadFiles(t, { 'api.yaml': api, ...Object.fromEntries(files) })
  t.equal(Object.keys(root.components?.schemas ?? {}).length, 1000)
})

t.test('a file that refers to itself by its name is served byte for byte', async (t) => {
  const source = `# Ships\n${info}paths:\n${toPath('/a', '{ $ref: "api.yaml#/components/schemas/Ship" }')}components: { schemas: { Ship: { type: object } } }\n`
  const document = await loadFiles(t, { 'api.yaml': source })
  t.equal(String(document.source), source)
  t.match(Object.keys(document.root.components?.schemas ?? {}), ['Ship'])
})

t.test('a file with a mapping that leads nowhere is served byte for byte', async (t) => {
  const ship = '{ oneOf: [{ type: object }], discriminator: { propertyName: kind, mapping: { tug: Tug } } }'
  const source = `# Ships\n${info}paths:\n${toPath('/a', ship)}`
  t.equal(String((await loadFiles(t, { 'api.yaml': source })).source), source)
})

t.test('a document may be an object with a name, and refers to files if it has a root', async (t) => {
  const value = {
    openapi: '3.1.0',
    info: { title: 'Harbour', version: '1.0.0', description: undefined },
    paths: {
      '/a': { get: { responses: { default: { $ref: 'responses.yaml#/Problem' } } } },
      '/b': { get: { operationId: 5, responses: { default: { description: 'OK.' } } } },
    },
  }
  const before = structuredClone(value)
  await t.rejects(loadDocument({ name: 'harbour', value }), {
    name: 'DocumentError',
    message: [
      'harbour#/paths/~1a/get/responses/default/$ref: "responses.yaml" is in no folder, as this document is in no file; set the option root',
      'harbour#/paths/~1b/get/operationId: this must be of type string, but is 5; put it in quotes',
    ].join('\n'),
  })
  const root = save(t, { 'responses.yaml': 'Problem: { description: What is wrong. }\n' })
  const corrected = { ...value, paths: { '/a': value.paths['/a'] } }
  const document = await loadDocument({ name: 'harbour', value: corrected }, { root })
  t.match(document.operations, [{ id: 'getA' }])
  t.strictSame(value, before, 'the object is as before')
  const handlers = { getA: async () => ({ status: 404 }) }
  const { call } = await startLayer(t, { source: '', document, handlers })
  t.equal((await call('GET', '/a')).status, 404)
  await t.rejects(loadDocument({ name: 'list', value: [] }), {
    message: 'list#: this is not an OpenAPI document; begin it with "openapi: 3.1.0"',
  })
})
