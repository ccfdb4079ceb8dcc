/** A whole app is checked by its document (`checkOperations` of the testing entry). Each mistake is one that people make. */
import { join } from 'node:path'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import type { OpenApi } from '../../src/openapi/document/model.ts'
import { type LoadOptions, loadDocument, openapi } from '../../src/openapi/index.ts'
import type { Handlers } from '../../src/openapi/operation/implementation.ts'
import { TEXT_FORMATS } from '../../src/openapi/schema/formats.ts'
import { checkOperations } from '../../src/openapi/testing/index.ts'
import { seed } from '../helpers/random.ts'
import { waitUntil } from '../helpers/wait.ts'
import { load } from './layer.ts'

const document = await loadDocument(join(import.meta.dirname, 'check-operations.yaml'))

interface Note {
  readonly text: string
  readonly color?: string
}

/** What an app does otherwise than the document says; the first message that the check has of it. */
const MISTAKES = {
  'fails for a color': /addNote: .* 500/,
  'sends an undeclared status': /addNote: .*the status 202 is not declared/s,
  'sends an undeclared header': /listNotes: .*the header x-total is not declared/s,
  'leaves out a required header': /addNote: .*the header Location is required and missing/s,
  'leaves out a required member': /addNote: .*body\.text is required/s,
  'sends an undeclared member': /addNote: .*body\.owner is not declared.*'{"text":"."}'/s,
  'rejects the longest text': /addNote: is valid, and gets a 400/,
  'accepts any limit': /listNotes: is not valid, and gets a 200/,
  'accepts unknown members': /addNote: is not valid, and gets a 201/,
  'serves everybody': /listNotes: lacks a credential, and gets a 200/,
  'ignores scopes': /addNote: lacks a scope, and gets a 201/,
  'fails for notes that exist': /getNote: .* 500/,
} as const

type Mistake = keyof typeof MISTAKES

/** Creates the app by hand, without the layer: it would not let most mistakes happen. */
function createApp(mistake?: Mistake) {
  const app = Fastify({ ajv: { customOptions: { coerceTypes: false, removeAdditional: false } } })
  const notes: object[] = []
  const has = (name: Mistake) => name === mistake
  const reject = (reply: FastifyReply, status: number) => reply.code(status).send({ message: 'no' })
  const isInteger = (text: string) => /^(0|-?[1-9]\d*)$/.test(text)
  app.setErrorHandler(({ statusCode = 500 }: { statusCode?: number }, _request, reply) => reject(reply, statusCode))
  app.addHook('onRequest', async ({ headers, method }: FastifyRequest, reply) => {
    if (has('serves everybody')) return
    const scopes = { 'Bearer all': ['write'], 'Bearer none': [] }[String(headers.authorization)]
    if (scopes === undefined) return reject(reply, 401)
    if (method === 'POST' && scopes.length === 0 && !has('ignores scopes')) return reject(reply, 403)
  })
  app.get<{ Querystring: { limit?: string } }>('/notes', async ({ query: { limit = '20' } }, reply) => {
    const isAllowed = isInteger(limit) && Number(limit) >= 1 && (Number(limit) <= 50 || has('accepts any limit'))
    if (!isAllowed) return reject(reply, 400)
    if (has('sends an undeclared header')) reply.header('x-total', '1')
    return reply.send(notes.slice(0, Number(limit)))
  })
  const properties = {
    text: { type: 'string', minLength: 1, maxLength: has('rejects the longest text') ? 39 : 40 },
    color: { enum: ['red', 'green'] },
    size: { type: 'integer' },
  }
  const body = { type: 'object', required: ['text'], additionalProperties: has('accepts unknown members'), properties }
  app.post<{ Body: Note }>('/notes', { schema: { body } }, async ({ body: { text, color } }, reply) => {
    if (color === 'green' && has('fails for a color')) throw new Error('no such color')
    const note = { id: notes.length + 1, text, ...(has('sends an undeclared member') && { owner: 1 }) }
    notes.push(note)
    if (!has('leaves out a required header')) reply.header('location', `/notes/${note.id}`)
    reply.code(has('sends an undeclared status') ? 202 : 201)
    return reply.send(has('leaves out a required member') ? { id: note.id } : note)
  })
  app.get<{ Params: { id: string } }>('/notes/:id', async ({ params: { id } }, reply) => {
    if (!isInteger(id) || Number(id) < 1) return reject(reply, 400)
    const note = notes[Number(id) - 1]
    if (note === undefined) return reject(reply, 404)
    if (has('fails for notes that exist')) return reject(reply, 500)
    return reply.send(note)
  })
  return app
}

