/**
 * A document once it is loaded: its values, their positions, its servers, and what makes the generated types stale.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { checkDigests, computeDigests } from '../../src/openapi/check/digests.ts'
import type { Server } from '../../src/openapi/document/model.ts'
import { parsePointer, toPointer } from '../../src/openapi/document/pointers.ts'
import { readDocument } from '../../src/openapi/document/read.ts'
import { fillServers, getBasePath } from '../../src/openapi/document/servers.ts'
import { generateServerTypes } from '../../src/openapi/generate/server.ts'
import { loadDocument } from '../../src/openapi/index.ts'
import { editLines } from '../helpers/edit.ts'
import { writeJson } from '../helpers/json.ts'
import { startNode } from '../helpers/process.ts'
import { contractFile, spec } from '../helpers/service.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { readYaml } from '../helpers/yaml.ts'
import { load, startLayer } from './layer.ts'
import { holds } from './properties.ts'

/** Parses a text; returns its values, its bytes, and the position of the value at a pointer. */
function parse(t: Test, text: string) {
  const file = join(temporaryFolder(t), 'api.yaml')
  writeFileSync(file, text)
  const { root, source, locate } = readDocument(file)
  const name = `${relative(process.cwd(), file)}:`
  return { root, source, getPlace: (pointer: string) => locate(pointer).replace(name, '') }
}

t.test('a keyword without effect leaves the names that a discriminator gives its branches', async (t) => {
  const { root, warnings } = await load(
    t,
    `openapi: 3.1.0
info: { title: Animals, version: 1.0.0 }
paths: {}
components:
  schemas:
    Pet: { oneOf: [{ $ref: "#/components/schemas/Cat" }], discriminator: { propertyName: kind } }
    Cat: { type: object, unknownKeyword: 1, properties: { kind: { type: string } } }
`,
  )
  t.match(warnings, [/"unknownKeyword" is no keyword/])
  t.match(root.components?.schemas?.Pet?.oneOf, [{ allOf: [{}, { properties: { kind: { enum: ['Cat'] } } }] }])
})

t.test('a Node that is too old for the layer is named before anything else fails', async (t) => {
  const versions = `{ ...process.versions, node: '22.11.0' }`
  const olderNode = [
    '--import',
    `data:text/javascript,Object.defineProperty(process, 'versions', { value: ${versions} })`,
  ]
  const message = 'Node 22.11.0 is too old; use Node 22.12 or later'
  const folder = process.cwd()
  const run = (args: readonly string[]) => startNode(t, [...olderNode, ...args], { folder }).waitForEnd()
  const { bin, exports } = JSON.parse(readFileSync('src/openapi/package.json', 'utf8'))
  for (const entry of Object.keys(exports)) {
    const name = join('fastify-openapi-first', entry)
    const { status, stderr } = await run(['--input-type=module', '--eval', `await import('${name}')`])
    t.equal(status, 1)
    t.match(stderr, `Error: ${message}\n`, name)
  }
  const generator = [join('src/openapi', bin), 'openapi.yaml', temporaryFolder(t)]
  t.match(await run(generator), { status: 1, stdout: '', stderr: `${message}\n` })
})

t.test('values are those of JSON, whatever YAML would make of them', async (t) => {
  const text = `# a comment\r
a: 2030-12-05
b: yes
c: 0o17
d: 1e3
e: ~
f: 9007199254740993
g: -9223372036854775808
h: 1.5
i: 1.2345678901234567891e19
j: -12345678901234567891.0
k: 1.2345678901234567891E+19
l: [!!float "1e3", !!int 0o17, !!str 1]
m: [+1e3, +1e20, +.5e20, 1.e20, 007e20, -0x10]
200: [on, 'x', "é", &anchor { z: 1 }]
"300": *anchor
`
  const { root, source } = parse(t, text)
  t.equal(source.toString(), text)
  t.strictSame(root, {
    a: '2030-12-05',
    b: 'yes',
    c: 15,
    d: 1000,
    e: null,
    f: 9007199254740993n,
    g: -9223372036854775808n,
    h: 1.5,
    i: 12345678901234567891n,
    j: -12345678901234567891n,
    k: 12345678901234567891n,
    l: [1000, 15, '1'],
    m: [1000, 10n ** 20n, 5n * 10n ** 19n, 10n ** 20n, 7n * 10n ** 20n, '-0x10'],
    '200': ['on', 'x', 'é', { z: 1 }],
    '300': { z: 1 },
  })
  t.strictSame(parse(t, '%YAML 1.1\n---\na: yes\nb: 2030-12-05\n').root, { a: 'yes', b: '2030-12-05' })
  t.strictSame(parse(t, '{"a": [1, {"b": null}]}').root, { a: [1, { b: null }] })
})

