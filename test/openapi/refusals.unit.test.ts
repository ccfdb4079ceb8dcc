/**
 * The documents that the OpenAPI layer refuses. In the documents of refusals/, « marks each place that is to be named, and
 * is taken out again; the comment `#!` that follows says what is said of it.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { DocumentError, loadDocument } from '../../src/openapi/index.ts'
import { computeDigests } from '../../src/openapi/tools.ts'
import { contractFile } from '../helpers/service.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { readYaml } from '../helpers/yaml.ts'
import {
  createLayer,
  getRefusal,
  idle,
  type LayerOptions,
  load,
  nobody,
  readMarked,
  readMistakes,
  startLayer,
} from './layer.ts'
import { holds } from './properties.ts'

const folder = join(import.meta.dirname, 'refusals')
const library = `openapi: 3.1.0
info: { title: Library, version: 1.0.0 }
servers: [{ url: https://library.example/v1 }]
paths:
  /books:
    get:
      operationId: listBooks
      security: [{ Reader: [] }]
      parameters: [{ name: limit, in: query, schema: { type: integer } }]
      responses: { "200": { description: The books., content: { application/json: { schema: { $ref: "#/components/schemas/Book" } } } } }
  /books/{isbn}:
    parameters: [{ name: isbn, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getBook
      deprecated: true
      x-deprecated-since: 2026-01-01
      x-sunset: 2027-01-01
      responses: { "204": { description: There is none. }, default: { description: What is wrong. } }
components:
  securitySchemes: { Reader: { type: http, scheme: basic } }
  schemas: { Book: { type: object } }
`

for (const file of globSync('*.yaml', { cwd: folder }).toSorted()) {
  t.test(`every mistake in ${basename(file, '.yaml')} is named at its place, and nothing else`, async (t) => {
    for (const text of readFileSync(join(folder, file), 'utf8').split('---\n')) {
      await refuses(t, text, readMistakes(text))
    }
  })
}

const info = 'info: { title: Library, version: 1.0.0 }\n'
const required = '{ required: true, schema: { type: string } }'

t.test(
  'a spec with any values replaced, removed or moved is served or refused, and never a program error',
  async (t) => {
    const file = join(temporaryFolder(t), 'api.json')
    const unusual = readYaml<{ document: object }[]>(join(import.meta.dirname, 'requests/unusual.yaml'))
    const head = { openapi: '3.1.0', info: { title: 'Unusual', version: '1.0.0' } }
    const documents = [readYaml<object>(contractFile), ...unusual.map(({ document }) => ({ ...head, ...document }))]
    const junk = fc.constantFrom(
      null,
      5,
      'x',
      true,
      [],
      {},
      ['a'],
      { $ref: '#/components/schemas/Nothing' },
      { $ref: 5 },
    )
    const edit = fc.record({ index: fc.nat(), junk, how: fc.constantFrom('replace', 'remove', 'move') })
    const someEdits = fc.array(edit, { minLength: 1, maxLength: 3 })
    await holds(t, fc.tuple(fc.nat(), someEdits), async ([documentIndex, edits]) => {
      const root = structuredClone(documents[documentIndex % documents.length] as object)
      const members = listMembers(root)
      for (const { index, junk, how } of edits) {
        const [owner, key] = members[index % members.length] as Member
        const [otherOwner, otherKey] = members[(index * 7) % members.length] as Member
        if (how === 'remove') Reflect.deleteProperty(owner, key)
        else owner[key] = structuredClone(how === 'move' ? otherOwner[otherKey] : junk)
      }
      writeFileSync(file, JSON.stringify(root))
      return loadDocument(file).then(
        () => true,
        (error: unknown) => error instanceof DocumentError,
      )
    })
  },
)

t.test('a spec with any one value replaced is served or refused, and never a program error', async (t) => {
  const root = {
    openapi: '3.1.0',
    info: { title: 'Small', version: '1.0.0' },
    security: [{ Key: [] }],
    paths: { '/a': { get: {}, additionalOperations: { COPY: {} } } },
    components: {
      securitySchemes: { Key: { type: 'http', scheme: 'basic' } },
      schemas: { Name: { type: 'string', nullable: true, enum: ['a'] } },
    },
  }
  const reference = { $ref: '#/components/securitySchemes/Key' }
  for (const [owner, key] of listMembers(root)) {
    const value = owner[key]
    for (const junk of [null, 5, 'x', [], {}, [null], { a: null }, { a: {} }, reference]) {
      owner[key] = junk
      const error = await loadDocument({ name: 'small', value: root }).catch((reason: unknown) => reason)
      t.ok(error instanceof DocumentError || !(error instanceof Error), `${key}: ${JSON.stringify(junk)}`)
    }
    owner[key] = value
  }
})

type Member = [owner: Record<string, unknown>, key: string]

/** Lists the members of an object and of all objects and arrays within it. */
function listMembers(owner: object): Member[] {
  return Object.entries(owner).flatMap(([key, value]: [string, unknown]) => {
    const inner = typeof value === 'object' && value !== null ? listMembers(value) : []
    return [[owner as Record<string, unknown>, key] satisfies Member, ...inner]
  })
}