const options = { credentials: { Key: 'all' }, credentialsWithoutScopes: { Key: 'none' }, seed }

t.test('an app that does what its document says passes', async (t) => {
  const count = await checkOperations(createApp(), document, options)
  t.ok(count > 500, `${count} requests`)
})

for (const [mistake, message] of Object.entries(MISTAKES)) {
  t.test(`an app that ${mistake} is reported, with a request`, async (t) => {
    const error = await checkOperations(createApp(mistake as Mistake), document, options).catch((thrown) => thrown)
    t.match(error, { name: 'AssertionError', message })
    t.match(error.message, /\n {2}curl -X /)
  })
}

t.test('an app of the layer passes with the statuses that its handlers decide', async (t) => {
  const app = Fastify()
  app.setErrorHandler(({ statusCode = 500, message }: { statusCode?: number; message: string }, _request, reply) =>
    reply.code(statusCode).send({ message }),
  )
  await app.register(openapi, {
    document,
    handlers: {
      listNotes: async () => ({ status: 400, body: { message: 'not today' } }),
      addNote: async ({ body }: { body: Note }) => ({
        status: 201,
        headers: { location: '/notes/1' },
        body: { id: 1, ...body },
      }),
      getNote: async () => ({ status: 404, body: { message: 'no such note' } }),
    },
    security: {
      Key: (key) => (key === 'all' ? { id: '1', name: 'Ali', scopes: ['write'] } : undefined),
    },
  })
  const appOptions = { credentials: { Key: 'all' }, seed, undeclaredHeaders: ['www-authenticate'] }
  await t.resolves(checkOperations(app, document, { ...appOptions, expected: { listNotes: [400] } }))
  await t.rejects(checkOperations(app, document, { ...appOptions, operations: ['listNotes'] }), {
    message: /^1 mistake .*listNotes: is valid, and gets a 400/s,
  })
})

const id = { type: 'string', readOnly: true }
const integer = { type: 'integer' }

const Tree = {
  anyOf: [integer, { type: 'object', minProperties: 1, additionalProperties: { $ref: '#/components/schemas/Tree' } }],
}

const Bush = { anyOf: [integer, { type: 'array', minItems: 10, items: { $ref: '#/components/schemas/Bush' } }] }

const Pair = { type: 'array', prefixItems: [integer, { $ref: '#/components/schemas/Pair' }] }

