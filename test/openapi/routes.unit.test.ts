/**
 * The routes of operations, as plugins see them: their schemas, and their hooks.
 */
import type { RouteOptions } from 'fastify'
import t from 'tap'
import { SERVER_HEADERS } from '../../src/http/requests.ts'
import { loadDocument, openapi } from '../../src/openapi/index.ts'
import { contractFile } from '../helpers/service.ts'
import { createHost, idle, load, nobody, startLayer } from './layer.ts'

t.test('every route has the schemas that its operation has in the spec', async (t) => {
  const app = createHost(t)
  const routes = new Map<string, RouteOptions>()
  app.addHook('onRoute', (route) => {
    if (route.config?.operation !== undefined) routes.set(route.config.operation.id, route)
  })
  await app.register(openapi, {
    document: await loadDocument(contractFile),
    handlers: { listPets: idle, createPet: idle, getPet: idle },
    security: { ApiKey: nobody },
    serverHeaders: SERVER_HEADERS,
  })

  t.match(routes.get('listPets')?.schema, {
    querystring: { properties: { limit: { $ref: '#/components/schemas/Limit' } }, additionalProperties: false },
    response: { 200: { $ref: '#/components/schemas/Pets' }, 401: { $ref: '#/components/schemas/Error' } },
  })
  t.match(routes.get('createPet')?.schema, {
    headers: { properties: { 'Idempotency-Key': { $ref: '#/components/schemas/IdempotencyKey' } } },
    body: { $ref: '#/components/schemas/NewPet' },
    response: { 201: { $ref: '#/components/schemas/Pet' } },
  })
  t.match(routes.get('getPet')?.schema, {
    params: { properties: { petId: { $ref: '#/components/schemas/Int64' } }, required: ['petId'] },
  })
})

t.test('an error of a hook gets the response that the operation declares', async (t) => {
  const source = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /things:
    post:
      operationId: addThing
      requestBody: { content: { application/json: { schema: {} } } }
      responses:
        default:
          description: What is wrong.
          headers: { Cache-Control: { schema: { type: string, const: no-store } } }
          content: { application/json: { schema: { type: object } } }
`
  const app = createHost(t)
  app.addHook('onRequest', async () => {
    throw Object.assign(new Error('not from there'), { statusCode: 403 })
  })
  await app.register(openapi, { document: await load(t, source), handlers: { addThing: idle } })
  const response = await app.inject({ method: 'POST', url: '/things' })
  t.match(response, { statusCode: 403, headers: { 'cache-control': 'no-store' }, body: '{"error":"not from there"}' })
})

t.test('a path is matched before those with parameters in its place, whatever methods it has', async (t) => {
  const names = new Map([
    ['/things/{name}', { delete: 'removeThing', get: 'getThing' }],
    ['/things/all', { post: 'addAll', get: 'getAll' }],
    ['/things/{name}/parts/{part}', { get: 'getPart' }],
    ['/things/{thing}/parts/all', { post: 'addParts' }],
    ['/shops/all', { put: 'putShops' }],
    ['/shops/{shop}', { get: 'getShop' }],
    ['/shops/a@b', { put: 'putMail' }],
  ])
  const paths = [...names].map(([path, methods]) => {
    const parameters = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => {
      return { name, in: 'path', required: true, schema: { type: 'string' } }
    })
    const responses = { default: { description: 'Any.', content: { 'application/json': { schema: {} } } } }
    const operations = Object.entries(methods).map(([method, operationId]) => [method, { operationId, responses }])
    return [path, { parameters, ...Object.fromEntries(operations) }]
  })
  const info = { title: 'Shop', version: '1.0.0' }
  const source = JSON.stringify({ openapi: '3.1.0', info, paths: Object.fromEntries(paths) })
  const ids = [...names.values()].flatMap(Object.values)
  const handlers = Object.fromEntries(ids.map((id) => [id, async () => ({ status: 200, body: id })]))
  const { call } = await startLayer(t, { source, handlers })
  for (const [method, path, expected] of [
    ['GET', '/things/all', { body: 'getAll' }],
    ['DELETE', '/things/every', { body: 'removeThing' }],
    ['DELETE', '/things/all', { status: 405, headers: { allow: 'GET, HEAD, POST' } }],
    ['DELETE', '/things/%61ll', { status: 405, headers: { allow: 'GET, HEAD, POST' } }],
    ['PUT', '/things/all', { status: 405, headers: { allow: 'GET, HEAD, POST' } }],
    ['PUT', '/things/every', { status: 405, headers: { allow: 'DELETE, GET, HEAD' } }],
    ['GET', '/things/a/parts/b', { body: 'getPart' }],
    ['GET', '/things/all/parts/b', { body: 'getPart' }],
    ['GET', '/things/a/parts/all', { status: 405, headers: { allow: 'POST' } }],
    ['POST', '/things/a/parts/all', { body: 'addParts' }],
    ['GET', '/shops/all', { status: 405, headers: { allow: 'PUT' } }],
    ['GET', '/shops/one', { body: 'getShop' }],
    ['GET', '/shops/a@b', { status: 405, headers: { allow: 'PUT' } }],
    ['HEAD', '/shops/a@b', { status: 405, headers: { allow: 'PUT' } }],
    // An escaped "@" is another text (RFC 3986, section 2.2).
    ['GET', '/shops/a%40b', { body: 'getShop' }],
    ['PUT', '/shops/a%40b', { status: 405, headers: { allow: 'GET, HEAD' } }],
    ['PATCH', '/shops/a@b', { status: 405, headers: { allow: 'PUT' } }],
    ['GET', '/shops/', { status: 404 }],
    ['PUT', '/shops/', { status: 404 }],
  ] as const) {
    t.match(await call(method, path), expected, `${method} ${path}`)
  }
})