t.test('a second document in the file is refused', async (t) => {
  await refuses(t, 'a: 1\n«---\nb: 2\n', ['invalid YAML: Source contains multiple documents; correct the syntax'])
})

t.test('an empty file is refused', async (t) => {
  await refuses(t, '«', ['this is not an OpenAPI document; begin it with "openapi: 3.1.0"'])
})

t.test('a file that cannot be read, or is not UTF-8, is refused', async (t) => {
  const directory = temporaryFolder(t)
  const missing = join(directory, 'none.yaml')
  for (const [file, what] of [
    [missing, 'the file cannot be read (ENOENT); check its name, permissions and encoding'],
    [directory, 'this is not a regular file; save the document in one'],
    ['/dev/zero', 'this is not a regular file; save the document in one'],
  ] as const) {
    const message = `${relative(process.cwd(), file)}:1:1: ${what}`
    await t.rejects(loadDocument(file), { name: 'DocumentError', message })
  }
  const source = Buffer.from(library.replace('Library', 'Bücherei'), 'latin1')
  t.strictSame(await getRefusal(t, { source, handlers: {} }), [
    '1:1: the file cannot be read (ERR_ENCODING_INVALID_ENCODED_DATA); check its name, permissions and encoding',
  ])
})

t.test('schemas that are nested or refer to each other too deeply are refused, others not', async (t) => {
  const nest = (depth: number, inner: string) => '{ type: array, items: '.repeat(depth) + inner + ' }'.repeat(depth)
  const chain = (length: number, toSchema: (reference: string) => string) =>
    Array.from({ length }, (_, at) => `    A${at}: ${toSchema(`{ $ref: "#/components/schemas/A${at + 1}" }`)}\n`)
      .concat(`    A${length}: { type: string }\n`)
      .join('')
  const toObject = (reference: string) => `{ type: object, properties: { a: ${reference} } }`
  const toAllOf = (reference: string) => `{ allOf: [${reference}] }`
  const getLines = (schemas: string) => {
    const source = `openapi: 3.1.0\n${info}paths: {}\ncomponents:\n  schemas:\n${schemas}`
    return getRefusal(t, { source, handlers: {} })
  }
  const nested = (depth: number) => `    A0: ${nest(depth, '{ type: string }')}\n`
  const example = `    B: { type: object, properties: { a: { $ref: "#/components/schemas/A0" } }, example: {} }\n`
  for (const schemas of [nested(100), chain(199, String), chain(3000, toAllOf), chain(1500, toObject) + example]) {
    t.strictSame(await getLines(schemas), [])
  }
  t.match((await getLines(nested(10_000))).at(-1), 'nested too deep')
})

