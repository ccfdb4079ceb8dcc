/** Documents with mistakes in some operations, loaded with `problems: 'skip'`. */
import t, { type Test } from 'tap'
import { loadDocument } from '../../src/openapi/index.ts'
import { createLayer, idle, startLayer } from './layer.ts'

const text = { description: 'OK.', content: { 'application/json': { schema: { type: 'string' } } } }
const operation = { responses: { 200: text } }
const mistaken = { ...operation, unknownField: 1 }
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
const components = { securitySchemes: { Key: { type: 'http', scheme: 'bearer' } } }

function load(fields: object) {
  const value = { openapi: '3.1.0', info: { title: 'Animals', version: '1.0.0' }, ...fields }
  return loadDocument({ name: 'api', value }, { problems: 'skip' })
}

/** Serves a document, and returns the statuses of requests; the caller of each has a key. */
async function getStatuses(t: Test, fields: object, requests: readonly string[]): Promise<string[]> {
  const document = await load(fields)
  const handlers = Object.fromEntries(
    document.operations.map(({ id, method }) => [
      id,
      async () => ({ status: 200, ...(method !== 'head' && { body: id }) }),
    ]),
  )
  const security = { Key: () => ({ id: '1', name: 'Ada' }) }
  const { call } = await startLayer(t, { source: '', document, handlers, security })
  return Promise.all(
    requests.map(async (request) => {
      const [method = '', path = ''] = request.split(' ')
      const { status, headers } = await call(method, path, { headers: { authorization: 'Bearer x' } })
      return `${request} ${status}${headers.allow === undefined ? '' : ` ${headers.allow}`}`
    }),
  )
}

const isRejected = (fields: object, message: string | RegExp) =>
  t.rejects(load(fields), { name: 'DocumentError', message })

t.test('an operation with a mistake keeps its route, which responds with 501', async (t) => {
  const paths = {
    '/pets/{id}': { parameters: [id], get: operation },
    '/pets/mine': { get: mistaken, post: operation },
  }
  t.same(
    await getStatuses(t, { paths }, [
      'GET /pets/mine',
      'HEAD /pets/mine',
      'POST /pets/mine',
      'PUT /pets/mine',
      'GET /pets/1',
    ]),
    [
      ...['GET /pets/mine 501', 'HEAD /pets/mine 501', 'POST /pets/mine 200'],
      ...['PUT /pets/mine 405 GET, HEAD, POST', 'GET /pets/1 200'],
    ],
  )
})

t.test('the mistakes and the operations that are skipped are warnings with their places', async (t) => {
  const { warnings, skippedOperations } = await load({ paths: { '/a': { get: mistaken }, '/b': { get: operation } } })
  t.same(warnings, [
    'api#/paths/~1a/get: GET /a is not served, because of a mistake in it or in what it refers to; correct the mistakes',
    'api#/paths/~1a/get/unknownField: "unknownField" is not supported in Operation Object; remove or correct it',
  ])
  t.match(skippedOperations, [{ id: 'getA', method: 'get', path: '/a' }])
})

t.test('an operation that reaches a mistake by references is skipped', async (t) => {
  const refersTo = (name: string) => {
    const schema = { $ref: `#/components/schemas/${name}` }
    return { responses: { 200: { description: 'OK.', content: { 'application/json': { schema } } } } }
  }
  const schemas = {
    Wrong: { type: 'text', properties: { right: { type: 'string' } } },
    Referrer: { items: { $ref: '#/components/schemas/Wrong' } },
    Right: { type: 'string' },
  }
  const paths = {
    '/a': { get: refersTo('Referrer') },
    '/b': { get: refersTo('Wrong/properties/right') },
    '/c': { get: refersTo('Right') },
    '/d': { get: { responses: { 200: { $ref: '#/paths/~1a/get/responses/200' } } } },
  }
  t.same(await getStatuses(t, { paths, components: { schemas } }, ['GET /a', 'GET /b', 'GET /c', 'GET /d']), [
    ...['GET /a 501', 'GET /b 501', 'GET /c 200', 'GET /d 501'],
  ])
})

t.test(
  'a mistake in a path outside its operations skips all of them, also those of paths that refer to it',
  async (t) => {
    const pathItems = { Wrong: { unknownField: 1, get: operation }, Half: { get: mistaken, post: operation } }
    const paths = {
      '/a': { secuirty: [], get: operation, post: operation },
      '/b': { $ref: '#/components/pathItems/Wrong' },
      '/c': { $ref: '#/components/pathItems/Half' },
    }
    t.same(
      await getStatuses(t, { paths, components: { pathItems } }, ['GET /a', 'POST /a', 'GET /b', 'GET /c', 'POST /c']),
      ['GET /a 501', 'POST /a 501', 'GET /b 501', 'GET /c 501', 'POST /c 200'],
    )
  },
)

t.test('HEAD and GET of a path are skipped apart', async (t) => {
  const head = { responses: { 200: { description: 'OK.' } } }
  const paths = { '/a': { get: operation, head: { ...head, unknownField: 1 } }, '/b': { get: mistaken, head } }
  t.same(await getStatuses(t, { paths }, ['GET /a', 'HEAD /a', 'GET /b', 'HEAD /b']), [
    ...['GET /a 200', 'HEAD /a 501', 'GET /b 501', 'HEAD /b 200'],
  ])
})