t.test('a place is that of the key or the item, or of the nearest value around it', async (t) => {
  const { getPlace } = parse(
    t,
    `# a comment
paths:
  /a~b:
    get:
      tags: [one, two]
      list:
        -   name: &x { deep: 1 }
    put: *x
200: x
`,
  )
  for (const [pointer, place] of Object.entries({
    '': '2:1',
    '/paths/~1a~0b': '3:3',
    '/paths/~1a~0b/get/tags/1': '5:19',
    '/paths/~1a~0b/get/list/0/name': '7:13',
    '/paths/~1a~0b/put': '8:5',
    '/paths/~1a~0b/put/deep': '7:24',
    '/200/more': '9:1',
    '/paths/~1a~0b/get/missing/more': '4:5',
    '/paths/~1a~0b/get/list/7': '6:7',
    '/nothing': '2:1',
  })) {
    t.equal(getPlace(pointer), place, pointer)
  }
})

t.test('the tokens of a pointer are escaped, and those that it was made of (RFC 6901)', async (t) => {
  t.equal(toPointer('a~b', '/pets/{petId}', '~1', '', 0), '/a~0b/~1pets~1{petId}/~01//0')
  const tokens = fc.array(fc.oneof(fc.string(), fc.constantFrom('~', '/', '~1', '~01')))
  await holds(t, tokens, (given) => isDeepStrictEqual(parsePointer(toPointer(...given)), given))
})

t.test('variables of servers are filled in from outside; the base path is that of the addresses', async (t) => {
  const toRoot = (servers?: Server[]) => ({
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: {},
    ...(servers && { servers }),
  })
  t.equal(getBasePath(toRoot(), {}), '')
  t.equal(getBasePath(toRoot([]), {}), '')
  for (const url of ['/', '', 'https://library.example', 'https://library.example/']) {
    t.equal(getBasePath(toRoot([{ url }]), {}), '', url)
  }
  t.equal(getBasePath(toRoot([{ url: '/api' }, { url: 'https://library.example:8443/api' }]), {}), '/api')
  const variables = { host: { default: 'a.example' }, path: { default: 'v1' } }
  const root = toRoot([
    { url: 'https://{host}/{path}', description: 'Home', variables },
    { url: '{mirror}', variables: { mirror: { default: '/v1' } } },
  ])
  const fill = (values: Record<string, string | undefined>) => fillServers(root, values).map(({ url }) => url)
  t.strictSame(fill({}), ['https://a.example/v1', '/v1'])
  t.strictSame(fill({ host: 'b.example', path: undefined, other: 'x' }), ['https://b.example/v1', '/v1'])
  t.strictSame(fill({ path: 'v2', mirror: 'http://c.example/v2' }), ['https://a.example/v2', 'http://c.example/v2'])
  t.equal(getBasePath(root, { path: 'v2' }), '/v2')
  t.equal(fillServers(root, {})[0]?.description, 'Home')
})

t.test('an object without a name is refused with what to pass', async (t) => {
  for (const source of [
    { openapi: '3.1.0', info: { title: 'T', version: '1.0.0' }, paths: {} },
    new URL('file:///a'),
    undefined,
  ]) {
    await t.rejects(loadDocument(source as never), {
      name: 'DocumentError',
      message: 'this is not a document; pass a path, or { name, value }',
    })
  }
})

t.test('an object that has no JSON text is refused by its name', async (t) => {
  const head = { openapi: '3.1.0', info: { title: 'T', version: '1.0.0' }, paths: {} }
  const circular: Record<string, unknown> = { ...head }
  circular['x-self'] = circular
  let deep = {}
  for (let depth = 0; depth < 100_000; depth++) deep = { deep }
  for (const value of [circular, { ...head, 'x-text': '\ud800' }, { ...head, 'x-deep': deep }]) {
    await t.rejects(loadDocument({ name: 'api', value }), {
      name: 'DocumentError',
      message:
        'api#: this object contains itself, is nested too deep, or has what JSON does not have; pass plain values',
    })
  }
})