t.test('of a kind of mistake, the first three are listed, with the count of the others', async (t) => {
  const schemas = Array.from({ length: 1186 }, (_, at) => `    S${at}: { type: strin, title: ${at % 400 ? 'x' : 5} }\n`)
  const source = `openapi: 3.1.0\ninfo: { title: T, version: 1.0.0 }\ncomponents:\n  schemas:\n${schemas.join('')}`
  const type = '"strin" is not supported here; use one of: null, boolean, object, array, number, integer, string'
  const text = 'this must be of type string, but is 5; put it in quotes'
  t.strictSame(await getRefusal(t, { source, handlers: {} }), [
    `5:11: ${type}`,
    `5:24: ${text}`,
    `6:11: ${type}`,
    `7:11: ${type} (and 1183 more of this kind)`,
    `405:26: ${text}`,
    `805:26: ${text}`,
  ])
})

t.test('a default that loses its effect is named beside the types that it makes stale', async (t) => {
  const withDefault = (value: number) =>
    library.replace('schema: { type: integer }', `schema: { type: integer, maximum: 10, default: ${value} }`)
  const digests = computeDigests(await load(t, withDefault(10)))
  const lines = await getRefusal(t, {
    source: withDefault(11),
    handlers: { listBooks: idle, getBook: idle },
    security: { Reader: nobody },
    digests,
  })
  t.match(lines, [
    /^6:5: the generated types are older than the operation "listBooks"; generate them again$/,
    /^9:84: the default is not valid against its schema, so it has no effect: default must be at most 10; /,
  ])
})

t.test('every part of a document without effect is a warning at its place, and nothing else', async (t) => {
  for (const text of readFileSync(join(import.meta.dirname, 'warnings.yaml'), 'utf8').split('---\n')) {
    const { source, places } = readMarked(text)
    const handlers = source.includes('listBooks') ? { listBooks: idle, addBook: idle } : {}
    const { openapi } = await createLayer(t, { source, handlers })
    t.strictSame(
      openapi.warnings.map((line) => line.slice(line.indexOf('yaml:') + 5)).toSorted(),
      readMistakes(text)
        .map((message, index) => `${places[index]}: ${message}`)
        .toSorted(),
    )
  }
})

t.test('a default that is not valid is a warning, and is not filled in', async (t) => {
  const { source, places } = readMarked(
    library
      .replace('security: [{ Reader: [] }]', 'security: []')
      .replace('type: integer }', 'type: integer, maximum: 10, «default: 20 }')
      .replace('Book: { type', 'Number: { type: integer, format: int64, «default: 9223372036854775808 }, $&')
      .replace(
        'getBook\n',
        '$&      requestBody: { content: { text/plain: { schema: { prefixItems: [{ $ref: "#/components/schemas/Number" }] } } } }\n',
      )
      .replace('    get:\n      operationId: getBook', '    post:\n      operationId: getBook'),
  )
  const document = await load(t, source)
  const what = 'the default is not valid against its schema, so it has no effect: default'
  t.strictSame(
    document.warnings.map((line) => line.slice(line.indexOf('yaml:') + 5)),
    [
      `${places[0]}: ${what} must be at most 10; change one of them`,
      `${places[1]}: ${what} must be an int64 integer; change one of them`,
    ],
  )
  const received: unknown[] = []
  const listBooks = async ({ query }: { query: unknown }) => {
    received.push(query)
    return { status: 200, body: {} }
  }
  const { call } = await startLayer(t, { document, source, handlers: { listBooks, getBook: idle } })
  t.equal((await call('GET', '/v1/books')).status, 200)
  t.strictSame(received, [{}])
})