/** Bodies for which values must be made. */
const BODIES: Readonly<Record<string, object>> = {
  'an id that is readOnly in one of its branches': {
    type: 'object',
    required: ['id'],
    properties: { id: { oneOf: [id, integer] } },
  },
  'an id that is readOnly in one of the branches of its object': {
    type: 'object',
    required: ['id'],
    oneOf: [
      { required: ['a'], properties: { a: {}, id } },
      { required: ['b'], properties: { b: {}, id: integer } },
    ],
  },
  'a branch that requires what is readOnly there': {
    type: 'object',
    properties: { id: { type: 'string' } },
    anyOf: [{ required: ['id'], properties: { id: { readOnly: true } } }, { required: ['b'] }],
  },
  'an id that is readOnly in all branches': {
    type: 'object',
    required: ['id'],
    properties: { id: { anyOf: [id, { type: 'integer', readOnly: true }] } },
  },
  'a maximum alone': { type: 'number', maximum: -2e9 },
  'an exclusive minimum alone': { type: 'number', exclusiveMinimum: 2e9 },
  'exclusive limits of integers': { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 2 },
  'a map with required names': { type: 'object', additionalProperties: integer, required: ['a', 'b'] },
  'a required member without a schema': { type: 'object', required: ['a'] },
  'a member that one part requires and another one declares': {
    allOf: [{ type: 'object', properties: { a: integer } }, { required: ['a'] }],
  },
  'a map that is not empty': { type: 'object', additionalProperties: integer, minProperties: 2 },
  'a map that is not empty, whose only declared member is readOnly': {
    type: 'object',
    minProperties: 1,
    properties: { name: id },
  },
  'a tree of maps': { $ref: '#/components/schemas/Tree' },
  'items after those of prefixItems': { type: 'array', prefixItems: [integer], items: { type: 'string' }, minItems: 3 },
  'an item that an array contains': { type: 'array', contains: { const: 5 } },
  'a short text of characters beyond 16 bits': { type: 'string', pattern: '^[😀-😎]+$', minLength: 2 },
  'a pattern that escapes what needs no escape': { type: 'string', pattern: '^[^\\_]+$' },
  'a required member named __proto__': { type: 'object', required: ['__proto__'] },
  'fewer items than prefixItems describes': { type: 'array', prefixItems: [integer, integer, integer], maxItems: 2 },
  'items of prefixItems that are like their array': { $ref: '#/components/schemas/Pair' },
  'an item of prefixItems that no value has': { type: 'array', prefixItems: [integer, false] },
  'a text of each format': {
    type: 'object',
    required: [...TEXT_FORMATS.keys()],
    properties: Object.fromEntries(TEXT_FORMATS.keys().map((format) => [format, { type: 'string', format }])),
  },
}

/** Serves the operations of a document by the layer. */
async function serve(paths: object, handlers: Handlers, options?: LoadOptions) {
  const info = { title: '', version: '' }
  const value = { openapi: '3.1.0', info, paths, components: { schemas: { Tree, Bush, Pair } } }
  const document = await loadDocument({ name: 'x', value }, options)
  const app = Fastify()
  app.setErrorHandler(({ statusCode = 500 }: { statusCode?: number }, _request, reply) => reply.code(statusCode).send())
  await app.register(openapi, { document, handlers })
  return { app, document }
}

const responses = { 204: { description: '' }, 400: { description: '' } }

for (const [name, schema] of Object.entries(BODIES)) {
  t.test(`an app of the layer passes with ${name}`, async (t) => {
    const requestBody = { required: true, content: { 'application/json': { schema } } }
    const { app, document } = await serve(
      { '/': { post: { operationId: 'add', requestBody, responses } } },
      { add: async () => ({ status: 204 }) },
    )
    await t.resolves(checkOperations(app, document, { seed }))
  })
}

t.test('an app whose document has int64 as numbers passes: it rejects larger integers', async (t) => {
  const schema = { type: 'integer', format: 'int64' }
  const parameters = [{ name: 'id', in: 'path', required: true, schema }]
  const requestBody = { required: true, content: { 'application/json': { schema } } }
  const { app, document } = await serve(
    { '/{id}': { put: { operationId: 'put', parameters, requestBody, responses } } },
    { put: async () => ({ status: 204 }) },
    { int64: 'number' },
  )
  await t.resolves(checkOperations(app, document, { seed }))
})

const text = { type: 'string', maxLength: 3 }
const pair = { type: 'array', items: text, minItems: 2, maxItems: 2 }

