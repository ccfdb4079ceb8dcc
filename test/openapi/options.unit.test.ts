/** The options with which an app adapts a document that it did not write: where it is mounted, and what is not there yet. */
import t from 'tap'
import { openapi } from '../../src/openapi/index.ts'
import { createHost, getRefusal, type LayerOptions, load, startLayer } from './layer.ts'

/** A document whose servers have different paths, of which one is relative. */
const source = `openapi: 3.1.0
info: { title: Trains, version: 1.0.0 }
servers: [{ url: https://trains.example/v1 }, { url: ../mock }]
paths:
  /stations/{station}:
    get:
      operationId: getStation
      parameters: [{ name: station, in: path, required: true, schema: { type: string, maxLength: 10 } }]
      responses:
        "200": { description: Its URL., content: { application/json: { schema: { type: string } } } }
  /timetables:
    servers: [{ url: https://upload.example }]
    put:
      operationId: putTimetable
      responses: { "204": { description: Stored. } }
`
const handlers: LayerOptions['handlers'] = {
  getStation: async ({ urls, path }: { urls: Record<string, (parts: object) => string>; path: object }) => ({
    status: 200,
    body: urls.getStation?.({ path }),
  }),
  putTimetable: async () => ({ status: 204 }),
}

t.test('an operation whose servers have another path needs the option basePath, which the message names', async (t) => {
  const what = 'operations are served under /v1 alone, and "https://upload.example" has another path'
  t.strictSame(await getRefusal(t, { source, handlers }), [
    `12:17: ${what}; use the same path, or set the option basePath`,
  ])
})

for (const [basePath, mounted] of [
  ['/v2', '/v2'],
  ['/v2/', '/v2'],
  ['/a/b:c+d', '/a/b:c+d'],
  ['', ''],
  ['/', ''],
] as const) {
  t.test(`the base path "${basePath}" is that of all operations, whatever paths the servers have`, async (t) => {
    const { app, call } = await startLayer(t, { source, handlers, basePath })
    t.match(app.openapi, { basePath: mounted, publicBasePath: mounted, warnings: [] })
    t.match(await call('GET', `${mounted}/stations/Oslo`), { status: 200, body: `${mounted}/stations/Oslo` })
    t.match(await call('PUT', `${mounted}/timetables`), { status: 204 })
    t.match(await call('DELETE', `${mounted}/timetables`), { status: 405, headers: { allow: 'PUT' } })
    t.equal((await call('GET', '/v1/stations/Oslo')).status, 404)
  })
}

t.test('URLs for clients have the public path and the prefix of the app before the base path', async (t) => {
  const app = createHost(t)
  const document = await load(t, source)
  // The base path is that of the routes, also if it begins like the public path.
  await app.register(
    async (scope) => {
      await scope.register(openapi, { document, handlers, basePath: '/shop/v1', publicPath: '/shop' })
      t.match(scope.openapi, { basePath: '/shop/v1', publicBasePath: '/shop/eu/shop/v1' })
    },
    { prefix: '/eu' },
  )
  const response = await app.inject('/eu/shop/v1/stations/Oslo')
  t.strictSame([response.statusCode, response.json()], [200, '/shop/eu/shop/v1/stations/Oslo'])
})

t.test('a base path that is not a path is refused', async (t) => {
  for (const basePath of [
    'v1',
    './v1',
    '//v1',
    '/v1//',
    '/{v}',
    '/v1?a',
    '/*',
    'https://trains.example/v1',
    'http://[::',
  ]) {
    const message = `the option basePath is "${basePath}", which is not a path; write a path such as /v1`
    t.strictSame(await getRefusal(t, { source, handlers, basePath }), [`1:1: ${message}`])
  }
})

t.test('with a base path, servers are still checked for the form of their URLs', async (t) => {
  const misspelt = source.replace('../mock', 'trains.example')
  t.strictSame(await getRefusal(t, { source: misspelt, handlers, basePath: '/v1' }), [
    '3:49: "trains.example" is not an http(s) URL or path without query; correct it',
  ])
})