t.test('everything in which a document and its implementation do not match is named at once', async (t) => {
  const marked = library
    .replace('paths:\n', '«$&')
    .replace('operationId: list', '«operationId: list')
    .replace('get:\n      operationId: getBook', '«$&')
    .replace('Reader: { type', '«Reader: { type')
    .replace('Book: { type', '«Book: { type')
  const digests = computeDigests(await load(t, marked.replaceAll('«', '')))
  const messages = [
    'the handler "burnBook" has no operation; add one or remove the handler',
    '"listBooks" has no handler; write one, remove the operation, or set the option missingHandlers',
    'the generated types are older than the operation "getBook"; generate them again',
    'the security scheme "Reader" has no function; write one or remove the scheme',
    'the generated types are older than the schema "Book"; generate them again',
  ]
  await refuses(t, marked, messages, {
    handlers: { getBook: idle, burnBook: idle },
    security: {},
    digests: {
      ...digests,
      operations: { ...digests.operations, getBook: 'of another one' },
      schemas: { ...digests.schemas, Book: 'of another one' },
    },
  })
})

t.test('handlers, security functions and route options of another type are refused', async (t) => {
  const marked = library
    .replace('get:\n      operationId: listBooks', '«$&')
    .replace('get:\n      operationId: getBook', '««$&')
    .replace('Reader: { type', '«Reader: { type')
  const messages = [
    'the handler "listBooks" is not a function; write a function',
    'the handler "getBook" is not a function; write a function',
    'the route options "getBook" are not an object; write one',
    'the security scheme "Reader" has no function; write one or remove the scheme',
  ]
  for (const Reader of [undefined, 5]) {
    const options = { handlers: { listBooks: 5, getBook: {} }, security: { Reader }, routes: { getBook: null } }
    for (const missingHandlers of ['error', 'notImplemented'] as const) {
      await refuses(t, marked, messages, { ...(options as object), missingHandlers })
    }
  }
})

t.test('server variables from outside are checked too, and the message names the variable', async (t) => {
  const source = `openapi: 3.1.0\n${info}servers:
  - url: "{home}"
    variables: { home: { default: https://library.example/v1 } }
  - url: "{mirror}"
    variables: { mirror: { default: https://mirror.example/v1 } }
  - url: "{base}"
    variables: { base: { default: /v1, enum: [/v1, /v2] } }
paths: {}
`
  const differs = (url: string, name: string) =>
    `operations are served under /v1 alone, and "${url}" has another path; use the same path, or set the option basePath (${name} of the option servers)`
  const invalid = 'is not an http(s) URL or path without query; correct it'
  for (const [servers, ...lines] of [
    [{}],
    [{ mirror: 'https://other.example/v1', of: undefined }],
    [{ home: '/v2', mirror: 'https://other.example/v2', base: '/v2' }],
    [{ home: undefined, mirror: 'https://other.example' }, `6:5: ${differs('https://other.example', 'mirror')}`],
    [{ mirror: undefined, base: '/v2' }, `8:5: ${differs('/v2', 'base')}`],
    [{ base: '/v3' }, `8:5: ${differs('/v3', 'base')}`, '9:18: "/v3" is not a value of "base"; use one of: /v1, /v2'],
    [
      { home: 'library.example', mirror: 'https:///v1' },
      `4:5: "library.example" ${invalid} (home of the option servers)`,
      `6:5: "https:///v1" ${invalid} (mirror of the option servers)`,
    ],
  ] as const) {
    t.strictSame(await getRefusal(t, { source, handlers: {}, servers }), lines)
  }
})

t.test('a required header that neither the server nor a handler sends with every response is refused', async (t) => {
  const source = library
    .replace('The books.,', `The books., headers: { «Deprecation: ${required}, RateLimit: ${required} },`)
    .replace('wrong. }', `wrong., headers: { «RateLimit: ${required}, «__proto__: ${required} } }`)
  // The compiler asks the handler of listBooks for RateLimit.
  await refuses(t, source, ['Deprecation', 'RateLimit', '__proto__'].map(notAlwaysSent))
  const sent = source.replace('«RateLimit', 'RateLimit')
  await refuses(t, sent, ['Deprecation', '__proto__'].map(notAlwaysSent), { serverHeaders: ['ratelimit'] })
})