/** Parameters whose values may have the separators of their texts, by the path of their operation. */
const PARAMETERS: readonly (readonly [name: string, path: string, ...parameters: object[]])[] = [
  ['a list in a header', '/', { name: 'x-list', in: 'header', schema: pair }],
  ['a list or text in a header', '/', { name: 'x-list', in: 'header', schema: { anyOf: [pair, text] } }],
  ['a list with bars', '/', { name: 'list', in: 'query', style: 'pipeDelimited', explode: false, schema: pair }],
  ['a list with blanks', '/', { name: 'list', in: 'query', style: 'spaceDelimited', explode: false, schema: pair }],
  ['a list with commas', '/', { name: 'list', in: 'query', explode: false, schema: pair }],
  ['a list in a path', '/{list}', { name: 'list', in: 'path', schema: pair }],
  [
    'two parameters in a segment',
    '/{name}.{type}',
    { name: 'name', in: 'path', schema: text },
    { name: 'type', in: 'path', schema: { enum: ['js', 'ts'] } },
  ],
]

for (const [name, path, ...list] of PARAMETERS) {
  t.test(`an app of the layer passes with ${name}`, async (t) => {
    const parameters = list.map((parameter) => ({ ...parameter, required: true }))
    const { app, document } = await serve(
      { [path]: { get: { operationId: 'find', parameters, responses } } },
      { find: async () => ({ status: 204 }) },
    )
    await t.resolves(checkOperations(app, document, { seed, runs: 300 }))
  })
}

t.test('a Link is followed only with a value that its parameter allows', async (t) => {
  for (const next of [null, -1, { page: 1 }, [1, 2]]) {
    const links = { next: { operationId: 'listPage', parameters: { page: '$response.body#/next' } } }
    const content = { 'application/json': { schema: { type: 'object', properties: { next: {} } } } }
    const parameters = [{ name: 'page', in: 'query', schema: { type: 'integer', minimum: 0 } }]
    const { app, document } = await serve(
      {
        '/pages': { get: { operationId: 'listPages', responses: { 200: { description: '', content, links } } } },
        '/page': { get: { operationId: 'listPage', parameters, responses } },
      },
      { listPages: async () => ({ status: 200, body: { next } }), listPage: async () => ({ status: 204 }) },
    )
    await t.resolves(checkOperations(app, document, { seed, runs: 20 }), JSON.stringify(next))
  }
})

t.test('a Link of an operation to itself is followed', async (t) => {
  const cursor = { type: 'string', pattern: '^[a-z]{20}$' }
  const links = { next: { operationId: 'listPages', parameters: { cursor: '$response.body#/next' } } }
  const schema = { type: 'object', properties: { next: cursor } }
  const response = { description: '', content: { 'application/json': { schema } }, links }
  const get = {
    operationId: 'listPages',
    parameters: [{ name: 'cursor', in: 'query', schema: cursor }],
    responses: { ...responses, 200: response },
  }
  const next = 'thesecondpageofapets'
  const listPages = async ({ query }: { query: { cursor?: string } }) => {
    if (query.cursor === next) throw new Error('there is no second page')
    return { status: 200, body: { next } }
  }
  const { app, document } = await serve({ '/pages': { get } }, { listPages })
  await t.rejects(checkOperations(app, document, { seed, runs: 20 }), {
    message: /listPages: .* 500.*cursor=thesecond/s,
  })
})

t.test('an operation without valid requests is reported, and the others are checked', async (t) => {
  const schema = { type: 'string', pattern: '^(?=.*[0-9])[a-z0-9]{8,}$', not: { const: '' } }
  const parameters = [{ name: 'code', in: 'query', required: true, schema }]
  const foreignSchema = { type: 'string', pattern: '^[^\\x00-\\x7f]+$' }
  const foreignParameters = [{ name: 'word', in: 'query', required: true, schema: foreignSchema }]
  const requestBody = { required: true, content: { 'image/png': {} } }
  const { app, document } = await serve(
    {
      '/codes': { get: { operationId: 'findCode', parameters, responses } },
      '/words': { get: { operationId: 'findWord', parameters: foreignParameters, responses } },
      '/images': { post: { operationId: 'addImage', requestBody, responses } },
      '/notes': { get: { operationId: 'listNotes', responses: { 204: { description: '' } } } },
    },
    Object.fromEntries(
      ['findCode', 'findWord', 'addImage', 'listNotes'].map((id) => [id, async () => ({ status: 204 })]),
    ),
  )
  const app500 = { inject: async () => ({ statusCode: 500, headers: {}, body: '' }) }
  const impossible = `addImage: no body of image/png can be made, only JSON; leave the operation out by the option except

findCode: no valid value is found for query.code; leave the operation out by the option except

findWord: no valid value is found for query.word; leave the operation out by the option except`
  await t.rejects(checkOperations(app, document, { seed }), {
    message: `3 mistakes (seed ${seed}):\n\n${impossible}`,
  })
  await t.rejects(checkOperations(app500, document, { seed }), { message: /^4 mistakes .*listNotes: .* 500/s })
})