t.test('an operation with a mistake in its security is skipped, and not served without', async (t) => {
  const paths = {
    '/unknown': { get: { ...operation, security: [{ Kay: [] }] } },
    '/misspelt': { get: { ...operation, secuirty: [{ Key: [] }] } },
    '/null': { get: { ...operation, security: null } },
    '/right': { get: { ...operation, security: [{ Key: [] }] } },
  }
  t.same(
    await getStatuses(
      t,
      { paths, components },
      Object.keys(paths).map((path) => `GET ${path}`),
    ),
    [...['GET /unknown 501', 'GET /misspelt 501', 'GET /null 501', 'GET /right 200']],
  )
})

t.test('a mistake that concerns all operations rejects the document', async () => {
  const paths = { '/a': { get: operation } }
  await isRejected({ paths, security: [{ Key: [] }] }, /^api#\/security\/0\/Key: /)
  await isRejected({ paths, secuirty: [{ Key: [] }] }, /^api#\/secuirty: /)
  await isRejected({ paths, tagsX: [] }, /^api#\/tagsX: /)
  await isRejected({ paths, servers: [{}] }, /^api#\/servers\/0: /)
  await isRejected(
    { paths, components: { securitySchemes: { Key: { type: 'htp' } } } },
    /^api#\/components\/securitySchemes\/Key\/type: /,
  )
  await isRejected({ paths, components: { schemas: 5 } }, /^api#\/components\/schemas: /)
})

t.test('a mistake by which the routes are not known rejects the document', async () => {
  const other = { '/pets/{id}': { parameters: [id], get: operation } }
  await isRejected({ paths: { ...other, 'pets/mine': { get: operation } } }, /^api#\/paths\/pets~1mine: /)
  await isRejected({ paths: { ...other, '/pets/mine': null } }, /^api#\/paths\/~1pets~1mine: /)
  await isRejected({ paths: { ...other, '/pets/mine': { get: null } } }, /^api#\/paths\/~1pets~1mine\/get: /)
  await isRejected({ paths: { ...other, '/pets/mine': { $ref: '#/none' } } }, /^api#\/paths\/~1pets~1mine\/\$ref: /)
  const same = { '/pets/{name}': { parameters: [{ ...id, name: 'name' }], post: operation } }
  await isRejected({ paths: { ...other, ...same } }, /^api#\/paths\/~1pets~1\{name\}: /)
})

t.test('no operation gets the id of one that is skipped', async () => {
  const paths = { '/pets': { get: operation }, '/a': { get: { ...mistaken, operationId: 'getPets' } } }
  await isRejected({ paths }, /^api#\/paths\/~1a\/get\/operationId: the operationId "getPets" belongs to GET \/pets/)
})

t.test('the handler and the route options of a skipped operation are left out', async (t) => {
  const document = await load({ paths: { '/a': { get: mistaken }, '/b': { get: operation } } })
  const handlers = { getA: async () => ({ status: 200, body: 'a' }), getB: async () => ({ status: 200, body: 'b' }) }
  const { call } = await startLayer(t, { source: '', document, handlers, routes: { getA: { bodyLimit: 1 } } })
  t.equal((await call('GET', '/a')).status, 501)
  t.match(await call('GET', '/b'), { status: 200, text: '"b"' })
})

t.test(
  'what depends on the options of the plugin or the router rejects the document when it is registered',
  async (t) => {
    const wrongHeader = { 200: { ...text, headers: { Date: { schema: { const: 'today' } } } } }
    const slashes = {
      '/a': { get: { ...operation, operationId: 'a' } },
      '/a/': { get: { ...operation, operationId: 'b' } },
    }
    for (const [paths, error] of [
      [{ '/a': { get: { responses: wrongHeader } } }, { name: 'DocumentError', message: /"Date" is for the server/ }],
      [{ '/a': { get: { ...operation, servers: [{ url: '/v2' }] } } }, { name: 'DocumentError', message: /\/v2/ }],
      [slashes, { code: 'FST_ERR_DUPLICATED_ROUTE' }],
    ] as const) {
      const document = await load({ paths })
      const handlers = Object.fromEntries(document.operations.map(({ id }) => [id, idle]))
      const routerOptions = { ignoreTrailingSlash: true }
      await t.rejects(createLayer(t, { source: '', document, handlers, routerOptions }), error)
    }
  },
)

t.test('a mistake in what describes the document is a warning', async (t) => {
  const fields = { paths: { '/a': { get: operation } }, tags: [{ description: 'No name.' }], externalDocs: {} }
  t.same((await load(fields)).warnings, [
    'api#/externalDocs: External Documentation Object needs "url"; add it',
    'api#/tags/0: Tag Object needs "name"; add it',
  ])
  t.same(await getStatuses(t, fields, ['GET /a']), ['GET /a 200'])
})

t.test('a discriminator decides beside a mistake in what describes the document', async (t) => {
  const animal = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } }
  const schema = {
    oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
    discriminator: { propertyName: 'kind' },
  }
  const post = {
    requestBody: { content: { 'application/json': { schema } } },
    responses: { 204: { description: 'Done.' } },
  }
  const document = await load({
    paths: { '/a': { post } },
    components: { schemas: { Cat: animal, Dog: animal } },
    externalDocs: {},
  })
  const app = await createLayer(t, { source: '', document, handlers: { postA: async () => ({ status: 204 }) } })
  t.equal((await app.inject({ method: 'POST', url: '/a', payload: { kind: 'Cat' } })).statusCode, 204)
})