t.test('one document may be served more than once, with integers that are exact', async (t) => {
  const document = await load(
    t,
    `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /things:
    get:
      operationId: listThings
      parameters: [{ name: size, in: query, schema: { $ref: "#/components/schemas/Size" } }]
      responses:
        "200": { description: A., content: { application/json: { schema: { $ref: "#/components/schemas/Size" } } } }
components:
  schemas: { Size: { type: integer, format: int64, maximum: 9223372036854775806, default: 9007199254740991 } }
`,
  )
  const listThings = async ({ query }: { query: { size: bigint } }) => ({ status: 200, body: query.size })
  for (let count = 0; count < 2; count++) {
    const { call } = await startLayer(t, { source: '', document, handlers: { listThings } })
    const get = (query: string) => call('GET', `/things${query}`)
    t.match(await get(''), { status: 200, text: '9007199254740991' })
    t.match(await get('?size=9223372036854775806'), { status: 200, text: '9223372036854775806' })
    t.match(await get('?size=9223372036854775807'), { status: 400, text: /query\.size must be at most/ })
  }
})

const contract = await loadDocument(contractFile)
const digests = computeDigests(contract)

/** Returns what of the generated types is older than an edited spec. */
async function findStale(t: Test, edited: string, generated = digests): Promise<string[]> {
  const problems = checkDigests(await load(t, edited), generated)
  return problems.map(
    ({ message }) => /^the generated types are older than the (.*); generate them again$/.exec(message)?.[1] ?? message,
  )
}

interface Case {
  readonly name: string
  readonly edit: string
  readonly stale: readonly string[]
}

for (const { name, edit, stale } of readYaml<Case[]>(join(import.meta.dirname, 'digests.yaml'))) {
  t.test(name, async (t) => t.strictSame(await findStale(t, editLines(spec, edit)), stale))
}

t.test('what changes the types of handlers, wherever it is removed, changes the digests', async (t) => {
  const root = readYaml<object>(join(import.meta.dirname, 'digests-document.yaml'))
  const before = await generate(root)
  let changeCount = 0
  for (const edited of removeEach(root)) {
    const after = await generate(edited).catch(() => undefined)
    if (after === undefined || after.types === before.types) continue
    changeCount++
    if (isDeepStrictEqual(after.digests, before.digests)) t.fail('the digests are the same', { edited })
  }
  t.ok(changeCount > 50)

  async function generate(edited: object) {
    const document = await load(t, writeJson(edited))
    // Without comments.
    const types = generateServerTypes(document, []).replaceAll(/\/\*\*.*?\*\/\s*/gs, '')
    return { digests: computeDigests(document), types }
  }
})

/** Copies a value without one of the values in it, for each of them. */
function* removeEach<Value extends object>(value: Value): Iterable<Value> {
  for (const [key, inner] of Object.entries(value)) {
    const otherEntries = Object.entries(value).filter(([name]) => name !== key)
    const copy = (entries: (readonly [string, unknown])[]) =>
      (Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries)) as Value
    yield copy(otherEntries)
    if (typeof inner !== 'object' || inner === null) continue
    for (const edited of removeEach(inner)) {
      yield copy(Object.entries(value).map(([name, member]) => [name, name === key ? edited : member]))
    }
  }
}

t.test('another name of a path parameter makes the generated types stale; without an edit, they are not', async (t) => {
  const operations = contract.operations.filter(({ path }) => path === '/pets/{petId}')
  const edited = spec.replace('{petId}:', '{id}:').replace('name: petId', 'name: id')
  t.strictSame(
    await findStale(t, edited),
    operations.map(({ id }) => `operation "${id}"`),
  )
  t.strictSame(await findStale(t, spec), [])
})

t.test(
  'another method makes the generated types stale where the server no longer sends 304 in place of the handler',
  async (t) => {
    const toSpec = (method: string) => `openapi: 3.1.0
info: { title: Photos, version: 1.0.0 }
paths: { /photos: { ${method}: { operationId: readPhotos, responses: { "200": { description: All. }, "304": { description: Known. } } } } }
`
    const generated = computeDigests(await load(t, toSpec('get')))
    t.strictSame(await findStale(t, toSpec('post'), generated), ['operation "readPhotos"'])
    t.strictSame(await findStale(t, toSpec('head'), generated), [])
  },
)

t.test('types that were generated by other rules, or before the rules had a version, are stale', async (t) => {
  const { rulesVersion, ...unversioned } = digests
  const message = 'the generated types follow the rules of another version of the OpenAPI layer; generate them again'
  t.strictSame(await findStale(t, spec, { ...digests, rulesVersion: rulesVersion - 1 }), [message])
  t.strictSame(await findStale(t, spec, unversioned as typeof digests), [message])
})