t.test(
  'an operation whose values would be too large is reported, and such optional members are left out',
  async (t) => {
    const createList = (minItems: number, items: object) => ({ type: 'array', minItems, items })
    const matrix = createList(1000, createList(1000, integer))
    const largeSchemas = {
      addMatrix: matrix,
      addText: { type: 'string', minLength: 1e9 },
      addMap: { type: 'object', minProperties: 1e9 },
      addNumbers: { type: 'array', contains: integer, minContains: 1e9 },
    }
    const schemas = {
      ...largeSchemas,
      addPart: { type: 'object', properties: { matrix, number: integer } },
      addBush: { $ref: '#/components/schemas/Bush' },
    }
    const paths = Object.entries(schemas).map(([operationId, schema]) => {
      const requestBody = { required: true, content: { 'application/json': { schema } } }
      return [`/${operationId}`, { post: { operationId, requestBody, responses } }]
    })
    const handlers = Object.fromEntries(Object.keys(schemas).map((id) => [id, async () => ({ status: 204 })]))
    const { app, document } = await serve(Object.fromEntries(paths), handlers)
    const mistakes = Object.keys(largeSchemas).map(
      (id) => `${id}: no valid value is found for body; leave the operation out by the option except`,
    )
    await t.rejects(checkOperations(app, document, { seed }), {
      message: `4 mistakes (seed ${seed}):\n\n${mistakes.join('\n\n')}`,
    })
    t.ok((await checkOperations(app, document, { seed, except: Object.keys(largeSchemas) })) > 200)
  },
)

t.test('operations may be left out', async (t) => {
  await t.resolves(checkOperations(createApp('fails for a color'), document, { ...options, except: ['addNote'] }))
})

/** Creates a document of OpenAPI 3.2 with these paths. */
function createRoot(paths: object): OpenApi {
  return { openapi: '3.2.0', info: { title: '', version: '' }, paths } as unknown as OpenApi
}

t.test('of a stream that does not end, the head is checked, and the client leaves', async (t) => {
  const content = { 'application/jsonl': { itemSchema: { type: 'object' } } }
  const parameters = [{ name: 'a', in: 'query', schema: { type: 'integer', minimum: 1 } }]
  const responses = { 200: { description: '', content }, 400: { description: '' } }
  const paths = { '/': { get: { operationId: 'watch', parameters, responses } } }
  const document = await loadDocument({ name: 'streams', value: createRoot(paths) })
  const app = Fastify()
  app.setErrorHandler(({ statusCode = 500 }: { statusCode?: number }, _request, reply) => reply.code(statusCode).send())
  let streams = 0
  async function* wait(signal: AbortSignal) {
    streams++
    try {
      yield {}
      // The client may have left before the next item is asked for.
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
    } finally {
      streams--
    }
  }
  const watch = async ({ signal }: { signal: AbortSignal }) => ({ status: 200, body: wait(signal) })
  await app.register(openapi, { document, handlers: { watch } })
  await t.resolves(checkOperations(app, document, { seed, runs: 5 }))
  await waitUntil(() => streams === 0)
})