t.test('a constant in place of what the server computes is refused', async (t) => {
  const constant = '{ schema: { $ref: "#/components/schemas/One" } }'
  const toMessage = (name: string) => `the value of "${name}" is for the server to compute; remove its const or enum`
  for (const names of [
    ['date', 'ETag'],
    ['WWW-Authenticate', 'RateLimit'],
  ]) {
    const headers = names.map((name) => `«${name}: ${constant}`).join(', ')
    const source = library
      .replace('The books.,', `The books., headers: { ${headers}, Link: ${constant}, X-A: ${constant} },`)
      .replace('schemas: {', 'schemas: { One: { type: string, const: "1" },')
    await refuses(t, source, names.map(toMessage), { serverHeaders: ['ratelimit'] })
  }
})

const notAlwaysSent = (name: string) =>
  `"${name}" is required, but not sent with every response of this kind; remove the header or "required", or name it in serverHeaders`

t.test(
  'a required Link of a deprecation is refused where there is neither a successor nor documentation',
  async (t) => {
    const marked = library.replace('wrong. }', `wrong., headers: { «Link: ${required} } }`)
    const options = { getDocumentationUrl: undefined as never }
    await refuses(t, marked, [notAlwaysSent('Link')], options)
    const source = marked.replace('«', '')
    await refuses(t, source, [])
    await refuses(t, source.replace('x-sunset:', 'x-replaced-by: listBooks\n      x-sunset:'), [], options)
  },
)

t.test('a required header of a 406 is refused, because the layer sends that status itself', async (t) => {
  const notAcceptable = `"406": { description: No., headers: { «X-Why: ${required} } }`
  const source = library.replace('responses: { "200"', `responses: { ${notAcceptable}, "200"`)
  await refuses(t, source, [notAlwaysSent('X-Why')])
})

t.test('a required header of a 304 is refused unless the 200 requires it', async (t) => {
  const notModified = `"304": { description: No news., headers: { x-count: ${required}, «X-Next: ${required}, ETag: ${required} } }`
  const headers = `headers: { X-Count: ${required}, X-Next: { schema: { type: string } }, ETag: ${required} }`
  const source = library
    .replace('The books.,', `The books., ${headers},`)
    .replace('responses: { "200"', `responses: { ${notModified}, "200"`)
  await refuses(t, source, [notAlwaysSent('X-Next')])
})

t.test('a required ETag of a 200 without content is refused', async (t) => {
  const responses = `"304": { description: No news. }, "200": { description: Nothing., headers: { «ETag: ${required} } }`
  await refuses(t, library.replace('"204": { description: There is none. }', responses), [notAlwaysSent('ETag')])
})

t.test('a constant Content-Encoding of a body that the server writes is refused', async (t) => {
  const constant = '{ schema: { $ref: "#/components/schemas/Coding" } }'
  const source = library
    .replace('The books.,', `The books., headers: { «content-encoding: ${constant} },`)
    .replace('There is none. }', `It., headers: { Content-Encoding: ${constant} }, content: { text/csv: {} } }`)
    .replace('"204"', '"200"')
    .replace('schemas: {', 'schemas: { Coding: { const: gzip },')
  const message = 'the server does not encode this body; remove the header, or describe the body as bytes'
  await refuses(t, source, [message])
})

/** Passes if the layer refuses a document with these messages about the places that are marked in it, in their order. */
async function refuses(
  t: Test,
  text: string,
  messages: readonly string[],
  options: Partial<LayerOptions> = {},
): Promise<void> {
  const { source, places } = readMarked(text)
  const ids = Array.from(source.matchAll(/operationId: (.*)$/gm), ([, id = '']) => id)
  const handlers = Object.fromEntries(ids.map((id) => [id, idle]))
  t.strictSame(
    await getRefusal(t, { source, handlers, security: { Reader: nobody }, ...options }),
    messages.map((message, index) => `${places[index]}: ${message}`),
  )
}