t.test(
  'a Link has texts with expressions, with headers in any case, and one to a body that is not JSON is not followed',
  async (t) => {
    const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string', minLength: 1 } }]
    const links = {
      made: { operationId: 'getNote', parameters: { id: '{$method}-{$statusCode}-{$response.header.X-Id}' } },
      lost: { operationId: 'getNote', parameters: { id: '$response.body#/id' } },
    }
    const headers = { 'X-Id': { schema: {} } }
    const response = { description: '', headers, content: { 'text/html': {} }, links }
    const root = createRoot({
      '/notes': { post: { operationId: 'addNote', responses: { 201: response } } },
      '/notes/{id}': { get: { operationId: 'getNote', parameters, responses: { 204: { description: '' } } } },
    })
    const urls = new Set<string>()
    const app = {
      async inject({ method, url }: { method: string; url: string }) {
        urls.add(url)
        if (method === 'GET') return { statusCode: 204, headers: {}, body: '' }
        return { statusCode: 201, headers: { 'content-type': 'text/html', 'X-Id': '7' }, body: '<p>' }
      },
    }
    await t.resolves(checkOperations(app, { root }, { seed }))
    t.ok(urls.has('/notes/POST-201-7'), [...urls].join(' '))
  },
)

t.test('a Link names a parameter with or without its location, and a header of the request in any case', async (t) => {
  const header = { name: 'x-tenant', in: 'header', required: true, schema: { enum: ['the tenant'] } }
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string', minLength: 1 } }
  const userId = { name: 'user.id', in: 'query', schema: { type: 'string' } }
  const links = Object.fromEntries(
    ['id', 'path.id'].map((name) => [
      name,
      { operationId: 'getNote', parameters: { [name]: `${name} of {$request.header.X-Tenant}` } },
    ]),
  )
  const root = createRoot({
    '/notes': {
      post: {
        operationId: 'addNote',
        parameters: [header],
        responses: { ...responses, 201: { description: '', links } },
      },
    },
    '/notes/{id}': { get: { operationId: 'getNote', parameters: [userId, id], responses } },
  })
  const urls: string[] = []
  const app = {
    async inject({ method, url, headers }: { method: string; url: string; headers: Record<string, string> }) {
      urls.push(decodeURIComponent(url))
      if (method === 'GET') return { statusCode: 204, headers: {}, body: '' }
      return { statusCode: headers['x-tenant'] === 'the tenant' ? 201 : 400, headers: {}, body: '' }
    },
  }
  await t.resolves(checkOperations(app, { root }, { seed }))
  const isSent = (text: string) => urls.some((url) => url.includes(text))
  t.ok(isSent('/notes/id of the tenant'))
  t.ok(isSent('/notes/path.id of the tenant'))
  t.notOk(isSent('user.id=id of the tenant'))
})

t.test('an operation that does not exist is an error', async (t) => {
  const error = { name: 'TypeError', message: 'the document has no operation "getNotee"; correct the options' }
  await t.rejects(checkOperations(createApp(), document, { ...options, operations: ['getNotee'] }), error)
  await t.rejects(checkOperations(createApp(), document, { ...options, except: ['getNotee'] }), error)
  await t.rejects(checkOperations(createApp(), document, { ...options, expected: { getNotee: [400] } }), error)
})

t.test('a credential that is missing in the options is named', async (t) => {
  await t.rejects(checkOperations(createApp(), document), {
    name: 'TypeError',
    message: 'addNote needs a credential of Key; add it to the option credentials',
  })
})

t.test('a credential that is missing for any operation is named before a request is sent', async (t) => {
  const operation = (operationId: string, security: object[]) => ({ get: { operationId, security, responses } })
  const paths = { '/first': operation('getFirst', []), '/second': operation('getSecond', [{ Key: [] }]) }
  const components = { securitySchemes: { Key: { type: 'http', scheme: 'bearer' } } }
  const urls: string[] = []
  const app = {
    async inject({ url }: { url: string }) {
      urls.push(url)
      return { statusCode: 204, headers: {}, body: '' }
    },
  }
  await t.rejects(checkOperations(app, { root: { ...createRoot(paths), components } as OpenApi }), /getSecond needs/)
  t.strictSame(urls, [])
})

/** Creates an app that responds with 204 to a request with any credential. */
function createLaxApp() {
  const inject = async ({ headers }: { headers: object }) => {
    return { statusCode: Object.keys(headers).length > 0 ? 204 : 401, headers: {}, body: '' }
  }
  return { inject }
}

const schemes = { Key: { type: 'apiKey', in: 'header', name: 'x-key' }, OAuth: { type: 'http', scheme: 'bearer' } }

/** Creates a document whose operation needs a key without a scope, or a token with a scope. */
function createRootWithScope() {
  const responses = { 204: { description: '' }, 401: { description: '' } }
  const get = { operationId: 'get', security: [{ Key: [] }, { OAuth: ['write'] }], responses }
  return { ...createRoot({ '/it': { get } }), components: { securitySchemes: schemes } } as unknown as OpenApi
}

t.test('scopes are checked with a credential of an alternative that needs a scope', async (t) => {
  for (const credentials of [{ OAuth: 'all' }, { Key: 'k', OAuth: 'all' }]) {
    const credentialsWithoutScopes = { Key: 'k', OAuth: 'none' }
    await t.rejects(
      checkOperations(createLaxApp(), { root: createRootWithScope() }, { credentials, credentialsWithoutScopes, seed }),
      {
        message: /^1 mistake .*get: lacks a scope, and gets a 204\n.*Bearer none'$/s,
      },
    )
  }
})

t.test('a credential without scopes that is missing is named with its option', async (t) => {
  const options = { credentials: { OAuth: 'all' }, credentialsWithoutScopes: { Key: 'k' }, seed }
  await t.rejects(checkOperations(createLaxApp(), { root: createRootWithScope() }, options), {
    name: 'TypeError',
    message: 'get needs a credential of OAuth; add it to the option credentialsWithoutScopes',
  })
})

t.test('the request of a mistake by HEAD is a command that ends', async (t) => {
  const root = createRoot({ '/it': { head: { operationId: 'headIt', responses } } })
  const app = { inject: async () => ({ statusCode: 500, headers: {}, body: '' }) }
  await t.rejects(checkOperations(app, { root }, { seed }), { message: /\n {2}curl --head 'http:/ })
})

t.test('a credential that is missing is named, although every object has a member of its name', async (t) => {
  const get = { operationId: 'get', security: [{ valueOf: [] }], responses }
  const securitySchemes = { valueOf: { type: 'http', scheme: 'bearer' } }
  const root = { ...createRoot({ '/it': { get } }), components: { securitySchemes } } as OpenApi
  const app = { inject: async () => ({ statusCode: 204, headers: {}, body: '' }) }
  await t.rejects(checkOperations(app, { root }, { credentials: {} }), {
    name: 'TypeError',
    message: 'get needs a credential of valueOf; add it to the option credentials',
  })
})

t.test('credentials and lists are sent as the document says', async (t) => {
  const scheme = (type: object) => ({ components: { securitySchemes: { Key: type } } })
  for (const [components, requirement, credential] of [
    [scheme({ type: 'http', scheme: 'bearer' }), 'Key', 'Bearer a'],
    [scheme({ type: 'http', scheme: 'BASIC' }), 'Key', 'Basic YQ=='],
    [scheme({ type: 'http', scheme: 'DPoP' }), 'Key', 'DPoP a'],
    [scheme({ type: 'oauth2' }), 'Key', 'Bearer a'],
  ] as const) {
    const schema = { type: 'array', items: { const: 'b' }, minItems: 2, maxItems: 2 }
    const parameters = [{ name: 'q', in: 'query', required: true, style: 'pipeDelimited', schema }]
    const responses = { 204: { description: '' }, 401: { description: '' }, 400: { description: '' } }
    const operation = { operationId: 'listNotes', security: [{ [requirement]: [] }], parameters, responses }
    const root = { ...createRoot({ '/notes': { get: operation } }), ...components } as OpenApi
    const app = {
      async inject({ url, headers }: { url: string; headers: Readonly<Record<string, string>> }) {
        const statusCode = headers.authorization !== credential ? 401 : url === '/notes?q=b%7Cb' ? 204 : 400
        return { statusCode, headers: {}, body: '' }
      },
    }
    await t.resolves(checkOperations(app, { root }, { credentials: { Key: 'a' }, seed, runs: 3 }), credential)
  }
})

const visits = await loadDocument(join(import.meta.dirname, 'check-visits.yaml'))

/** An app that reads its requests by another text of the document, and what a request is found with. */
const LAXITIES = [
  ['format: int32', 'format: int64', /visits\/2147483648\?/],
  ['name: day, in: query, required: true', 'name: day, in: query', /visits\/1\?key=k'/],
  ['schema: { type: string, format: date }', 'schema: { type: string }', /is not valid, and gets a 200/],
  ['uniqueItems: true', 'uniqueItems: false', /tags=(.)&tags=\1/],
  ['maxItems: 2', 'maxItems: 3', /tags=.&tags=.&tags=./],
  ['pattern: "^[a-z]{1,8}$"', 'pattern: "."', /X-Mode/],
  ['requestBody: { required: true,', 'requestBody: {', /visits\/1\?day=[^ ]*'$/m],
  ['required: [name]', 'required: []', /"guest":\{\}/],
  ['maxLength: 20', 'maxLength: 21', /at most 20 characters/],
  ['maxLength: 20', 'maxLength: 19', /is valid, and gets a 400/],
  ['enum: [day, night]', 'enum: [day]', /is valid, and gets a 400.*"night"/s],
  ['exclusiveMinimum: 0', 'minimum: 0', /"price":0[,}]/],
  ['multipleOf: 0.5', 'multipleOf: 0.25', /multiple of 0.5/],
  ['maximum: 12', 'maximum: 13', /"beds":\[13/],
  ['items: { type: integer', 'items: { type: number', /must be an integer/],
  ['[string, "null"]', 'string', /is valid, and gets a 400.*"note":null/s],
  ['pattern: "^[0-9]{4}$"', 'pattern: ""', /"by":"card"/],
  ['minimum: 0 }', 'minimum: -1 }', /"amount":-1/],
  ['minProperties: 2', 'minProperties: 1', /"labels":\{"[^"]*":\d+\}/],
  ['maxProperties: 4', 'maxProperties: 5', /"labels":\{("[^"]*":\d+,){4}"/],
  ['maximum: 9', 'maximum: 10', /"labels":\{[^{}]*:10[,}]/],
  ['security: [{ Key: [] }]', 'security: []', /lacks a credential, and gets a 200/],
] as const

/** Serves the visits by the layer, with the document changed. */
async function serveVisits(t: Test, from = '', to = '') {
  const document = await load(t, String(visits.source).replace(from, to))
  const app = Fastify()
  app.setErrorHandler(({ statusCode = 500, message }: { statusCode?: number; message: string }, _request, reply) =>
    reply.code(statusCode).send({ message }),
  )
  const visit = { guest: { name: 'Ann' }, at: '2026-01-01T00:00:00Z', kind: 'day' }
  const handlers = { putVisit: async ({ body = visit }: { body?: object }) => ({ status: 200, body }) }
  const Key = (key: string) => (key === 'k' ? { id: '1', name: 'Ann' } : undefined)
  await app.register(openapi, { document, handlers, security: from.startsWith('security') ? {} : { Key } })
  return app
}

const visitOptions = { credentials: { Key: 'k' }, seed, runs: 50, undeclaredHeaders: ['www-authenticate'] }

t.test('requests with each mistake that a document excludes are made, at any depth', async (t) => {
  await t.resolves(checkOperations(await serveVisits(t), visits, visitOptions))
})

for (const [from, to, message] of LAXITIES) {
  t.test(`an app that has "${to}" for "${from}" is reported, with a request`, async (t) => {
    await t.rejects(checkOperations(await serveVisits(t, from, to), visits, visitOptions), { message })
  })
}
